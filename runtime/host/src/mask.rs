//! Masks secrets wherever they are shown: by the name of their property, by value in other text, and by the shape of text.
//!
//! Code that has the properties of a job creates a [`Mask`] of them. In addition, all output of the process passes through
//! [`crate::shown`], which knows all of these, so that no command shows a secret by omission.

use std::collections::BTreeMap;

use hpdlc_core::secrets::{MASK, Secrets, is_secret_option, is_secret_value};
use serde_json::{Map, Value};

use crate::secret_values;

mod of_document;
mod of_process;

pub use self::of_document::masked as masked_document;
pub(crate) use self::of_process::{keep_from_all, of_process};
pub use hpdlc_core::secrets::is_secret_name;

/// JSON members whose keys are not ours: properties, and what an action has captured.
const OPEN_MEMBERS: [&str; 2] = ["conf", "data"];

/// Elements that together form a command line, where a value may follow the argument that names it.
const ARGUMENTS: [&str; 4] = ["argument", "arg", "args", "param"];

/// The secret values of a job.
#[derive(Debug, Default)]
pub struct Mask {
    secrets: Secrets,
}

impl Mask {
    pub fn of(conf: &BTreeMap<String, String>) -> Mask {
        Mask::of_all([conf])
    }

    /// For a job whose properties were different before: former secrets remain masked.
    pub fn of_all<'a>(confs: impl IntoIterator<Item = &'a BTreeMap<String, String>>) -> Mask {
        let mut secrets = Secrets::default();
        for conf in confs {
            let pairs = conf.iter();
            secrets.extend(&Secrets::of(
                pairs.map(|(name, value)| (name.as_str(), value.as_str())),
            ));
            let read = conf
                .values()
                .flat_map(|value| secret_values::to_mask(value));
            read.for_each(|secret| secrets.add(&secret));
        }
        Mask::new(secrets)
    }

    /// For a job with secrets in addition to those in its properties.
    pub fn with(conf: &BTreeMap<String, String>, others: &Secrets) -> Mask {
        let mut mask = Mask::of(conf);
        mask.secrets.extend(others);
        Mask::new(mask.secrets)
    }

    fn new(secrets: Secrets) -> Mask {
        keep_from_all(&secrets);
        Mask { secrets }
    }

    /// Properties with the secret ones masked.
    pub fn properties(&self, conf: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        conf.iter()
            .map(|(name, value)| {
                let value = if is_secret_value(name, value) {
                    MASK.to_owned()
                } else {
                    self.text(value)
                };
                (self.text(name), value)
            })
            .collect()
    }

    /// Text with all secret values masked.
    pub fn text(&self, text: &str) -> String {
        self.secrets.masked(text)
    }

    /// Masks every string in `value`.
    pub fn json(&self, value: &mut Value) {
        mask_json(&self.secrets, value);
    }
}

/// Masks every string in `value`.
pub fn mask_json(secrets: &Secrets, value: &mut Value) {
    match value {
        Value::String(text) => *text = secrets.masked(text),
        Value::Array(items) => items.iter_mut().for_each(|item| mask_json(secrets, item)),
        Value::Object(members) => {
            for (name, member) in members.iter_mut() {
                mask_json(secrets, member);
                if OPEN_MEMBERS.contains(&name.as_str())
                    && let Value::Object(inner) = member
                {
                    *inner = masked_keys(secrets, std::mem::take(inner));
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// With masked keys, and with the values of keys that indicate a secret masked.
fn masked_keys(secrets: &Secrets, members: Map<String, Value>) -> Map<String, Value> {
    members
        .into_iter()
        .map(|(name, value)| {
            let value = if value
                .as_str()
                .is_some_and(|value| is_secret_value(&name, value))
            {
                MASK.into()
            } else {
                value
            };
            (secrets.masked(&name), value)
        })
        .collect()
}

/// Whether the value of this element, which follows one with the value `before`, is a secret.
pub fn is_secret_element(type_name: &str, name: &str, before: Option<&str>) -> bool {
    if is_secret_name(name) {
        // `key-path` is the name of a file, not a secret.
        return name != "key-path";
    }
    ARGUMENTS.contains(&name)
        && before.is_some_and(|before| {
            // `-p` is the password option of `beeline`.
            is_secret_option(before.trim()) || (before.trim() == "-p" && type_name == "hive2")
        })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn conf() -> BTreeMap<String, String> {
        [
            ("password", "hunter22"),
            ("url", "db://me:hunter22@host"),
            ("other.password", "${file:/no/such/file}"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
    }

    #[test]
    fn a_secret_is_masked_by_name_and_wherever_its_value_appears() {
        let conf = conf();
        let mask = Mask::of(&conf);
        let shown = mask.properties(&conf);
        assert_eq!(shown["password"], "********");
        assert_eq!(shown["url"], "db://me:********@host");
        assert_eq!(shown["other.password"], "${file:/no/such/file}");
        assert_eq!(mask.text("login hunter22 failed"), "login ******** failed");
    }

    #[test]
    fn json_is_masked_with_the_keys_that_others_chose() {
        let mut value = json!({
            "id": "1",
            "message": "hunter22?",
            "data": { "hunter22": "x", "token": "abc", "n": "hunter22", "keys": "1" },
        });
        Mask::of(&conf()).json(&mut value);
        assert_eq!(
            value,
            json!({
                "id": "1",
                "message": "********?",
                "data": { "********": "x", "token": "********", "n": "********", "keys": "1" },
            })
        );
    }
}
