//! Makes an OpenAPI document of descriptions.

use std::collections::BTreeMap;

use serde_json::json;
use utoipa::openapi::{
    Components, ComponentsBuilder, Content as WrittenContent, HeaderBuilder, HttpMethod, Info,
    ObjectBuilder, OpenApi, OpenApiBuilder, PathItem, Paths, Ref, RefOr, Required, Response,
    ResponseBuilder, ServerBuilder,
    extensions::ExtensionsBuilder,
    path::{OperationBuilder, ParameterBuilder, ParameterIn, ParameterStyle},
    request_body::{RequestBody, RequestBodyBuilder},
    schema::{AnyOfBuilder, ArrayBuilder, Schema, SchemaFormat, SchemaType, Type},
    security::{
        ApiKey, ApiKeyValue, HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme,
    },
};

use super::{
    operation::{
        Answer, Body, Content, Failures, Kind, Method, Operation, Parameter, Shape, shape,
    },
    parameters,
};
use crate::{
    api::{hws::HwsProblem, job::ErrorAnswer},
    serve::{cookie, policy::Mode, query::Version},
};

const JSON: &str = "application/json";

/// Statuses of failures, and what each means.
const STATUSES: [(u16, &str); 11] = [
    (
        400,
        "The request is wrong, or what it names does not exist or does not allow it.",
    ),
    (
        401,
        "A proof of who calls is missing or not valid, or the caller may not do this.",
    ),
    (
        403,
        "The caller is not known, or the request comes from another site.",
    ),
    (404, "There is nothing of this name."),
    (405, "The method is not one of this path."),
    (408, "The body did not arrive in time."),
    (
        409,
        "The state of the application or the job does not allow it.",
    ),
    (413, "The body is larger than 4 MiB."),
    (
        500,
        "The server, an executable or the compiler has failed; of the API of Oozie also some requests that are wrong, as Oozie answers them.",
    ),
    (503, "The server accepts no commands now, or is too busy."),
    (504, "Another server did not answer."),
];

/// Failures that requests of every kind may have.
const USUAL: [u16; 7] = [400, 401, 403, 408, 413, 500, 503];

fn http(method: Method) -> HttpMethod {
    match method {
        Method::Get => HttpMethod::Get,
        Method::Post => HttpMethod::Post,
        Method::Put => HttpMethod::Put,
        Method::Delete => HttpMethod::Delete,
    }
}

/// The document of all operations of a server with this base.
pub(super) fn document(
    operations: impl Iterator<Item = &'static Operation>,
    base: &str,
    mode: Mode,
) -> OpenApi {
    let mut schemas: BTreeMap<String, RefOr<Schema>> = BTreeMap::new();
    for given in [shape::<ErrorAnswer>(), shape::<HwsProblem>()] {
        add(&mut schemas, given);
    }
    let mut paths = Paths::new();
    for operation in operations {
        for given in shapes(operation) {
            add(&mut schemas, given);
        }
        for (path, version) in operation.place.paths(base, operation.path) {
            let item = PathItem::new(http(operation.method), written(operation, version));
            match paths.paths.get_mut(&path) {
                Some(known) => known.merge_operations(item),
                None => {
                    paths.paths.insert(path, item);
                }
            }
        }
    }
    let mut info = Info::new("hpdl serve", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "Oozie's Web Services API, the API of 2009, and the commands of hpdl, on the jobs of a state folder.".to_owned(),
    );
    OpenApiBuilder::new()
        .info(info)
        .servers(Some([ServerBuilder::new().url("/").build()]))
        .paths(paths)
        .components(Some(components(schemas)))
        .security(Some(proofs(mode)))
        .build()
}

fn shapes(operation: &Operation) -> impl Iterator<Item = Shape> {
    let answers = operation.answers.iter().map(|answer| answer.contents);
    let body = operation.body.map(|body| body.contents);
    let contents = answers.chain(body).flatten();
    contents
        .flat_map(|content| match content {
            Content::Json(shapes) => *shapes,
            Content::Lines(shape) => std::slice::from_ref(shape),
            Content::Numbers | Content::Text(_) | Content::Bytes(_) => &[],
        })
        .copied()
}

/// Adds a type and those that it refers to.
fn add(schemas: &mut BTreeMap<String, RefOr<Schema>>, given: Shape) {
    let mut parts = Vec::new();
    (given.parts)(&mut parts);
    schemas.extend(parts);
    schemas.insert((given.name)().into_owned(), (given.schema)());
}

