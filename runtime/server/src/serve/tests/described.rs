//! The OpenAPI document against the routes, the sources of the handlers, and the answers of all other tests.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    sync::{LazyLock, OnceLock},
};

use jsonschema::Validator;
use serde_json::{Value, json};

use super::{Answer, TestServer, kinds};
use crate::serve::{
    admin, health, openapi,
    policy::Mode,
    query::Version,
    routes::{ROUTES, Way},
};

/// The base of the servers of tests.
const BASE: &str = "/oozie";

static DOCUMENT: LazyLock<Value> =
    LazyLock::new(|| serde_json::to_value(openapi::document(BASE, Mode::Simple)).unwrap());

static COMPONENTS: LazyLock<Value> = LazyLock::new(strict_components);

static DESCRIBED: LazyLock<Described> = LazyLock::new(Described::new);

/// A schema, which is compiled when the first answer is to follow it.
struct DescribedJson {
    schema: Value,
    validator: OnceLock<Validator>,
}

impl DescribedJson {
    fn validator(&self) -> &Validator {
        self.validator.get_or_init(|| {
            let mut schema = self.schema.clone();
            schema["components"] = COMPONENTS.clone();
            jsonschema::draft202012::new(&schema)
                .unwrap_or_else(|error| panic!("{}: {error}", self.schema))
        })
    }
}

/// The described answers.
struct Described {
    /// Paths as parts; what is in braces may be anything.
    paths: Vec<(Vec<String>, String)>,
    /// By path, method and status; then by media type, with the schema of JSON.
    answers: BTreeMap<(String, String, String), BTreeMap<String, Option<DescribedJson>>>,
}

/// A described response, which may be a reference.
fn resolved(response: &Value) -> &Value {
    match response["$ref"].as_str() {
        Some(path) => DOCUMENT
            .pointer(path.trim_start_matches('#'))
            .unwrap_or_else(|| panic!("{path} leads nowhere")),
        None => response,
    }
}

/// Components whose objects have no keys but those that are described.
fn strict_components() -> Value {
    let mut components = DOCUMENT["components"].clone();
    fn close(value: &mut Value) {
        match value {
            Value::Object(object) => {
                if object.contains_key("properties") && !object.contains_key("additionalProperties")
                {
                    object.insert("additionalProperties".to_owned(), json!(false));
                }
                object.values_mut().for_each(close);
            }
            Value::Array(list) => list.iter_mut().for_each(close),
            _ => {}
        }
    }
    close(&mut components["schemas"]);
    components
}

impl Described {
    fn new() -> Described {
        let (mut paths, mut answers) = (Vec::new(), BTreeMap::new());
        for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
            paths.push((path.split('/').map(str::to_owned).collect(), path.clone()));
            for (method, operation) in item.as_object().unwrap() {
                for (status, response) in operation["responses"].as_object().unwrap() {
                    let contents = resolved(response)["content"].as_object();
                    let contents = contents.into_iter().flatten().map(|(media, content)| {
                        let is_json = media == "application/json";
                        let described = is_json.then(|| DescribedJson {
                            schema: content["schema"].clone(),
                            validator: OnceLock::new(),
                        });
                        (media.clone(), described)
                    });
                    let key = (path.clone(), method.to_uppercase(), status.clone());
                    answers.insert(key, contents.collect());
                }
            }
        }
        // What is written out goes before what is in braces.
        paths.sort_by_key(|(_, path)| path.contains('{'));
        Described { paths, answers }
    }

    /// The described path that a path is one of.
    fn path(&self, path: &str) -> Option<&str> {
        let parts: Vec<&str> = path.split('/').collect();
        let fits = |described: &[String]| {
            described.len() == parts.len()
                && described.iter().zip(&parts).all(|(described, part)| {
                    described == part || (described.starts_with('{') && !part.is_empty())
                })
        };
        let found = self.paths.iter().find(|(described, _)| fits(described));
        found.map(|(_, path)| path.as_str())
    }
}

