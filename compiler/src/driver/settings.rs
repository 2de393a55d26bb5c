//! `hpdl.toml`: project settings for all applications below its folder.
//!
//! ```toml
//! [lints]
//! unreachable_nodes = "allow"   # or "warn", "deny"; `warnings` means all that warn
//!
//! [map]
//! "hdfs://nn/apps" = "../apps"  # relative to this file
//!
//! [extensions]
//! acme = { path = "../acme" }    # a crate with further action types
//! ```
//!
//! Only the nearest file applies: that of the application's folder, or of a folder above it.

mod extensions;

use std::{
    env,
    path::{Component, Path, PathBuf},
};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, LintLevel, LintLevels, Rules, nearest},
    driver::{
        archive::Archive,
        mapping::Mapping,
        mistakes::{invalid_settings::InvalidSettings, unknown_settings::UnknownSetting},
    },
    lints::allow_comments::{LintNameSource, UnknownLintName},
    lower::Extensions,
    source::{FileId, Span},
};

#[cfg(feature = "cli")]
pub(in crate::driver) use self::extensions::is_crate_name;
pub use self::extensions::{DeclaredExtension, MANIFEST};

/// The file's name.
pub const HPDL_TOML: &str = "hpdl.toml";

/// The supported tables.
const TABLES: [&str; 3] = ["lints", "map", "extensions"];

/// The levels that a lint can be given.
const LEVELS: [&str; 3] = ["allow", "warn", "deny"];

/// The settings of an `hpdl.toml`.
#[derive(Debug, Clone, Default)]
pub struct ProjectSettings {
    lints: Vec<(&'static str, LintLevel)>,
    pub mappings: Vec<Mapping>,
    pub extensions: Vec<DeclaredExtension>,
    /// An extension is not among them, which has been reported.
    pub has_unread_extension: bool,
    /// What their manifests describe.
    pub known_extensions: Extensions,
}

impl ProjectSettings {
    /// The levels of the command line, which override those of the settings.
    pub fn levels(&self, command_line: &LintLevels) -> LintLevels {
        let mut levels = command_line.clone();
        for (lint, level) in &self.lints {
            levels.configure(lint, *level);
        }
        levels
    }
}

/// The settings file for the applications in `folder`: the nearest one, spelled as the user would.
pub fn nearest_file(folder: &Path) -> Option<PathBuf> {
    folders_upwards(folder)
        .map(|folder| match folder.as_os_str().is_empty() {
            true => PathBuf::from(HPDL_TOML),
            false => folder.join(HPDL_TOML),
        })
        .find(|path| path.is_file())
}

/// The folder and its ancestors. A relative one is followed by the ancestors of the current folder.
fn folders_upwards(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_plain = folder
        .components()
        .all(|part| !matches!(part, Component::ParentDir));
    let folder = if is_plain {
        folder
            .components()
            .filter(|part| !matches!(part, Component::CurDir))
            .collect()
    } else {
        folder.canonicalize().unwrap_or_else(|_| folder.to_owned())
    };
    let above_here = match folder.is_relative() {
        true => env::current_dir().unwrap_or_default(),
        false => PathBuf::new(),
    };
    let own: Vec<PathBuf> = folder.ancestors().map(Path::to_owned).collect();
    let above: Vec<PathBuf> = above_here.ancestors().skip(1).map(Path::to_owned).collect();
    own.into_iter().chain(
        above
            .into_iter()
            .filter(|folder| !folder.as_os_str().is_empty()),
    )
}

/// Parses the text of the `hpdl.toml` at `path`, which refers to lints among `rules`, and returns its mistakes. One in an
/// archive may only map to folders in the archive.
pub fn parse(
    rules: Rules,
    file: FileId,
    path: &Path,
    archive: Option<&Archive>,
    text: &str,
) -> (ProjectSettings, Vec<Diagnostic>) {
    // A byte order mark is allowed, and not part of the document.
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    let (document, errors) = DeTable::parse_recoverable(&text[mark..]);
    let mut reader = Reader {
        rules,
        file,
        mark,
        folder: path.parent().unwrap_or(Path::new("")),
        archive,
        settings: ProjectSettings::default(),
        diagnostics: Vec::new(),
    };
    // After one syntax error, others are guesses.
    let first = errors
        .iter()
        .min_by_key(|error| error.span().map_or(0, |span| span.start));
    if let Some(error) = first {
        let place = reader.span(error.span().unwrap_or(0..0));
        reader.diagnostics.push(
            InvalidSettings::Notation {
                place,
                message: error.message().to_owned(),
            }
            .into_diagnostic(),
        );
        return (reader.settings, reader.diagnostics);
    }
    reader.document(document.get_ref());
    (reader.settings, reader.diagnostics)
}

struct Reader<'p> {
    rules: Rules,
    file: FileId,
    /// The length of the byte order mark.
    mark: usize,
    folder: &'p Path,
    archive: Option<&'p Archive>,
    settings: ProjectSettings,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn span(&self, range: std::ops::Range<usize>) -> Span {
        let offset = |n: usize| u32::try_from(n + self.mark).unwrap_or(u32::MAX);
        Span::new(self.file, offset(range.start), offset(range.end))
    }

