//! Escapes text for display in a terminal or page: characters that control a terminal, or that change the order of others, are
//! written as `\x1b` or `\u{202e}`.

use std::borrow::Cow;

mod hidden;

use self::hidden::escaped;
pub use self::hidden::is_hidden;

/// One line of text: line ends and tabs are escaped too, as `\n` and `\t`.
pub fn line(text: &str) -> Cow<'_, str> {
    shown(text, |_| false)
}

/// Text of several lines: line ends and tabs are kept.
pub fn lines(text: &str) -> Cow<'_, str> {
    shown(text, |c| matches!(c, '\n' | '\t'))
}

/// Text of several lines that may also contain terminal colors, `ESC [ 1 ; 31 m`, if its author has escaped inserted texts with
/// [`line`] or [`lines`].
pub fn colored(text: &str) -> Cow<'_, str> {
    if !text.contains('\u{1b}') {
        return lines(text);
    }
    let mut all = String::with_capacity(text.len());
    for (n, part) in text.split('\u{1b}').enumerate() {
        if n == 0 {
            all.push_str(&lines(part));
            continue;
        }
        let is_color = part.strip_prefix('[').is_some_and(|rest| {
            rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';')
                .starts_with('m')
        });
        all.push_str(if is_color { "\u{1b}" } else { "\\x1b" });
        all.push_str(&lines(part));
    }
    Cow::Owned(all)
}

/// JSON with remaining hidden characters in its texts, such as C1 controls, escaped as `\u009b`: equivalent JSON.
pub fn json(text: &str) -> Cow<'_, str> {
    let is_hidden = |c: char| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t');
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len());
    for character in text.chars() {
        if is_hidden(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                all.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            all.push(character);
        }
    }
    Cow::Owned(all)
}

fn shown(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let changes = |c: char| is_hidden(c) && !stays(c);
    if !text.contains(changes) {
        return Cow::Borrowed(text);
    }
    let mut all = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if changes(character) {
            all.push_str(&escaped(character));
        } else {
            all.push(character);
        }
    }
    Cow::Owned(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_written_out() {
        for (text, expected) in [
            ("a\u{1b}[31mb", "a\\x1b[31mb"),
            ("\u{1b}]52;c;QQ==\u{7}", "\\x1b]52;c;QQ==\\x07"),
            ("\u{9b}2J\u{7f}", "\\x9b2J\\x7f"),
            ("a\rb\nc\td", "a\\rb\\nc\\td"),
            ("\u{202e}gpj.\u{2066}", "\\u{202e}gpj.\\u{2066}"),
            ("\u{e0041}", "\\u{e0041}"),
            ("größe 日本 👩‍🚀", "größe 日本 👩‍🚀"),
        ] {
            assert_eq!(line(text), expected);
        }
        assert_eq!(lines("a\n\tb\r\u{1b}"), "a\n\tb\\r\\x1b");
    }

    #[test]
    fn colors_stay_and_nothing_else_does() {
        assert_eq!(
            colored("\u{1b}[1;31mred\u{1b}[0m \u{1b}[2J\u{1b}]0;t\u{7}\u{1b}"),
            "\u{1b}[1;31mred\u{1b}[0m \\x1b[2J\\x1b]0;t\\x07\\x1b"
        );
    }

    #[test]
    fn json_stays_the_same_json() {
        let text = "{\"a\":\"\u{9b}\u{202e}\u{e0041}é\"}\n";
        assert_eq!(json(text), "{\"a\":\"\\u009b\\u202e\\udb40\\udc41é\"}\n");
    }
}
