//! Renders diagnostics as text. Everything here returns strings or writes to the given writer; printing is done by the
//! driver.
//!
//! [`terminal`] is for people, in rustc's layout; [`short`] is one line each; [`json`] and [`sarif`] are for programs.
//! [`folded`] merges repeated diagnostics for people; [`summary`] is the line at the end.

pub mod folded;
pub mod json;
pub mod sarif;
pub mod short;
pub mod summary;
pub mod terminal;

use super::{Diagnostic, Place};
use crate::source::{Position, SourceMap};

/// The path of a diagnostic, exactly as given or found.
fn shown_path<'a>(diagnostic: &'a Diagnostic, sources: &'a SourceMap) -> &'a str {
    match &diagnostic.place {
        Place::Span(span) => sources.path(span.file),
        Place::File(file) => sources.path(*file),
        Place::Path(path) => path,
    }
}

/// The start and end of a diagnostic, if it has a place in a file.
fn shown_range(diagnostic: &Diagnostic, sources: &SourceMap) -> Option<(Position, Position)> {
    diagnostic.span().map(|span| {
        (
            sources.position(span.file, span.start),
            sources.position(span.file, span.end),
        )
    })
}

#[cfg(test)]
mod testing;