    fn document(&mut self, document: &DeTable<'_>) {
        for (key, value) in document {
            let name: &str = key.get_ref();
            match (TABLES.contains(&name), value.get_ref()) {
                (true, DeValue::Table(table)) => {
                    for (key, value) in table {
                        match name {
                            "lints" => self.lint(key, value),
                            "map" => self.mapping(key, value),
                            _ => self.extension(key, value),
                        }
                    }
                }
                (true, found) => self.wrong_type(value, found, "a table"),
                (false, _) => {
                    let unknown = UnknownSetting {
                        name: name.to_owned(),
                        place: self.span(key.span()),
                        similar: nearest(name, TABLES),
                        known: "the settings are the tables `[lints]`, `[map]` and `[extensions]`",
                    };
                    self.diagnostics.push(unknown.into_diagnostic());
                }
            }
        }
    }

    fn lint(&mut self, key: &Spanned<impl AsRef<str>>, value: &Spanned<DeValue<'_>>) {
        let lint = match self.rules.lint_name(key.get_ref().as_ref()) {
            Ok(lint) => lint,
            Err(unknown) => {
                let unknown = UnknownLintName {
                    unknown,
                    place: self.span(key.span()),
                    source: LintNameSource::Settings,
                };
                self.diagnostics.push(unknown.into_diagnostic());
                return;
            }
        };
        let DeValue::String(level) = value.get_ref() else {
            self.wrong_type(value, value.get_ref(), "the name of a level");
            return;
        };
        match LintLevel::from_name(level) {
            Some(level) => self.settings.lints.push((lint, level)),
            None => {
                let invalid = InvalidSettings::Level {
                    place: self.span(value.span()),
                    level: level.to_string(),
                    similar: nearest(level, LEVELS),
                };
                self.diagnostics.push(invalid.into_diagnostic());
            }
        }
    }

    fn mapping(&mut self, key: &Spanned<impl AsRef<str>>, value: &Spanned<DeValue<'_>>) {
        let uri = key.get_ref().as_ref();
        match value.get_ref() {
            DeValue::String(folder) if !uri.is_empty() && !folder.is_empty() => {
                let folder = self.folder.join(folder.as_ref());
                if self
                    .archive
                    .is_some_and(|archive| !archive.contains(&folder))
                {
                    let invalid = InvalidSettings::Outside {
                        place: self.span(value.span()),
                    };
                    self.diagnostics.push(invalid.into_diagnostic());
                    return;
                }
                self.settings.mappings.push(Mapping::new(uri, folder));
            }
            DeValue::String(_) => {
                let invalid = InvalidSettings::Empty {
                    place: if uri.is_empty() {
                        self.span(key.span())
                    } else {
                        self.span(value.span())
                    },
                };
                self.diagnostics.push(invalid.into_diagnostic());
            }
            found => self.wrong_type(value, found, "a folder"),
        }
    }

    fn wrong_type(
        &mut self,
        value: &Spanned<DeValue<'_>>,
        found: &DeValue<'_>,
        expected: &'static str,
    ) {
        let invalid = InvalidSettings::Type {
            place: self.span(value.span()),
            expected,
            found: found.type_str(),
        };
        self.diagnostics.push(invalid.into_diagnostic());
    }
}

#[cfg(test)]
mod tests;
