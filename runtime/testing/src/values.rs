//! The evaluated values of a node.

use std::ops::Index;

/// The evaluated values of one attempt of a node, each with its path, as `dryrun` names and orders them: `argument[2]`,
/// `configuration/property[queue]/value`, `message`. Secrets are in clear.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Values(Vec<(String, String)>);

impl Values {
    pub(crate) fn new(values: Vec<(String, String)>) -> Values {
        Values(values)
    }

    /// The value at a path; `None` if the node has no such text.
    pub fn get(&self, path: &str) -> Option<&str> {
        let mut values = self.iter();
        values.find(|(own, _)| *own == path).map(|(_, value)| value)
    }

    /// The paths and their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let values = self.0.iter();
        values.map(|(path, value)| (path.as_str(), value.as_str()))
    }

    /// The values of the element `name`, in order: of `argument` those of `argument[1]`, `argument[2]` and so on.
    pub fn all(&self, name: &str) -> Vec<&str> {
        let is_of = |path: &str| {
            let rest = path.strip_prefix(name);
            rest.is_some_and(|rest| {
                rest.is_empty() || (rest.starts_with('[') && rest.ends_with(']'))
            })
        };
        let values = self.iter().filter(|(path, _)| is_of(path));
        values.map(|(_, value)| value).collect()
    }
}

/// `values["argument[2]"]`.
impl Index<&str> for Values {
    type Output = str;

    /// # Panics
    ///
    /// If the node has no such text.
    #[track_caller]
    fn index(&self, path: &str) -> &str {
        match self.get(path) {
            Some(value) => value,
            None => {
                let paths: Vec<&str> = self.iter().map(|(path, _)| path).collect();
                panic!(
                    "there is no value `{path}`; there are: {}",
                    paths.join(", ")
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values() -> Values {
        let pairs = [("exec", "sh"), ("argument[1]", "-c"), ("argument[2]", "x")];
        Values::new(
            pairs
                .map(|(path, value)| (path.to_owned(), value.to_owned()))
                .into(),
        )
    }

    #[test]
    fn the_values_of_an_element_are_in_order() {
        assert_eq!(values().all("argument"), ["-c", "x"]);
        assert_eq!(values().all("exec"), ["sh"]);
        assert!(values().all("arg").is_empty());
    }
}
