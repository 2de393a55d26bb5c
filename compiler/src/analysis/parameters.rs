//! Every property that the workflow reads: where, as what type, and the source of its value.
//!
//! Without `-c` nothing is undefined: a property that is read and has no default becomes a required property of the
//! executable. With `-c` there are no other properties than the given ones.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    analysis::{cycles::Reach, given::JobProperties, graph::Graph, templates::TemplateUse},
    diagnostics::{Code, Sink},
    model::{Parameter, Property, WorkflowApp},
    source::{Span, Spanned},
};

mod endless_substitution;
mod malformed;
mod malformed_property;
mod missing_parameter;
pub(super) mod reads;
mod report;
mod reserved_property;
pub(super) mod similar;
mod unbraced;
mod undefined_property;
mod unquoted;
mod unset;
mod untaken;

pub use self::untaken::{needs_of_job, sub_workflows_not_run};
use self::{
    reads::{PropertyRead, TypeHint},
    unquoted::KnownValue,
};

pub static CODES: &[&Code] = &[
    &undefined_property::CODE,
    &missing_parameter::CODE,
    &reserved_property::CODE,
    &endless_substitution::CODE,
    &malformed_property::CODE,
];

/// A property that the workflow declares or reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyUse {
    pub name: String,
    /// Where it is read, in document order; empty for a declared property that nothing reads.
    pub uses: Vec<Span>,
    /// Whether `parameters` declares it.
    pub is_declared: bool,
    /// Where `parameters` declares it.
    pub declared_at: Option<Span>,
    /// Its description in `parameters`.
    pub description: Option<String>,
    /// The default in `parameters`, and its place.
    pub parameter_default: Option<Spanned<String>>,
    /// The value in `config-default.xml`, as written.
    pub config_default: Option<String>,
    /// Nothing is certain to fail without it: it is read by `wf:conf` alone, or only in parts of expressions that may not be
    /// evaluated. Never true of a property that `parameters` declares without a default.
    pub is_optional: bool,
    pub r#type: PropertyType,
}

impl PropertyUse {
    /// The value if the job is given none: `config-default.xml` supplies missing ones (`SubmitXCommand`) before `parameters`
    /// does (`ParameterVerifier`).
    pub fn default(&self) -> Option<&str> {
        self.config_default.as_deref().or(self
            .parameter_default
            .as_ref()
            .map(|default| default.value.as_str()))
    }

    /// Where the property is first needed: read, or else declared.
    pub fn first_place(&self) -> Option<Span> {
        self.uses.first().copied().or(self.declared_at)
    }

    /// A job without this property is rejected.
    pub fn is_required(&self) -> bool {
        !self.is_optional && self.default().is_none()
    }
}

/// What type a property is used as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PropertyType {
    String,
    /// A whole number or a fraction.
    Number,
    Integer,
    Boolean,
    /// A path, with or without a scheme.
    Path,
    /// A URI of a file system or a service.
    Uri,
    /// A date as Oozie writes it: `2026-11-20T00:00Z`.
    Date,
}

impl PropertyType {
    pub fn name(self) -> &'static str {
        match self {
            PropertyType::String => "string",
            PropertyType::Number => "number",
            PropertyType::Integer => "integer",
            PropertyType::Boolean => "boolean",
            PropertyType::Path => "path",
            PropertyType::Uri => "uri",
            PropertyType::Date => "date",
        }
    }
}

/// What a document declares about its properties.
pub(super) struct DocumentProperties<'a> {
    pub(super) parameters: &'a [Parameter],
    /// The file of defaults beside the document.
    pub(super) config_default: &'a [Property],
    /// What the document passes to the jobs that it starts.
    pub(super) passed: Vec<&'a Property>,
    /// Whether others may read properties that the document does not.
    pub(super) is_passed_on: bool,
    /// The name in the root element's start tag.
    pub(super) root_span: Span,
    /// The function that reads a property of any name.
    pub(super) conf: &'static str,
    /// Names that no property may have, besides those that are reserved in all documents.
    pub(super) reserved: &'static [&'static str],
    /// Texts with the variables of an instance's date.
    pub(super) uri_templates: Vec<Span>,
    /// The place of what functions refer to by name: a node of a workflow, an event of a coordinator.
    pub(super) named: &'a dyn Fn(&str) -> Option<Span>,
}

