//! Escapes text, for suggestions and for generated XML.

use std::borrow::Cow;

/// `text`, escaped for use between tags.
pub fn escape_text(text: &str) -> Cow<'_, str> {
    escape(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        // Required only after `]]`, and harmless elsewhere.
        '>' => Some("&gt;"),
        '\r' => Some("&#13;"),
        _ => None,
    })
}

/// `text`, escaped for use in an attribute value with either kind of quotes.
pub fn escape_attribute(text: &str) -> Cow<'_, str> {
    escape(text, |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        '\t' => Some("&#9;"),
        '\n' => Some("&#10;"),
        '\r' => Some("&#13;"),
        _ => None,
    })
}

fn escape(text: &str, reference: impl Fn(char) -> Option<&'static str>) -> Cow<'_, str> {
    if !text.contains(|c| reference(c).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match reference(c) {
            Some(reference) => escaped.push_str(reference),
            None => escaped.push(c),
        }
    }
    Cow::Owned(escaped)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{diagnostics::Sink, source::FileId, syntax::xml::parse};

    #[test]
    fn escaped_text_reads_back_as_it_was() {
        for text in [
            "",
            "plain é",
            "a && b < c > d",
            "]]>",
            "\"quoted\" 'too'",
            "tab\t line\n return\r both\r\n",
        ] {
            let raw = format!(
                "<a b=\"{0}\" c='{0}'>{1}</a>",
                escape_attribute(text),
                escape_text(text)
            );
            let mut sink = Sink::default();
            let document = parse(FileId(0), &raw, &mut sink).unwrap();
            assert!(!sink.has_errors(), "{raw}");
            assert_eq!(document.root().text().as_str(), text);
            for name in ["b", "c"] {
                assert_eq!(
                    document.root().attribute(name).unwrap().value.as_str(),
                    text
                );
            }
        }
    }

    #[test]
    fn text_without_markup_is_borrowed() {
        assert!(matches!(escape_text("plain \"text\""), Cow::Borrowed(_)));
        assert!(matches!(escape_attribute("plain text"), Cow::Borrowed(_)));
    }
}
