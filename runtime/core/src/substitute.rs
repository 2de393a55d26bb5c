//! Substitution of `${name}` in property values: by other properties, never expressions.
//!
//! What Hadoop's `Configuration` does on reading: a reference is `${`, a name without `}`, `$` and space, and `}`. Names may be
//! nested (`${queue_${env}}`). A reference to an unknown property is left unchanged, so that `${wf:id()}` passes through as text.
//! Unlike Hadoop, an unknown name does not stop the scan, and the limit of 20 applies to the nesting depth of references instead
//! of their number in a value.

use std::{collections::BTreeMap, fmt, rc::Rc};

use crate::limits::{self, MAX_TEXT, MAX_TEXTS};

/// The maximum nesting depth of references: Oozie's default of `oozie.configuration.substitute.depth`.
pub const MAX_DEPTH: usize = 20;

/// Why a value has no substituted form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubstituteError {
    /// A property refers to itself, directly or indirectly. The chain begins and ends with the same name.
    Cycle { chain: Vec<String> },
    /// References nest deeper than [`MAX_DEPTH`]. The chain names one property per level, outermost first.
    TooDeep { chain: Vec<String> },
    /// The value would be longer than [`MAX_TEXT`]; the chain leads to where that happens.
    TooLong { chain: Vec<String> },
    /// All values together would be longer than [`MAX_TEXTS`]; the chain leads to the value that exceeds it.
    TooMuch { chain: Vec<String> },
}

impl SubstituteError {
    /// The names that lead to the fault, outermost first.
    pub fn chain(&self) -> &[String] {
        match self {
            SubstituteError::Cycle { chain }
            | SubstituteError::TooDeep { chain }
            | SubstituteError::TooLong { chain }
            | SubstituteError::TooMuch { chain } => chain,
        }
    }
}

impl fmt::Display for SubstituteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let chain = self
            .chain()
            .iter()
            .map(|name| format!("`{name}`"))
            .collect::<Vec<_>>()
            .join(" -> ");
        match self {
            SubstituteError::Cycle { .. } => {
                write!(
                    f,
                    "variable substitution depth too large: a property refers to itself: {chain}"
                )
            }
            SubstituteError::TooDeep { .. } => {
                write!(
                    f,
                    "variable substitution depth too large: more than {MAX_DEPTH} levels: {chain}"
                )
            }
            SubstituteError::TooLong { .. } => {
                write!(
                    f,
                    "the value is longer than {} MiB after substitution: {chain}",
                    MAX_TEXT / (1024 * 1024)
                )
            }
            SubstituteError::TooMuch { .. } => {
                write!(
                    f,
                    "references between properties make more than {} MiB of text: {chain}",
                    MAX_TEXTS / (1024 * 1024)
                )
            }
        }
    }
}

impl std::error::Error for SubstituteError {}

/// `value` with every reference substituted that `lookup` resolves.
///
/// # Errors
///
/// A cycle, more than [`MAX_DEPTH`] levels, or a result longer than [`MAX_TEXT`].
pub fn substitute<'a>(
    value: &str,
    lookup: impl Fn(&str) -> Option<&'a str>,
) -> Result<String, SubstituteError> {
    Substitution::new(lookup, MAX_DEPTH)
        .expand(value)
        .map(|expanded| expanded.text)
}

/// All properties in their substituted form, as Oozie does it with a job's configuration at submission.
///
/// # Errors
///
/// As [`substitute`], for the first property in the order of names that has no substituted form.
pub fn resolve_all(
    properties: &BTreeMap<String, String>,
) -> Result<BTreeMap<String, String>, SubstituteError> {
    let mut resolved = properties.clone();
    resolve_in_place(&mut resolved)?;
    Ok(resolved)
}

/// As [`resolve_all`], in place: unchanged values are not copied. After an error nothing is changed.
///
/// # Errors
///
/// As [`resolve_all`].
pub fn resolve_in_place(properties: &mut BTreeMap<String, String>) -> Result<(), SubstituteError> {
    let values = properties.iter();
    let changed = resolve_changed(
        values.map(|(name, value)| (name.as_str(), value.as_str())),
        |name| properties.get(name).map(String::as_str),
    )?;
    properties.extend(changed);
    Ok(())
}

/// The properties that contain references, which `lookup` resolves, substituted as by [`resolve_all`].
///
/// # Errors
///
/// As [`resolve_all`].
pub fn resolve_changed<'a>(
    properties: impl Iterator<Item = (&'a str, &'a str)>,
    lookup: impl Fn(&str) -> Option<&'a str>,
) -> Result<BTreeMap<String, String>, SubstituteError> {
    // Each chain starts with the property itself, which is not a reference.
    let mut substitution = Substitution::new(lookup, MAX_DEPTH + 1);
    for (name, value) in properties {
        // Most values contain no references.
        if has_reference(value) || value.len() > MAX_TEXT {
            substitution.expand_property(name, value)?;
        }
    }
    let Substitution { lookup, done, .. } = substitution;
    let mut changed = BTreeMap::new();
    for (name, expanded) in done {
        if lookup(&name).is_some_and(has_reference) {
            let text = match Rc::try_unwrap(expanded) {
                Ok(expanded) => expanded.text,
                Err(shared) => shared.text.clone(),
            };
            changed.insert(name, text);
        }
    }
    Ok(changed)
}

