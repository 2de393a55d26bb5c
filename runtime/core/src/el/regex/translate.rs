//! Translates Java's pattern syntax to fancy-regex's.
//!
//! Java's flags are resolved here: the result uses none, except for Unicode case folding. Every literal is escaped so that it
//! cannot be read as syntax. Where Java's meaning is unclear or has no equivalent, the result is an error.

use std::collections::BTreeMap;

mod class;
mod escape;
mod reader;

use self::{
    escape::{CharacterSet, Escape},
    reader::Reader,
};

/// A pattern of fancy-regex that matches what the Java pattern matches.
#[derive(Debug)]
pub(super) struct Translated {
    pub(super) pattern: String,
    /// Named groups become numbered ones.
    pub(super) names: BTreeMap<String, usize>,
    pub(super) groups: usize,
    /// The pattern contains `\G`.
    pub(super) asks_last_match: bool,
}

/// The maximum nesting of groups and classes.
const MAX_NESTING: usize = 50;

/// Translates a pattern, or returns why it cannot be translated.
pub(super) fn translate(pattern: &str) -> Result<Translated, String> {
    let mut translator = Translator {
        reader: Reader::new(pattern),
        flags: Flags::default(),
        groups: 0,
        names: BTreeMap::new(),
        highest_reference: 0,
        nesting: 0,
        asks_last_match: false,
    };
    let pattern = translator.alternatives()?;
    if translator.reader.peek().is_some() {
        return Err("`)` closes no group".to_owned());
    }
    if translator.highest_reference > translator.groups {
        return Err(format!(
            "there is no group {}",
            translator.highest_reference
        ));
    }
    Ok(Translated {
        pattern,
        names: translator.names,
        groups: translator.groups,
        asks_last_match: translator.asks_last_match,
    })
}

/// Java's embedded flags, as they are set at one position of a pattern.
#[derive(Clone, Copy, Debug, Default)]
struct Flags {
    /// `i`
    ignore_case: bool,
    /// `m`
    multi_line: bool,
    /// `s`
    dot_all: bool,
    /// `x`
    comments: bool,
    /// `d`: only `\n` ends a line.
    unix_lines: bool,
    /// `u`: `i` applies to all of Unicode.
    unicode_case: bool,
    /// `U`: the predefined classes apply to all of Unicode too.
    unicode_classes: bool,
}

impl Flags {
    fn set(&mut self, flag: char, value: bool) -> Result<(), String> {
        match flag {
            'i' => self.ignore_case = value,
            'm' => self.multi_line = value,
            's' => self.dot_all = value,
            'x' => self.comments = value,
            'd' => self.unix_lines = value,
            'u' => self.unicode_case = value,
            'U' => {
                self.unicode_classes = value;
                self.unicode_case = value;
            }
            _ => return Err(format!("there is no flag `{flag}`")),
        }
        Ok(())
    }
}

/// The line terminators, for use in a class.
const LINE_ENDS: &str = r"\n\r\x{85}\x{2028}\x{2029}";

/// A word character, for word boundaries.
const WORD: &str = r"[_\p{L}\p{Nd}\p{Mn}]";

/// The prefixes of zero-width assertions.
const PLACES: [&str; 7] = ["(?=", "(?!", "(?<=", "(?<!", r"\A", r"\z", r"\G"];

struct Translator {
    reader: Reader,
    flags: Flags,
    /// The number of groups opened so far.
    groups: usize,
    names: BTreeMap<String, usize>,
    highest_reference: usize,
    nesting: usize,
    asks_last_match: bool,
}

impl Translator {
    /// Translates up to the end of the group or pattern.
    fn alternatives(&mut self) -> Result<String, String> {
        self.nest()?;
        let mut pattern = String::new();
        loop {
            self.reader.skip_comments(self.flags);
            match self.reader.special() {
                Some('|') => {
                    self.reader.advance();
                    pattern.push('|');
                }
                Some(')') => break,
                _ if self.reader.peek().is_none() => break,
                _ => {
                    if let Some(atom) = self.atom()? {
                        pattern.push_str(&self.quantified(atom)?);
                    }
                }
            }
        }
        self.nesting -= 1;
        Ok(pattern)
    }

