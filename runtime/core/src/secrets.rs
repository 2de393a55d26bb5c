//! Detection and masking of secrets in properties and text. The compiler and the running job use the same rules: by the name of a
//! property, by value wherever it occurs, and by the shape of text.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

mod names;
pub mod references;
mod shapes;
mod values;

pub use self::{
    names::{is_secret_name, tells_secret},
    shapes::without_overlap,
};

/// The replacement of a secret.
pub const MASK: &str = "********";

/// Shorter values are matched as whole words only: otherwise they would mask much of other text.
const MIN_LENGTH: usize = 4;

/// Text that begins like a URI or JDBC URL.
pub fn is_address(text: &str) -> bool {
    text.contains("://") || text.starts_with("jdbc:")
}

/// Whether the value of a property is not shown: its name says that it is a secret, and it does not only refer to one.
pub fn is_secret_value(name: &str, value: &str) -> bool {
    is_secret_name(name) && !references::is_one(value)
}

/// Whether the value after this argument is a secret: `--password`, `-token`.
pub fn is_secret_option(argument: &str) -> bool {
    shapes::is_secret_option(argument)
}

/// Whether the shape of `text` indicates a secret, such as `token=abc`.
pub fn holds_secret(text: &str) -> bool {
    !shapes::find(text).is_empty()
}

/// The parts of `text` whose shape indicates a secret, in order and without overlap.
pub fn find_by_shape(text: &str) -> Vec<Range<usize>> {
    shapes::find(text)
}

/// Secret values, to be masked wherever they occur in other text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Secrets {
    /// By their first bytes: a text is searched once, regardless of their number.
    values: BTreeMap<SecretStart, BTreeSet<Secret>>,
    /// Short values: masked if they are whole words.
    short: BTreeSet<Secret>,
}

/// The first bytes of a value that is not short.
type SecretStart = [u8; MIN_LENGTH];

/// Ordered longest first, so that one that contains another is masked completely.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Secret(Arc<str>);

impl Ord for Secret {
    fn cmp(&self, other: &Secret) -> Ordering {
        let (left, right) = (&self.0, &other.0);
        right.len().cmp(&left.len()).then_with(|| left.cmp(right))
    }
}

impl PartialOrd for Secret {
    fn partial_cmp(&self, other: &Secret) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Secrets {
    /// The values whose names indicate secrets, and secrets in other values, such as the password in a URL.
    pub fn of<'a>(properties: impl IntoIterator<Item = (&'a str, &'a str)>) -> Secrets {
        let mut secrets = Secrets::default();
        for (name, value) in properties {
            secrets.collect(name, value);
        }
        secrets
    }

    /// These values, whatever they are called.
    pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Secrets {
        let mut secrets = Secrets::default();
        for text in texts {
            secrets.add(text);
        }
        secrets
    }

    fn collect(&mut self, name: &str, value: &str) {
        if tells_secret(name) || (is_secret_name(name) && !is_plain(value)) {
            self.push(value, tells_secret(name));
        }
        for range in shapes::find(value) {
            self.push(&value[range], true);
        }
    }

    /// Adds a value that is secret regardless of its name.
    pub fn add(&mut self, value: &str) {
        self.push(value, true);
        for range in shapes::find(value) {
            self.push(&value[range], true);
        }
    }

    /// Adds all values of `other`.
    pub fn extend(&mut self, other: &Secrets) {
        for (start, values) in &other.values {
            let known = self.values.entry(*start).or_default();
            known.extend(values.iter().cloned());
        }
        self.short.extend(other.short.iter().cloned());
    }

    fn push(&mut self, value: &str, with_short: bool) {
        let whole = value.trim();
        if is_fact(whole) {
            return;
        }
        if whole.chars().count() >= MIN_LENGTH {
            self.push_long(whole);
        } else if with_short && whole.chars().any(char::is_alphanumeric) {
            self.short.insert(Secret(whole.into()));
        }
        if whole.contains(['\n', '\r']) {
            let lines = whole.split(['\n', '\r']).map(str::trim);
            for line in lines.filter(|line| line.chars().count() >= MIN_LENGTH) {
                self.push_long(line);
            }
        }
    }

    fn push_long(&mut self, value: &str) {
        if let Some(start) = value.as_bytes().first_chunk() {
            let known = self.values.entry(*start).or_default();
            known.insert(Secret(value.into()));
        }
    }

    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.short.is_empty()
    }

    /// Text with all secrets masked: by value, and by shape.
    pub fn masked(&self, text: &str) -> String {
        let mut masked = self.without_values(text);
        let found = shapes::find(&masked);
        replace(&mut masked, &found);
        masked
    }

    /// Text with these values masked.
    pub fn without_values(&self, text: &str) -> String {
        let mut masked = text.to_owned();
        for secret in values::that_occur(text, &self.values) {
            let found = values::find(&masked, &secret.0);
            replace(&mut masked, &found);
        }
        for secret in &self.short {
            let mut found = values::find(&masked, &secret.0);
            found.retain(|range| values::is_word(&masked, range));
            replace(&mut masked, &found);
        }
        masked
    }
}

/// A number or a boolean under a name such as `max.tokens`.
fn is_plain(value: &str) -> bool {
    is_fact(value.trim()) || value.trim().bytes().all(|byte| byte.is_ascii_digit())
}

/// A value that is not worth hiding.
fn is_fact(value: &str) -> bool {
    value.is_empty()
        || (value.starts_with("${") && value.ends_with('}'))
        || value == MASK
        || ["true", "false", "null", "none", "yes", "no", "on", "off"]
            .iter()
            .any(|word| value.eq_ignore_ascii_case(word))
}

fn replace(text: &mut String, found: &[Range<usize>]) {
    if found.is_empty() {
        return;
    }
    let mut masked = String::with_capacity(text.len());
    let mut rest = 0;
    for range in found {
        if let Some(before) = text.get(rest..range.start)
            && text.is_char_boundary(range.end)
        {
            masked.push_str(before);
            masked.push_str(MASK);
            rest = range.end;
        }
    }
    masked.push_str(&text[rest..]);
    *text = masked;
}

#[cfg(test)]
mod tests;