fn components(schemas: BTreeMap<String, RefOr<Schema>>) -> Components {
    let mut components = ComponentsBuilder::new().schemas_from_iter(schemas);
    for parameter in &parameters::OF_ALL {
        components = components.parameter(parameter.name, parameter_of(parameter, None));
    }
    for (status, text) in STATUSES {
        components = components
            .response(
                component(Failures::Oozie, status, true),
                failure(text, &[shape::<ErrorAnswer>()]),
            )
            .response(
                component(Failures::Oozie, status, false),
                failure(text, &[]),
            )
            .response(
                component(Failures::Hws, status, true),
                failure(text, &[shape::<HwsProblem>()]),
            );
    }
    let scheme_of = |scheme: HttpAuthScheme, text: &str| {
        let scheme = HttpBuilder::new().scheme(scheme).description(Some(text));
        SecurityScheme::Http(scheme.build())
    };
    components
        .security_scheme(
            "bearer",
            scheme_of(HttpAuthScheme::Bearer, "A token of `hpdl token new`."),
        )
        .security_scheme(
            "basic",
            scheme_of(
                HttpAuthScheme::Basic,
                "The user of a token, and the token as the password.",
            ),
        )
        .security_scheme(
            "negotiate",
            scheme_of(
                HttpAuthScheme::Negotiate,
                "A ticket of Kerberos (SPNEGO), with the authentication `kerberos`.",
            ),
        )
        .security_scheme(
            "user",
            SecurityScheme::ApiKey(ApiKey::Query(ApiKeyValue::with_description(
                "user.name",
                "The name of the user, with simple authentication.",
            ))),
        )
        .security_scheme(
            "cookie",
            SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::with_description(
                cookie::NAME,
                "What the server has set for a user.",
            ))),
        )
        .build()
}

/// The proofs of which a server wants one.
fn proofs(mode: Mode) -> Vec<SecurityRequirement> {
    let none: [&str; 0] = [];
    let names: &[&str] = match mode {
        Mode::Simple => &["user", "cookie", "bearer", "basic"],
        Mode::Token => &["bearer", "basic"],
        Mode::Kerberos => &["negotiate", "cookie", "bearer", "basic"],
    };
    let mut proofs: Vec<SecurityRequirement> = names
        .iter()
        .map(|name| SecurityRequirement::new(*name, none))
        .collect();
    if mode == Mode::Simple {
        proofs.push(SecurityRequirement::default());
    }
    proofs
}

fn written(operation: &Operation, version: Option<Version>) -> OperationBuilder {
    let id = match version {
        Some(version) => format!("{}_{version}", operation.id),
        None => operation.id.to_owned(),
    };
    let tag = match operation.path.trim_start_matches('/').split('/').next() {
        Some(first) if !first.is_empty() => first,
        _ => "server",
    };
    let mut written = OperationBuilder::new()
        .operation_id(Some(id))
        .tag(tag)
        .summary(Some(operation.text));
    let is_known = |parameter: &&Parameter| version.is_none_or(|it| it >= parameter.since);
    for parameter in operation.parameters.iter().filter(is_known) {
        written = written.parameter(parameter_of(parameter, version));
    }
    if operation.is_open {
        written = written.security(SecurityRequirement::default());
    } else {
        for parameter in &parameters::OF_ALL {
            written = written.parameter_ref(Ref::new(format!(
                "#/components/parameters/{}",
                parameter.name
            )));
        }
    }
    if let Some(body) = operation.body {
        written = written.request_body(Some(body_of(body)));
    }
    for answer in operation.answers {
        written = written.response(answer.status.to_string(), answer_of(answer));
    }
    // Without one, Oozie's clients read the headers.
    let has_body = operation.failures == Failures::Hws
        || matches!(operation.method, Method::Get | Method::Post);
    let further: &[u16] = match operation.failures {
        Failures::Nothing => return written,
        Failures::Oozie => &[],
        Failures::OozieOrMissing => &[404],
        Failures::Hws => &[404, 405, 409],
    };
    for status in USUAL.iter().chain(further) {
        let name = component(operation.failures, *status, has_body);
        written = written.response(
            status.to_string(),
            RefOr::Ref(Ref::from_response_name(name)),
        );
    }
    written
}

/// The name of the description of a failure.
fn component(failures: Failures, status: u16, has_body: bool) -> String {
    match (failures, has_body) {
        (Failures::Hws, _) => format!("Problem{status}"),
        (_, true) => format!("Failure{status}"),
        (_, false) => format!("Failure{status}WithoutBody"),
    }
}

