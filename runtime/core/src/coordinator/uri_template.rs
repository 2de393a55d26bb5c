//! The URI of an instance, derived from its time.

use std::fmt;

use chrono::{DateTime, Datelike, NaiveDateTime, Timelike, Utc};

use crate::{
    el::{
        ast::{Expr, ExprKind, Part},
        eval, parser,
        scope::Scope,
        value::Value,
    },
    time::{ProcessingZone, push_two_digits},
};

/// A `uri-template` whose only variables are the five date parts.
#[derive(Clone, Debug, PartialEq)]
pub struct UriTemplate {
    parts: Vec<UriPart>,
}

#[derive(Clone, Debug, PartialEq)]
enum UriPart {
    Text(String),
    Field(TimeField),
    /// Such as `${MONTH + 0}`, and its text.
    Expr(Expr, String),
}

/// The date parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TimeField {
    Year,
    Month,
    Day,
    Hour,
    Minute,
}

/// Why a text is not a URI template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplateError {
    /// What is between `${` and `}`, or what is wrong with that.
    pub problem: String,
}

impl fmt::Display for UriTemplateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for UriTemplateError {}

const FIELDS: [(&str, TimeField); 5] = [
    ("YEAR", TimeField::Year),
    ("MONTH", TimeField::Month),
    ("DAY", TimeField::Day),
    ("HOUR", TimeField::Hour),
    ("MINUTE", TimeField::Minute),
];

/// The value of a date-part variable at submission: the variable itself.
pub(super) fn echo(variable: &str) -> Option<String> {
    let is_field = FIELDS.iter().any(|(name, _)| *name == variable);
    is_field.then(|| format!("${{{variable}}}"))
}

impl UriTemplate {
    /// Parses what the evaluation at submission has left. A property whose value contains `${YEAR}` works as well as the template
    /// itself, and so does `${'$'}{MONTH + 0}`.
    ///
    /// # Errors
    ///
    /// Other variables, functions, and expressions without a value: Oozie knows only the parts of a date at materialization
    /// (`CoordELEvaluator.createURIELEvaluator`).
    pub fn parse(text: &str) -> Result<UriTemplate, UriTemplateError> {
        let template = parser::parse_template(text.trim()).map_err(|error| UriTemplateError {
            problem: error.to_string(),
        })?;
        let mut parts = Vec::new();
        for part in template.parts {
            parts.push(match part {
                Part::Text(text, _) => UriPart::Text(text),
                Part::Expr(expr) => {
                    let written = text.trim().get(expr.range.start..expr.range.end);
                    let written = written.unwrap_or_default();
                    match &expr.kind {
                        ExprKind::Variable(name) => UriPart::Field(field(name)?),
                        ExprKind::Literal(_)
                        | ExprKind::Unary { .. }
                        | ExprKind::Binary { .. }
                        | ExprKind::Conditional { .. }
                        | ExprKind::Index { .. }
                        | ExprKind::Property { .. }
                        | ExprKind::Call { .. } => {
                            expect_values(&expr, text.trim())?;
                            UriPart::Expr(expr, format!("${{{written}}}"))
                        }
                    }
                }
            });
        }
        Ok(UriTemplate { parts })
    }

    /// The URI of an instance. Its time is expressed in the processing time zone, never in that of the dataset.
    pub fn uri(&self, time: DateTime<Utc>, processing_zone: ProcessingZone) -> String {
        let local = time.with_timezone(&processing_zone.offset()).naive_local();
        let mut uri = String::with_capacity(64);
        for part in &self.parts {
            match part {
                UriPart::Text(text) => uri.push_str(text),
                UriPart::Field(field) => field.push(local, &mut uri),
                UriPart::Expr(expr, written) => {
                    match eval::evaluate_expr(expr, &DateParts(local)) {
                        Ok(value) => uri.push_str(&value.into_text()),
                        // It has a value for other dates.
                        Err(_) => uri.push_str(written),
                    }
                }
            }
        }
        uri
    }
}

impl TimeField {
    fn push(self, time: NaiveDateTime, text: &mut String) {
        match self {
            TimeField::Year => text.push_str(&time.year().to_string()),
            TimeField::Month => push_two_digits(text, time.month()),
            TimeField::Day => push_two_digits(text, time.day()),
            TimeField::Hour => push_two_digits(text, time.hour()),
            TimeField::Minute => push_two_digits(text, time.minute()),
        }
    }
}

/// The date of an instance, as its variables.
struct DateParts(NaiveDateTime);

impl Scope for DateParts {
    /// The year is a number, the other parts are texts.
    fn variable(&self, name: &str) -> Option<Value> {
        let (_, field) = FIELDS.iter().find(|(known, _)| *known == name)?;
        Some(match field {
            TimeField::Year => Value::Long(self.0.year().into()),
            field => {
                let mut text = String::new();
                field.push(self.0, &mut text);
                Value::Text(text)
            }
        })
    }

    fn now(&self) -> DateTime<Utc> {
        DateTime::UNIX_EPOCH
    }
}

fn field(name: &str) -> Result<TimeField, UriTemplateError> {
    let known = FIELDS.iter().find(|(known, _)| *known == name);
    known
        .map(|(_, field)| *field)
        .ok_or_else(|| unknown_part(name))
}

/// Checks that an expression has no other variables, no functions, and that each of its parts has a value: also a branch that only some
/// dates take.
fn expect_values(expr: &Expr, text: &str) -> Result<(), UriTemplateError> {
    let written = text.get(expr.range.start..expr.range.end);
    let written = written.unwrap_or_default();
    match &expr.kind {
        ExprKind::Variable(name) => return field(name).map(|_| ()),
        ExprKind::Call { .. } => return Err(unknown_part(written)),
        ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Index { .. }
        | ExprKind::Property { .. } => {}
    }
    for child in expr.children() {
        expect_values(child, text)?;
    }
    let sample = DateParts(DateTime::UNIX_EPOCH.naive_utc());
    let value = eval::evaluate_expr(expr, &sample);
    value.map(|_| ()).map_err(|error| UriTemplateError {
        problem: format!("`{written}`: {error}"),
    })
}

fn unknown_part(written: &str) -> UriTemplateError {
    UriTemplateError {
        problem: format!("`{written}` is none of YEAR, MONTH, DAY, HOUR and MINUTE"),
    }
}
