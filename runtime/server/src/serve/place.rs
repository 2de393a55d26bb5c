//! Where the paths of the server begin.

use crate::serve::query::Version;

/// What is before a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// The base of the server and each of these versions.
    Versions(&'static [Version]),
    /// The base of the server, such as `/oozie`.
    Base,
    /// Nothing.
    Root,
}

/// Versions 0, 1 and 2.
pub(crate) const ALL: Place = Place::Versions(&Version::ALL);
/// Versions 1 and 2.
pub(crate) const SINCE_1: Place = Place::Versions(&[Version::V1, Version::V2]);
pub(crate) const ONLY_0: Place = Place::Versions(&[Version::V0]);
pub(crate) const ONLY_1: Place = Place::Versions(&[Version::V1]);
pub(crate) const ONLY_2: Place = Place::Versions(&[Version::V2]);

impl Place {
    /// Whole paths, each with its version if there are versions.
    pub(crate) fn paths(self, base: &str, path: &str) -> Vec<(String, Option<Version>)> {
        match self {
            Place::Versions(versions) => versions
                .iter()
                .map(|version| (format!("{base}/{version}{path}"), Some(*version)))
                .collect(),
            Place::Base => vec![(format!("{base}{path}"), None)],
            Place::Root => vec![(path.to_owned(), None)],
        }
    }
}
