//! The text of an error that has a code.

use std::borrow::Cow;

/// `CODE: message`. As in Oozie, the messages of some actions begin with their code already.
pub fn coded<'a>(code: &str, message: &'a str) -> Cow<'a, str> {
    let has_code = message
        .strip_prefix(code)
        .is_some_and(|rest| code.is_empty() || rest.starts_with(": "));
    if has_code || code.is_empty() {
        return Cow::Borrowed(message);
    }
    Cow::Owned(format!("{code}: {message}"))
}

#[cfg(test)]
mod tests {
    use super::coded;

    #[test]
    fn the_code_is_written_once() {
        assert_eq!(coded("FS006", "no source"), "FS006: no source");
        assert_eq!(coded("FS006", "FS006: no source"), "FS006: no source");
        assert_eq!(coded("FS006", "FS0061: x"), "FS006: FS0061: x");
        assert_eq!(coded("", "no source"), "no source");
    }
}
