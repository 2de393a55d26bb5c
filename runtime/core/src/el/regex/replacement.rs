//! Parser of replacement texts, like `Matcher.appendReplacement`.

use std::collections::BTreeMap;

use super::{RegexError, push};

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ReplacementPart {
    Text(String),
    Group(usize),
}

/// Parses a replacement: `$1` and `${name}` are groups, a backslash escapes the next character.
///
/// As many digits after `$` belong to the number as there are groups for.
pub(super) fn parse(
    replacement: &str,
    names: &BTreeMap<String, usize>,
    groups: usize,
) -> Result<Vec<ReplacementPart>, RegexError> {
    let error =
        |problem: String| RegexError::new(format!("replacement `{replacement}`: {problem}"));
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut characters = replacement.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(escaped) => text.push(escaped),
                None => {
                    return Err(error(
                        "expected a character after `\\`, found the end".to_owned(),
                    ));
                }
            },
            '$' => {
                let group = match characters.next() {
                    Some('{') => {
                        let mut name = String::new();
                        loop {
                            match characters.next() {
                                Some('}') => break,
                                Some(next) if next.is_ascii_alphanumeric() => name.push(next),
                                Some(_) | None => {
                                    return Err(error(format!(
                                        "expected `}}` after the group name `{name}`"
                                    )));
                                }
                            }
                        }
                        *names
                            .get(&name)
                            .ok_or_else(|| error(format!("no group has the name `{name}`")))?
                    }
                    Some(digit @ '0'..='9') => {
                        let mut number = digit_value(digit);
                        if number > groups {
                            return Err(error(format!("there is no group {number}")));
                        }
                        while let Some(longer) = characters
                            .peek()
                            .filter(|next| next.is_ascii_digit())
                            .map(|next| number * 10 + digit_value(*next))
                            .filter(|longer| *longer <= groups)
                        {
                            number = longer;
                            characters.next();
                        }
                        number
                    }
                    Some(other) => {
                        return Err(error(format!(
                            "expected a group number or name after `$`, found `{other}`"
                        )));
                    }
                    None => {
                        return Err(error(
                            "expected a group number or name after `$`, found the end".to_owned(),
                        ));
                    }
                };
                if !text.is_empty() {
                    pieces.push(ReplacementPart::Text(std::mem::take(&mut text)));
                }
                pieces.push(ReplacementPart::Group(group));
            }
            _ => text.push(character),
        }
    }
    if !text.is_empty() {
        pieces.push(ReplacementPart::Text(text));
    }
    Ok(pieces)
}

fn digit_value(digit: char) -> usize {
    digit.to_digit(10).map_or(0, |value| value as usize)
}

/// Appends the replacement of one match; a group that did not participate is empty. Fails if the text becomes too long.
pub(super) fn expand(
    pieces: &[ReplacementPart],
    captures: &fancy_regex::Captures<'_, str>,
    replaced: &mut String,
) -> Result<(), RegexError> {
    for piece in pieces {
        match piece {
            ReplacementPart::Text(text) => push(replaced, text)?,
            ReplacementPart::Group(number) => {
                if let Some(group) = captures.get(*number) {
                    push(replaced, group.as_str())?;
                }
            }
        }
    }
    Ok(())
}
