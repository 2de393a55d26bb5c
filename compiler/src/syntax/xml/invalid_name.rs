use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
    syntax::xml::characters::XmlNameFault,
};

code!("H0111", invalid_name, ["E0700", "E0701", "E0803"]);

/// An invalid name.
pub(super) struct InvalidName<'a> {
    pub(super) named: NamedItem,
    pub(super) name: &'a str,
    /// The name as written; for a missing one, the position where it should be.
    pub(super) span: Span,
    pub(super) fault: XmlNameFault,
}

/// What has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedItem {
    Element,
    EndTag,
    Attribute,
}

message!(InvalidName<'_>, |named, name, span, fault| {
    let owner = match named {
        NamedItem::Element => "element",
        NamedItem::EndTag => "end tag",
        NamedItem::Attribute => "attribute",
    };
    let place = |index: usize, length: usize| {
        let start = span.start + u32::try_from(index).unwrap_or(0);
        Span::new(span.file, start, start + u32::try_from(length).unwrap_or(0))
    };
    match fault {
        XmlNameFault::Empty => Diagnostic::new(&CODE, span, format!("{owner} without a name"))
            .label(span, "expected a name")
            .help("in text, write `&lt;` for `<`"),
        XmlNameFault::Character(0, c) => {
            let place = place(0, c.len_utf8());
            Diagnostic::new(
                &CODE,
                place,
                format!("invalid {owner} name `{}`", shown(name)),
            )
            .label(place, format!("a name cannot start with {}", described(c)))
            .help("start the name with a letter or `_`; in text, write `&lt;` for `<`")
        }
        XmlNameFault::Character(index, c) => {
            let place = place(index, c.len_utf8());
            Diagnostic::new(
                &CODE,
                place,
                format!("invalid {owner} name `{}`", shown(name)),
            )
            .label(place, format!("a name cannot contain {}", described(c)))
            .help("names have letters, digits, `-`, `_`, and `.`")
        }
        XmlNameFault::Colon(index) => {
            let place = place(index, 1);
            Diagnostic::new(
                &CODE,
                place,
                format!("invalid {owner} name `{}`", shown(name)),
            )
            .label(place, "a colon is allowed only between a prefix and a name")
            .help("remove the colon")
        }
    }
});

/// The name, truncated to a length that fits a line: a missing quote may make it a page long.
fn shown(name: &str) -> String {
    const LONGEST: usize = 40;
    let first_line = name.lines().next().unwrap_or("");
    let shown: String = first_line
        .chars()
        .take(LONGEST)
        .filter(|c| !c.is_control())
        .collect();
    if shown.len() == name.len() {
        shown
    } else {
        format!("{shown}...")
    }
}

/// A character in a form that a message can show.
fn described(c: char) -> String {
    if c.is_whitespace() || c.is_control() {
        format!("U+{:04X}", u32::from(c))
    } else {
        format!("`{c}`")
    }
}