    fn nest(&mut self) -> Result<(), String> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return Err(format!(
                "expected at most {MAX_NESTING} levels of nesting, found more"
            ));
        }
        Ok(())
    }

    /// One unit that a quantifier can follow; `None` for embedded flags.
    fn atom(&mut self) -> Result<Option<String>, String> {
        let atom = match self.reader.special() {
            Some('(') => return self.group(),
            Some('[') => {
                self.reader.advance();
                let class = self.class()?;
                if self.flags.ignore_case && self.flags.unicode_case {
                    format!("(?i:{class})")
                } else {
                    class
                }
            }
            Some('.') => {
                self.reader.advance();
                self.dot()
            }
            Some('^') => {
                self.reader.advance();
                self.line_start().to_owned()
            }
            Some('$') => {
                self.reader.advance();
                self.line_end(self.flags.multi_line)
            }
            Some('\\') => {
                self.reader.advance();
                match self.escape()? {
                    Escape::Character(character) => self.literal(character),
                    Escape::Set(set) => set.class(),
                    Escape::Other(letter) => self.other_escape(letter)?,
                }
            }
            Some(quantifier @ ('*' | '+' | '?' | '{')) => {
                return Err(format!(
                    "`{quantifier}` follows nothing that it could repeat"
                ));
            }
            Some(_) | None => match self.reader.next() {
                Some(character) => self.literal(character),
                None => return Ok(None),
            },
        };
        Ok(Some(atom))
    }

    fn literal(&self, character: char) -> String {
        let folds = self.flags.ignore_case;
        if folds && self.flags.unicode_case {
            format!("(?i:{})", escape::literal(character))
        } else if folds && character.is_ascii_alphabetic() {
            format!(
                "[{}{}]",
                character.to_ascii_lowercase(),
                character.to_ascii_uppercase()
            )
        } else {
            escape::literal(character)
        }
    }

    fn dot(&self) -> String {
        if self.flags.dot_all {
            "(?s:.)".to_owned()
        } else if self.flags.unix_lines {
            r"[^\n]".to_owned()
        } else {
            format!("[^{LINE_ENDS}]")
        }
    }

    /// `^`: with `m` also after a line terminator, but never at the end of the text.
    fn line_start(&self) -> &'static str {
        match (self.flags.multi_line, self.flags.unix_lines) {
            (false, _) => r"\A",
            (true, true) => r"(?:(?!\z)(?:\A|(?<=\n)))",
            (true, false) => r"(?:(?!\z)(?:\A|(?<=[\n\x{85}\x{2028}\x{2029}])|(?<=\r)(?!\n)))",
        }
    }

    /// `$` and `\Z`: before the last line terminator of the text, with `m` before any; never inside of `\r\n`.
    fn line_end(&self, multi_line: bool) -> String {
        match (multi_line, self.flags.unix_lines) {
            (false, true) => r"(?=\n?\z)".to_owned(),
            (true, true) => r"(?=\n|\z)".to_owned(),
            (false, false) => {
                r"(?:\z|(?=\r\n\z)|(?=[\r\x{85}\x{2028}\x{2029}]\z)|(?<!\r)(?=\n\z))".to_owned()
            }
            (true, false) => r"(?:\z|(?=[\r\x{85}\x{2028}\x{2029}])|(?<!\r)(?=\n))".to_owned(),
        }
    }

    /// Escapes that are an assertion or a reference to a group.
    fn other_escape(&mut self, letter: char) -> Result<String, String> {
        match letter {
            'G' => {
                self.asks_last_match = true;
                Ok(r"\G".to_owned())
            }
            'A' | 'z' => Ok(format!("\\{letter}")),
            'Z' => Ok(self.line_end(false)),
            'b' if self.reader.special() == Some('{') => {
                Err("`\\b{...}` is not supported".to_owned())
            }
            'b' | 'B' if self.flags.unicode_classes => Ok(format!("\\{letter}")),
            // Letters and digits of all scripts, unlike those of `\w`; JDK 19 changed that (JDK-8264160).
            'b' => Ok(format!("(?:(?<={WORD})(?!{WORD})|(?<!{WORD})(?={WORD}))")),
            'B' => Ok(format!("(?:(?<={WORD})(?={WORD})|(?<!{WORD})(?!{WORD}))")),
            'R' => Ok(format!(r"(?:\r\n|[\x{{0B}}\f{LINE_ENDS}])")),
            'k' => self.named_reference(),
            '1'..='9' => self.numbered_reference(letter),
            _ => Err(format!("`\\{letter}` is not supported")),
        }
    }

    fn named_reference(&mut self) -> Result<String, String> {
        if self.reader.special() != Some('<') {
            return Err("expected `<` after `\\k`".to_owned());
        }
        self.reader.advance();
        let name = self.group_name()?;
        match self.names.get(&name) {
            Some(number) => self.reference(*number),
            None => Err(format!("no group has the name `{name}`")),
        }
    }

    /// As many digits belong to the number as there are groups opened so far.
    fn numbered_reference(&mut self, first: char) -> Result<String, String> {
        let mut number = first.to_digit(10).map_or(0, |digit| digit as usize);
        while let Some(digit) = self.reader.special().and_then(|next| next.to_digit(10)) {
            let longer = number * 10 + digit as usize;
            if longer > self.groups {
                break;
            }
            number = longer;
            self.reader.advance();
        }
        self.reference(number)
    }

    fn reference(&mut self, number: usize) -> Result<String, String> {
        if self.flags.ignore_case {
            return Err("references to groups are not supported with the flag `i`".to_owned());
        }
        self.highest_reference = self.highest_reference.max(number);
        Ok(format!("(?:\\{number})"))
    }

    /// The content of a group; `None` for flags that apply to the rest of the enclosing group.
    fn group(&mut self) -> Result<Option<String>, String> {
        self.reader.advance();
        let outer_flags = self.flags;
        let opening = if self.reader.special() == Some('?') {
            self.reader.advance();
            match self.group_kind()? {
                Some(opening) => opening,
                None => return Ok(None),
            }
        } else {
            self.groups += 1;
            "("
        };
        let body = self.alternatives()?;
        if self.reader.next().is_none() {
            return Err("expected `)`, found the end".to_owned());
        }
        self.flags = outer_flags;
        Ok(Some(format!("{opening}{body})")))
    }

    /// The part after `(?`: the translated group syntax, or `None` if the flags ended with `)`.
    fn group_kind(&mut self) -> Result<Option<&'static str>, String> {
        let kind = self.reader.next().ok_or("expected `)`, found the end")?;
        match kind {
            ':' => Ok(Some("(?:")),
            '=' => Ok(Some("(?=")),
            '!' => Ok(Some("(?!")),
            '>' => Ok(Some("(?>")),
            '<' => match self.reader.special() {
                Some('=') => {
                    self.reader.advance();
                    Ok(Some("(?<="))
                }
                Some('!') => {
                    self.reader.advance();
                    Ok(Some("(?<!"))
                }
                Some(_) | None => {
                    let name = self.group_name()?;
                    self.groups += 1;
                    if self.names.insert(name.clone(), self.groups).is_some() {
                        return Err(format!("two groups have the name `{name}`"));
                    }
                    Ok(Some("("))
                }
            },
            first => self.embedded_flags(first),
        }
    }

    fn embedded_flags(&mut self, first: char) -> Result<Option<&'static str>, String> {
        let mut value = true;
        let mut flag = first;
        loop {
            match flag {
                ')' => return Ok(None),
                ':' => return Ok(Some("(?:")),
                '-' if value => value = false,
                _ => self.flags.set(flag, value)?,
            }
            flag = self
                .reader
                .next()
                .ok_or("expected `)` after flags, found the end")?;
        }
    }

    /// A group name and the `>` after it.
    fn group_name(&mut self) -> Result<String, String> {
        let mut name = String::new();
        loop {
            match self.reader.next() {
                Some('>') if !name.is_empty() => return Ok(name),
                Some(next) if next.is_ascii_alphabetic() => name.push(next),
                Some(next) if next.is_ascii_digit() && !name.is_empty() => name.push(next),
                Some(next) => {
                    return Err(format!("`{next}` is not allowed in the name of a group"));
                }
                None => return Err("expected `>`, found the end".to_owned()),
            }
        }
    }

    /// `atom` with its quantifier.
    fn quantified(&mut self, atom: String) -> Result<String, String> {
        self.reader.skip_comments(self.flags);
        let repeat = match self.reader.special() {
            Some(repeat @ ('*' | '+' | '?')) => {
                self.reader.advance();
                repeat.to_string()
            }
            Some('{') => {
                self.reader.advance();
                self.counted()?
            }
            Some(_) | None => return Ok(atom),
        };
        // fancy-regex cannot repeat an assertion. Once is equivalent to any number, and zero times to none.
        if PLACES.iter().any(|place| atom.starts_with(place)) {
            let is_lazy = self.reader.special() == Some('?');
            if is_lazy || self.reader.special() == Some('+') {
                self.reader.advance();
            }
            let may_be_none =
                matches!(repeat.as_str(), "*" | "?" | "{0}") || repeat.starts_with("{0,");
            return Ok(match (may_be_none, is_lazy) {
                (false, _) => atom,
                (true, false) => format!("(?:{atom}|)"),
                (true, true) => format!("(?:|{atom})"),
            });
        }
        let quantified = match self.reader.special() {
            Some('?') => {
                self.reader.advance();
                format!("{atom}{repeat}?")
            }
            Some('+') => {
                self.reader.advance();
                format!("(?>{atom}{repeat})")
            }
            Some(_) | None => format!("{atom}{repeat}"),
        };
        Ok(quantified)
    }

    /// The part after `{`.
    fn counted(&mut self) -> Result<String, String> {
        let least = self.number()?.ok_or("expected a number after `{`")?;
        let mut counted = format!("{{{least}");
        if self.reader.special() == Some(',') {
            self.reader.advance();
            counted.push(',');
            if let Some(most) = self.number()? {
                if most < least {
                    return Err(format!("`{{{least},{most}}}` ends before it begins"));
                }
                counted.push_str(&most.to_string());
            }
        }
        match self.reader.next() {
            Some('}') => Ok(counted + "}"),
            Some(_) | None => Err("expected `}` after the number of repetitions".to_owned()),
        }
    }

    fn number(&mut self) -> Result<Option<u32>, String> {
        let mut number: Option<u32> = None;
        while let Some(digit) = self.reader.special().and_then(|next| next.to_digit(10)) {
            self.reader.advance();
            number = Some(
                number
                    .unwrap_or(0)
                    .checked_mul(10)
                    .and_then(|tens| tens.checked_add(digit))
                    .ok_or("the number of repetitions is too big")?,
            );
        }
        Ok(number)
    }

    /// Sets depend on the flags, and properties of letters cannot ignore case.
    fn escape(&mut self) -> Result<Escape, String> {
        let flags = self.flags;
        escape::read(&mut self.reader, flags)
    }
}

impl CharacterSet {
    /// As a class, alone or nested in another class.
    fn class(&self) -> String {
        let negation = if self.negated { "^" } else { "" };
        format!("[{negation}{}]", self.items)
    }
}
