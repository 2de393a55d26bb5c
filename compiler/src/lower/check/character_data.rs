//! CDATA sections where no text is allowed.
//!
//! The tree does not represent an empty section, nor distinguish one of blanks from other blanks. XML Schema ignores those;
//! libxml2 rejects both.

use crate::{source::Span, syntax::xml::Element};

const SECTION: &str = "<![CDATA[";

/// The text of a document that has CDATA sections.
#[derive(Clone, Copy)]
pub(super) struct CharacterData<'t>(&'t str);

impl<'t> CharacterData<'t> {
    /// `None` if there are none.
    pub(super) fn in_document(text: &'t str) -> Option<CharacterData<'t>> {
        text.contains(SECTION).then_some(CharacterData(text))
    }

    /// The first section directly in `element`.
    pub(super) fn first_in(self, element: &Element<'_>) -> Option<Span> {
        let content = element.content_span();
        let mut start = content.start;
        let ends = element
            .elements()
            .map(|child| (child.span().start, child.span().end));
        for (end, next) in ends.chain([(content.end, content.end)]) {
            let gap = Span::new(element.file(), start, end);
            if let Some(section) = self.first_in_gap(gap) {
                return Some(section);
            }
            start = next;
        }
        None
    }

    /// The first section between two tags, in text, comments and processing instructions.
    fn first_in_gap(self, gap: Span) -> Option<Span> {
        let text = self.0.get(gap.range())?;
        if !text.contains(SECTION) {
            return None;
        }
        let mut rest = text;
        loop {
            rest = &rest[rest.find('<')?..];
            if rest.starts_with(SECTION) {
                let at = gap.start + u32::try_from(text.len() - rest.len()).ok()?;
                let length = rest.find("]]>").map_or(rest.len(), |end| end + "]]>".len());
                return Some(Span::new(gap.file, at, at + u32::try_from(length).ok()?));
            }
            let end = if rest.starts_with("<!--") {
                "-->"
            } else {
                "?>"
            };
            rest = &rest[rest.find(end)?..];
        }
    }
}
