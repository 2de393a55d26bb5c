//! Evaluates compiled templates for a job: values, and errors with file, line and text.

use std::{borrow::Cow, fmt};

use hpdlc_core::{
    el::{
        error::{ElError, ElErrorKind},
        eval, parser,
        scope::{self, Scope},
        text::TextValue,
    },
    java,
};

use crate::{
    failure::ActionError,
    table::{Place, Property, Template, TestFn},
};

mod deciding_values;
mod failing_expression;
mod parts;

/// The evaluation of a template failed.
#[derive(Clone, Debug)]
pub struct EvaluationError {
    /// The place of the expression.
    pub place: Place,
    /// The expression with its `${` and `}`; the whole text if the failed expression is unknown.
    pub source: Cow<'static, str>,
    pub error: Box<ElError>,
    /// The operands of the failed expression: their texts and values; secrets are masked.
    pub values: Vec<(String, String)>,
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
    /// `EL_EVAL_ERROR` is retried; any other evaluation error fails the job (`ActionStartXCommand`). That of a function of the program has
    /// the code that its author chose.
    fn from(error: EvaluationError) -> ActionError {
        let message = error.to_string();
        match error.error.kind {
            ElErrorKind::Own(failure) if failure.is_transient => {
                ActionError::transient(failure.code, message)
            }
            ElErrorKind::Own(failure) => ActionError::failed(failure.code, message),
            ElErrorKind::Io => ActionError::transient("EL_EVAL_ERROR", message),
            ElErrorKind::UndefinedVariable { .. }
            | ElErrorKind::UnknownFunction
            | ElErrorKind::Coercion
            | ElErrorKind::Arithmetic
            | ElErrorKind::Function
            | ElErrorKind::TooLong
            | ElErrorKind::NeedsJob => ActionError::failed("EL_ERROR", message),
        }
    }
}

/// Evaluates a text that is only known at run time, with the tree-walking interpreter.
///
/// # Errors
///
/// If the text cannot be parsed; otherwise as [`eval::evaluate_template`].
pub fn evaluate_text(scope: &dyn Scope, source: &str) -> Result<String, ElError> {
    let template =
        parser::parse_template(source).map_err(|error| ElError::function("parse", error))?;
    eval::evaluate_template(&template, scope)
}

impl Template {
    /// The text with every expression replaced by its value.
    ///
    /// # Errors
    ///
    /// The failure of the first expression in the text that fails.
    pub fn evaluate(&self, scope: &dyn Scope) -> Result<String, EvaluationError> {
        self.value(scope).map_err(|error| self.error(error, scope))
    }

    fn value(&self, scope: &dyn Scope) -> Result<String, ElError> {
        match *self {
            Template::Text(_, text) => Ok(text.to_owned()),
            Template::Property(_, _, name) => scope::variable_text(scope, name),
            Template::Around(_, _, before, name, behind) => {
                parts::joined(&[(before, name)], behind, scope)
            }
            Template::Join(_, _, properties, tail) => parts::joined(properties, tail, scope),
            Template::Parts(_, _, _, parts) => parts::evaluate(parts, scope),
            Template::Test(_, _, _, _, test) => Ok(test(scope)?.to_string()),
            Template::Placed(placed) => placed.text.value(scope),
            Template::Outside(outside) => outside.text.value(scope),
        }
    }

    /// Whether a case of a decision holds: its text, trimmed, is exactly `true` (`DecisionActionExecutor`).
    ///
    /// # Errors
    ///
    /// As [`Template::evaluate`].
    pub fn holds(&self, scope: &dyn Scope) -> Result<bool, EvaluationError> {
        match self.test() {
            Some(test) => test(scope).map_err(|error| self.error(error, scope)),
            None => {
                let value = self.evaluate(scope)?;
                Ok(java::trim(&value) == "true")
            }
        }
    }

    /// What decides whether a case holds: the variables and calls that it compares or tests, as written, with their values. Secrets are
    /// masked; what looks at files is left out.
    pub fn deciding_values(&self, scope: &dyn Scope) -> Vec<(String, String)> {
        deciding_values::find(&self.source(), scope)
    }

    fn test(&self) -> Option<TestFn> {
        match self {
            Template::Test(_, _, _, _, test) => Some(*test),
            Template::Placed(placed) => placed.text.test(),
            Template::Outside(outside) => outside.text.test(),
            Template::Text(..)
            | Template::Property(..)
            | Template::Around(..)
            | Template::Join(..)
            | Template::Parts(..) => None,
        }
    }

