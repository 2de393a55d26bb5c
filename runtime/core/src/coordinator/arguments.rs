//! Arguments of functions.

use crate::el::{error::ElError, value::Value};

/// An argument as Java's `int`: the fraction of a number is truncated.
pub(super) fn whole_number(function: &str, text: &str) -> Result<i64, ElError> {
    let text = text.trim();
    let number = Value::Text(text.to_owned());
    let n = match number.to_long() {
        Ok(n) => Some(n),
        Err(_) => number.to_double().ok().map(|n| {
            #[expect(
                clippy::cast_possible_truncation,
                reason = "cut off as Java does, and compared with the limits below"
            )]
            let whole = n as i64;
            whole
        }),
    };
    n.filter(|n| i32::try_from(*n).is_ok()).ok_or_else(|| {
        ElError::function(
            &format!("coord:{function}"),
            format_args!("`{text}` is no whole number"),
        )
    })
}
