//! Finds the applications that `sub-workflow` actions run, so that they are compiled into the same executable.
//!
//! `app-path` is evaluated with the given properties and the defaults of the workflow. `${wf:appPath()}` stands for the
//! folder of the application that asks: it keeps its spelling in the URI, because only a running job knows its value.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    app_uri,
    el::{
        ast::{Expr, ExprKind},
        error::ElError,
        eval,
        functions::{self, Needs},
        scope::{self, JobFacts, Scope},
        value::Value,
    },
    substitute,
};

use crate::{
    driver::properties::Properties,
    model::{Template, WorkflowApp, action::SubWorkflow},
};

/// The actions of an application that run others, in the order of the document.
pub fn sub_workflows(app: &WorkflowApp) -> impl Iterator<Item = &SubWorkflow> {
    app.sub_workflows()
        .filter(|child| !child.app_path.is_invalid)
}

/// Their `app-path` texts.
pub fn app_paths(app: &WorkflowApp) -> impl Iterator<Item = &Template> {
    sub_workflows(app).map(|child| &child.app_path)
}

/// What is known of a job of one application while it is compiled.
#[derive(Debug)]
pub struct CompileTimeScope {
    properties: BTreeMap<String, String>,
    variables: BTreeMap<String, String>,
    job: JobFacts,
}

impl CompileTimeScope {
    /// `uri` is that of the application itself: [`APP_PATH`], or what `app-path` gave for a child.
    pub fn new(app: &WorkflowApp, given: &Properties, uri: &str) -> CompileTimeScope {
        let mut values: BTreeMap<String, String> = BTreeMap::new();
        for parameter in &app.parameters {
            if let Some(default) = &parameter.default {
                values.insert(parameter.name.value.clone(), default.value.clone());
            }
        }
        for property in &app.config_default {
            if let (Some(name), Some(value)) = (property.name.literal(), raw_text(&property.value))
            {
                values.insert(name.to_owned(), value.to_owned());
            }
        }
        values.extend(
            given
                .iter()
                .map(|(name, property)| (name.clone(), property.value.clone())),
        );
        CompileTimeScope::of_values(values, uri)
    }

    /// With the values of properties as they are written.
    pub fn of_values(values: BTreeMap<String, String>, uri: &str) -> CompileTimeScope {
        // References that do not end have been reported by analysis; the values then stand for themselves.
        let properties = substitute::resolve_all(&values).unwrap_or(values);
        CompileTimeScope {
            variables: scope::property_variables(&properties),
            properties,
            job: JobFacts {
                app_path: uri.to_owned(),
                ..JobFacts::default()
            },
        }
    }

    /// The normalized URI that an `app-path` stands for.
    ///
    /// # Errors
    ///
    /// What it needs that is not known yet.
    pub fn uri(&self, app_path: &Template) -> Result<String, ElError> {
        app_path.ast.expressions().try_for_each(check_known)?;
        let value = eval::evaluate_template(&app_path.ast, self)?;
        Ok(app_uri::normalized(&value))
    }

    /// The value of a text.
    ///
    /// # Errors
    ///
    /// What it needs that is not known yet.
    pub fn text(&self, template: &Template) -> Result<String, ElError> {
        template.ast.expressions().try_for_each(check_known)?;
        eval::evaluate_template(&template.ast, self)
    }

    /// All properties, with references substituted.
    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// A property with references substituted.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(name).map(String::as_str)
    }
}

/// Refuses functions whose value only a running job has: of the job, its path and its properties alone are known.
fn check_known(expr: &Expr) -> Result<(), ElError> {
    if let ExprKind::Call { prefix, name, .. } = &expr.kind
        && let Some(function) = functions::find(prefix.as_deref(), name)
    {
        let is_known = match function.needs {
            Needs::Nothing => true,
            Needs::Job => ["wf:appPath", "wf:conf"].contains(&function.full_name().as_str()),
            Needs::Clock | Needs::Files | Needs::Cluster | Needs::Coordinator => false,
        };
        if !is_known {
            return Err(
                ElError::needs_job(format_args!("function `{}`", function.full_name()))
                    .at(expr.range),
            );
        }
    }
    expr.children().into_iter().try_for_each(check_known)
}

/// The text as written.
fn raw_text(template: &Template) -> Option<&str> {
    (!template.is_invalid).then_some(template.text.as_str())
}

impl Scope for CompileTimeScope {
    fn variable(&self, name: &str) -> Option<Value> {
        self.variables
            .get(name)
            .map(|text| Value::Text(text.clone()))
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        match self.properties.get(name) {
            Some(value) => Ok(Some(value.clone())),
            // It may be given when the job is submitted.
            None => Err(ElError::undefined_variable(name)),
        }
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Ok(&self.job)
    }

    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}
