//! Escapes for characters that a picture cannot show.

use std::borrow::Cow;

#[path = "../../core/src/visible/hidden.rs"]
mod hidden;

/// `\x1b` for a control character, `\u{202e}` for one that changes the order of others; `None` for visible ones.
pub fn written_out(character: char) -> Option<String> {
    // The last two are not allowed in XML.
    let is_written_out =
        hidden::is_hidden(character) || matches!(character, '\u{fffe}' | '\u{ffff}');
    is_written_out.then(|| hidden::escaped(character))
}

/// A text with all such characters escaped.
pub fn line(text: &str) -> Cow<'_, str> {
    if !text.contains(|character| written_out(character).is_some()) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len());
    for character in text.chars() {
        match written_out(character) {
            Some(escape) => all.push_str(&escape),
            None => all.push(character),
        }
    }
    Cow::Owned(all)
}

#[cfg(test)]
mod tests {
    use super::written_out;

    #[test]
    fn what_cannot_be_seen_is_written_out() {
        let shown = ['\u{1b}', '\u{9b}', '\u{202e}', '\u{ffff}'].map(written_out);
        let expected = ["\\x1b", "\\x9b", "\\u{202e}", "\\u{ffff}"];
        assert_eq!(shown, expected.map(|text| Some(text.to_owned())));
        assert_eq!(['a', ' ', 'é'].map(written_out), [None, None, None]);
    }
}
