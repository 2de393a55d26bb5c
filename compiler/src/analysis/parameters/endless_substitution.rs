use hpdlc_core::{
    limits::{MAX_TEXT, MAX_TEXTS},
    substitute::{MAX_DEPTH, SubstituteError},
};

use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0514", endless_substitution, ["E0803"]);

const MEBIBYTE: usize = 1024 * 1024;

/// How many properties of the chain are labelled.
const MOST: usize = 5;

/// Properties that refer to each other endlessly, or nest too deep.
pub(super) struct EndlessSubstitution {
    pub(super) error: SubstituteError,
    /// The first property of the chain that has a place.
    pub(super) place: Span,
    pub(super) others: Vec<Span>,
}

message!(EndlessSubstitution, |error, place, others| {
    let name = error.chain().first().map_or("", String::as_str);
    let chain: Vec<String> = error
        .chain()
        .iter()
        .map(|name| format!("`{name}`"))
        .collect();
    let (message, help) = match &error {
        SubstituteError::Cycle { .. } => (
            format!("property `{name}` refers to itself"),
            "give one of these properties a value that does not need the others",
        ),
        SubstituteError::TooDeep { .. } => (
            format!("property `{name}` refers to others more than {MAX_DEPTH} levels deep"),
            "write the value of one of these properties out",
        ),
        SubstituteError::TooLong { .. } => (
            format!(
                "the value of property `{name}` would be longer than {} MiB",
                MAX_TEXT / MEBIBYTE
            ),
            "shorten the value of one of these properties",
        ),
        SubstituteError::TooMuch { .. } => (
            format!(
                "the values of properties would be longer than {} MiB together",
                MAX_TEXTS / MEBIBYTE
            ),
            "shorten the values that others refer to",
        ),
    };
    let label = if chain.len() > 1 {
        "its value refers to other properties"
    } else {
        "its value"
    };
    let mut diagnostic = Diagnostic::new(&CODE, place, message)
        .label(place, label)
        .help(help);
    if chain.len() > 1 {
        diagnostic = diagnostic.note(format!("the references are {}", shown_chain(&chain)));
    }
    let mut labelled = vec![place];
    for other in others {
        if labelled.len() <= MOST && !labelled.contains(&other) {
            labelled.push(other);
            diagnostic = diagnostic.label(other, "and on from here");
        }
    }
    diagnostic
});

/// The names of a chain, without those in the middle of a long one.
fn shown_chain(chain: &[String]) -> String {
    const SHOWN: usize = 2 * MAX_DEPTH;
    if chain.len() <= SHOWN {
        return chain.join(" -> ");
    }
    let (first, last) = (&chain[..MAX_DEPTH], &chain[chain.len() - 1..]);
    let n_more = chain.len() - MAX_DEPTH - 1;
    format!(
        "{} -> ({n_more} more) -> {}",
        first.join(" -> "),
        last.concat()
    )
}
