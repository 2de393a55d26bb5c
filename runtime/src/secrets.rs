//! Secrets are masked wherever they are shown: by the name of their property, and by value in other text.

use std::collections::BTreeMap;

use hpdlc_core::secrets::{MASK, Secrets};
use serde_json::Value;

pub use hpdlc_core::secrets::is_secret_name;

/// The secret values of a job.
#[derive(Debug, Default)]
pub struct Mask {
    secrets: Secrets,
}

impl Mask {
    pub fn of(conf: &BTreeMap<String, String>) -> Mask {
        Mask::of_all([conf])
    }

    /// Of a job whose properties were others before: what was secret stays so.
    pub fn of_all<'a>(confs: impl IntoIterator<Item = &'a BTreeMap<String, String>>) -> Mask {
        let pairs = confs.into_iter().flatten();
        Mask {
            secrets: Secrets::of(pairs.map(|(name, value)| (name.as_str(), value.as_str()))),
        }
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
        self.secrets.masked(text)
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
