//! Resolves the applications that `sub-workflow` actions run, so that they are compiled into the same executable.
//!
//! `app-path` is evaluated with the given properties and the defaults of the workflow. `${wf:appPath()}` denotes the folder
//! of the requesting application: it stays symbolic in the URI, because only a running job knows its value. The user is the
//! current one, unless `user.name` is given; what is stored in the executable holds for every user.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    app_uri,
    el::{
        ast::{Expr, ExprKind},
        error::ElError,
        eval,
        functions::{self, Needs},
        scope::{self, CoordinatorFacts, JobFacts, Scope},
        value::Value,
    },
    java, substitute,
};

use crate::{
    driver::properties::{Properties, USER_NAME},
    model::{Template, WorkflowApp, action::SubWorkflow},
};

/// The actions of an application that run others here, in document order.
pub fn sub_workflows(app: &WorkflowApp) -> impl Iterator<Item = &SubWorkflow> {
    app.sub_workflows()
        .filter(|child| !child.app_path.is_invalid && child.host_url.is_none())
}

/// Their `app-path` texts.
pub fn app_paths(app: &WorkflowApp) -> impl Iterator<Item = &Template> {
    sub_workflows(app).map(|child| &child.app_path)
}

/// Placeholder for any user where a text is evaluated for all of them: no name contains it.
const ANY_USER: &str = "\u{1}";

/// What is known of a job of one application at compile time.
#[derive(Debug)]
pub struct CompileTimeScope {
    /// As written.
    values: BTreeMap<String, String>,
    /// Those of them that have references, with these substituted.
    changed: BTreeMap<String, String>,
    job: JobFacts,
}

impl CompileTimeScope {
    /// `uri` is that of the application itself: [`APP_PATH`], or the value of `app-path` for a child.
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

    /// With the values of properties as written.
    pub fn of_values(values: BTreeMap<String, String>, uri: &str) -> CompileTimeScope {
        // Endless references have been reported by analysis; the values are then used as written.
        let changed = substitute::resolve_changed(
            values
                .iter()
                .map(|(name, value)| (name.as_str(), value.as_str())),
            |name| values.get(name).map(String::as_str),
        );
        let mut scope = CompileTimeScope {
            changed: changed.unwrap_or_default(),
            values,
            job: JobFacts {
                app_path: uri.to_owned(),
                ..JobFacts::default()
            },
        };
        scope.job.user = scope.property(USER_NAME).unwrap_or_default().to_owned();
        scope
    }

    /// The normalized URI that an `app-path` evaluates to.
    ///
    /// # Errors
    ///
    /// What it depends on that is not known yet.
    pub fn uri(&self, app_path: &Template) -> Result<String, ElError> {
        self.text(app_path).map(|value| app_uri::normalized(&value))
    }

    /// The URI of an `app-path` as stored in the executable: with [`app_uri::USER`] in place of the name of the user. `own`
    /// is that of the application itself.
    pub fn uri_of_any_user(&self, app_path: &Template, own: &str) -> Option<String> {
        let uri = self.uri(app_path).ok()?;
        let any = |scope: &CompileTimeScope| scope.uri(app_path).ok();
        Some(self.for_any_user(&uri, own, any).unwrap_or(uri))
    }

    /// A property as it would be stored in the executable, with [`app_uri::USER`] in place of the name of the user.
    pub fn property_of_any_user(&self, name: &str) -> Option<String> {
        let value = self.property(name)?;
        let any = |scope: &CompileTimeScope| scope.property(name).map(str::to_owned);
        let kept = self.for_any_user(value, &self.job.app_path, any);
        Some(kept.unwrap_or_else(|| value.to_owned()))
    }

    /// A text with references `${name}`: substituted for this user, and as it would be stored in the executable.
    pub fn substituted(&self, text: &str) -> Option<(String, String)> {
        if !text.contains("${") {
            return None;
        }
        let substitute = |scope: &CompileTimeScope| {
            substitute::substitute(text, |name| scope.property(name)).ok()
        };
        let here = substitute(self)?;
        let kept = self.for_any_user(&here, &self.job.app_path, substitute);
        Some((here.clone(), kept.unwrap_or(here)))
    }

    fn for_any_user(
        &self,
        text: &str,
        own: &str,
        evaluate: impl Fn(&CompileTimeScope) -> Option<String>,
    ) -> Option<String> {
        let user = self.job.user.as_str();
        let has_user = !user.is_empty() && text.contains(user);
        if !has_user && own == self.job.app_path {
            return None;
        }
        let mut values = self.values.clone();
        values.insert(USER_NAME.to_owned(), ANY_USER.to_owned());
        let kept = evaluate(&CompileTimeScope::of_values(values, own))?;
        let kept = kept.replace(ANY_USER, app_uri::USER);
        // Discarded if the result depends on the user in another way, such as by a condition.
        (kept.replace(app_uri::USER, user) == text).then_some(kept)
    }

    /// The value of a text.
    ///
    /// # Errors
    ///
    /// What it depends on that is not known yet.
    pub fn text(&self, template: &Template) -> Result<String, ElError> {
        let mut expressions = template.ast.expressions();
        expressions.try_for_each(|expr| self.check_known(expr))?;
        eval::evaluate_template(&template.ast, self)
    }

    /// All properties, with references substituted.
    pub fn into_properties(self) -> BTreeMap<String, String> {
        let mut properties = self.values;
        properties.extend(self.changed);
        properties
    }

    /// A property with references substituted.
    pub fn property(&self, name: &str) -> Option<&str> {
        let value = self.changed.get(name).or_else(|| self.values.get(name))?;
        Some(value)
    }

    /// Rejects functions whose value only a running job has: of the job, only its path, its user and its properties are
    /// known.
    fn check_known(&self, expr: &Expr) -> Result<(), ElError> {
        if let ExprKind::Call { prefix, name, .. } = &expr.kind
            && let Some(function) = functions::find(prefix.as_deref(), name)
        {
            let name = function.full_name();
            let is_known = match function.needs {
                Needs::Nothing => true,
                Needs::Job | Needs::Nodes | Needs::Coordinator => match name.as_str() {
                    "wf:appPath" | "wf:conf" | "coord:conf" => true,
                    "wf:user" | "coord:user" => !self.job.user.is_empty(),
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

/// The functions of coordinators whose values are known like a workflow's.
impl CoordinatorFacts for CompileTimeScope {
    fn has(&self, prefix: Option<&str>, name: &str) -> bool {
        prefix == Some("coord") && ["conf", "user"].contains(&name)
    }

    fn call(&self, name: &str, args: &[Value]) -> Result<Value, ElError> {
        match (name, args) {
            ("user", []) => Ok(Value::from(self.job.user.as_str())),
            ("conf", [property]) => {
                let value = self.conf(&property.to_text())?;
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
        scope::is_variable_name(name)
            .then(|| self.property(name))?
            .map(|text| Value::Text(java::trim(text).to_owned()))
    }

    fn conf(&self, name: &str) -> Result<Option<String>, ElError> {
        match self.property(name) {
            Some(value) => Ok(Some(value.to_owned())),
            // It may be given when the job is submitted.
            None => Err(ElError::undefined_variable(name)),
        }
    }

    fn job(&self) -> Result<&JobFacts, ElError> {
        Ok(&self.job)
    }

    fn coordinator(&self) -> &dyn CoordinatorFacts {
        self
    }

    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}