/// Whether an answer is described: its status, its type, and its JSON with all keys. What is not described at all is an error of the
/// caller, which other tests look at.
pub(super) fn check(method: &str, path: &str, answer: &Answer) -> Result<(), String> {
    let path = path.split('?').next().unwrap_or_default();
    let Some(path) = DESCRIBED.path(path) else {
        return Ok(());
    };
    let method = method.to_uppercase();
    if DOCUMENT["paths"][path].get(method.to_lowercase()).is_none() {
        return Ok(());
    }
    let key = (path.to_owned(), method, answer.status.as_u16().to_string());
    let Some(contents) = DESCRIBED.answers.get(&key) else {
        return Err(format!("the status is not described for {path}"));
    };
    let Some(media) = answer.header("content-type") else {
        return match answer.body.is_empty() {
            true => Ok(()),
            false => Err("a body without a type".to_owned()),
        };
    };
    let media = media.split(';').next().unwrap_or_default().trim();
    let Some(described) = contents.get(media) else {
        return Err(format!("the type {media} is not described for {path}"));
    };
    if let Some(described) = described {
        let value: Value = serde_json::from_str(&answer.body).map_err(|error| error.to_string())?;
        let problems: Vec<String> = described
            .validator()
            .iter_errors(&value)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        if !problems.is_empty() {
            return Err(problems.join("; "));
        }
    }
    Ok(())
}

/// `{*rest}` is any number of parts.
fn is_of_route(path: &str, route: &str) -> bool {
    match route.strip_suffix("{*rest}") {
        Some(before) => path.len() > before.len() && path.starts_with(before),
        None => path == route,
    }
}

#[test]
fn every_route_is_described_and_nothing_else() {
    let described: BTreeSet<&String> = DOCUMENT["paths"].as_object().unwrap().keys().collect();
    let mut routes: Vec<(String, Way)> = ROUTES
        .iter()
        .flat_map(|route| {
            let paths = route.place.paths(BASE, route.path).into_iter();
            paths.map(|(path, _)| (path, route.way))
        })
        .collect();
    routes.extend(health::PATHS.map(|path| (path.to_owned(), Way::Open)));
    for (route, way) in &routes {
        let is_described = described.iter().any(|path| is_of_route(path, route));
        assert_eq!(is_described, *way != Way::Refused, "{route}");
    }
    for path in described {
        let is_route = |(route, _): &(String, Way)| is_of_route(path, route);
        assert!(routes.iter().any(is_route), "{path}");
    }
}

#[test]
fn every_resource_of_admin_is_described_with_its_methods_and_versions() {
    let mut expected = BTreeSet::new();
    for resource in &admin::RESOURCES {
        for version in Version::ALL {
            if version >= resource.answered_since {
                let path = format!("{BASE}/{version}/admin/{}", resource.name);
                let methods = resource.methods.iter();
                expected.extend(methods.map(|it| (path.clone(), it.as_str().to_lowercase())));
            }
        }
    }
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let described = paths.iter().filter(|(path, _)| path.contains("/admin/"));
    let described = described.filter(|(path, _)| path.starts_with(BASE));
    let described: BTreeSet<(String, String)> = described
        .flat_map(|(path, item)| {
            let methods = item.as_object().unwrap().keys();
            methods.map(|method| (path.clone(), method.clone()))
        })
        .collect();
    assert_eq!(described, expected);
}

/// A request with what each operation needs is not one to a path that does not exist.
#[test]
fn every_operation_is_answered() {
    let server = TestServer::new();
    for (path, item) in DOCUMENT["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            let filled = path
                .replace("{id}", "0000001-1-hpdl-W")
                .replace("{name}", "x")
                .replace("{node}", "x");
            let answer = server.send(&method.to_uppercase(), &filled, &[], "");
            let is_lost = answer.code() == Some("E0301") || answer.body.contains("\"Not Found\"");
            assert!(!is_lost, "{method} {path}: {}", answer.body);
            // As a client of a state folder that has nothing, it must not put the server out of work for the next one.
            server.put("/v2/admin/status?systemmode=NORMAL");
        }
    }
}

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// The handlers without their tests, and without blanks.
fn sources() -> String {
    let mut found = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("src/serve"),
        &mut found,
    );
    let is_handler = |path: &PathBuf| {
        let path = path.to_string_lossy();
        // The console is for people.
        !["tests", "openapi", "console"]
            .iter()
            .any(|other| path.contains(other))
    };
    let texts = found.into_iter().filter(is_handler).map(|path| {
        let text = fs::read_to_string(path).unwrap();
        text.split("#[cfg(test)]\nmod tests {")
            .next()
            .unwrap()
            .to_owned()
    });
    let all: String = texts.collect();
    all.split_whitespace().collect()
}

