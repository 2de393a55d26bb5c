//! Compiled templates against a job: values, and errors that show file, line and text.

use std::fmt;

use hpdlc_core::el::{
    ast::Expr,
    error::{ElError, ElErrorKind},
    functions::{self, Needs},
    parser::parse_template,
    scope::Scope,
};

use crate::{
    failure::ActionError,
    table::{self, Place, Property, Template},
};

mod failing_expression;

/// The functions of a job whose results never change in it.
const OF_JOB: [&str; 7] = [
    "wf:appPath",
    "wf:conf",
    "wf:group",
    "wf:id",
    "wf:name",
    "wf:run",
    "wf:user",
];

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
            | ElErrorKind::TooLong
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
        self.value(scope).map_err(|error| self.error(error, scope))
    }

    fn value(&self, scope: &dyn Scope) -> Result<String, ElError> {
        match *self {
            Template::Literal(_, source) => Ok(source.to_owned()),
            Template::Text(_, _, source) => table::evaluate(scope, source),
            Template::Call(_, _, _, function) | Template::Blocking(_, _, _, function) => {
                function(scope)
            }
            Template::Placed(placed) => placed.text.value(scope),
            Template::Outside(outside) => outside.text.value(scope),
        }
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
            Template::Placed(placed) => placed.text.is_blocking(),
            Template::Outside(outside) => outside.text.is_blocking(),
        }
    }

    /// Whether its value is the same as long as its job runs: it depends on nothing that happens, nor on the time.
    pub fn is_constant(&self) -> bool {
        let source = self.source();
        // Without a call there are only properties and constants.
        !source.contains("${")
            || !source.contains('(')
            || parse_template(source).is_ok_and(|text| text.expressions().all(is_constant))
    }

    pub fn error(&self, mut error: ElError, scope: &dyn Scope) -> EvaluationError {
        let place = self.place(scope.origin());
        let Some(culprit) = failing_expression::find(self.source(), &error, scope) else {
            return EvaluationError {
                place,
                source: self.source(),
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
            source: culprit.text,
            error: Box::new(error),
            values: culprit.operands,
        }
    }
}

fn is_constant(expr: &Expr) -> bool {
    let is_constant = |function: &functions::Function| match function.needs {
        Needs::Nothing => true,
        Needs::Job => OF_JOB.contains(&function.full_name().as_str()),
        Needs::Clock | Needs::Files | Needs::Cluster | Needs::Coordinator => false,
    };
    let called = functions::called_in(expr);
    called.into_iter().all(|it| it.is_some_and(is_constant))
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::DateTime;
    use hpdlc_core::el::scope::NoJob;

    use super::*;
    use crate::table::{Outside, Placed};

    #[track_caller]
    fn check(template: Template, expected: &str) {
        let properties = BTreeMap::new();
        let scope = NoJob::new(&properties, DateTime::UNIX_EPOCH);
        let error = template.evaluate(&scope).expect_err("it has no value");
        let Place { line, column, .. } = error.place;
        // Lines count from that of the node.
        let line = line - scope.origin().line;
        assert_eq!(format!("{line}:{column} {}", error.source), expected);
    }

    #[test]
    fn expression_behind_a_reference_keeps_its_place() {
        check(Template::Text(3, 9, "a & ${1}${x}"), "3:17 ${x}");
        // `a &amp; ${1}${x}`
        static AMPERSAND: Placed = Placed {
            text: Template::Text(3, 9, "a & ${1}${x}"),
            expressions: &[(0, 17), (0, 21)],
        };
        check(Template::Placed(&AMPERSAND), "3:21 ${x}");
        // `a&#10;${x}`
        static LINE_END: Placed = Placed {
            text: Template::Text(3, 9, "a\n${x}"),
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
                text: Template::Text(0, 16, "&\n ${x}"),
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

    #[test]
    fn values_of_what_happens_are_not_constant() {
        for (text, expected) in [
            ("plain (text)", true),
            ("${queue}", true),
            ("${wf:conf('queue')}-${wf:id()}", true),
            ("${concat(wf:user(), '(x)')} ${2 * MB}", true),
            ("${timestamp()}", false),
            ("${concat('a', wf:actionData('b')['c'])}", false),
            ("${wf:lastErrorNode()}", false),
            ("${wf:callback('$exitCode')}", false),
            ("${empty wf:errorCode('a') ? 1 : 2}", false),
            ("${fs:exists('/x')}", false),
        ] {
            let is_constant = Template::Text(0, 1, text).is_constant();
            assert_eq!(is_constant, expected, "{text}");
        }
    }
}