impl DocumentProperties<'_> {
    /// Where a property is given, or else has its parameter or its default.
    fn place_of(&self, name: &str, given: &JobProperties) -> Option<Span> {
        let declared = self.parameters.iter().map(|parameter| &parameter.name);
        let declared = declared.filter(|declared| declared.value == name);
        let in_defaults = self
            .config_default
            .iter()
            .filter(|property| property.name.literal() == Some(name));
        given.span(name).or_else(|| {
            declared
                .map(|declared| declared.span)
                .chain(in_defaults.map(|property| property.name.span))
                .next()
        })
    }
}

/// Collects the properties of `app`, by name, and reports those that are missing, reserved or unused.
pub(crate) fn resolve(
    app: &WorkflowApp,
    uses: &[TemplateUse<'_>],
    (graph, reach): (&Graph, &Reach),
    given: &JobProperties,
    sink: &mut Sink,
) -> Vec<PropertyUse> {
    let nodes: OnceCell<BTreeMap<&str, Span>> = OnceCell::new();
    let named = |name: &str| {
        let nodes = nodes.get_or_init(|| {
            let names = app.nodes.iter().map(|node| &node.name);
            names.map(|name| (name.value.as_str(), name.span)).collect()
        });
        nodes.get(name).copied()
    };
    let declared = DocumentProperties {
        parameters: &app.parameters,
        config_default: &app.config_default,
        passed: app
            .sub_workflows()
            .flat_map(|child| &child.settings.configuration.properties)
            .collect(),
        is_passed_on: is_passed_on(app),
        root_span: app.root_span,
        conf: "wf:conf",
        reserved: &[],
        uri_templates: Vec::new(),
        named: &named,
    };
    let mut found = sink.beside();
    let mut properties = resolve_declared(&declared, uses, given, &|_, _| false, &mut found);
    if found.has_errors_like(app.file, &[undefined_property::CODE.id])
        && let Some(of_job) = untaken::uses_of_job(app, uses, graph, given)
    {
        let mut left = sink.beside();
        resolve_declared(&declared, &of_job, given, &|_, _| false, &mut left);
        untaken::soften(app, reach, &mut left, &mut properties, &mut found);
    }
    sink.append(found);
    properties
}

/// Like [`resolve`], for any document. `is_constant` tells the variables of a text that are constants.
pub(super) fn resolve_declared(
    app: &DocumentProperties<'_>,
    uses: &[TemplateUse<'_>],
    given: &JobProperties,
    is_constant: &dyn Fn(usize, &str) -> bool,
    sink: &mut Sink,
) -> Vec<PropertyUse> {
    let defaults = literal_properties(app.config_default);
    let declared: BTreeMap<&str, &Parameter> = app
        .parameters
        .iter()
        .map(|parameter| (parameter.name.value.as_str(), parameter))
        .collect();
    let is_known =
        |name: &str| given.has(name) || defaults.contains_key(name) || declared.contains_key(name);
    let mut reads = reads::by_property(uses, &is_known, is_constant);
    for references in [given_references(given), default_references(app)] {
        for name in references {
            // Properties that others refer to are used, even if no text of the workflow reads them.
            reads.entry(name).or_default();
        }
    }
    report::reserved(app, given, sink);
    report::endless(given, app, &defaults, sink);
    malformed::report(given, app, &defaults, &reads, sink);
    report::unused(app, &reads, sink);
    let value_of = |name: &str| known_value(&declared, given, &defaults, name);
    let is_a_property =
        |name: &str| is_known(name) || reads.get(name).is_some_and(|reads| !reads.is_empty());
    unbraced::check(uses, &is_a_property, sink);
    let mut slips = unquoted::check(app, uses, &reads, &value_of, sink);
    slips.extend(misspelt_constants(&reads));
    report::never_given(app, &reads, given, &slips, sink);
    if given.is_complete {
        report::missing(app, &reads, given, sink);
        report::dropped(app, &reads, given, sink);
        report::undefined(app, &reads, given, &is_known, &slips, sink);
        unset::check(
            uses,
            app.conf,
            &is_known,
            &candidates(given, app, &defaults),
            sink,
        );
    } else {
        similar::check(app, &reads, given, &is_known, sink);
    }
    similar::given_in_vain(app, &reads, given, sink);
    summarize(app, reads, &defaults)
}

/// What is known of the value of a property.
fn known_value<'a>(
    declared: &BTreeMap<&str, &'a Parameter>,
    given: &'a JobProperties,
    defaults: &BTreeMap<&str, &'a str>,
    name: &str,
) -> KnownValue<'a> {
    let parameter = declared.get(name).copied();
    let value = given
        .value(name)
        .or_else(|| defaults.get(name).copied())
        .or_else(|| parameter.and_then(default_of));
    match value {
        Some(value) if given.is_complete => KnownValue::Certain(value),
        Some(value) => KnownValue::Default(value),
        None if parameter.is_some() || given.has(name) => KnownValue::Unknown,
        None => KnownValue::Undefined,
    }
}

