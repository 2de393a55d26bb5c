//! The words of a command line, as a message shows them.

/// The most words that are shown, and the most characters of each.
const MOST_WORDS: usize = 12;
const MOST_CHARACTERS: usize = 60;

/// ``2 words: `a`, `b c` ``. A line break or a tab is shown as `\n` or `\t`.
pub fn argv(words: &[impl AsRef<str>]) -> String {
    let mut text = match words.len() {
        0 => return "no word".to_owned(),
        1 => "1 word: ".to_owned(),
        n => format!("{n} words: "),
    };
    for (at, word) in words.iter().take(MOST_WORDS).enumerate() {
        if at > 0 {
            text.push_str(", ");
        }
        let mut characters = word.as_ref().chars();
        text.push('`');
        for c in characters.by_ref().take(MOST_CHARACTERS) {
            if c.is_control() {
                text.extend(c.escape_default());
            } else {
                text.push(c);
            }
        }
        if characters.next().is_some() {
            text.push('…');
        }
        text.push('`');
    }
    if words.len() > MOST_WORDS {
        text.push_str(", …");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::argv;

    #[test]
    fn words_are_listed() {
        assert_eq!(argv(&[""; 0]), "no word");
        assert_eq!(argv(&["a b"]), "1 word: `a b`");
        assert_eq!(argv(&["a", "'b"]), "2 words: `a`, `'b`");
        assert_eq!(argv(&["a\n", "b\tc"]), "2 words: `a\\n`, `b\\tc`");
        assert!(argv(&["x"; 13]).ends_with("`x`, …"));
        assert!(argv(&["x".repeat(61)]).ends_with("x…`"));
    }
}
