//! Compiled templates against a job: values, and errors that show file, line and text.

use std::fmt;

use hpdlc_core::el::{
    error::{ElError, ElErrorKind},
    scope::{Origin, Scope},
};

use crate::{
    executors::ActionError,
    table::{self, Outside, Place, Property, Template},
};

/// A template that has no value in this job.
#[derive(Clone, Debug)]
pub struct EvaluationError {
    pub place: Place,
    pub source: &'static str,
    pub error: Box<ElError>,
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column } = self.place;
        write!(
            f,
            "{file}:{line}:{column}: {} in `{}`",
            self.error.message, self.source
        )?;
        if let Some(help) = &self.error.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

impl From<EvaluationError> for ActionError {
    /// `EL_EVAL_ERROR` is retried; any other mistake fails the job (`ActionStartXCommand`).
    fn from(error: EvaluationError) -> ActionError {
        let message = error.to_string();
        match error.error.kind {
            ElErrorKind::Io => ActionError::transient("EL_EVAL_ERROR", message),
            ElErrorKind::UndefinedVariable { .. }
            | ElErrorKind::UnknownFunction
            | ElErrorKind::Coercion
            | ElErrorKind::Arithmetic
            | ElErrorKind::Function
            | ElErrorKind::NeedsJob => ActionError::failed("EL_ERROR", message),
        }
    }
}

impl Template {
    /// The text with every expression replaced by its value.
    ///
    /// # Errors
    ///
    /// An expression that has no value; the first one of the text.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<String, EvaluationError> {
        let value = match *self {
            Template::Literal(_, source) => Ok(source.to_owned()),
            Template::Text(_, _, source) => table::evaluate(scope, source),
            Template::Call(_, _, _, function) | Template::Blocking(_, _, _, function) => {
                function(scope)
            }
            Template::Outside(outside) => {
                let Outside { file, line, text } = *outside;
                return text.evaluate(scope).map_err(|error| EvaluationError {
                    place: text.place(Origin { file, line }),
                    ..error
                });
            }
        };
        value.map_err(|error| self.error(error, scope))
    }

    /// `text`, which stands for this one, with every expression replaced by its value.
    ///
    /// # Errors
    ///
    /// As [`Template::evaluate`].
    pub fn evaluate_instead(
        &self,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<String, EvaluationError> {
        table::evaluate(scope, text).map_err(|error| self.error(error, scope))
    }

    /// Evaluating it may take long: it looks at files.
    pub fn is_blocking(&self) -> bool {
        match self {
            Template::Blocking(..) => true,
            Template::Literal(..) | Template::Text(..) | Template::Call(..) => false,
            Template::Outside(outside) => outside.text.is_blocking(),
        }
    }

    pub(crate) fn error(&self, error: ElError, scope: &dyn Scope) -> EvaluationError {
        EvaluationError {
            place: self.place(scope.origin()),
            source: self.source(),
            error: Box::new(error),
        }
    }
}

impl Property {
    /// The name with every expression replaced by its value.
    ///
    /// # Errors
    ///
    /// As [`Template::evaluate`].
    pub fn evaluate_name(&self, scope: &dyn Scope) -> Result<String, EvaluationError> {
        match self {
            Property::Named(name, _) => Ok((*name).to_owned()),
            Property::Computed { name, .. } => name.evaluate(scope),
        }
    }
}
