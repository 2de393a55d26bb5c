//! The texts of each node, with what only a dry run finds: operations on paths with empty parts, and children that are missing.

use hpdlc_core::empty_parts::Lost;
use hpdlc_engine::job::submission::UNPACKED;
use hpdlc_executors::{
    empty_parts,
    node_texts::{self, EntryText, NodeText, NodeTextSources, TextKind, TextResult},
};
use hpdlc_host::{home::Home, settings};
use hpdlc_program::table::{NodeDef, Template};

use crate::commands::dryrun::{
    children, deferred::is_deferred, properties, sources::DryrunSources,
};

/// All texts of a node.
pub(super) fn entries(sources: DryrunSources<'_>, def: &'static NodeDef) -> Vec<NodeText> {
    let of_texts = NodeTextSources {
        program: sources.program,
        app: sources.app,
        app_path: UNPACKED,
        conf: sources.conf,
        scope: sources.scope,
        is_deferred,
    };
    let mut entries = node_texts::texts(of_texts, def);
    for entry in &mut entries {
        sources.complete(entry);
    }
    entries
}

impl DryrunSources<'_> {
    fn complete(self, entry: &mut NodeText) {
        if let EntryText::OfJob { name, place, .. } = &mut entry.text {
            *place = properties::source(self.app, self.given, name).place;
        }
        match (entry.kind, &entry.text) {
            (TextKind::Path, EntryText::Template(template)) if !is_deferred(&template.source()) => {
                entry.error = self.lost_part(template);
            }
            (TextKind::AppPath, _) => {
                if let TextResult::Value(path) = entry.evaluate(self.scope, is_deferred) {
                    entry.error = children::missing_sub_workflow(self, &path);
                }
            }
            (TextKind::Any | TextKind::Path, _) => {}
        }
    }

    /// Why an operation on a path would be refused: a part of it is empty.
    fn lost_part(self, path: &Template) -> Option<String> {
        let problem = empty_parts::problem(path, self.scope, &Lost::of_job(self.conf))?;
        let site = Home::unmade().and_then(|home| settings::site(&home));
        let is_allowed = empty_parts::are_allowed(self.conf, &site.unwrap_or_default());
        (!is_allowed).then_some(problem)
    }
}
