use hpdlc_core::time::ProcessingZone;

use super::PropertyType;
use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0515", malformed_property, ["EL_ERROR", "E0700"]);

/// A property whose value does not fit its uses.
pub(super) struct MalformedProperty {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) wanted: PropertyType,
    /// Where it is defined, or else where it is used.
    pub(super) place: Span,
    /// Where it is first used as a type that the value does not have.
    pub(super) used: Span,
}

message!(MalformedProperty, |name, value, wanted, place, used| {
    let form = form_of(wanted);
    let diagnostic = Diagnostic::new(&CODE, place, format!("property `{name}` is `{value}`"));
    if place == used {
        diagnostic.label(place, format!("used as {form} here"))
    } else {
        diagnostic
            .label(place, format!("expected {form}"))
            .label(used, "used here")
    }
});

/// What a value of the type looks like, for messages.
pub(super) fn form_of(wanted: PropertyType) -> &'static str {
    match wanted {
        PropertyType::String => "a text",
        PropertyType::Number => "a number",
        PropertyType::Integer => "a whole number",
        PropertyType::Boolean => "`true` or `false`",
        PropertyType::Path => "a path",
        PropertyType::Uri => "a URI",
        PropertyType::Date => "a date, such as `2026-11-20T00:00Z`",
    }
}

/// Whether expressions accept the value as one of the type. To them, an empty text is 0, and every text that is not `true`
/// is false.
pub(super) fn takes(wanted: PropertyType, value: &str) -> bool {
    let value = value.trim();
    match wanted {
        PropertyType::Integer => value.is_empty() || value.parse::<i64>().is_ok(),
        PropertyType::Number => value.is_empty() || value.parse::<f64>().is_ok(),
        // With an offset instead of `Z`, depending on the server's time zone.
        PropertyType::Date => ProcessingZone::UTC.read(value).is_ok() || has_offset(value),
        PropertyType::String | PropertyType::Boolean | PropertyType::Path | PropertyType::Uri => {
            true
        }
    }
}

/// Whether a date ends with something like `+0530`.
fn has_offset(date: &str) -> bool {
    date.rsplit_once(['+', '-']).is_some_and(|(rest, offset)| {
        rest.contains('T') && offset.len() == 4 && offset.bytes().all(|byte| byte.is_ascii_digit())
    })
}