/// Where `True` and its like are read, which another pass reports.
fn misspelt_constants(reads: &BTreeMap<String, Vec<PropertyRead>>) -> impl Iterator<Item = Span> {
    let misspelt = reads.iter().filter(|(name, _)| {
        ["true", "false", "null"]
            .iter()
            .any(|constant| name.eq_ignore_ascii_case(constant))
    });
    misspelt.flat_map(|(_, reads)| reads.iter().map(|read| read.span))
}

/// The facts about each property, by name.
fn summarize(
    app: &DocumentProperties<'_>,
    mut reads: BTreeMap<String, Vec<PropertyRead>>,
    defaults: &BTreeMap<&str, &str>,
) -> Vec<PropertyUse> {
    // A name without a read occurs only among the given properties.
    reads.retain(|_, reads| !reads.is_empty());
    let declared: BTreeMap<&str, &Parameter> = app
        .parameters
        .iter()
        .map(|parameter| (parameter.name.value.as_str(), parameter))
        .collect();
    for &name in declared.keys() {
        reads.entry(name.to_owned()).or_default();
    }
    reads
        .into_iter()
        .map(|(name, mut reads)| {
            reads.sort_by_key(|read| read.span);
            let parameter = declared.get(name.as_str());
            let parameter_default = parameter
                .filter(|parameter| default_of(parameter).is_some())
                .and_then(|parameter| parameter.default.clone());
            let config_default = defaults.get(name.as_str()).map(|&value| value.to_owned());
            let default = config_default.as_deref().or(parameter_default
                .as_ref()
                .map(|default| default.value.as_str()));
            let is_demanded = parameter.is_some_and(|parameter| default_of(parameter).is_none());
            let r#type = inferred_type(&reads, default);
            let is_optional = !is_demanded && reads.iter().all(|read| read.is_optional);
            let mut uses: Vec<Span> = reads.iter().map(|read| read.span).collect();
            uses.dedup();
            PropertyUse {
                uses,
                is_declared: parameter.is_some(),
                declared_at: parameter.map(|parameter| parameter.name.span),
                description: parameter
                    .and_then(|parameter| parameter.description.clone())
                    .filter(|description| !description.is_empty()),
                parameter_default,
                config_default,
                is_optional,
                r#type,
                name,
            }
        })
        .collect()
}

/// The one type that all uses with a hint agree on, if the default is of that type too.
fn inferred_type(reads: &[PropertyRead], default: Option<&str>) -> PropertyType {
    let wanted = wanted_type(reads);
    // Expressions accept an empty text as a number, but an empty default is not one.
    let is_of_default = default.is_none_or(|text| match wanted {
        PropertyType::Boolean => {
            let text = text.trim();
            text.eq_ignore_ascii_case("true") || text.eq_ignore_ascii_case("false")
        }
        PropertyType::Number | PropertyType::Integer => {
            !text.trim().is_empty() && malformed_property::takes(wanted, text)
        }
        PropertyType::Date => malformed_property::takes(wanted, text),
        PropertyType::String | PropertyType::Path | PropertyType::Uri => true,
    });
    if is_of_default {
        wanted
    } else {
        PropertyType::String
    }
}

