//! Formats numbers and text for SVG.

use std::fmt;

use crate::visible::written_out;

/// A coordinate: with one decimal, omitted if it is 0.
#[derive(Clone, Copy)]
pub struct N(pub f64);

impl fmt::Display for N {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round();
        if tenths % 10.0 == 0.0 {
            // Adding 0.0 turns negative zero into zero.
            write!(formatter, "{}", tenths / 10.0 + 0.0)
        } else {
            write!(formatter, "{:.1}", tenths / 10.0)
        }
    }
}

/// Text between tags.
pub fn text(text: &str) -> String {
    escaped(&drawable(text), |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        _ => None,
    })
}

/// An attribute value, which may also be read as HTML by simple tools.
pub fn attribute(text: &str) -> String {
    escaped(&drawable(text), |c| match c {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '"' => Some("&quot;"),
        '\'' => Some("&apos;"),
        '\n' => Some("&#10;"),
        _ => None,
    })
}

fn escaped(text: &str, reference: impl Fn(char) -> Option<&'static str>) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match reference(character) {
            Some(reference) => escaped.push_str(reference),
            None => escaped.push(character),
        }
    }
    escaped
}

/// Without characters that XML does not allow or that are invisible.
fn drawable(text: &str) -> String {
    let mut drawable = String::with_capacity(text.len());
    for character in text.chars() {
        match written_out(character).filter(|_| character != '\n') {
            Some(text) => drawable.push_str(&text),
            None => drawable.push(character),
        }
    }
    drawable
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, -0.01, 12.0, 12.04, -3.25, 99.96].map(|number| N(number).to_string());
        assert_eq!(shown, ["0", "0", "12", "12", "-3.3", "100"]);
    }

    #[test]
    fn markup_in_text_is_text() {
        assert_eq!(text("a<b>&\u{1}\"c\""), "a&lt;b&gt;&amp;\\x01\"c\"");
        assert_eq!(attribute("\"a' & <b>"), "&quot;a&apos; &amp; &lt;b&gt;");
    }
}
