//! One component of a path pattern (`GlobPattern`): `* ? [a-z] [^a] {a,b} \`.

use std::{iter::Peekable, str::Chars};

use fancy_regex::Regex;

/// A path component.
#[derive(Debug)]
pub(super) enum Component {
    /// Without wildcards; backslashes are removed.
    Name(String),
    Pattern(Box<ComponentPattern>),
}

#[derive(Debug)]
pub(super) struct ComponentPattern {
    regex: Regex,
}

impl ComponentPattern {
    pub(super) fn is_match(&self, name: &str) -> bool {
        // Only look-around and back-references can fail while matching, and translated patterns have none.
        self.regex.is_match(name).unwrap_or(false)
    }
}

impl Component {
    /// Whether it matches the whole name.
    pub(super) fn is_match(&self, name: &str) -> bool {
        match self {
            Component::Name(own) => own == name,
            Component::Pattern(pattern) => pattern.is_match(name),
        }
    }

    /// # Errors
    ///
    /// Why the pattern is invalid.
    pub(super) fn parse(text: &str) -> Result<Component, String> {
        let mut name = String::new();
        let mut regex = String::from(r"(?s)\A");
        let mut is_pattern = false;
        let mut n_open = 0_usize;
        let mut characters = text.chars().peekable();
        while let Some(character) = characters.next() {
            match character {
                '\\' => {
                    let escaped = characters
                        .next()
                        .ok_or("nothing follows the last backslash")?;
                    name.push(escaped);
                    push_literal(&mut regex, escaped);
                    continue;
                }
                '*' => regex.push_str(".*"),
                '?' => regex.push('.'),
                '[' => class(&mut characters, &mut regex)?,
                '{' => {
                    n_open += 1;
                    regex.push_str("(?:");
                }
                ',' if n_open > 0 => regex.push('|'),
                '}' if n_open > 0 => {
                    n_open -= 1;
                    regex.push(')');
                }
                other => {
                    name.push(other);
                    push_literal(&mut regex, other);
                    continue;
                }
            }
            is_pattern = true;
        }
        if n_open > 0 {
            return Err("a `{` is not closed".to_owned());
        }
        if !is_pattern {
            return Ok(Component::Name(name));
        }
        regex.push_str(r"\z");
        let regex = Regex::new(&regex).map_err(|error| error.to_string())?;
        Ok(Component::Pattern(Box::new(ComponentPattern { regex })))
    }
}

/// Translates a class after its `[`. A `]` that comes first is a member.
fn class(characters: &mut Peekable<Chars<'_>>, regex: &mut String) -> Result<(), String> {
    const UNCLOSED: &str = "a `[` is not closed";
    regex.push('[');
    if characters
        .next_if(|&character| matches!(character, '^' | '!'))
        .is_some()
    {
        regex.push('^');
    }
    let mut is_first = true;
    loop {
        let first = characters.next().ok_or(UNCLOSED)?;
        if first == ']' && !is_first {
            regex.push(']');
            return Ok(());
        }
        is_first = false;
        let first = unescaped(first, characters)?;
        let mut ahead = characters.clone();
        if ahead.next() == Some('-') && ahead.peek().is_some_and(|&end| end != ']') {
            characters.next();
            let last = characters.next().ok_or(UNCLOSED)?;
            let last = unescaped(last, characters)?;
            if last < first {
                return Err(format!("the range `{first}-{last}` runs backwards"));
            }
            push_member(regex, first);
            regex.push('-');
            push_member(regex, last);
        } else {
            push_member(regex, first);
        }
    }
}

fn unescaped(character: char, rest: &mut Peekable<Chars<'_>>) -> Result<char, String> {
    match character {
        '\\' => rest
            .next()
            .ok_or_else(|| "nothing follows the last backslash".to_owned()),
        other => Ok(other),
    }
}

fn push_literal(regex: &mut String, character: char) {
    regex.push_str(&fancy_regex::escape(character.encode_utf8(&mut [0; 4])));
}

fn push_member(regex: &mut String, character: char) {
    if character.is_ascii_punctuation() {
        regex.push('\\');
    }
    regex.push(character);
}

#[cfg(test)]
mod tests {
    use super::Component;

    #[track_caller]
    fn check(pattern: &str, matching: &[&str], others: &[&str]) {
        let Component::Pattern(parsed) = Component::parse(pattern).expect("a pattern") else {
            panic!("`{pattern}` has wildcards")
        };
        for name in matching {
            assert!(parsed.is_match(name), "`{pattern}` should match {name:?}");
        }
        for name in others {
            assert!(
                !parsed.is_match(name),
                "`{pattern}` should not match {name:?}"
            );
        }
    }

    #[test]
    fn wildcards() {
        check("*", &["", "a", ".hidden", "a\nb", "é"], &[]);
        check("a?c", &["abc", "a.c", "aéc"], &["ac", "abbc"]);
        check(
            "part-*.gz",
            &["part-.gz", "part-0.gz"],
            &["part-0_gz", "xpart-0.gz", "part-0.gzx"],
        );
        check("*(a)+$|^.*", &["x(a)+$|^."], &["xa"]);
    }

    #[test]
    fn classes() {
        check("[a-c]", &["a", "b", "c"], &["d", "", "ab", "-"]);
        check("[^a-c]", &["d", "-", "^"], &["a"]);
        check("[!a]", &["b", "!"], &["a"]);
        check("[a!]", &["a", "!"], &["b"]);
        check("[]a]", &["]", "a"], &["b"]);
        check("[^]a]", &["b"], &["]", "a"]);
        check("[a-]", &["a", "-"], &["b"]);
        check("[-a]", &["a", "-"], &["b"]);
        check(r"[\]\-x]", &["]", "-", "x"], &["\\", "a"]);
        check("[*?{,.&&[]", &["*", "?", "{", ",", ".", "&", "["], &["a"]);

        check("[é-ü]", &["ö"], &["a"]);
    }

    #[test]
    fn alternatives() {
        check("{a,b}", &["a", "b"], &["c", "a,b"]);
        check("x{a,}y", &["xay", "xy"], &["xby"]);
        check("{a,{b,c}d}*", &["a", "bd", "cdx"], &["b", "d"]);
        check("{a,b},c", &["a,c"], &["a", "c"]);
        check("{a*,[x-z]}", &["abc", "y"], &["b"]);
    }

    #[test]
    fn a_name_loses_its_backslashes() {
        for (text, expected) in [
            ("a.b", "a.b"),
            (r"\*", "*"),
            (r"\{a,b\}", "{a,b}"),
            ("a}", "a}"),
            ("a,b", "a,b"),
        ] {
            let Component::Name(name) = Component::parse(text).expect("a name") else {
                panic!("`{text}` has no wildcards")
            };
            assert_eq!(name, expected);
        }
    }

    #[test]
    fn mistakes() {
        for (pattern, problem) in [
            ("[a", "a `[` is not closed"),
            ("[]", "a `[` is not closed"),
            ("[a-", "a `[` is not closed"),
            ("{a,b", "a `{` is not closed"),
            ("a\\", "nothing follows the last backslash"),
            ("[a\\", "nothing follows the last backslash"),
            ("[z-a]", "the range `z-a` runs backwards"),
        ] {
            assert_eq!(
                Component::parse(pattern).expect_err(pattern),
                problem,
                "{pattern}"
            );
        }
    }
}
