//! Compiled templates against a job: values, and errors that show file, line and text.

use std::fmt;

use hpdlc_core::el::{
    error::{ElError, ElErrorKind},
    scope::Scope,
};

use crate::{
    executors::ActionError,
    table::{self, Outside, Place, Property, Template},
};

mod culprit;

/// A template that has no value in this job.
#[derive(Clone, Debug)]
pub struct EvaluationError {
    /// That of the expression.
    pub place: Place,
    /// The expression with its `${` and `}`; the whole text where it is not known which one failed.
    pub source: &'static str,
    pub error: Box<ElError>,
    /// The operands that it failed with, and what they are; secrets are masked.
    pub values: Vec<(&'static str, String)>,
}

impl fmt::Display for EvaluationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { file, line, column } = self.place;
        write!(
            f,
            "{file}:{line}:{column}: {} in `{}`",
            self.error.message, self.source
        )?;
        let mut notes: Vec<String> = self
            .values
            .iter()
            .map(|(text, value)| format!("`{text}` is {value}"))
            .collect();
        notes.extend(self.error.help.clone());
        if notes.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", notes.join("; "))
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
                    // Its line was counted from that of the scope's node.
                    place: Place {
                        file,
                        line: line + (error.place.line - scope.origin().line),
                        ..error.place
                    },
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
        table::evaluate(scope, text).map_err(|error| EvaluationError {
            place: self.place(scope.origin()),
            source: self.source(),
            error: Box::new(error),
            values: Vec::new(),
        })
    }

    /// Evaluating it may take long: it looks at files.
    pub fn is_blocking(&self) -> bool {
        match self {
            Template::Blocking(..) => true,
            Template::Literal(..) | Template::Text(..) | Template::Call(..) => false,
            Template::Outside(outside) => outside.text.is_blocking(),
        }
    }

    pub(crate) fn error(&self, mut error: ElError, scope: &dyn Scope) -> EvaluationError {
        let place = self.place(scope.origin());
        let Some(culprit) = culprit::find(self.source(), &error, scope) else {
            return EvaluationError {
                place,
                source: self.source(),
                error: Box::new(error),
                values: Vec::new(),
            };
        };
        error.message = culprit::masked(&error.message, &culprit.secrets);
        EvaluationError {
            place: Place {
                line: place.line + culprit.n_lines,
                column: match culprit.n_lines {
                    0 => place.column + culprit.n_characters,
                    _ => 1 + culprit.n_characters,
                },
                ..place
            },
            source: culprit.text,
            error: Box::new(error),
            values: culprit.operands,
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
