//! Proposals for attributes: a quote in them must not end the attribute.

use super::Diagnostic;
use crate::source::SourceMap;

impl Diagnostic {
    /// The same with escaped quotes in the proposals, where they would end the attribute that is changed.
    pub fn with_quotes_escaped(mut self, sources: &SourceMap) -> Diagnostic {
        let edits = self.suggestions.iter_mut().flat_map(|it| &mut it.edits);
        for (span, replacement) in edits {
            if !replacement.contains(['"', '\'']) {
                continue;
            }
            let before = sources.text(span.file).get(..span.start as usize);
            let (quote, escaped) = match before.and_then(attribute_quote) {
                Some('"') => ('"', "&quot;"),
                Some(_) => ('\'', "&apos;"),
                None => continue,
            };
            *replacement = replacement.replace(quote, escaped);
        }
        self
    }
}

/// The quote around the attribute in which a text of XML ends; `None` if it does not end in an attribute.
fn attribute_quote(text: &str) -> Option<char> {
    let (_, tag) = text.rsplit_once('<')?;
    let is_tag = tag.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let mut quote = None;
    for char in tag.chars().filter(|_| is_tag) {
        match quote {
            Some(open) if open == char => quote = None,
            Some(_) => {}
            None if char == '>' => return None,
            None if char == '"' || char == '\'' => quote = Some(char),
            None => {}
        }
    }
    quote
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostics::{Applicability, Code, Level},
        source::Span,
    };

    static CODE: Code = Code {
        id: "H9901",
        name: "made_for_the_test",
        level: Level::Error,
        oozie: &[],
        explanation: "",
    };

    #[test]
    fn quotes_do_not_end_the_attribute_that_is_changed() {
        for (before, after, expected) in [
            ("<a><mkdir path='", "'/></a>", "f(&apos;x&apos;, \"y\")"),
            ("<a><mkdir path=\"", "\"/></a>", "f('x', &quot;y&quot;)"),
            ("<a p='1' q=\"it's\" r='", "'/>", "f(&apos;x&apos;, \"y\")"),
            ("<a p='1'>", "</a>", "f('x', \"y\")"),
            ("<a p='>'>it's ", "</a>", "f('x', \"y\")"),
            ("<!-- it's ", " -->", "f('x', \"y\")"),
            ("name=it's ", "", "f('x', \"y\")"),
        ] {
            let mut sources = SourceMap::default();
            let file = sources.add("a.xml".to_owned(), format!("{before}v{after}"));
            let start = u32::try_from(before.len()).unwrap();
            let place = Span::new(file, start, start + 1);
            let diagnostic = Diagnostic::new(&CODE, place, "").suggest(
                place,
                "",
                "f('x', \"y\")",
                Applicability::MaybeIncorrect,
            );
            let diagnostic = diagnostic.with_quotes_escaped(&sources);
            assert_eq!(diagnostic.suggestions[0].edits[0].1, expected, "{before}");
        }
    }
}
