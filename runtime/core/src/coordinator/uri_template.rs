//! The URI of an instance, derived from its time.

use std::fmt;

use chrono::{DateTime, Datelike, Timelike, Utc};

use crate::{
    el::{
        ast::{ExprKind, Part},
        parser,
    },
    time::{ProcessingZone, push_two_digits},
};

/// A `uri-template` whose only placeholders are the five date parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UriTemplate {
    parts: Vec<UriPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum UriPart {
    Text(String),
    Field(TimeField),
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
    /// itself.
    ///
    /// # Errors
    ///
    /// An expression other than the five variables: Oozie supports no others at materialization.
    pub fn parse(text: &str) -> Result<UriTemplate, UriTemplateError> {
        let template = parser::parse_template(text.trim()).map_err(|error| UriTemplateError {
            problem: error.to_string(),
        })?;
        let mut parts = Vec::new();
        for part in template.parts {
            parts.push(match part {
                Part::Text(text, _) => UriPart::Text(text),
                Part::Expr(expr) => {
                    let field = match &expr.kind {
                        ExprKind::Variable(variable) => {
                            FIELDS.iter().find(|(name, _)| name == variable)
                        }
                        ExprKind::Literal(_)
                        | ExprKind::Unary { .. }
                        | ExprKind::Binary { .. }
                        | ExprKind::Conditional { .. }
                        | ExprKind::Index { .. }
                        | ExprKind::Property { .. }
                        | ExprKind::Call { .. } => None,
                    };
                    let Some((_, field)) = field else {
                        let range = expr.range.start..expr.range.end;
                        let written = text.trim().get(range).unwrap_or_default();
                        return Err(UriTemplateError {
                            problem: format!(
                                "`{written}` is none of YEAR, MONTH, DAY, HOUR and MINUTE"
                            ),
                        });
                    };
                    UriPart::Field(*field)
                }
            });
        }
        Ok(UriTemplate { parts })
    }

    /// The URI of an instance. Its time is expressed in the processing time zone, never in that of the dataset.
    pub fn uri(&self, time: DateTime<Utc>, processing_zone: ProcessingZone) -> String {
        let local = time.with_timezone(&processing_zone.offset());
        let mut uri = String::with_capacity(64);
        for part in &self.parts {
            match part {
                UriPart::Text(text) => uri.push_str(text),
                UriPart::Field(TimeField::Year) => uri.push_str(&local.year().to_string()),
                UriPart::Field(TimeField::Month) => push_two_digits(&mut uri, local.month()),
                UriPart::Field(TimeField::Day) => push_two_digits(&mut uri, local.day()),
                UriPart::Field(TimeField::Hour) => push_two_digits(&mut uri, local.hour()),
                UriPart::Field(TimeField::Minute) => push_two_digits(&mut uri, local.minute()),
            }
        }
        uri
    }
}
