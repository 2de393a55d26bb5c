//! `[extensions]` of `hpdl.toml`: crates with further action types and functions, as cargo has dependencies.

use std::path::PathBuf;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::Reader;
use crate::{
    diagnostics::{IntoDiagnostic, nearest},
    driver::mistakes::{
        invalid_settings::{ExtensionFault, InvalidSettings},
        unknown_settings::UnknownSetting,
    },
    source::Span,
};

/// The file that describes an extension, beside its `Cargo.toml`.
pub const MANIFEST: &str = "hpdl-extension.json";

/// The keys of an extension. Those of a source name where cargo finds the crate.
const KEYS: [&str; 7] = ["path", "git", "version", "branch", "tag", "rev", "manifest"];
const SOURCES: [&str; 3] = ["path", "git", "version"];
/// Which state of a `git` repository is taken.
const REVISIONS: [&str; 3] = ["branch", "tag", "rev"];

/// What no extension may be called: crates that every program has, and what begins the names of other functions.
const TAKEN: [&str; 17] = [
    "alloc",
    "bundle",
    "coord",
    "core",
    "fs",
    "hadoop",
    "hcat",
    "hpdl",
    "hpdlc",
    "oozie",
    "program",
    "proc_macro",
    "std",
    "test",
    "wf",
    "hpdlc_flow",
    "hpdlc_runtime",
];

/// An extension as `hpdl.toml` names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeclaredExtension {
    /// That of its crate.
    pub name: String,
    /// The name in `hpdl.toml`.
    pub place: Span,
    /// The folder of the crate, if that is on this machine.
    pub folder: Option<PathBuf>,
    /// Where cargo finds a crate from elsewhere: keys of its manifest, with their values.
    pub source: Vec<(String, String)>,
    pub manifest: PathBuf,
}

impl DeclaredExtension {
    /// Whether cargo finds the same crate for both.
    pub fn is_same_crate(&self, other: &DeclaredExtension) -> bool {
        let real = |it: &DeclaredExtension| {
            let folder = it.folder.as_deref()?;
            Some(folder.canonicalize().unwrap_or_else(|_| folder.to_owned()))
        };
        self.source == other.source && real(self) == real(other)
    }
}

impl Reader<'_> {
    pub(super) fn extension(
        &mut self,
        key: &Spanned<impl AsRef<str>>,
        value: &Spanned<DeValue<'_>>,
    ) {
        let name = key.get_ref().as_ref();
        let DeValue::Table(table) = value.get_ref() else {
            self.wrong_type(
                value,
                value.get_ref(),
                "a table such as `{ path = \"../acme\" }`",
            );
            return;
        };
        let place = self.span(key.span());
        let fault = if self.archive.is_some() {
            ExtensionFault::InArchive
        } else if is_crate_name(name) {
            match self.declared(name, place, table) {
                Ok(Some(declared)) => {
                    self.settings.extensions.push(declared);
                    return;
                }
                // Reported.
                Ok(None) => {
                    self.settings.has_unread_extension = true;
                    return;
                }
                Err(fault) => fault,
            }
        } else {
            ExtensionFault::Name
        };
        self.settings.has_unread_extension = true;
        let invalid = InvalidSettings::Extension {
            name: name.to_owned(),
            place,
            fault,
        };
        self.diagnostics.push(invalid.into_diagnostic());
    }

    fn declared(
        &mut self,
        name: &str,
        place: Span,
        table: &DeTable<'_>,
    ) -> Result<Option<DeclaredExtension>, ExtensionFault> {
        let mut source = Vec::new();
        let (mut folder, mut manifest) = (None, None);
        let mut unknown = Vec::new();
        for (key, value) in table {
            let key_name: &str = key.get_ref();
            if !KEYS.contains(&key_name) {
                unknown.push(UnknownSetting {
                    name: key_name.to_owned(),
                    place: self.span(key.span()),
                    similar: nearest(key_name, KEYS),
                    known: "the keys of an extension are `path`, `git` with `branch`, `tag` or `rev`, `version`, and `manifest`",
                });
                continue;
            }
            let DeValue::String(text) = value.get_ref() else {
                self.wrong_type(value, value.get_ref(), "a text");
                return Ok(None);
            };
            match key_name {
                "path" | "manifest" => {
                    let path = self.folder.join(text.as_ref());
                    match key_name {
                        "path" => folder = Some(path),
                        _ => manifest = Some(path),
                    }
                }
                _ => source.push((key_name.to_owned(), text.to_string())),
            }
        }
        let n_sources = SOURCES.iter().filter(|it| table.contains_key(**it)).count();
        let n_revisions = REVISIONS
            .iter()
            .filter(|it| table.contains_key(**it))
            .count();
        if n_sources == 1 && (n_revisions > 1 || n_revisions == 1 && !table.contains_key("git")) {
            return Err(ExtensionFault::Revisions);
        }
        if let Some(git) = source.iter().find(|(key, _)| key == "git")
            && !is_url(&git.1)
        {
            return Err(ExtensionFault::NoUrl);
        }
        let declared = match (n_sources, folder.as_deref(), manifest) {
            (0, ..) => {
                let similar = unknown.iter().find_map(|it| it.similar);
                return Err(ExtensionFault::NoSource { similar });
            }
            (1, Some(_), None) if !source.is_empty() => return Err(ExtensionFault::Sources),
            (1, Some(folder), None) => DeclaredExtension {
                name: name.to_owned(),
                place,
                manifest: folder.join(MANIFEST),
                folder: Some(folder.to_owned()),
                source,
            },
            (1, _, Some(manifest)) => DeclaredExtension {
                name: name.to_owned(),
                place,
                manifest,
                folder,
                source,
            },
            (1, None, None) => return Err(ExtensionFault::NoManifest),
            _ => return Err(ExtensionFault::Sources),
        };
        self.diagnostics
            .extend(unknown.into_iter().map(IntoDiagnostic::into_diagnostic));
        Ok(Some(declared))
    }
}

/// Whether cargo can find a repository by it: a path is none, and neither is the short form of `ssh`.
fn is_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme
                .bytes()
                .all(|it| it.is_ascii_alphanumeric() || it == b'+')
    })
}

/// Whether it is a name that a crate of an extension can have.
pub(in crate::driver) fn is_crate_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        && syn::parse_str::<syn::Ident>(name).is_ok()
        && !TAKEN.contains(&name)
}
