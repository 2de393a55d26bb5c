//! Values of texts that are known before a job runs: literal ones, and those of properties that are given or have a default.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    el::{
        ast::{Expr, ExprKind, Literal, Part},
        constants,
        error::ElError,
        eval,
        functions::{self, Needs},
        scope::{Scope, is_variable_name},
        value::Value,
    },
    empty_parts::{self, Lost},
    java,
    limits::MAX_KNOWN_TEXT,
};

use crate::{
    analysis::given::{GivenProperties, JobProperties},
    model::{Template, WorkflowApp},
    source::Span,
};

/// What is known of the properties of a job.
pub(crate) struct KnownValues {
    is_complete: bool,
    /// Those whose value is known, with references to others substituted.
    properties: BTreeMap<String, String>,
    given: GivenProperties,
    /// Those in whose values a part is empty.
    pub(crate) lost: Lost,
    /// Where the effective defaults are: the names in `parameters`, or in `config-default.xml`.
    defaults: BTreeMap<String, Span>,
}

/// A text whose value is known.
#[derive(Clone, Debug)]
pub(crate) struct KnownText<'t> {
    pub(crate) value: Cow<'t, str>,
    /// The properties that it depends on, with their places.
    pub(crate) properties: Vec<(String, Option<Span>)>,
    /// The same in every job. Otherwise it depends on a default that a job may override.
    pub(crate) is_certain: bool,
}

impl KnownText<'_> {
    /// Where the value is defined, if in a single other place.
    pub(crate) fn origin(&self) -> Option<Span> {
        match self.properties.as_slice() {
            [(_, span)] => *span,
            _ => None,
        }
    }
}

impl KnownValues {
    pub(crate) fn new(app: &WorkflowApp, given: &JobProperties) -> KnownValues {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        let mut defaults: BTreeMap<String, Span> = BTreeMap::new();
        for parameter in &app.parameters {
            if let Some(default) = &parameter.default {
                values.insert(parameter.name.value.clone(), default.value.clone());
                defaults.insert(parameter.name.value.clone(), default.span);
            }
        }
        for property in &app.config_default {
            if let (Some(name), false) = (property.name.literal(), property.value.text.is_empty()) {
                let value = property.value.text.as_str().to_owned();
                values.insert(name.to_owned(), value);
                defaults.insert(name.to_owned(), property.value.span);
            }
        }
        for (name, property) in &given.properties {
            values.insert(name.clone(), property.value.clone());
            defaults.remove(name);
        }
        // Endless references have been reported; nothing is then known.
        let mut lost = empty_parts::resolve(&mut values).unwrap_or_else(|_| {
            values.clear();
            Lost::default()
        });
        // A default may be overridden, and then the part is not empty.
        if !given.is_complete {
            lost = Lost::default();
        }
        values.retain(|_, value| value.len() <= MAX_KNOWN_TEXT && !value.contains("${"));
        KnownValues {
            is_complete: given.is_complete,
            lost,
            properties: values,
            given: given.properties.clone(),
            defaults,
        }
    }

    /// Whether no property is known, so that only literal texts are.
    pub(crate) fn is_empty(&self) -> bool {
        self.properties.is_empty() && !self.is_complete
    }

    /// The value of a property, with references substituted, and whether it is certain.
    pub(crate) fn property(&self, name: &str) -> Option<(&str, bool)> {
        let value = self.properties.get(name)?;
        Some((value, self.is_certain(name)))
    }

    /// Where the value of a property is defined.
    pub(crate) fn place(&self, name: &str) -> Option<Span> {
        match self.given.get(name) {
            Some(property) => property.span,
            None => self.defaults.get(name).copied(),
        }
    }

    fn is_certain(&self, name: &str) -> bool {
        self.is_complete || self.given.contains_key(name)
    }

    /// The value of an expression, if it is the same in every job.
    pub(crate) fn certain_value(&self, expr: &Expr) -> Option<String> {
        if !is_of_properties(expr) {
            return None;
        }
        let mut names = BTreeSet::new();
        collect_names(expr, &mut names);
        if !names.iter().all(|name| self.is_certain(name)) {
            return None;
        }
        let value = eval::evaluate_expr(expr, self).ok()?;
        Some(value.into_text())
    }

