//! References to secrets in the values of properties and settings: `${env:NAME}` and `${file:/path}`.
//!
//! A value with a reference is stored, passed on and shown as it was written. What reads the secret is
//! elsewhere: here is only how they are written.

use std::{collections::BTreeSet, ops::Range};

/// The beginnings of references.
const ENV: &str = "${env:";
const FILE: &str = "${file:";

/// Where the secret of a reference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SecretSource<'r> {
    /// In the environment variable of this name.
    Variable(&'r str),
    /// In the file at this path.
    File(&'r str),
}

impl SecretSource<'_> {
    /// Of a text that is a reference, with its braces.
    pub fn of(reference: &str) -> Option<SecretSource<'_>> {
        let target = |start: &str| {
            let target = reference.strip_prefix(start)?.strip_suffix('}')?.trim();
            Some(target).filter(|target| !target.is_empty())
        };
        target(ENV)
            .map(SecretSource::Variable)
            .or_else(|| target(FILE).map(SecretSource::File))
    }
}

/// Where the references in `text` are.
pub fn find(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find("${").map(|at| from + at) {
        from = at + 2;
        if let Some(length) = text[at..].find('}') {
            let range = at..at + length + 1;
            if SecretSource::of(&text[range.clone()]).is_some() {
                from = range.end;
                found.push(range);
            }
        }
    }
    found
}

/// Whether `text` has a reference.
pub fn occurs_in(text: &str) -> bool {
    // Most texts have none.
    (text.contains(ENV) || text.contains(FILE)) && !find(text).is_empty()
}

/// Whether `text` is a reference and nothing else.
pub fn is_one(text: &str) -> bool {
    let text = text.trim();
    find(text).first() == Some(&(0..text.len()))
}

/// The text with what `read` gives in place of each reference; those of which it gives nothing stay.
///
/// # Errors
///
/// Those of `read`.
pub fn replaced<E>(
    text: &str,
    mut read: impl FnMut(&str) -> Result<Option<String>, E>,
) -> Result<String, E> {
    let mut whole = String::with_capacity(text.len());
    let mut rest = 0;
    for range in find(text) {
        if let Some(secret) = read(&text[range.clone()])? {
            whole.push_str(&text[rest..range.start]);
            whole.push_str(&secret);
            rest = range.end;
        }
    }
    whole.push_str(&text[rest..]);
    Ok(whole)
}

/// Some references, each once, with its braces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct References(BTreeSet<String>);

impl References {
    /// Those in these values.
    pub fn of<'a>(values: impl IntoIterator<Item = &'a String>) -> References {
        let values = values.into_iter().filter(|value| occurs_in(value));
        References(
            values
                .flat_map(|value| find(value).into_iter().map(|range| value[range].to_owned()))
                .collect(),
        )
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    pub fn contains(&self, reference: &str) -> bool {
        self.0.contains(reference)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_found_where_they_are() {
        for (text, expected) in [
            ("${env:A}", &["${env:A}"][..]),
            (
                "x=${env:A_B},y=${file:/run/s x};",
                &["${env:A_B}", "${file:/run/s x}"],
            ),
            ("${${env:A}}", &["${env:A}"]),
            ("${env:A", &[]),
            ("${env:}", &[]),
            ("${env: }", &[]),
            ("${environment}", &[]),
            ("${concat('env:A', b)}", &[]),
            ("$ {env:A}", &[]),
            ("ä${file:/ä}ä", &["${file:/ä}"]),
        ] {
            let found: Vec<&str> = find(text).into_iter().map(|range| &text[range]).collect();
            assert_eq!(found, expected, "{text}");
            assert_eq!(occurs_in(text), !expected.is_empty(), "{text}");
            assert_eq!(is_one(text), expected == [text], "{text}");
        }
    }

    #[test]
    fn references_that_are_not_meant_stay() {
        let text = "a ${env:A} b ${env:B} c";
        let read = |reference: &str| match reference {
            "${env:A}" => Ok(Some("1".to_owned())),
            "${env:X}" => Err(()),
            _ => Ok(None),
        };
        assert_eq!(replaced(text, read).as_deref(), Ok("a 1 b ${env:B} c"));
        assert_eq!(replaced("${env:X}", read), Err(()));
        let values = [text.to_owned(), "${env:A}".to_owned(), "plain".to_owned()];
        let references = References::of(&values);
        assert!(references.iter().eq(["${env:A}", "${env:B}"]));
        assert!(references.contains("${env:B}") && !references.contains("${env:C}"));
        assert!(References::of(&values[2..]).is_empty());
    }
}
