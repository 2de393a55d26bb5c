//! URIs of a `git` action, for which Oozie's launcher requires a scheme.

use super::git_uri_without_scheme::GitUriWithoutScheme;
use crate::{diagnostics::Sink, model::action::Git};

/// Reports URIs that do not begin with a scheme.
pub(super) fn check(git: &Git, sink: &mut Sink) {
    for (element, uri) in [
        ("git-uri", &git.git_uri),
        ("destination-uri", &git.destination_uri),
    ] {
        if let Some((beginning, is_all)) = uri.beginning()
            && lacks_scheme(beginning, is_all)
        {
            sink.emit(GitUriWithoutScheme {
                element,
                uri: uri.text.as_str().to_owned(),
                place: uri.span,
            });
        }
    }
}

/// Whether a URI with this beginning has no scheme; false while there is no colon and more text may follow.
fn lacks_scheme(beginning: &str, is_all: bool) -> bool {
    match beginning.split_once(':') {
        Some((scheme, _)) => {
            let mut bytes = scheme.bytes();
            let is_scheme = bytes
                .next()
                .is_some_and(|first| first.is_ascii_alphabetic())
                && bytes
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'));
            !is_scheme
        }
        None => is_all || beginning.starts_with('/'),
    }
}
