//! Writes properties as a configuration document, such as the `action.xml` that an action's process reads.

use std::{collections::BTreeMap, fmt};

use quick_xml::escape::partial_escape;

use super::document::is_xml_char;

/// A name or value contains a character that XML cannot represent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnwritableCharacter {
    /// The property's name.
    pub name: String,
    pub character: char,
}

impl fmt::Display for UnwritableCharacter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "property `{}` holds the character U+{:04X}, which XML cannot hold; remove it from the value",
            self.name.escape_debug(),
            u32::from(self.character),
        )
    }
}

impl std::error::Error for UnwritableCharacter {}

/// Writes properties as a Hadoop configuration document that [`parse`](super::parse) reads back unchanged, except empty values,
/// which every reader of such documents drops.
///
/// # Errors
///
/// If a name or value contains a control character that XML 1.0 does not allow.
pub fn write(properties: &BTreeMap<String, String>) -> Result<String, UnwritableCharacter> {
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<configuration>\n");
    for (name, value) in properties {
        if let Some(character) = name.chars().chain(value.chars()).find(|&c| !is_xml_char(c)) {
            return Err(UnwritableCharacter {
                name: name.clone(),
                character,
            });
        }
        text.push_str("  <property>\n    <name>");
        text.push_str(&escape(name));
        text.push_str("</name>\n    <value>");
        text.push_str(&escape(value));
        text.push_str("</value>\n  </property>\n");
    }
    text.push_str("</configuration>\n");
    Ok(text)
}

/// An unescaped carriage return would be read as a line feed.
fn escape(text: &str) -> String {
    partial_escape(text).replace('\r', "&#13;")
}