fn failure(text: &str, shapes: &[Shape]) -> Response {
    let header = |text: &str| {
        HeaderBuilder::new()
            .schema(Some(ObjectBuilder::new().schema_type(Type::String)))
            .description(Some(text))
            .build()
    };
    let code = ObjectBuilder::new()
        .schema_type(Type::String)
        .pattern(Some("^E[0-9]{4}$"));
    let code = HeaderBuilder::new()
        .schema(Some(code))
        .description(Some("Oozie's code, if there is one."))
        .build();
    let mut response = ResponseBuilder::new()
        .description(text)
        .header("oozie-error-code", code)
        .header(
            "oozie-error-message",
            header("The message, if there is a code."),
        );
    if !shapes.is_empty() {
        response = response.content(JSON, WrittenContent::new(Some(any_of(shapes))));
    }
    response.build()
}

fn answer_of(answer: &Answer) -> Response {
    let mut response = ResponseBuilder::new().description(answer.text);
    for content in answer.contents {
        let (media, content) = content_of(*content);
        response = response.content(media, content);
    }
    response.build()
}

fn body_of(body: Body) -> RequestBody {
    let mut written = RequestBodyBuilder::new().description(Some(body.text));
    if body.is_required {
        written = written.required(Some(Required::True));
    }
    for content in body.contents {
        let (media, content) = content_of(*content);
        written = written.content(media, content);
    }
    written.build()
}

fn content_of(content: Content) -> (&'static str, WrittenContent) {
    let text = || Schema::from(ObjectBuilder::new().schema_type(Type::String));
    match content {
        Content::Json(shapes) => (JSON, WrittenContent::new(Some(any_of(shapes)))),
        Content::Numbers => {
            let number = ObjectBuilder::new().schema_type(Type::Integer);
            let list = Schema::from(ArrayBuilder::new().items(number));
            (JSON, WrittenContent::new(Some(list)))
        }
        // OpenAPI 3.1 has no word for lines: the text is described as one, and the type of a line as its content.
        Content::Lines(line) => {
            let line = format!("#/components/schemas/{}", (line.name)());
            let extensions = ExtensionsBuilder::new()
                .add("x-line-schema", json!({ "$ref": line }))
                .build();
            let content = WrittenContent::builder()
                .schema(Some(text()))
                .extensions(Some(extensions))
                .build();
            ("application/x-ndjson", content)
        }
        Content::Text(media) => (media, WrittenContent::new(Some(text()))),
        // As OpenAPI 3.1 has it: without a type.
        Content::Bytes(media) => {
            let bytes = ObjectBuilder::new().schema_type(SchemaType::AnyValue);
            (media, WrittenContent::new(Some(Schema::from(bytes))))
        }
    }
}

/// One of these types; any object if there are none.
fn any_of(shapes: &[Shape]) -> RefOr<Schema> {
    let reference = |shape: &Shape| Ref::from_schema_name((shape.name)());
    match shapes {
        [] => ObjectBuilder::new().schema_type(Type::Object).into(),
        [one] => reference(one).into(),
        several => {
            let any = several
                .iter()
                .fold(AnyOfBuilder::new(), |any, shape| any.item(reference(shape)));
            RefOr::T(Schema::AnyOf(any.build()))
        }
    }
}

fn parameter_of(
    parameter: &Parameter,
    version: Option<Version>,
) -> utoipa::openapi::path::Parameter {
    let place = if parameter.is_in_path {
        ParameterIn::Path
    } else {
        ParameterIn::Query
    };
    let is_required = if parameter.is_required {
        Required::True
    } else {
        Required::False
    };
    let written = ParameterBuilder::new()
        .name(parameter.name)
        .parameter_in(place)
        .required(is_required)
        .description(Some(parameter.text))
        .schema(Some(schema_of(parameter, version)));
    match parameter.kind {
        Kind::Texts => written
            .style(Some(ParameterStyle::Form))
            .explode(Some(true))
            .build(),
        _ => written.build(),
    }
}

fn schema_of(parameter: &Parameter, version: Option<Version>) -> Schema {
    let text = || ObjectBuilder::new().schema_type(Type::String);
    let number = || {
        let format = SchemaFormat::KnownFormat(utoipa::openapi::KnownFormat::Int32);
        ObjectBuilder::new()
            .schema_type(Type::Integer)
            .format(Some(format))
    };
    match parameter.kind {
        // No part of a path is empty, nor has a slash.
        Kind::Text if parameter.is_in_path => text().pattern(Some("^[^/]+$")).into(),
        Kind::Text => text().into(),
        Kind::Pattern(pattern) => text().pattern(Some(pattern)).into(),
        Kind::Integer => number().into(),
        Kind::From(least) => number().minimum(Some(least)).into(),
        Kind::Flag => text().enum_values(Some(["true", "false"])).into(),
        Kind::OneOf(values) => {
            let known = values
                .iter()
                .filter(|(_, since)| version.is_none_or(|it| it >= *since))
                .map(|(value, _)| *value);
            text().enum_values(Some(known)).into()
        }
        Kind::Texts => ArrayBuilder::new().items(text()).into(),
    }
}
