//! Hadoop's path patterns (`Globber`): which files match `/logs/{2019,2020}/*/part-[0-9]*`.
//!
//! A pattern is matched one component at a time, so `*` never crosses a slash; alternatives that contain a slash are expanded
//! first. Names that begin with a dot are ordinary names. A component without a wildcard is looked up instead of listed, so
//! parent folders need not be readable.

use std::{
    collections::BTreeSet,
    fmt, io,
    path::{Path, PathBuf},
};

use crate::FileSystem;

mod component;
mod slashes;

use self::component::Component;

/// Why a pattern cannot be expanded.
#[derive(Debug)]
pub enum GlobError {
    /// Invalid pattern.
    Pattern { pattern: String, problem: String },
    /// More files than `oozie.action.fs.glob.max` allows (FS013).
    TooMany { pattern: String, max: usize },
    /// A folder in the path cannot be read.
    Io { path: PathBuf, error: io::Error },
}

impl fmt::Display for GlobError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GlobError::Pattern { pattern, problem } => {
                write!(f, "path pattern `{pattern}` is not valid: {problem}")
            }
            GlobError::TooMany { pattern, max } => {
                write!(
                    f,
                    "`{pattern}` matches more than {max} files (oozie.action.fs.glob.max)"
                )
            }
            GlobError::Io { path, error } => write!(f, "cannot read {}: {error}", path.display()),
        }
    }
}

impl std::error::Error for GlobError {}

/// The files that match `pattern`, sorted and without duplicates. Links at the end are not followed.
///
/// `pattern` is absolute and normalized, as in [`LocatedFile`](crate::LocatedFile).
///
/// # Errors
///
/// An invalid pattern, more than `max` matches, or a folder that cannot be read.
pub fn expand(
    system: &dyn FileSystem,
    pattern: &str,
    max: usize,
) -> Result<Vec<PathBuf>, GlobError> {
    let mut search = GlobSearch {
        system,
        found: BTreeSet::new(),
        max,
    };
    for components in alternatives(pattern, max)? {
        search.descend(Path::new("/"), &components)?;
        if search.is_over() {
            return Err(too_many(pattern, max));
        }
    }
    Ok(search.found.into_iter().collect())
}

/// Whether `path`, absolute and normalized as the pattern is, matches `pattern`.
///
/// # Errors
///
/// An invalid pattern, or one with more than `max` alternatives.
pub fn is_match(pattern: &str, path: &str, max: usize) -> Result<bool, GlobError> {
    let names: Vec<&str> = path.split('/').filter(|name| !name.is_empty()).collect();
    Ok(alternatives(pattern, max)?.iter().any(|components| {
        components.len() == names.len()
            && components
                .iter()
                .zip(&names)
                .all(|(component, name)| component.is_match(name))
    }))
}

/// The components of each alternative.
fn alternatives(pattern: &str, max: usize) -> Result<Vec<Vec<Component>>, GlobError> {
    let written = slashes::write_out(pattern, max).ok_or_else(|| too_many(pattern, max))?;
    let parse = |alternative: &String| {
        alternative
            .split('/')
            .filter(|component| !component.is_empty())
            .map(Component::parse)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|problem| GlobError::Pattern {
                pattern: pattern.to_owned(),
                problem,
            })
    };
    written.iter().map(parse).collect()
}

fn too_many(pattern: &str, max: usize) -> GlobError {
    GlobError::TooMany {
        pattern: pattern.to_owned(),
        max,
    }
}

struct GlobSearch<'a> {
    system: &'a dyn FileSystem,
    found: BTreeSet<PathBuf>,
    max: usize,
}

impl GlobSearch<'_> {
    fn is_over(&self) -> bool {
        self.found.len() > self.max
    }

    fn descend(&mut self, folder: &Path, components: &[Component]) -> Result<(), GlobError> {
        if self.is_over() {
            return Ok(());
        }
        let Some((component, rest)) = components.split_first() else {
            let there = self
                .system
                .link_status(folder)
                .map_err(|error| GlobError::Io {
                    path: folder.to_owned(),
                    error,
                })?;
            if there.is_some() {
                self.found.insert(folder.to_owned());
            }
            return Ok(());
        };
        match component {
            Component::Name(name) => self.descend(&folder.join(name), rest),
            Component::Pattern(pattern) => {
                let entries = self.system.list(folder).map_err(|error| GlobError::Io {
                    path: folder.to_owned(),
                    error,
                })?;
                for entry in entries.unwrap_or_default() {
                    if pattern.is_match(&entry.name.to_string_lossy()) {
                        self.descend(&folder.join(&entry.name), rest)?;
                    }
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests;
