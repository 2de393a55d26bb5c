//! JVM options as the author of a workflow writes them, which pass through two shells on a cluster.
//!
//! YARN's launch script contains `exec /bin/bash -c "… OPTIONS …"`. Its shell reads the options within double quotes: it expands
//! variables, also between single quotes, and removes a backslash before `$`, `` ` ``, `"` and another backslash. The inner shell
//! then removes quotes and backslashes and splits at white space. Before both, YARN writes `{{NAME}}` as `$NAME` and the log
//! folder for `<LOG_DIR>`.
//!
//! Two things are more lenient here. A double quote without a backslash would end the script's own; here it quotes. And the value
//! of a variable is never split or reinterpreted. Commands between backquotes and in `$(…)` are kept as text.

use std::collections::VecDeque;

use crate::tools::Unbalanced;

/// The placeholder that YARN replaces by the log folder of a container.
const LOG_FOLDER: &str = "<LOG_DIR>";

/// The longest name of a variable in quotes and braces.
const MAX_NAME: usize = 256;

/// A character, and whether it comes from a variable: then it is always literal.
type ReadCharacter = (char, bool);

/// Splits `text` into options. `variable` returns the values of the environment, and the log folder for the name `LOG_DIR`; an
/// unknown variable is empty.
///
/// # Errors
///
/// A quote that is not closed, or a backslash at the end of the text.
pub fn split(
    text: &str,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<String>, Unbalanced> {
    let outer = read_in_script(text, variable);
    let mut rest = outer.into_iter().collect::<VecDeque<_>>();
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    while let Some((c, is_value)) = rest.pop_front() {
        if is_value {
            word.get_or_insert_default().push(c);
            continue;
        }
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some('\''), c) => word.get_or_insert_default().push(c),
            (Some(_), '\\') => match rest.front() {
                Some(&(next @ ('$' | '`' | '"' | '\\'), false)) => {
                    rest.pop_front();
                    word.get_or_insert_default().push(next);
                }
                Some(_) => word.get_or_insert_default().push('\\'),
                None => return Err(Unbalanced),
            },
            (None, '\\') => {
                let (next, _) = rest.pop_front().ok_or(Unbalanced)?;
                word.get_or_insert_default().push(next);
            }
            (None, '"' | '\'') => {
                quote = Some(c);
                // `''` is an (empty) word too.
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (_, '$') => match name(&begin_of(&rest)) {
                Some((name, length)) => {
                    rest.drain(..length);
                    let value = variable(&name).unwrap_or_default();
                    if !value.is_empty() {
                        word.get_or_insert_default().push_str(&value);
                    }
                }
                None => word.get_or_insert_default().push('$'),
            },
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(Unbalanced);
    }
    words.extend(word);
    Ok(words)
}

/// A prefix of the remaining input, long enough for the name of a variable.
fn begin_of(rest: &VecDeque<ReadCharacter>) -> String {
    rest.iter().take(MAX_NAME).map(|(c, _)| *c).collect()
}

/// The text after the expansion by the shell of the launch script.
fn read_in_script(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Vec<ReadCharacter> {
    let mut read = Vec::with_capacity(text.len());
    let put = |name: &str| {
        let value = variable(name).unwrap_or_default();
        value
            .chars()
            .map(|c| (c, true))
            .collect::<Vec<ReadCharacter>>()
    };
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        if let Some(behind) = rest.strip_prefix(LOG_FOLDER) {
            read.extend(put("LOG_DIR"));
            rest = behind;
            continue;
        }
        if let Some((name, behind)) = braced(rest) {
            read.extend(put(name));
            rest = behind;
            continue;
        }
        rest = &rest[c.len_utf8()..];
        match c {
            '\\' => match rest.chars().next() {
                Some(next @ ('$' | '`' | '"' | '\\')) => {
                    rest = &rest[1..];
                    read.push((next, false));
                }
                Some(_) | None => read.push(('\\', false)),
            },
            '$' => match name(rest) {
                Some((name, length)) => {
                    read.extend(put(&name));
                    rest = &rest[length..];
                }
                None => read.push(('$', false)),
            },
            c => read.push((c, false)),
        }
    }
    read
}

/// `{{NAME}}` at the beginning of a text: the name and the rest.
fn braced(text: &str) -> Option<(&str, &str)> {
    let (inside, behind) = text.strip_prefix("{{")?.split_once("}}")?;
    is_name(inside).then_some((inside, behind))
}

/// The name of a variable after its `$`, with or without braces, and its length in bytes. Names are ASCII.
fn name(text: &str) -> Option<(String, usize)> {
    if let Some(inside) = text.strip_prefix('{') {
        let (inside, _) = inside.split_once('}')?;
        return is_name(inside).then(|| (inside.to_owned(), inside.len() + 2));
    }
    let end = text
        .find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
        .unwrap_or(text.len());
    let found = &text[..end];
    is_name(found).then(|| (found.to_owned(), end))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|c: char| c.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(name: &str) -> Option<String> {
        let value = match name {
            "PWD" => "/srv/a b",
            "HOME" => "/home/ann",
            "LOG_DIR" => "/logs",
            "EMPTY" => "",
            "QUOTED" => "'x\"",
            _ => return None,
        };
        Some(value.to_owned())
    }

    #[test]
    fn options_are_taken_apart_as_on_a_cluster() {
        let cases: &[(&str, &[&str])] = &[
            ("", &[]),
            ("  -Xmx1g\n\t-ea ", &["-Xmx1g", "-ea"]),
            ("-Dx='a b' -ea", &["-Dx=a b", "-ea"]),
            (r#"-Dx="a b""#, &["-Dx=a b"]),
            // As it must be written for a cluster.
            (r#"-Dx=\"a b\""#, &["-Dx=a b"]),
            (r"-Dx=a\ b", &["-Dx=a b"]),
            (r"-Dx='a\b'", &[r"-Dx=a\b"]),
            // The first shell removes one of two, the second the other.
            (r"-Dx=a\\b", &["-Dx=ab"]),
            (r"-Dx=a\\\\b", &[r"-Dx=a\b"]),
            (r#"-Dx="it's""#, &["-Dx=it's"]),
            ("-Dx=''", &["-Dx="]),
            ("'' -ea", &["", "-ea"]),
            ("-Dp=$PWD/x", &["-Dp=/srv/a b/x"]),
            (
                "-Dp=${PWD}x -Dh={{HOME}}",
                &["-Dp=/srv/a bx", "-Dh=/home/ann"],
            ),
            // The script's double quotes enclose the single ones.
            ("-Dp='$PWD'", &["-Dp=/srv/a b"]),
            (r"-Dp='\$PWD'", &["-Dp=$PWD"]),
            (r"-Dp=\$HOME", &["-Dp=/home/ann"]),
            (r"-Dp=\\\$HOME", &["-Dp=$HOME"]),
            ("-Xloggc:<LOG_DIR>/gc.log", &["-Xloggc:/logs/gc.log"]),
            ("-Dx=$NOSUCH. $EMPTY -ea", &["-Dx=.", "-ea"]),
            ("-Dx=$QUOTED -ea", &["-Dx='x\"", "-ea"]),
            ("-Dcost=5$ -Dy=$1", &["-Dcost=5$", "-Dy=$1"]),
            ("-Dü='ä ö'", &["-Dü=ä ö"]),
        ];
        for (text, expected) in cases {
            let expected = expected.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(split(text, &variable), Ok(expected), "{text}");
        }
    }

    #[test]
    fn what_is_not_closed_is_an_error() {
        for text in ["-Dx='a b", "-Dx=\"a", "-Dx=\\"] {
            assert_eq!(split(text, &variable), Err(Unbalanced), "{text}");
        }
    }
}
