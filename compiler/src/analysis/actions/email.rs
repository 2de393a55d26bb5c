//! Addresses of an `email` action, as far as `javax.mail` is certain to reject them.

use super::{invalid_email_address::InvalidEmailAddress, literal};
use crate::{
    analysis::{
        forms::{Malformed, MalformedKind},
        known_values::KnownValues,
    },
    diagnostics::Sink,
    model::{Template, action::Email},
};

/// Reports texts that cannot be an address.
pub(super) fn check(email: &Email, known: &KnownValues, sink: &mut Sink) {
    for (element, list) in [
        ("to", Some(&email.to)),
        ("cc", email.cc.as_ref()),
        ("bcc", email.bcc.as_ref()),
    ] {
        let Some(list) = list else { continue };
        if let Some(written) = literal(list) {
            addresses(list, written, sink);
        } else if let Some(text) = known.text(list)
            // The lists of copies may be empty.
            && (element == "to" || !text.value.trim().is_empty())
            && has_problem(&text.value)
        {
            Malformed {
                what: format!("the `{element}` element"),
                wanted: "addresses, separated by commas",
                text,
                place: list.span,
                meant: None,
                kind: MalformedKind::Value,
            }
            .report(sink);
        }
    }
}

fn has_problem(list: &str) -> bool {
    let listed = list.trim_end_matches(',').split(',');
    listed
        .map(str::trim)
        .any(|address| problem(address).is_some())
}

fn addresses(list: &Template, written: &str, sink: &mut Sink) {
    // Like Java's `split`, trailing empty elements are dropped.
    let listed = written.trim_end_matches(',');
    let mut start = 0;
    for piece in listed.split(',') {
        let address = piece.trim();
        let at = start + (piece.len() - piece.trim_start().len());
        if let Some(problem) = problem(address)
            && !written.is_empty()
        {
            let end = (at + address.len()).max(at + 1).min(written.len());
            sink.emit(InvalidEmailAddress {
                address: address.to_owned(),
                problem,
                place: list.text.span_of(at..end),
            });
        }
        start += piece.len() + 1;
    }
}

/// What is wrong with an address; forms with quotes, comments or a name before `<` are not checked.
fn problem(address: &str) -> Option<&'static str> {
    if address.contains(['"', '<', '(', '[', '\\']) {
        return None;
    }
    if address.is_empty() {
        return Some("no address here");
    }
    if address.contains(';') {
        return Some("addresses are separated by commas");
    }
    if address.contains(char::is_whitespace) {
        return Some("an address has no blanks");
    }
    match address.split_once('@') {
        // A local user of the mail server's host.
        None => None,
        Some(("", _)) => Some("nothing before the `@`"),
        Some((_, "")) => Some("nothing after the `@`"),
        Some((_, domain)) if domain.contains('@') => Some("an address has one `@`"),
        Some(_) => None,
    }
}
