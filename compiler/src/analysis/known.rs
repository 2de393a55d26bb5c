//! Values that are known at compile time: those of the document itself, and those of the given properties.

use std::{cell::RefCell, collections::BTreeMap, sync::Arc};

use chrono::DateTime;
use hpdlc_core::{
    coordinator::ControlSettings,
    el::{
        ast::{Expr, ExprKind, Part},
        error::ElError,
        eval,
        scope::{CoordinatorFacts, CoordinatorScope, NoJob, is_variable_name},
        value::Value,
    },
    frequency::{self, FrequencyText},
    java, substitute,
    time::ProcessingZone,
};

use crate::{
    analysis::{given::JobProperties, similar_names::SimilarNames},
    model::{Parameter, Property, Template},
    source::Span,
};

/// The values of properties, with references between them substituted.
#[derive(Clone, Debug, Default)]
pub struct Values(Arc<BTreeMap<String, String>>);

impl Values {
    /// The values of the given properties. Defaults apply only where no other value can be given.
    pub fn new(
        parameters: &[Parameter],
        config_default: &[Property],
        given: &JobProperties,
    ) -> Values {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        if given.is_complete {
            for parameter in parameters {
                if let Some(default) = &parameter.default {
                    values.insert(parameter.name.value.clone(), default.value.clone());
                }
            }
            for property in config_default {
                if let Some(name) = property.name.literal() {
                    values.insert(name.to_owned(), property.value.text.as_str().to_owned());
                }
            }
        }
        for (name, property) in &given.properties {
            values.insert(name.clone(), property.value.clone());
        }
        // Endless references have been reported; the values are then unknown.
        match substitute::resolve_in_place(&mut values) {
            Ok(()) => Values(Arc::new(values)),
            Err(_) => Values::default(),
        }
    }

    /// The value of a property, with references substituted as far as they are known.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }
}

/// What is known of a job of one document.
pub(in crate::analysis) struct KnownJob<'a> {
    given: &'a JobProperties,
    values: Values,
    scope: NoJob,
    similar_names: RefCell<SimilarNames>,
}

/// A text whose value is known.
#[derive(Clone, Debug)]
pub(in crate::analysis) struct KnownText {
    pub(in crate::analysis) value: String,
    /// Where the value is defined, if elsewhere than in the text.
    pub(in crate::analysis) origin: Option<Span>,
}

/// Why a text has no known value.
pub(in crate::analysis) enum Unknown {
    /// It depends on properties that are not given, or on the running job.
    Open,
    /// It is certain to fail.
    Failure(ElError),
}

