//! Migration of documents of older schemas, and of the dialect of 2009, to the newest schemas.
//!
//! The result is a list of edits on the source text: comments, formatting, and everything unchanged are copied byte for
//! byte. What cannot be kept is reported ([`migration_losses`]); nothing is silently dropped.

mod edits;
mod expression;
mod for_oozie;
mod http;
pub(crate) mod migration_losses;
mod newest;
pub(crate) mod proposal;
mod versions;

use std::collections::BTreeSet;

use hpdlc_core::el::functions::{Dialect, proposal::ROOT_ELEMENT};

use crate::{
    diagnostics::{Lint, Sink},
    syntax::xml::{Element, XmlDocument},
};

use self::migration_losses::Loss;

pub(crate) use self::for_oozie::{n_rust_actions, report_own_types};

pub(crate) static LINTS: &[&Lint] = &[&migration_losses::LINT];

/// The languages that are migrated, by the names of their root elements.
const ROOTS: [&str; 4] = [
    "workflow-app",
    "coordinator-app",
    "bundle-app",
    ROOT_ELEMENT,
];

/// Whether a document with this root is migrated. The name may have a prefix.
pub(crate) fn is_migrated(root_name: &str) -> bool {
    let local = root_name.rsplit(':').next().unwrap_or(root_name);
    ROOTS.contains(&local)
}

/// The text of the document in the newest schema of its language. `text` is the source of the document. With the `program`
/// that has the functions of its `rust` actions, these are replaced by actions that Oozie has.
pub fn migrated(
    document: &XmlDocument<'_>,
    text: &str,
    program: Option<&str>,
    sink: &mut Sink,
) -> String {
    let root = document.root();
    let mut cx = MigrateCtx::new(text, sink);
    match Dialect::of_root(root.name.local) {
        Dialect::Proposal => proposal::document(&mut cx, &root),
        Dialect::Oozie => versions::document(&mut cx, &root, program),
    }
}

/// The context of a migration.
struct MigrateCtx<'c> {
    text: &'c str,
    sink: &'c mut Sink,
    /// The line ending of the document.
    line_end: &'static str,
    /// The losses already reported, by place.
    said: BTreeSet<(u32, &'static str)>,
}

impl<'c> MigrateCtx<'c> {
    fn new(text: &'c str, sink: &'c mut Sink) -> MigrateCtx<'c> {
        MigrateCtx {
            text,
            sink,
            line_end: if text.contains("\r\n") { "\r\n" } else { "\n" },
            said: BTreeSet::new(),
        }
    }

    /// The source text of a span.
    fn raw(&self, span: crate::source::Span) -> &'c str {
        &self.text[span.range()]
    }

    fn lose(&mut self, loss: Loss) {
        if self.said.insert((loss.place.start, loss.what)) {
            self.sink.emit(loss);
        }
    }

    /// The indentation of an element, if it is first on its line.
    fn indentation(&self, element: &Element<'_>) -> &'c str {
        let before = &self.text[..element.span().range().start];
        let line = before.trim_end_matches([' ', '\t']);
        if line.is_empty() || line.ends_with('\n') {
            &before[line.len()..]
        } else {
            ""
        }
    }
}

#[cfg(test)]
mod tests;