    /// The value of a text, if it is the same in every job.
    pub(crate) fn certain_text<'t>(&self, template: &'t Template) -> Option<Cow<'t, str>> {
        // Most texts of a document that is checked without properties: no need to evaluate them.
        let is_any_certain = self.is_complete || !self.given.is_empty();
        if !is_any_certain && !template.ast.parts.iter().all(is_constant) {
            return None;
        }
        self.text(template)
            .filter(|text| text.is_certain)
            .map(|text| text.value)
    }

    /// The value of a text up to its first expression whose value is not known, and whether that is all of it.
    pub(crate) fn beginning<'t>(&self, template: &'t Template) -> (Cow<'t, str>, bool) {
        if template.is_invalid {
            return (Cow::Borrowed(""), false);
        }
        if let Some(text) = template.ast.as_text() {
            return (Cow::Borrowed(text), true);
        }
        let mut beginning = String::new();
        for part in &template.ast.parts {
            match part {
                Part::Text(text, _) => beginning.push_str(text),
                Part::Expr(expr) => {
                    let is_known = is_of_properties(expr);
                    let value = is_known.then(|| eval::evaluate_expr(expr, self).ok());
                    let Some(value) = value.flatten() else {
                        return (Cow::Owned(beginning), false);
                    };
                    beginning.push_str(&value.into_text());
                }
            }
        }
        (Cow::Owned(beginning), true)
    }

    /// The value of a text, if it is known.
    pub(crate) fn text<'t>(&self, template: &'t Template) -> Option<KnownText<'t>> {
        if template.is_invalid {
            return None;
        }
        if let Some(text) = template.ast.as_text() {
            return Some(KnownText {
                value: Cow::Borrowed(text),
                properties: Vec::new(),
                is_certain: true,
            });
        }
        if self.is_empty() || !template.ast.expressions().all(is_of_properties) {
            return None;
        }
        let value = eval::evaluate_template(&template.ast, self).ok()?;
        let mut names = BTreeSet::new();
        for expr in template.ast.expressions() {
            collect_names(expr, &mut names);
        }
        Some(KnownText {
            value: Cow::Owned(value),
            is_certain: names.iter().all(|name| self.is_certain(name)),
            properties: names
                .into_iter()
                .map(|name| {
                    let place = self.place(&name);
                    (name, place)
                })
                .collect(),
        })
    }
}

/// Whether a part reads nothing: calls are evaluated to find out.
fn is_constant(part: &Part) -> bool {
    match part {
        Part::Text(..) => true,
        Part::Expr(expr) => {
            let mut names = BTreeSet::new();
            collect_names(expr, &mut names);
            names.is_empty()
        }
    }
}

/// Whether the value depends only on properties.
fn is_of_properties(expr: &Expr) -> bool {
    functions::called_in(expr).into_iter().all(|function| {
        function.is_some_and(|function| {
            function.needs == Needs::Nothing || function.full_name() == "wf:conf"
        })
    })
}

/// The properties that an expression may read.
pub(crate) fn collect_names(expr: &Expr, names: &mut BTreeSet<String>) {
    match &expr.kind {
        ExprKind::Variable(name) if constants::find(name).is_none() => {
            names.insert(name.clone());
        }
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            args,
            ..
        } if prefix == "wf" && name == "conf" => {
            if let [argument] = args.as_slice()
                && let ExprKind::Literal(Literal::Text(property)) = &argument.kind
            {
                names.insert(property.clone());
            }
        }
        ExprKind::Variable(_)
        | ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => {}
    }
    for child in expr.children() {
        collect_names(child, names);
    }
}

impl Scope for KnownValues {
    fn variable(&self, name: &str) -> Option<Value> {
        let value = self.properties.get(name)?;
        is_variable_name(name).then(|| Value::Text(java::trim(value).to_owned()))
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        match self.properties.get(name) {
            Some(value) => Ok(Some(value.clone())),
            None if self.is_complete
                && !self.given.contains_key(name)
                && !self.defaults.contains_key(name) =>
            {
                Ok(None)
            }
            None => Err(ElError::needs_job("function `wf:conf`")),
        }
    }

    /// Never called: `is_of_properties` rejects every function that needs the clock.
    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}
