//! ASCII replacements of drawing characters, for terminals whose locale is not UTF-8.

use std::{borrow::Cow, env, sync::OnceLock};

/// Used for our own drawings only; other text is unchanged.
const SIGNS: [(char, char); 22] = [
    ('─', '-'),
    ('│', '|'),
    ('├', '|'),
    ('└', '`'),
    ('→', '>'),
    ('…', '~'),
    ('–', '-'),
    ('█', '#'),
    ('▓', '='),
    ('░', '.'),
    ('◆', '*'),
    ('×', 'x'),
    ('⠋', '|'),
    ('⠙', '/'),
    ('⠹', '-'),
    ('⠸', '\\'),
    ('⠼', '|'),
    ('⠴', '/'),
    ('⠦', '-'),
    ('⠧', '\\'),
    ('⠇', '|'),
    ('⠏', '/'),
];

/// Text for a terminal, in characters that its locale has.
pub fn drawn(text: &str) -> Cow<'_, str> {
    static IS_UTF_8: OnceLock<bool> = OnceLock::new();
    if text.is_ascii() || *IS_UTF_8.get_or_init(|| is_utf_8(|name| env::var(name).ok())) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(in_ascii(text))
}

fn in_ascii(text: &str) -> String {
    let sign = |c: char| {
        let found = SIGNS.iter().find(|(sign, _)| *sign == c);
        found.map_or(c, |(_, ascii)| *ascii)
    };
    text.chars().map(sign).collect()
}

/// Follows setlocale(3) for LC_CTYPE. If nothing is set, as in containers, UTF-8 is assumed, which Rust programs always write.
fn is_utf_8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let names = ["LC_ALL", "LC_CTYPE", "LANG"];
    let mut set = names.into_iter().filter_map(variable);
    let Some(locale) = set.find(|value| !value.is_empty()) else {
        return true;
    };
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_decides() {
        for (environment, expected) in [
            (&[][..], true),
            (&[("LANG", "C")], false),
            (&[("LANG", "de_DE.ISO-8859-1")], false),
            (&[("LANG", "de_DE.UTF-8")], true),
            (&[("LANG", "C.utf8"), ("LC_ALL", "")], true),
            (&[("LANG", "C.UTF-8"), ("LC_ALL", "POSIX")], false),
            (&[("LANG", "C"), ("LC_CTYPE", "C.UTF-8")], true),
        ] {
            let variable = |name: &str| {
                let found = environment.iter().find(|(known, _)| *known == name);
                found.map(|(_, value)| (*value).to_owned())
            };
            assert_eq!(is_utf_8(variable), expected, "{environment:?}");
        }
    }

    #[test]
    fn each_sign_is_one_of_ascii_and_others_stay() {
        assert_eq!(in_ascii("├─ → ü…█"), "|- > ü~#");
    }
}
