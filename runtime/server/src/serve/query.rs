//! The parameters of a request, and the version of the API that its path names.

use std::fmt;

use crate::serve::failure::Failure;

/// A version of Oozie's Web Services API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Version {
    V0,
    V1,
    V2,
}

impl Version {
    pub(crate) const ALL: [Version; 3] = [Version::V0, Version::V1, Version::V2];

    /// Refuses what only later versions have (`E0302`, as `V0JobServlet` and `V1JobServlet` do).
    pub(crate) fn expect(self, first: Version) -> Result<(), Failure> {
        if self >= first {
            return Ok(());
        }
        Err(Failure::parameter(&format!("Not supported in {self}")))
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Version::V0 => "v0",
            Version::V1 => "v1",
            Version::V2 => "v2",
        })
    }
}

/// The parameters after the `?`, decoded; unknown ones are ignored by all who read them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Parameters(Vec<(String, String)>);

impl Parameters {
    pub(crate) fn parse(query: Option<&str>) -> Parameters {
        let pairs = form_urlencoded::parse(query.unwrap_or_default().as_bytes());
        Parameters(pairs.into_owned().collect())
    }

    /// The first of this name.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name)?;
        Some(&found.1)
    }

    /// As [`Parameters::get`], if it is not empty.
    pub(crate) fn filled(&self, name: &str) -> Option<&str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    /// All of this name, in their order.
    pub(crate) fn all(&self, name: &str) -> Vec<String> {
        let found = self.0.iter().filter(|(known, _)| known == name);
        found.map(|(_, value)| value.clone()).collect()
    }

    /// Names and values, in their order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// All but those of these names, as `a=1;b=2`.
    pub(crate) fn others(&self, names: &[&str]) -> String {
        let others = self.0.iter();
        let others = others.filter(|(name, _)| !names.contains(&name.as_str()));
        let others: Vec<String> = others
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        others.join(";")
    }

    /// # Errors
    ///
    /// E0305 if there is none.
    pub(crate) fn required(&self, name: &str) -> Result<&str, Failure> {
        self.get(name).ok_or_else(|| Failure::missing(name))
    }

    /// # Errors
    ///
    /// E1603 if it is no whole number, with the words of `Integer.parseInt`.
    pub(crate) fn number(&self, name: &str) -> Result<Option<i64>, Failure> {
        let Some(text) = self.get(name) else {
            return Ok(None);
        };
        match text.parse::<i32>() {
            Ok(number) => Ok(Some(number.into())),
            Err(_) => Err(Failure::argument(format!("For input string: \"{text}\""))),
        }
    }

    /// Whether it is `true`, in any case.
    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.get(name)
            .is_some_and(|text| text.eq_ignore_ascii_case("true"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_and_the_first_counts() {
        let parameters =
            Parameters::parse(Some("filter=status%3DRUNNING;name%3Da+b&len=x&len=2&e="));
        assert_eq!(parameters.get("filter"), Some("status=RUNNING;name=a b"));
        assert_eq!(parameters.get("e"), Some(""));
        assert_eq!(parameters.filled("e"), None);
        assert!(parameters.number("len").is_err());
        assert!(Version::V1.expect(Version::V2).is_err());
        assert_eq!(Version::V2.to_string(), "v2");
    }
}
