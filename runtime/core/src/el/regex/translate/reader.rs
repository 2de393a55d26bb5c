//! The characters of a pattern, with `\Q...\E` resolved.

use super::Flags;

/// A character, and whether it was between `\Q` and `\E` and so is not syntax.
type QuotedChar = (char, bool);

pub(super) struct Reader {
    characters: Vec<QuotedChar>,
    position: usize,
}

impl Reader {
    pub(super) fn new(pattern: &str) -> Reader {
        let mut characters = Vec::with_capacity(pattern.len());
        let mut quoting = false;
        let mut rest = pattern.chars().peekable();
        while let Some(character) = rest.next() {
            match (character, rest.peek()) {
                ('\\', Some('E')) if quoting => {
                    rest.next();
                    quoting = false;
                }
                (_, _) if quoting => characters.push((character, true)),
                ('\\', Some('Q')) => {
                    rest.next();
                    quoting = true;
                }
                ('\\', Some(escaped)) => {
                    characters.push((character, false));
                    characters.push((*escaped, false));
                    rest.next();
                }
                (_, _) => characters.push((character, false)),
            }
        }
        Reader {
            characters,
            position: 0,
        }
    }

    pub(super) fn peek(&self) -> Option<QuotedChar> {
        self.characters.get(self.position).copied()
    }

    /// The next character, if it may be syntax.
    pub(super) fn special(&self) -> Option<char> {
        self.special_at(0)
    }

    /// The character after the next `ahead` ones, if it may be syntax.
    pub(super) fn special_at(&self, ahead: usize) -> Option<char> {
        match self.characters.get(self.position + ahead) {
            Some((character, false)) => Some(*character),
            Some((_, true)) | None => None,
        }
    }

    pub(super) fn advance(&mut self) {
        self.position += 1;
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let (character, _) = self.peek()?;
        self.advance();
        Some(character)
    }

    /// With the flag `x`, skips blanks and comments from `#` to the end of the line.
    pub(super) fn skip_comments(&mut self, flags: Flags) {
        if !flags.comments {
            return;
        }
        let mut in_comment = false;
        while let Some(character) = self.special() {
            let ends_line = match character {
                '\n' => true,
                '\r' | '\u{85}' | '\u{2028}' | '\u{2029}' => !flags.unix_lines,
                _ => false,
            };
            if character == '#' {
                in_comment = true;
            } else if ends_line && in_comment {
                in_comment = false;
            } else if !in_comment && !matches!(character, ' ' | '\t'..='\r') {
                return;
            }
            self.advance();
        }
    }
}
