//! Documents in the dialect of the proposal of 2009: `hadoop-workflow`, without a namespace.
//!
//! They have separate tables ([`shape`]), a separate check ([`check`]) and separate lowerings, and become the same model: no
//! later room knows the original elements. What differs in meaning is in the model - a `fail` node fails the job, an `hdfs`
//! action has its own rules for paths - or in [`Dialect`].

mod actions;
mod check;
mod control_nodes;
mod report;
mod shape;
pub(super) mod unsupported_host_url;

use std::collections::BTreeMap;

use hpdlc_core::el::functions::Dialect;

use crate::{
    diagnostics::Sink,
    lower::template::{self, TextSink},
    model::{
        Action, ActionKind, End, Node, NodeId, NodeKind, Property, WorkflowApp, WorkflowVersion,
    },
    source::Spanned,
    syntax::xml::Element,
};

/// Reports all mistakes in the elements of the document.
pub(super) fn check(root: &Element<'_>, sink: &mut Sink) {
    if !root.name.namespace().unwrap_or_default().is_empty() {
        report::namespace(root, sink);
    }
    check::check(root, &shape::ROOT, sink);
    for node in root.elements() {
        check::transitions(&node, sink);
    }
}

/// Lowers the document, with the defaults from `configuration.xml`.
pub(super) fn workflow_app(
    root: &Element<'_>,
    config_default: Vec<Property>,
    sink: &mut TextSink,
) -> WorkflowApp {
    let name = template::of_required_attribute(root, "name", sink);
    let mut nodes = Vec::new();
    let mut has_start = false;
    for element in root.elements() {
        // A second start has been reported, and would have the same name as the first.
        if element.name.local == "start" && std::mem::replace(&mut has_start, true) {
            continue;
        }
        if let Some(kind) = node_kind(&element, sink) {
            let id = NodeId(u32::try_from(nodes.len()).expect("a document has at most 2^26 bytes"));
            nodes.push(Node {
                id,
                name: node_name(&element, &kind),
                tag_span: element.name_span,
                kind,
            });
        }
    }
    WorkflowApp {
        file: root.file(),
        root_span: root.name_span,
        // The oldest schema is most similar to it.
        version: WorkflowVersion::V0_1,
        dialect: Dialect::Proposal,
        name,
        parameters: Vec::new(),
        global: None,
        credentials: None,
        config_default,
        functions: Vec::new(),
        nodes,
        sla: None,
        extensions: &[],
        has_all_extensions: true,
        scripts: BTreeMap::new(),
    }
}

/// The node of a child of the root; `None` if it is not a node, which has been reported.
fn node_kind(element: &Element<'_>, sink: &mut TextSink) -> Option<NodeKind> {
    match element.name.local {
        "start" => Some(NodeKind::Start(control_nodes::start(element))),
        "end" => Some(NodeKind::End(End)),
        "fail" => Some(NodeKind::Kill(control_nodes::fail(element, sink))),
        "decision" => Some(NodeKind::Decision(control_nodes::decision(element, sink))),
        "fork" => Some(NodeKind::Fork(control_nodes::fork(element))),
        "join" => Some(NodeKind::Join(control_nodes::join(element))),
        _ => {
            let kind = match actions::kind(element, sink) {
                Some(kind) => kind,
                // Already reported; the node is kept as a target of transitions.
                None => {
                    element.attribute("name")?;
                    ActionKind::Unknown(element.name.local.to_owned())
                }
            };
            Some(NodeKind::Action(Box::new(Action {
                body_span: element.name_span,
                retry: Default::default(),
                credentials: Vec::new(),
                ok: control_nodes::transition(element, "OK"),
                error: control_nodes::transition(element, "ERROR"),
                kind,
                sla: None,
            })))
        }
    }
}

fn node_name(element: &Element<'_>, kind: &NodeKind) -> Spanned<String> {
    match (kind, element.attribute("name")) {
        (NodeKind::Start(_), _) => Spanned::new(":start:".to_owned(), element.name_span),
        (_, Some(name)) => Spanned::new(name.value.as_str().to_owned(), name.value_span),
        (_, None) => Spanned::new(String::new(), element.name_span),
    }
}

#[cfg(test)]
mod tests;
