//! Secrets are masked wherever they are shown: by the name of their property, and by value in other text.

use std::collections::BTreeMap;

use serde_json::Value;

/// What stands for a secret.
const MASK: &str = "********";

/// Shorter values are not looked for in other text: they would mask half of it.
const MIN_LENGTH: usize = 4;

/// The secret values of a job.
#[derive(Debug, Default)]
pub struct Mask {
    /// Longest first, so that one that contains another is masked whole.
    values: Vec<String>,
}

/// The name of a property that holds a secret.
pub fn is_secret_name(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let words = ["password", "passwd", "secret", "token", "credential"];
    words.iter().any(|word| name.contains(word))
        || name
            .split(['.', '-', '_'])
            .any(|part| part == "key" || part == "apikey")
        || name.ends_with("accesskey")
        || name.ends_with("privatekey")
}

impl Mask {
    pub fn of(conf: &BTreeMap<String, String>) -> Mask {
        let mut values: Vec<String> = conf
            .iter()
            .filter(|(name, value)| is_secret_name(name) && value.len() >= MIN_LENGTH)
            .map(|(_, value)| value.clone())
            .collect();
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Mask { values }
    }

    /// Properties with the secret ones masked.
    pub fn properties(&self, conf: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        conf.iter()
            .map(|(name, value)| {
                let value = if is_secret_name(name) {
                    MASK.to_owned()
                } else {
                    self.text(value)
                };
                (name.clone(), value)
            })
            .collect()
    }

    /// Text without any secret value.
    pub fn text(&self, text: &str) -> String {
        self.values
            .iter()
            .fold(text.to_owned(), |text, secret| text.replace(secret, MASK))
    }

    /// Masks every string in `value`.
    pub fn json(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(members) => members.values_mut().for_each(|member| self.json(member)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_secrets() {
        for name in [
            "db.password",
            "AUTH_TOKEN",
            "aws.secret.access.key",
            "api-key",
            "fs.s3a.access.key",
        ] {
            assert!(is_secret_name(name), "{name}");
        }
        for name in ["keyspace", "monkey", "user.name", "keys"] {
            assert!(!is_secret_name(name), "{name}");
        }
    }

    #[test]
    fn a_secret_is_masked_by_name_and_wherever_its_value_appears() {
        let conf: BTreeMap<String, String> =
            [("password", "hunter22"), ("url", "db://me:hunter22@host")]
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into();
        let mask = Mask::of(&conf);
        let shown = mask.properties(&conf);
        assert_eq!(shown["password"], "********");
        assert_eq!(shown["url"], "db://me:********@host");
        assert_eq!(mask.text("login hunter22 failed"), "login ******** failed");
    }
}
