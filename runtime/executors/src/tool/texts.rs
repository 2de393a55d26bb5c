//! The evaluated elements of an action.

use serde::{Deserialize, Serialize};

/// Elements with their texts, in the order of the schema, those of one name in the order of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementTexts(Vec<(String, String)>);

impl ElementTexts {
    pub fn push(&mut self, name: &str, text: impl Into<String>) {
        self.0.push((name.to_owned(), text.into()));
    }

    /// The texts of the elements `name`, trimmed, as Oozie reads them.
    pub fn all<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.named(name).map(str::trim)
    }

    fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        let all = self.0.iter().filter(|(known, _)| known == name);
        all.map(|(_, text)| text.as_str())
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// The text of the element, if it exists and is not empty.
    pub fn one(&self, name: &str) -> Option<&str> {
        self.all(name).next().filter(|text| !text.is_empty())
    }

    /// The text of the element, which the schema requires.
    pub fn required(&self, name: &str) -> &str {
        self.one(name).unwrap_or_default()
    }

    /// The verbatim text of the element.
    pub fn verbatim(&self, name: &str) -> Option<&str> {
        self.named(name).next()
    }
}

#[cfg(test)]
impl<const N: usize> From<[(&str, &str); N]> for ElementTexts {
    fn from(list: [(&str, &str); N]) -> ElementTexts {
        let mut texts = ElementTexts::default();
        for (name, text) in list {
            texts.push(name, text);
        }
        texts
    }
}
