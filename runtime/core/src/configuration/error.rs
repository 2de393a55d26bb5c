//! Why a text is not a configuration document, the position of the fault, and how to fix it.

use std::fmt;

use crate::limits;

/// The first fault of a configuration document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigurationError {
    pub kind: ConfigurationErrorKind,
    /// 1-based.
    pub line: usize,
    /// 1-based, in characters.
    pub column: usize,
    /// The same position in bytes after a byte order mark.
    pub offset: usize,
}

/// Kinds of [`ConfigurationError`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigurationErrorKind {
    /// The document has no element.
    Empty,
    /// Not well-formed; `cause` says how.
    NotXml { cause: String },
    /// An element that is not closed at the end of the text.
    Unclosed { element: String },
    /// The root element is not `configuration`.
    WrongRoot { element: String },
    /// An element other than `property` or `configuration` in a `configuration`.
    UnexpectedElement { element: String },
    /// Markup in a `name` or `value`.
    ElementInText { element: String, parent: String },
    /// Text where only elements are allowed.
    UnexpectedText,
    /// A second element, or text, after the root.
    AfterRoot,
    /// `xi:include`: a parser of text opens no files.
    Include,
    /// A document type declaration, which could define entities.
    Dtd,
    /// `&name;` other than XML's five.
    UnknownEntity { entity: String },
    /// `&#...;` that names no XML character.
    BadCharacterReference { reference: String },
    /// Elements nested too deeply.
    TooDeep { limit: usize },
    /// A name or value beyond [`limits::MAX_TEXT`].
    TooLong,
}

impl ConfigurationError {
    /// What is wrong, in one line.
    pub fn cause(&self) -> String {
        match &self.kind {
            ConfigurationErrorKind::Empty => "the document is empty".to_owned(),
            ConfigurationErrorKind::NotXml { cause } => format!("this is not XML: {cause}"),
            ConfigurationErrorKind::Unclosed { element } => {
                format!("element `{element}` is not closed")
            }
            ConfigurationErrorKind::WrongRoot { element } => {
                format!("the root element is `{element}`, not `configuration`")
            }
            ConfigurationErrorKind::UnexpectedElement { element } => {
                format!("element `{element}` does not belong into a configuration")
            }
            ConfigurationErrorKind::ElementInText { element, parent } => {
                format!("element `{element}` is in a `{parent}`, which holds text")
            }
            ConfigurationErrorKind::UnexpectedText => {
                "text where only elements are allowed".to_owned()
            }
            ConfigurationErrorKind::AfterRoot => {
                "there is more after the root element of the document".to_owned()
            }
            ConfigurationErrorKind::Include => "other files cannot be included".to_owned(),
            ConfigurationErrorKind::Dtd => "a document type declaration is not allowed".to_owned(),
            ConfigurationErrorKind::UnknownEntity { entity } => {
                format!("entity `&{entity};` is not defined")
            }
            ConfigurationErrorKind::BadCharacterReference { reference } => {
                format!("`&{reference};` is not a character of XML")
            }
            ConfigurationErrorKind::TooDeep { limit } => {
                format!("elements are nested deeper than {limit}")
            }
            ConfigurationErrorKind::TooLong => {
                let mebibytes = limits::MAX_TEXT / (1024 * 1024);
                format!("a name or value is longer than {mebibytes} MiB")
            }
        }
    }

    /// How to fix it, in one line.
    pub fn next_step(&self) -> &'static str {
        match &self.kind {
            ConfigurationErrorKind::Empty => {
                "write `<configuration></configuration>`, or leave the file out"
            }
            ConfigurationErrorKind::NotXml { .. } => {
                "correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`"
            }
            ConfigurationErrorKind::Unclosed { .. } => {
                "close it, and see whether the file was cut off"
            }
            ConfigurationErrorKind::WrongRoot { .. } => {
                "give a Hadoop configuration, or a properties file whose name does not end in `.xml`"
            }
            ConfigurationErrorKind::UnexpectedElement { .. } => {
                "write `<property><name>...</name><value>...</value></property>`"
            }
            ConfigurationErrorKind::ElementInText { .. } => {
                "write `&lt;` for `<`, or use `<![CDATA[...]]>`"
            }
            ConfigurationErrorKind::UnexpectedText => "move it into a `value`, or into a comment",
            ConfigurationErrorKind::AfterRoot => "keep one `configuration` element in the file",
            ConfigurationErrorKind::Include => "give both files, the included one first",
            ConfigurationErrorKind::Dtd => {
                "remove the declaration and write what its entities stand for"
            }
            ConfigurationErrorKind::UnknownEntity { .. } => {
                "write the character itself, or `&amp;` for an ampersand"
            }
            ConfigurationErrorKind::BadCharacterReference { .. } => {
                "remove it; XML cannot hold this character"
            }
            ConfigurationErrorKind::TooDeep { .. } => {
                "put the properties directly below `configuration`"
            }
            ConfigurationErrorKind::TooLong => {
                "put the text into a file, and its path into the property"
            }
        }
    }
}

impl fmt::Display for ConfigurationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ConfigurationError {
            kind: _,
            line,
            column,
            offset: _,
        } = self;
        write!(
            f,
            "line {line}, column {column}: {}; {}",
            self.cause(),
            self.next_step()
        )
    }
}

impl std::error::Error for ConfigurationError {}