impl<'a> KnownJob<'a> {
    pub(in crate::analysis) fn new(
        parameters: &[Parameter],
        config_default: &[Property],
        given: &'a JobProperties,
    ) -> KnownJob<'a> {
        let values = Values::new(parameters, config_default, given);
        let decided = values
            .0
            .iter()
            .filter(|(name, value)| is_variable_name(name) && !value.contains("${"));
        let mut scope = NoJob::new(&BTreeMap::new(), DateTime::UNIX_EPOCH);
        scope.variables = decided
            .map(|(name, value)| (name.clone(), java::trim(value).to_owned()))
            .collect();
        KnownJob {
            given,
            values,
            scope,
            similar_names: RefCell::default(),
        }
    }

    /// The same, for texts that have these constants too.
    pub(in crate::analysis) fn with_constants(&self, constants: &[(&str, &str)]) -> KnownJob<'a> {
        let mut scope = NoJob::new(&BTreeMap::new(), DateTime::UNIX_EPOCH);
        scope.variables.clone_from(&self.scope.variables);
        let constants = constants.iter().copied();
        scope
            .variables
            .extend(constants.map(|(name, value)| (name.to_owned(), value.to_owned())));
        KnownJob {
            given: self.given,
            values: self.values.clone(),
            scope,
            similar_names: RefCell::default(),
        }
    }

    /// The processing time zone, if the site's settings are known.
    pub(in crate::analysis) fn zone(&self) -> Option<ProcessingZone> {
        self.given.zone
    }

    /// The site's settings for controls, or Oozie's defaults.
    pub(in crate::analysis) fn control_settings(&self) -> ControlSettings {
        self.given.controls.unwrap_or_default()
    }

    /// The scope of its texts.
    fn scope(&self) -> CoordinatorScope<'_> {
        CoordinatorScope {
            base: &self.scope,
            coordinator: self,
        }
    }

    /// The value of a text, if it is known.
    pub(in crate::analysis) fn text(&self, template: &Template) -> Option<KnownText> {
        if template.is_invalid {
            return None;
        }
        if let Some(text) = template.literal() {
            return Some(KnownText {
                value: text.to_owned(),
                origin: None,
            });
        }
        let value = eval::evaluate_template(&template.ast, &self.scope()).ok()?;
        Some(KnownText {
            value,
            origin: self.origin(template),
        })
    }

    /// The value of a text with functions of frequencies.
    pub(in crate::analysis) fn frequency(
        &self,
        template: &Template,
    ) -> Result<(FrequencyText, Option<Span>), Unknown> {
        if template.is_invalid {
            return Err(Unknown::Open);
        }
        match frequency::evaluate(&*template.ast, &self.scope()) {
            Ok(text) => Ok((text, self.origin(template))),
            Err(error) if error.kind == hpdlc_core::el::error::ElErrorKind::Function => {
                Err(Unknown::Failure(error))
            }
            Err(_) => Err(Unknown::Open),
        }
    }

    /// Whether there are no properties besides the known ones.
    pub(in crate::analysis) fn is_complete(&self) -> bool {
        self.given.is_complete
    }

    /// All known properties, with references to others as far as they are known.
    pub(in crate::analysis) fn properties(&self) -> &BTreeMap<String, String> {
        &self.values.0
    }

    /// The value of a property, with references to others as far as they are known.
    pub(in crate::analysis) fn property(&self, name: &str) -> Option<&str> {
        self.values.get(name)
    }

    /// The value of an expression as a whole number, if it is known.
    pub(in crate::analysis) fn number(&self, expr: &Expr) -> Option<i64> {
        self.value(expr)?.to_long().ok()
    }

    /// The value of an expression, if it is known.
    pub(in crate::analysis) fn value(&self, expr: &Expr) -> Option<Value> {
        eval::evaluate_expr(expr, &self.scope()).ok()
    }

    /// The candidate most similar to `name`, within the limit on the number of searches.
    pub(in crate::analysis) fn nearest<'c>(
        &self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<String> {
        self.similar_names.borrow_mut().nearest(name, candidates)
    }

    /// The property and its value as given, if the text is one variable and nothing else.
    pub(in crate::analysis) fn only_property<'t>(
        &self,
        template: &'t Template,
    ) -> Option<(&'t str, &str)> {
        let name = only_variable(template)?;
        Some((name, self.values.get(name)?))
    }

    /// Where the value of a text that is one variable is defined.
    pub(in crate::analysis) fn origin(&self, template: &Template) -> Option<Span> {
        self.given.span(only_variable(template)?)
    }
}

fn only_variable(template: &Template) -> Option<&str> {
    match template.ast.parts.as_slice() {
        [Part::Expr(expr)] => match &expr.kind {
            ExprKind::Variable(name) => Some(name),
            ExprKind::Literal(_)
            | ExprKind::Unary { .. }
            | ExprKind::Binary { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::Index { .. }
            | ExprKind::Property { .. }
            | ExprKind::Call { .. } => None,
        },
        _ => None,
    }
}

/// `coord:conf` and `bundle:conf`.
impl CoordinatorFacts for KnownJob<'_> {
    fn has(&self, prefix: Option<&str>, name: &str) -> bool {
        matches!(prefix, Some("coord" | "bundle")) && name == "conf"
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, ElError> {
        let [argument] = args else {
            return Err(ElError::needs_job(format_args!("function `{name}`")));
        };
        match self.values.get(&argument.to_text()) {
            Some(value) if !value.contains("${") => Ok(Value::Text(value.to_owned())),
            // Without a value it returns the empty text.
            None if self.given.is_complete => Ok(Value::Text(String::new())),
            Some(_) | None => Err(ElError::needs_job(format_args!("function `{name}`"))),
        }
    }
}