    /// Evaluates `text` in place of this text, with every expression replaced by its value.
    ///
    /// # Errors
    ///
    /// As [`Template::evaluate`].
    pub fn evaluate_instead(
        &self,
        text: &str,
        scope: &dyn Scope,
    ) -> Result<String, EvaluationError> {
        evaluate_text(scope, text).map_err(|error| EvaluationError {
            place: self.place(scope.origin()),
            source: self.source(),
            error: Box::new(error),
            values: Vec::new(),
        })
    }

    /// Converts `error` to a failure at the place of the expression that failed.
    pub fn error(&self, mut error: ElError, scope: &dyn Scope) -> EvaluationError {
        let place = self.place(scope.origin());
        let source = self.source();
        let Some(culprit) = failing_expression::find(&source, &error, scope) else {
            return EvaluationError {
                place,
                source,
                error: Box::new(error),
                values: Vec::new(),
            };
        };
        error.message = failing_expression::masked(&error.message, &culprit.secrets);
        let counted = || {
            let column = match culprit.n_lines {
                0 => place.column + culprit.n_characters,
                _ => 1 + culprit.n_characters,
            };
            (culprit.n_lines, column)
        };
        let (n_lines, column) = self
            .expression_place(culprit.number)
            .unwrap_or_else(counted);
        EvaluationError {
            place: Place {
                line: place.line + n_lines,
                column,
                ..place
            },
            source: Cow::Owned(culprit.text.to_owned()),
            error: Box::new(error),
            values: culprit.operands,
        }
    }
}

impl TextValue for Template {
    fn value(&self, scope: &dyn Scope) -> Result<String, ElError> {
        self.value(scope).map_err(|error| match error.kind {
            // The interpreter knows what may have been meant.
            ElErrorKind::UndefinedVariable { .. } => evaluate_text(scope, &self.source())
                .err()
                .filter(|again| again.kind == error.kind)
                .unwrap_or(error),
            ElErrorKind::UnknownFunction
            | ElErrorKind::Coercion
            | ElErrorKind::Arithmetic
            | ElErrorKind::TooLong
            | ElErrorKind::Function
            | ElErrorKind::Io
            | ElErrorKind::Own(_)
            | ElErrorKind::NeedsJob => error,
        })
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
            Property::Computed { name, .. } => name.evaluate(scope),
            Property::Text(..)
            | Property::Property(..)
            | Property::Around(..)
            | Property::Join(..)
            | Property::Template(..) => Ok(self.name().into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use hpdlc_core::el::scope::NoJob;

    use super::*;
    use crate::table::{Outside, Part, Placed};

    #[track_caller]
    fn check(template: Template, expected: &str) {
        let properties = BTreeMap::new();
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let error = template.evaluate(&scope).expect_err("it has no value");
        let Place { line, column, .. } = error.place;
        // Lines are relative to that of the node.
        let line = line - scope.origin().line;
        assert_eq!(format!("{line}:{column} {}", error.source), expected);
    }

    #[test]
    fn expression_behind_a_reference_keeps_its_place() {
        const TEXT: Template = Template::Parts(
            3,
            9,
            "a & ${1}${x}",
            &[Part::Text("a & "), Part::Long(1), Part::Property("x")],
        );
        check(TEXT, "3:17 ${x}");
        // `a &amp; ${1}${x}`
        static AMPERSAND: Placed = Placed {
            text: TEXT,
            expressions: &[(0, 17), (0, 21)],
        };
        check(Template::Placed(&AMPERSAND), "3:21 ${x}");
        // `a&#10;${x}`
        static LINE_END: Placed = Placed {
            text: Template::Around(3, 9, "a\n", "x", ""),
            expressions: &[(0, 15)],
        };
        check(Template::Placed(&LINE_END), "3:15 ${x}");
    }

    #[test]
    fn text_outside_of_nodes_has_its_own_lines() {
        static INHERITED: Outside = Outside {
            file: "config-default.xml",
            line: 8,
            text: Template::Placed(&Placed {
                text: Template::Around(0, 16, "&\n ", "x", ""),
                expressions: &[(1, 2)],
            }),
        };
        let properties = BTreeMap::new();
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let error = Template::Outside(&INHERITED).evaluate(&scope);
        let place = error.expect_err("it has no value").place;
        assert_eq!(
            (place.file, place.line, place.column),
            ("config-default.xml", 9, 2)
        );
    }
}
