//! Documents of older schemas, and of the dialect of 2009, to the newest schemas.
//!
//! What changes is a list of edits on the text that was read: comments, formatting, and whatever stays are copied byte for
//! byte. What cannot be kept is said ([`migration_losses`]); nothing is left out in silence.

mod edits;
mod expression;
mod http;
pub mod migration_losses;
mod proposal;
mod versions;

use std::collections::BTreeSet;

use crate::{
    diagnostics::{Lint, Sink},
    syntax::xml::{Element, XmlDocument},
};

use self::migration_losses::Loss;

pub static LINTS: &[&Lint] = &[&migration_losses::LINT];

/// The languages that are migrated, by the names of their root elements.
const ROOTS: [&str; 4] = [
    "workflow-app",
    "coordinator-app",
    "bundle-app",
    "hadoop-workflow",
];

/// Whether a document with this root is migrated. The name may have a prefix.
pub fn is_migrated(root_name: &str) -> bool {
    let local = root_name.rsplit(':').next().unwrap_or(root_name);
    ROOTS.contains(&local)
}

/// The text of the document in the newest schema of its language. `text` is what the document was read from.
pub fn migrated(document: &XmlDocument<'_>, text: &str, sink: &mut Sink) -> String {
    let root = document.root();
    let mut cx = MigrateCtx {
        text,
        sink,
        n_losses: BTreeSet::new(),
    };
    if root.name.local == "hadoop-workflow" {
        proposal::document(&mut cx, &root)
    } else {
        versions::document(&mut cx, &root)
    }
}

/// What a migration carries along.
struct MigrateCtx<'c> {
    text: &'c str,
    sink: &'c mut Sink,
    /// What has been said already, by its place.
    n_losses: BTreeSet<(u32, &'static str)>,
}

impl<'c> MigrateCtx<'c> {
    /// As it is written.
    fn raw(&self, span: crate::source::Span) -> &'c str {
        &self.text[span.range()]
    }

    fn lose(&mut self, loss: Loss) {
        if self.n_losses.insert((loss.place.start, loss.what)) {
            self.sink.emit(loss);
        }
    }

    /// The blanks before an element, where it starts its line.
    fn indentation(&self, element: &Element<'_>) -> &'c str {
        let start = element.span().range().start;
        let line = self.text[..start].rfind('\n').map_or(0, |at| at + 1);
        let before = &self.text[line..start];
        if before.bytes().all(|byte| matches!(byte, b' ' | b'\t')) {
            before
        } else {
            ""
        }
    }

    /// How lines end.
    fn line_end(&self) -> &'static str {
        if self.text.contains("\r\n") {
            "\r\n"
        } else {
            "\n"
        }
    }
}

#[cfg(test)]
mod tests;
