//! Text of the document that may contain `${…}`.

use std::sync::Arc;

use hpdlc_core::el;

use crate::{source::Span, syntax::xml::Decoded};

/// An element's text or an attribute's value, parsed as JSP 2.0 EL.
///
/// Element text is trimmed at both ends, as Oozie's pretty printer does (trap T9 of the semantics reference); inner blanks
/// are kept. Attributes, and values in `config-default.xml`, are not trimmed.
#[derive(Clone, Debug)]
pub struct Template {
    /// The decoded text, with the map back to the raw file for labels inside expressions.
    pub text: Decoded<'static>,
    /// The whole text in the raw file.
    pub span: Span,
    /// The parsed text, shared by all templates with the same text. If the text did not parse, which has been reported, this
    /// is the text as a literal.
    pub ast: Arc<el::ast::Template>,
    /// The text did not parse. Passes skip such templates: the mistake has been reported.
    pub is_invalid: bool,
    pub markup: TextMarkup,
}

/// How a text is written, as far as it matters to Oozie, which evaluates expressions in the document that it has printed again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TextMarkup {
    /// Printed with `&lt;`, `&gt;` and `&amp;`.
    #[default]
    Text,
    /// A text with a CDATA section, printed as it is.
    CharacterData,
    /// Printed with `&quot;` too.
    Attribute,
}

impl Template {
    /// The text, if it has no expressions.
    pub fn literal(&self) -> Option<&str> {
        self.ast
            .parts
            .iter()
            .all(|part| matches!(part, el::ast::Part::Text(..)))
            .then_some(self.text.as_str())
    }
    /// The text before the first expression, and whether that is all; `None` for a text that did not parse.
    pub fn beginning(&self) -> Option<(&str, bool)> {
        use el::ast::Part;
        if self.is_invalid {
            return None;
        }
        match self.ast.parts.as_slice() {
            [] => Some(("", true)),
            [Part::Text(text, _)] => Some((text, true)),
            [Part::Text(text, _), ..] => Some((text, false)),
            [Part::Expr(_), ..] => Some(("", false)),
        }
    }
}
