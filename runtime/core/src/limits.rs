//! How large values may become: expressions and references between properties can double a text with a few characters, and
//! a process that asks for more memory than there is takes others with it.
//!
//! The compiler and the running job use the same limits, so that what `check` has let pass does not fail in the job.

use std::{error::Error, fmt};

/// Bytes of any text that an expression or a substitution makes, and of the value of a property.
pub const MAX_TEXT: usize = 16 * 1024 * 1024;

/// Bytes of all values together that references between the properties of one job make.
pub const MAX_TEXTS: usize = 4 * MAX_TEXT;

/// Bytes of a value that the compiler takes into account or puts into generated code. Nothing is said of a longer one before
/// the job runs.
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
/// [`TooLong`], before anything is allocated; `text` is then as it was.
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
