//! Hadoop configuration XML: job configurations, `config-default.xml`, `job-xml` files, `oozie-site.xml`.
//!
//! Reads what Oozie's `XConfiguration` reads, and records the line of every property. Intended differences: text around CDATA is
//! one value (Oozie loses what follows the boundary), `xi:include` is refused instead of ignored, and what Oozie silently drops
//! is returned as a warning.

use std::{collections::BTreeMap, fmt};

mod document;
mod error;
#[cfg(test)]
mod tests;
mod write;

pub use self::{
    error::{ConfigurationError, ConfigurationErrorKind},
    write::{UnwritableCharacter, write},
};

/// A configuration document, in document order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Configuration {
    /// Every property that has a name and a value, duplicates included; the last one of a name wins.
    pub properties: Vec<Property>,
    /// Properties and elements that have no effect, by position.
    pub warnings: Vec<ConfigurationWarning>,
}

impl Configuration {
    /// Name to value; the last property of a name wins.
    pub fn to_map(&self) -> BTreeMap<String, String> {
        self.properties
            .iter()
            .map(|property| (property.name.clone(), property.value.clone()))
            .collect()
    }
}

/// One `property`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Property {
    /// Trimmed.
    pub name: String,
    /// Not trimmed, never empty.
    pub value: String,
    /// Line of the name's text, 1-based.
    pub line: usize,
    /// Where the name's text begins in the document, in bytes after a byte order mark.
    pub offset: usize,
}

/// Something in the document that has no effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationWarning {
    pub kind: ConfigurationWarningKind,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// The same position in bytes after a byte order mark.
    pub offset: usize,
}

/// Kinds of [`ConfigurationWarning`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigurationWarningKind {
    /// A property whose `value` is missing or has no text is dropped; its name stays undefined.
    EmptyValue { name: String },
    /// A property without a name is dropped.
    EmptyName,
    /// The name occurs earlier too; the later value wins.
    DuplicateName { name: String, first_line: usize },
    /// An element of a property that is not read.
    UnknownElement { element: String },
}

impl fmt::Display for ConfigurationWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ConfigurationWarningKind::EmptyValue { name } => {
                write!(
                    f,
                    "property `{name}` has no value and is dropped, so that it is undefined"
                )
            }
            ConfigurationWarningKind::EmptyName => {
                f.write_str("a property without a name is dropped")
            }
            ConfigurationWarningKind::DuplicateName { name, first_line } => {
                write!(
                    f,
                    "property `{name}` is already set in line {first_line}; the later value counts"
                )
            }
            ConfigurationWarningKind::UnknownElement { element } => {
                write!(f, "element `{element}` of a property is not read")
            }
        }
    }
}

/// Reads a configuration document.
///
/// # Errors
///
/// The first position at which `text` is not XML, or not a configuration: Oozie refuses the same documents as "bad conf file",
/// and reports only the first fault too.
pub fn parse(text: &str) -> Result<Configuration, ConfigurationError> {
    document::parse(text)
}
