//! Character classes: `[...]` with ranges, nested classes, and intersections.

use super::{Flags, Translator, escape::Escape};

/// The items of one side of `&&`.
#[derive(Default)]
struct ClassOperand {
    items: String,
    /// Appended last: fancy-regex resolves escapes in a class, and `[:` would start a POSIX class then.
    has_colon: bool,
}

/// `:`, as [`item`] escapes it.
const COLON: &str = "\\x{3A}";

impl ClassOperand {
    fn push(&mut self, item: &str) {
        if item == COLON {
            self.has_colon = true;
        } else {
            self.items.push_str(item);
        }
    }

    fn is_empty(&self) -> bool {
        self.items.is_empty() && !self.has_colon
    }

    fn items(mut self) -> String {
        if self.has_colon {
            self.items.push_str(COLON);
        }
        self.items
    }
}

impl Translator {
    /// Translates the part after `[` to a class of fancy-regex.
    pub(super) fn class(&mut self) -> Result<String, String> {
        self.nest()?;
        let mut negation = "";
        if self.reader.special() == Some('^') {
            self.reader.advance();
            negation = "^";
        }
        // One operand for each side of `&&`.
        let mut operands = vec![ClassOperand::default()];
        loop {
            self.reader.skip_comments(self.flags);
            let has_items = operands.last().is_some_and(|operand| !operand.is_empty());
            match self.reader.special() {
                // The first `]` in a class is a literal.
                Some(']') if has_items => {
                    self.reader.advance();
                    break;
                }
                Some('&') if self.reader.special_at(1) == Some('&') => {
                    self.reader.advance();
                    self.reader.advance();
                    if !has_items {
                        return Err("expected characters before `&&`".to_owned());
                    }
                    if matches!(self.reader.special(), Some('&' | ']')) {
                        return Err("expected characters after `&&`".to_owned());
                    }
                    operands.push(ClassOperand::default());
                }
                Some(_) | None => {
                    let item = self.class_item()?;
                    if let Some(operand) = operands.last_mut() {
                        operand.push(&item);
                    }
                }
            }
        }
        self.nesting -= 1;
        let operands: Vec<String> = operands.into_iter().map(ClassOperand::items).collect();
        Ok(match operands.as_slice() {
            [items] => format!("[{negation}{items}]"),
            operands => format!("[{negation}[{}]]", operands.join("]&&[")),
        })
    }

    /// A nested class, a set such as `\d`, a character, or a range of characters.
    fn class_item(&mut self) -> Result<String, String> {
        if self.reader.special() == Some('[') {
            self.reader.advance();
            return self.class();
        }
        let first = match self.class_character()? {
            Ok(character) => character,
            Err(set) => return Ok(set),
        };
        let is_range = self.reader.special() == Some('-')
            && !matches!(self.reader.special_at(1), Some('[' | ']'));
        if !is_range {
            return Ok(range(first, first, self.flags));
        }
        self.reader.advance();
        match self.class_character()? {
            Ok(last) if first <= last => Ok(range(first, last, self.flags)),
            Ok(last) => Err(format!("`{first}-{last}` ends before it begins")),
            Err(_) => Err(format!("expected a character after `{first}-`")),
        }
    }

    /// A character, or the text of a set.
    fn class_character(&mut self) -> Result<Result<char, String>, String> {
        if self.reader.special() == Some('\\') {
            self.reader.advance();
            return match self.escape()? {
                Escape::Character(character) => Ok(Ok(character)),
                Escape::Set(set) => Ok(Err(set.class())),
                Escape::Other(letter) => {
                    Err(format!("`\\{letter}` is not allowed in a character class"))
                }
            };
        }
        match self.reader.next() {
            Some(character) => Ok(Ok(character)),
            None => Err("expected `]`, found the end".to_owned()),
        }
    }
}

/// The range, and with case-insensitivity also its letters of the other case.
fn range(first: char, last: char, flags: Flags) -> String {
    let mut items = item(first, last);
    // With `u`, the whole class is case-folded.
    if flags.ignore_case && !flags.unicode_case {
        let lower = (first.max('a'), last.min('z'));
        if lower.0 <= lower.1 {
            items += &item(lower.0.to_ascii_uppercase(), lower.1.to_ascii_uppercase());
        }
        let upper = (first.max('A'), last.min('Z'));
        if upper.0 <= upper.1 {
            items += &item(upper.0.to_ascii_lowercase(), upper.1.to_ascii_lowercase());
        }
    }
    items
}

fn item(first: char, last: char) -> String {
    let (first, last) = (u32::from(first), u32::from(last));
    if first == last {
        format!("\\x{{{first:X}}}")
    } else {
        format!("\\x{{{first:X}}}-\\x{{{last:X}}}")
    }
}