/// The one type that all uses with a hint agree on.
fn wanted_type<'r>(reads: impl IntoIterator<Item = &'r PropertyRead>) -> PropertyType {
    let mut hints: BTreeSet<TypeHint> = reads.into_iter().filter_map(|read| read.hint).collect();
    if hints.contains(&TypeHint::Integer) {
        // Arithmetic accepts whole numbers too.
        hints.remove(&TypeHint::Number);
    }
    if hints.contains(&TypeHint::Uri) {
        // `${nameNode}` is used by itself and at the beginning of paths.
        hints.remove(&TypeHint::Path);
    }
    if hints.contains(&TypeHint::Uri) || hints.contains(&TypeHint::Path) {
        // Some paths may be a special text instead.
        hints.remove(&TypeHint::Text);
    }
    let [hint] = hints.into_iter().collect::<Vec<_>>()[..] else {
        return PropertyType::String;
    };
    match hint {
        TypeHint::Text => PropertyType::String,
        TypeHint::Number => PropertyType::Number,
        TypeHint::Integer => PropertyType::Integer,
        TypeHint::Boolean => PropertyType::Boolean,
        TypeHint::Path => PropertyType::Path,
        TypeHint::Uri => PropertyType::Uri,
        TypeHint::Date => PropertyType::Date,
    }
}

/// The default of a parameter. A default that is the parameter itself, `${name}`, means that a value is required: it occurs
/// in real workflows, and Oozie cannot substitute it.
fn default_of(parameter: &Parameter) -> Option<&str> {
    let default = parameter.default.as_ref()?.value.as_str();
    let is_itself = default
        .strip_prefix("${")
        .and_then(|rest| rest.strip_suffix('}'))
        == Some(parameter.name.value.as_str());
    (!is_itself).then_some(default)
}

/// Properties with a literal name, the last of each name, without empty ones, which Oozie drops.
fn literal_properties(properties: &[Property]) -> BTreeMap<&str, &str> {
    properties
        .iter()
        .filter(|property| !property.value.text.is_empty())
        .filter_map(|property| Some((property.name.literal()?, property.value.text.as_str())))
        .collect()
}

/// Names that given values refer to.
fn given_references(given: &JobProperties) -> Vec<String> {
    given
        .properties
        .values()
        .flat_map(|property| references(&property.value))
        .collect()
}

/// Names that defaults of `parameters` refer to.
fn default_references(app: &DocumentProperties<'_>) -> Vec<String> {
    app.parameters
        .iter()
        .filter_map(|parameter| parameter.default.as_ref())
        .flat_map(|default| references(&default.value))
        .collect()
}

/// The names in `${name}` that Hadoop's substitution would look up.
fn references(value: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut rest = value;
    while let Some((_, after)) = rest.split_once("${") {
        if let Some((name, _)) = after.split_once('}')
            && !name.is_empty()
            && !name.contains(['$', ' '])
        {
            names.push(name.to_owned());
        }
        rest = after;
    }
    names
}

/// Whether others read properties of the workflow's job.
fn is_passed_on(app: &WorkflowApp) -> bool {
    // A sub-workflow may read what its parent does not, and so may a job-xml file.
    app.actions().any(|(_, action)| {
        if let Some(sub_workflow) = action.kind.sub_workflow() {
            return sub_workflow.propagate_configuration;
        }
        action.kind.body().is_none_or(|body| {
            let settings = body.settings();
            settings.is_some_and(|settings| !settings.job_xml.is_empty())
        })
    })
}

/// The existing names, for suggestions.
fn candidates<'a>(
    given: &'a JobProperties,
    app: &DocumentProperties<'a>,
    defaults: &BTreeMap<&'a str, &'a str>,
) -> Vec<&'a str> {
    let declared = app.parameters.iter().map(|it| it.name.value.as_str());
    given
        .properties
        .keys()
        .map(String::as_str)
        .chain(defaults.keys().copied())
        .chain(declared)
        .collect()
}

#[cfg(test)]
mod tests;