fn has_reference(value: &str) -> bool {
    value.contains("${")
}

/// A finished value.
#[derive(Debug, Clone)]
struct Expanded {
    text: String,
    /// The longest chain of references below it; its length is the depth.
    deepest: Vec<String>,
}

struct Substitution<L> {
    lookup: L,
    /// The maximum length of a chain.
    max_chain: usize,
    /// Memoized values: without them, twenty levels of `${a}${a}` would take a million steps.
    done: BTreeMap<String, Rc<Expanded>>,
    /// Properties being expanded, outermost first.
    chain: Vec<String>,
    /// Bytes of the values in `done`.
    total: usize,
}

impl<'a, L: Fn(&str) -> Option<&'a str>> Substitution<L> {
    fn new(lookup: L, max_chain: usize) -> Self {
        Substitution {
            lookup,
            max_chain,
            done: BTreeMap::new(),
            chain: Vec::new(),
            total: 0,
        }
    }

    fn expand_property(
        &mut self,
        name: &str,
        value: &str,
    ) -> Result<Rc<Expanded>, SubstituteError> {
        if let Some(expanded) = self.done.get(name) {
            return Ok(Rc::clone(expanded));
        }
        self.chain.push(name.to_owned());
        let expanded = Rc::new(self.expand(value)?);
        self.total += expanded.text.len();
        if self.total > MAX_TEXTS {
            return Err(SubstituteError::TooMuch {
                chain: self.chain.clone(),
            });
        }
        self.chain.pop();
        self.done.insert(name.to_owned(), Rc::clone(&expanded));
        Ok(expanded)
    }

    fn expand(&mut self, value: &str) -> Result<Expanded, SubstituteError> {
        let too_long = |chain: &[String]| SubstituteError::TooLong {
            chain: chain.to_vec(),
        };
        limits::check(value.len(), 0).map_err(|_| too_long(&self.chain))?;
        let mut text = String::with_capacity(value.len());
        let mut deepest = Vec::new();
        // The positions in `text` of each `${` without a `}` so far.
        let mut open = Vec::new();
        let mut rest = value;
        while let Some(at) = rest.find(['$', '}']) {
            let (before, from) = rest.split_at(at);
            limits::push(&mut text, before).map_err(|_| too_long(&self.chain))?;
            if let Some(after) = from.strip_prefix("${") {
                open.push(text.len());
                text.push_str("${");
                rest = after;
                continue;
            }
            let (mark, after) = from.split_at(1);
            rest = after;
            let start = if mark == "}" { open.pop() } else { None };
            let reference = start.and_then(|start| {
                let name = text
                    .get(start + "${".len()..)
                    .filter(|name| is_name(name))?;
                Some((start, name.to_owned(), (self.lookup)(name)?))
            });
            match reference {
                Some((start, name, value)) => {
                    let expanded = self.reference(&name, value)?;
                    text.truncate(start);
                    limits::push(&mut text, &expanded.text).map_err(|_| too_long(&self.chain))?;
                    if deepest.len() <= expanded.deepest.len() {
                        deepest.clone_from(&expanded.deepest);
                        deepest.insert(0, name);
                    }
                }
                None => text.push_str(mark),
            }
        }
        limits::push(&mut text, rest).map_err(|_| too_long(&self.chain))?;
        Ok(Expanded { text, deepest })
    }

    /// The value of a property that the last property of the chain refers to.
    fn reference(&mut self, name: &str, value: &str) -> Result<Rc<Expanded>, SubstituteError> {
        if let Some(first) = self.chain.iter().position(|outer| outer == name) {
            let mut chain = self.chain.split_off(first);
            chain.push(name.to_owned());
            return Err(SubstituteError::Cycle { chain });
        }
        // Checked before the recursion, so that a long chain cannot exhaust the stack.
        if self.chain.len() >= self.max_chain {
            return Err(self.too_deep(name, &[]));
        }
        let expanded = self.expand_property(name, value)?;
        // And after it, because a memoized value has a depth of its own.
        if self.chain.len() + 1 + expanded.deepest.len() > self.max_chain {
            return Err(self.too_deep(name, &expanded.deepest));
        }
        Ok(expanded)
    }

    fn too_deep(&self, name: &str, deepest: &[String]) -> SubstituteError {
        let mut chain = self.chain.clone();
        chain.push(name.to_owned());
        chain.extend_from_slice(deepest);
        SubstituteError::TooDeep { chain }
    }
}

/// What Hadoop's pattern accepts as a name.
fn is_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(['}', '$', ' '])
}

#[cfg(test)]
mod tests;
