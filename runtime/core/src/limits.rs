//! Size limits of values: expressions and references between properties can double a text with a few characters, and a process
//! that exhausts memory affects others on the machine.
//!
//! The compiler and the running job use the same limits, so that what `check` accepts does not fail in the job.

use std::{error::Error, fmt};

/// Maximum bytes of any text that an expression or a substitution produces, and of the value of a property.
pub const MAX_TEXT: usize = 16 * 1024 * 1024;

/// Maximum bytes of all values together that references between the properties of one job produce.
pub const MAX_TEXTS: usize = 4 * MAX_TEXT;

/// Maximum bytes of a value that the compiler analyzes or puts into generated code. A longer one is not checked before the job
/// runs.
pub const MAX_KNOWN_TEXT: usize = 64 * 1024;

/// A text would be longer than [`MAX_TEXT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the text would be longer than {} MiB",
            MAX_TEXT / (1024 * 1024)
        )
    }
}

impl Error for TooLong {}

/// Whether a text of `length` bytes may grow by `more`.
///
/// # Errors
///
/// [`TooLong`], if not.
pub fn check(length: usize, more: usize) -> Result<(), TooLong> {
    match length.checked_add(more) {
        Some(whole) if whole <= MAX_TEXT => Ok(()),
        Some(_) | None => Err(TooLong),
    }
}

/// Appends `more` to `text`.
///
/// # Errors
///
/// [`TooLong`], before anything is allocated; `text` is unchanged then.
pub fn push(text: &mut String, more: &str) -> Result<(), TooLong> {
    check(text.len(), more.len())?;
    text.push_str(more);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_grows_to_the_limit_and_not_beyond() {
        let mut text = "x".repeat(MAX_TEXT - 1);
        assert_eq!(push(&mut text, "y"), Ok(()));
        assert_eq!(push(&mut text, "z"), Err(TooLong));
        assert_eq!((text.len(), text.ends_with('y')), (MAX_TEXT, true));
        assert_eq!(check(usize::MAX, 1), Err(TooLong));
        assert_eq!(TooLong.to_string(), "the text would be longer than 16 MiB");
    }
}