#[test]
fn the_parameters_that_handlers_read_are_described_and_no_others() {
    let sources = sources();
    let mut read = BTreeSet::new();
    for way in ["get", "filled", "required", "number", "is_true", "all"] {
        let before = format!("parameters.{way}(\"");
        let names = sources.split(&before).skip(1);
        read.extend(names.map(|rest| rest.split('"').next().unwrap().to_owned()));
    }
    assert!(read.len() > 30, "{read:?}");
    let mut described = BTreeSet::new();
    let components = DOCUMENT["components"]["parameters"].as_object().unwrap();
    described.extend(
        components
            .values()
            .map(|it| it["name"].as_str().unwrap().to_owned()),
    );
    for item in DOCUMENT["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let parameters = operation["parameters"].as_array();
            let own = parameters.into_iter().flatten();
            let own = own.filter(|it| it["in"] == "query");
            described.extend(own.map(|it| it["name"].as_str().unwrap().to_owned()));
        }
    }
    let silent: Vec<&String> = read.difference(&described).collect();
    assert!(silent.is_empty(), "not described: {silent:?}");
    let idle = described.iter();
    let idle: Vec<&String> = idle
        .filter(|name| !sources.contains(&format!("\"{name}\"")))
        .collect();
    assert!(idle.is_empty(), "read by nobody: {idle:?}");
}

#[test]
fn the_document_is_served_and_its_references_lead_somewhere() {
    let server = kinds::server();
    let answer = server.send("GET", openapi::PATH, &[], "");
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json(), *DOCUMENT);
    assert_eq!(DOCUMENT["openapi"], "3.1.0");
    fn references(value: &Value, found: &mut Vec<String>) {
        match value {
            Value::Object(object) => {
                for (key, value) in object {
                    match value.as_str() {
                        Some(path) if key == "$ref" => found.push(path.to_owned()),
                        _ => references(value, found),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|it| references(it, found)),
            _ => {}
        }
    }
    let mut found = Vec::new();
    references(&DOCUMENT, &mut found);
    assert!(found.len() > 100);
    for path in found {
        let target = DOCUMENT.pointer(path.trim_start_matches('#'));
        assert!(target.is_some(), "{path}");
    }
    let mut ids = BTreeSet::new();
    for item in DOCUMENT["paths"].as_object().unwrap().values() {
        for operation in item.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id), "{id} is not unique");
        }
    }
}

#[test]
fn a_server_with_tokens_says_that_it_wants_one() {
    let document = serde_json::to_value(openapi::document("", Mode::Token)).unwrap();
    assert_eq!(
        document["security"],
        json!([{ "bearer": [] }, { "basic": [] }])
    );
    assert!(document["paths"]["/v2/jobs"].is_object());
    let open = &document["paths"]["/callback"]["get"]["security"];
    assert_eq!(*open, json!([{}]));
}

/// Otherwise every answer would do.
#[test]
fn an_answer_that_is_not_described_is_found() {
    let server = kinds::server();
    let path = "/oozie/v2/jobs";
    let right = server.get("/v2/jobs");
    let changed = |status: u16, body: String| Answer {
        status: axum::http::StatusCode::from_u16(status).unwrap(),
        reason: None,
        headers: right.headers.clone(),
        body,
    };
    assert_eq!(
        check("GET", path, &changed(200, right.body.clone())),
        Ok(())
    );
    let wrong = [
        (418, right.body.clone()),
        (200, right.body.replace("\"total\"", "\"totals\"")),
        (200, right.body.replace("RUNNING", "RUNING")),
        (200, "[]".to_owned()),
    ];
    for (status, body) in wrong {
        assert!(
            check("GET", path, &changed(status, body.clone())).is_err(),
            "{status} {body}"
        );
    }
}
