//! Workflows written in Rust: an `async fn` is read, never run, and becomes a `workflow.xml` in memory, each part of it with its
//! place in the Rust source.
//!
//! The statements are the graph, the scopes are the proof that data exists, each `.await` is an action and each `?` an error
//! transition. From here on, the rooms for XML do the rest: schema, analysis, lints and code are the same. What only rustc can know,
//! the types of the data, it checks on the [shadow](Workflow::shadow) of the function.
//!
//! [`read`] collects all mistakes; a mistake that rustc reports by itself is left to it.

mod attributes;
mod body;
mod branches;
mod builders;
mod bundle;
mod call;
mod child;
mod coordinator;
mod document;
mod expression;
mod facts;
mod flow;
mod fork;
mod format;
mod from_xml;
mod functions;
mod offsets;
mod outline;
mod outlines;
mod own_names;
mod own_type;
mod params;
mod place;
mod reader;
mod recognize;
mod scope;
mod settings;
mod shadow;
mod signature;
mod sla;
mod statements;
mod subset;
mod tokens;
mod value;

use std::ops::Range;

use proc_macro2::{Ident, TokenStream};
use syn::ItemFn;

pub use self::{
    bundle::{Bundle, BundledCoordinator, read_bundle},
    coordinator::{Coordinator, read_coordinator},
    from_xml::{Refusal, from_xml},
    offsets::Offsets,
    outlines::OutlinedFunction,
    own_names::{is_own_prefix, own_prefix},
    params::{ChildWorkflow, PassedField, app_path, imported_params},
    place::{Mistake, Place},
    reader::OwnAction,
    settings::Settings,
    shadow::Shadow,
    signature::Parameter,
};
use self::{
    document::{Node, NodeKind, Target, Writer},
    reader::Reader,
    tokens::without_raw,
};

/// A workflow as it was read.
pub struct Workflow {
    /// The function.
    pub name: Ident,
    pub parameters: Vec<Parameter>,
    pub settings: Settings,
    /// The own actions that it calls.
    pub own_actions: Vec<OwnAction>,
    /// The workflows that it runs as sub-workflows.
    pub children: Vec<ChildWorkflow>,
    /// The prefix of its functions in expressions.
    pub prefix: String,
    /// The functions that were made of its expressions.
    pub functions: Vec<OutlinedFunction>,
    /// What rustc checks in place of the function.
    pub shadow: Shadow,
    /// `None` if there are mistakes, of which some may be rustc's to report.
    pub document: Option<Document>,
    pub mistakes: Vec<Mistake>,
}

/// The document, and where its parts come from.
#[derive(Debug)]
pub struct Document {
    pub text: String,
    /// Ranges of bytes, each within another or beside it.
    pub pieces: Vec<(Range<u32>, Place)>,
    /// Where the document as a whole comes from.
    pub whole: Place,
}

impl Document {
    /// Where a part of the document comes from: the innermost piece around it.
    pub fn place_of(&self, range: &Range<u32>) -> Place {
        let around = self
            .pieces
            .iter()
            .filter(|(piece, _)| piece.start <= range.start && range.end <= piece.end);
        around
            .min_by_key(|(piece, _)| piece.end - piece.start)
            .map_or(self.whole, |(_, place)| *place)
    }
}

/// Reads the function below `#[workflow(arguments)]`.
pub fn read(arguments: TokenStream, item: &ItemFn) -> Workflow {
    let mut reader = Reader::default();
    reader.scopes.enter();
    reader.check_head(item);
    reader.outlines.prefix = own_prefix(&without_raw(&item.sig.ident));
    reader.outlines.is_before_job = true;
    let settings = reader.settings(arguments.clone());
    reader.fail = settings.chosen_fail();
    let (parameters, declared) = reader.parameters(&item.sig.inputs);
    let attributes = reader.attributes(item);
    reader.outlines.is_before_job = false;
    reader.exits.push(Target::End);
    let flow = reader.block(&item.block, Target::End, true);
    reader.check_children(&item.sig.ident);
    reader.check_names();
    reader.make_names_unique();
    let is_sound = reader.mistakes.is_empty() && !reader.is_left_to_rustc;
    let document = is_sound.then(|| {
        let mut root = settings.root(&item.sig.ident, declared);
        root.children.extend(attributes.credentials);
        let sla = attributes.sla.as_ref();
        let whole = Place::of(&item.sig);
        written(&mut reader, &root, &settings, flow.entry, sla, whole)
    });
    Workflow {
        name: item.sig.ident.clone(),
        parameters,
        settings,
        own_actions: reader.own_actions,
        shadow: shadow::shadow(
            arguments,
            item,
            is_sound,
            reader.outlines.places,
            &reader.children,
        ),
        children: reader.children,
        prefix: reader.outlines.prefix,
        functions: reader.outlines.functions,
        document,
        mistakes: reader.mistakes,
    }
}

/// The setting `files` among the arguments of `#[workflow(arguments)]`, as far as they can be read.
pub fn folder_of_files(arguments: TokenStream) -> Option<String> {
    let settings = Reader::default().settings(arguments);
    settings.files.map(|files| files.value())
}

fn written(
    reader: &mut Reader,
    root: &document::Element,
    settings: &Settings,
    entry: Target,
    sla: Option<&document::Element>,
    whole: Place,
) -> Document {
    let end = match &settings.end {
        Some(name) => name.value(),
        None => reader.free_name("end"),
    };
    let fail = match &settings.fail {
        Some(name) => name.value(),
        None => reader.free_name("fail"),
    };
    let fails = |node: &Node| {
        let leads_there = |target: Target| reader.resolved(target) == Target::Fail;
        match &node.kind {
            NodeKind::Action { ok, error, .. } => leads_there(*ok) || leads_there(*error),
            NodeKind::Decision { cases, default } => {
                leads_there(*default) || cases.iter().any(|(_, target, _)| leads_there(*target))
            }
            NodeKind::Fork(paths) => paths.iter().any(|(target, _)| leads_there(*target)),
            NodeKind::Join(_, target) => leads_there(*target),
            NodeKind::Kill(_) => false,
        }
    };
    let is_chosen = settings.fail.is_some();
    if is_chosen || reader.nodes.iter().any(fails) || reader.resolved(entry) == Target::Fail {
        let message = settings.message_of_fail();
        reader.nodes.push(Node {
            name: fail.clone(),
            name_place: whole,
            place: whole,
            kind: NodeKind::Kill(message),
        });
    }
    let name_of = |target: Target| match reader.resolved(target) {
        Target::Node(node) => reader.nodes[node].name.clone(),
        Target::Fail => fail.clone(),
        Target::End | Target::Label(_) => end.clone(),
    };
    let mut out = Writer::default();
    out.notes = reader.outlines.notes();
    out.document(root, &name_of(entry), &reader.nodes, &name_of, &end, sla);
    Document {
        text: out.text,
        pieces: out.pieces,
        whole,
    }
}

#[cfg(test)]
mod tests;
