//! Finds the applications that `sub-workflow` actions run, so that they are compiled into the same executable.
//!
//! `app-path` is evaluated with the given properties and the defaults of the workflow. `${wf:appPath()}` stands for the
//! folder of the application that asks: it keeps its spelling in the URI, because only a running job knows its value. The user is
//! known where `user.name` is given.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    app_uri,
    el::{
        ast::{Expr, ExprKind},
        error::ElError,
        foreign::{self, ForeignFunctions},
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

/// Who runs the job.
const USER_NAME: &str = "user.name";

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
            job: JobFacts {
                app_path: uri.to_owned(),
                user: properties.get(USER_NAME).cloned().unwrap_or_default(),
                ..JobFacts::default()
            },
            properties,
        }
    }

    /// The normalized URI that an `app-path` stands for.
    ///
    /// # Errors
    ///
    /// What it needs that is not known yet.
    pub fn uri(&self, app_path: &Template) -> Result<String, ElError> {
        self.text(app_path).map(|value| app_uri::normalized(&value))
    }

    /// Whether an `app-path` that has no value would have one, if it were known who runs the job.
    pub fn needs_user(&self, app_path: &Template) -> bool {
        let mut values = self.properties.clone();
        let is_new = values
            .insert(USER_NAME.to_owned(), "ann".to_owned())
            .is_none();
        is_new
            && CompileTimeScope::of_values(values, &self.job.app_path)
                .uri(app_path)
                .is_ok()
    }

    /// The value of a text.
    ///
    /// # Errors
    ///
    /// What it needs that is not known yet.
    pub fn text(&self, template: &Template) -> Result<String, ElError> {
        let mut expressions = template.ast.expressions();
        expressions.try_for_each(|expr| self.check_known(expr))?;
        foreign::evaluate_template(&template.ast, self, &mut OfCoordinators(self))
    }

    /// All properties, with references substituted.
    pub fn properties(&self) -> &BTreeMap<String, String> {
        &self.properties
    }

    /// A property with references substituted.
    pub fn property(&self, name: &str) -> Option<&str> {
        self.properties.get(name).map(String::as_str)
    }

    /// Refuses functions whose value only a running job has: of the job, its path, its user and its properties alone are known.
    fn check_known(&self, expr: &Expr) -> Result<(), ElError> {
        if let ExprKind::Call { prefix, name, .. } = &expr.kind
            && let Some(function) = functions::find(prefix.as_deref(), name)
        {
            let name = function.full_name();
            let is_known = match function.needs {
                Needs::Nothing => true,
                Needs::Job | Needs::Coordinator => match name.as_str() {
                    "wf:appPath" | "wf:conf" | "coord:conf" => true,
                    "wf:user" | "coord:user" => self.properties.contains_key(USER_NAME),
                    _ => false,
                },
                Needs::Clock | Needs::Files | Needs::Cluster => false,
            };
            if !is_known {
                let error = ElError::needs_job(format_args!("function `{name}`"));
                return Err(error.at(expr.range));
            }
        }
        let mut children = expr.children().into_iter();
        children.try_for_each(|child| self.check_known(child))
    }
}

/// Those functions of coordinators whose values are known like a workflow's.
struct OfCoordinators<'a>(&'a CompileTimeScope);

impl ForeignFunctions for OfCoordinators<'_> {
    fn has(&self, prefix: Option<&str>, name: &str) -> bool {
        prefix == Some("coord") && ["conf", "user"].contains(&name)
    }

    fn call(&mut self, name: &str, args: &[Value]) -> Result<Value, ElError> {
        match (name, args) {
            ("user", []) => Ok(Value::from(self.0.job.user.as_str())),
            ("conf", [property]) => {
                let value = self.0.conf(&property.to_text())?;
                Ok(value.map_or(Value::Null, Value::from))
            }
            _ => Err(functions::unknown(Some("coord"), name)),
        }
    }
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
