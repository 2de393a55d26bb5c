//! Addresses of an `email` action, as far as `javax.mail` refuses them for certain.

use super::{invalid_email_address::InvalidEmailAddress, literal};
use crate::{
    diagnostics::Sink,
    model::{Template, action::Email},
};

/// Reports addresses that no address can be.
pub(super) fn check(email: &Email, sink: &mut Sink) {
    for list in [Some(&email.to), email.cc.as_ref(), email.bcc.as_ref()] {
        if let Some(list) = list
            && let Some(written) = literal(list)
        {
            addresses(list, written, sink);
        }
    }
}

fn addresses(list: &Template, written: &str, sink: &mut Sink) {
    // As Java's `split`: what is empty at the end is no address.
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

/// What is wrong with an address; forms with quotes, comments or a name before `<` are not looked into.
fn problem(address: &str) -> Option<&'static str> {
    if address.contains(['"', '<', '(', '[', '\\']) {
        return None;
    }
    if address.is_empty() {
        return Some("no address stands here");
    }
    if address.contains(';') {
        return Some("addresses are separated by commas");
    }
    if address.contains(char::is_whitespace) {
        return Some("an address has no blanks");
    }
    match address.split_once('@') {
        // The name of somebody on the mail server's own host.
        None => None,
        Some(("", _)) => Some("nothing stands before the `@`"),
        Some((_, "")) => Some("nothing stands behind the `@`"),
        Some((_, domain)) if domain.contains('@') => Some("an address has one `@`"),
        Some(_) => None,
    }
}
