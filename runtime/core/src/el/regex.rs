//! Java's regular expressions: a pattern is translated to one of fancy-regex that matches the same, and what cannot be translated
//! is an error.
//!
//! Finding, replacing, and splitting are implemented here too, because Java differs: empty matches adjacent to a match count,
//! group references in replacements have other rules, and `split` drops empty pieces at the end.

use std::{cell::RefCell, collections::BTreeMap, fmt, rc::Rc};

use crate::limits;

mod replacement;
mod translate;

/// A compiled pattern.
#[derive(Debug)]
pub struct JavaRegex {
    regex: fancy_regex::Regex,
    /// Named groups and their numbers.
    names: BTreeMap<String, usize>,
    groups: usize,
    /// The pattern contains `\G`.
    asks_last_match: bool,
}

/// An invalid pattern or replacement, or one that cannot be translated or matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegexError {
    /// One phrase that includes the pattern or replacement.
    pub message: String,
}

impl RegexError {
    fn new(message: impl Into<String>) -> RegexError {
        RegexError {
            message: message.into(),
        }
    }
}

impl fmt::Display for RegexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for RegexError {}

/// Appends to the text that a replacement builds.
fn push(text: &mut String, more: &str) -> Result<(), RegexError> {
    limits::push(text, more).map_err(|problem| RegexError::new(problem.to_string()))
}

/// How many compiled patterns a thread keeps.
const CACHE_SIZE: usize = 64;

thread_local! {
    static CACHE: RefCell<BTreeMap<String, Rc<JavaRegex>>> = const { RefCell::new(BTreeMap::new()) };
}

/// The compiled pattern, from this thread's cache if it was used before.
///
/// # Errors
///
/// As [`JavaRegex::new`].
pub fn compiled(pattern: &str) -> Result<Rc<JavaRegex>, RegexError> {
    CACHE.with_borrow_mut(|cache| {
        if let Some(regex) = cache.get(pattern) {
            return Ok(Rc::clone(regex));
        }
        let regex = Rc::new(JavaRegex::new(pattern)?);
        if cache.len() >= CACHE_SIZE {
            cache.clear();
        }
        cache.insert(pattern.to_owned(), Rc::clone(&regex));
        Ok(regex)
    })
}

impl JavaRegex {
    /// Compiles a pattern as `java.util.regex.Pattern.compile` without flags.
    ///
    /// # Errors
    ///
    /// A pattern that Java refuses, or that has no equivalent here.
    pub fn new(pattern: &str) -> Result<JavaRegex, RegexError> {
        let in_pattern =
            |problem: &dyn fmt::Display| RegexError::new(format!("pattern `{pattern}`: {problem}"));
        let translated = translate::translate(pattern).map_err(|problem| in_pattern(&problem))?;
        let regex =
            fancy_regex::Regex::new(&translated.pattern).map_err(|problem| in_pattern(&problem))?;
        Ok(JavaRegex {
            regex,
            names: translated.names,
            groups: translated.groups,
            asks_last_match: translated.asks_last_match,
        })
    }

    /// `String.replaceAll`. The replacement is parsed only if something matches, as in Java.
    ///
    /// # Errors
    ///
    /// A replacement that refers to an unknown group, a match that takes too many steps, or a text longer than
    /// [`limits::MAX_TEXT`](crate::limits::MAX_TEXT).
    pub fn replace_all(&self, text: &str, replacement: &str) -> Result<String, RegexError> {
        let mut replaced = String::with_capacity(text.len());
        let mut position = 0;
        let mut search = Some(0);
        let mut parsed = None;
        while let Some(from) = search {
            let Some(captures) = self.captures(text, from)? else {
                break;
            };
            let Some(whole) = captures.get(0) else { break };
            let pieces = match &parsed {
                Some(pieces) => pieces,
                None => parsed.insert(replacement::parse(replacement, &self.names, self.groups)?),
            };
            push(&mut replaced, &text[position..whole.start()])?;
            replacement::expand(pieces, &captures, &mut replaced)?;
            position = whole.end();
            search = self.next_search(text, whole.start(), whole.end())?;
        }
        push(&mut replaced, &text[position..])?;
        Ok(replaced)
    }

    /// `String.split`: no empty pieces at the end, none before an empty match at the beginning, and the text itself if
    /// nothing matches.
    ///
    /// # Errors
    ///
    /// A match that takes too many steps.
    pub fn split<'t>(&self, text: &'t str) -> Result<Vec<&'t str>, RegexError> {
        let mut pieces = Vec::new();
        let mut position = 0;
        let mut search = Some(0);
        while let Some(from) = search {
            let found = self
                .regex
                .find_from_pos(text, from)
                .map_err(|problem| RegexError::new(problem.to_string()))?;
            let Some(found) = found else { break };
            let (start, end) = (found.start(), found.end());
            search = self.next_search(text, start, end)?;
            if end > 0 {
                pieces.push(&text[position..start]);
                position = end;
            }
        }
        if position == 0 {
            return Ok(vec![text]);
        }
        pieces.push(&text[position..]);
        while pieces.last().is_some_and(|piece| piece.is_empty()) {
            pieces.pop();
        }
        Ok(pieces)
    }

    fn captures<'t>(
        &self,
        text: &'t str,
        from: usize,
    ) -> Result<Option<fancy_regex::Captures<'t, str>>, RegexError> {
        self.regex
            .captures_from_pos(text, from)
            .map_err(|problem| RegexError::new(problem.to_string()))
    }

    /// Where Java starts the search after a match: at its end, or one character further if it was empty. `None` past the end.
    ///
    /// There, `\G` would be the end of the empty match in Java, but is the start position in fancy-regex.
    fn next_search(
        &self,
        text: &str,
        start: usize,
        end: usize,
    ) -> Result<Option<usize>, RegexError> {
        if start < end {
            return Ok(Some(end));
        }
        match text[end..].chars().next() {
            Some(_) if self.asks_last_match => Err(RegexError::new(
                "`\\G` is not supported in a pattern that has matched nothing",
            )),
            next => Ok(next.map(|next| end + next.len_utf8())),
        }
    }
}
