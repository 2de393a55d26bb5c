//! Versions of namespaces, and ranges of them.

use std::fmt;

/// The version at the end of a namespace, such as 0.4.5.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u8, u8, u8);

impl Version {
    pub(crate) const fn new(major: u8, minor: u8) -> Version {
        Version(major, minor, 0)
    }

    /// Parses a version, which must be in canonical form.
    pub(crate) fn parse(text: &str) -> Option<Version> {
        let part = |part: &str| {
            let is_plain = part.len() == 1 || !part.starts_with(['0', '+']);
            part.parse().ok().filter(|_| is_plain)
        };
        let (major, rest) = text.split_once('.')?;
        let (minor, patch) = match rest.split_once('.') {
            Some((_, "0")) => return None,
            Some((minor, patch)) => (minor, part(patch)?),
            None => (rest, 0),
        };
        Some(Version(part(major)?, part(minor)?, patch))
    }

    pub(crate) const fn patch(major: u8, minor: u8, patch: u8) -> Version {
        Version(major, minor, patch)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Version(major, minor, patch) = self;
        write!(f, "{major}.{minor}")?;
        match patch {
            0 => Ok(()),
            _ => write!(f, ".{patch}"),
        }
    }
}

/// A range of versions, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Versions {
    pub(crate) first: Version,
    pub(crate) last: Version,
}

impl Versions {
    pub(crate) const ALL: Versions = Versions {
        first: Version(0, 0, 0),
        last: Version(u8::MAX, u8::MAX, u8::MAX),
    };
    /// Contains no version.
    pub(crate) const NONE: Versions = Versions {
        first: Versions::ALL.last,
        last: Versions::ALL.first,
    };

    pub(crate) const fn since(first: Version) -> Versions {
        Versions {
            first,
            last: Versions::ALL.last,
        }
    }

    pub(crate) const fn until(last: Version) -> Versions {
        Versions {
            first: Versions::ALL.first,
            last,
        }
    }

    pub(crate) const fn only(version: Version) -> Versions {
        Versions {
            first: version,
            last: version,
        }
    }

    pub(crate) fn contain(self, version: Version) -> bool {
        self.first <= version && version <= self.last
    }

    /// The versions in words, for namespaces that start with `prefix`: "since `uri:oozie:workflow:0.4`".
    pub(crate) fn describe(self, prefix: &str) -> String {
        let Versions { first, last } = self;
        if first == last {
            format!("only in `{prefix}{first}`")
        } else if last == Versions::ALL.last {
            format!("since `{prefix}{first}`")
        } else if first == Versions::ALL.first {
            format!("up to `{prefix}{last}`")
        } else {
            format!("from `{prefix}{first}` to `{prefix}{last}`")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_written_in_one_way() {
        for text in ["0.1", "0.2.5", "1.0", "0.10"] {
            let version = Version::parse(text).expect("it is a version");
            assert_eq!(version.to_string(), text);
        }
        for text in [
            "", "1", "0.01", "1.0.0", "0.+1", "0.1 ", "0.1.2.3", "0.256", "00.1",
        ] {
            assert_eq!(Version::parse(text), None, "{text}");
        }
    }

    #[test]
    fn ranges_of_versions_contain_their_ends() {
        let version = Version::new(0, 4);
        for (versions, expected) in [
            (Versions::ALL, [true, true, true]),
            (Versions::NONE, [false, false, false]),
            (Versions::since(version), [false, true, true]),
            (Versions::until(version), [true, true, false]),
            (Versions::only(version), [false, true, false]),
        ] {
            let tried = [Version::new(0, 3), version, Version::patch(0, 4, 5)];
            assert_eq!(
                tried.map(|version| versions.contain(version)),
                expected,
                "{versions:?}"
            );
        }
    }
}
