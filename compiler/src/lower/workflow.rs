//! The `workflow-app` element and its nodes.

use std::collections::BTreeMap;

use hpdlc_core::el::functions::Dialect;

use crate::{
    lower::{
        LowerCtx, action, configuration, control_nodes, credentials, parameters, sla,
        template::{self, TextSink},
    },
    model::{End, Global, Node, NodeId, NodeKind, Property, WorkflowApp, WorkflowVersion},
    source::Spanned,
    syntax::xml::Element,
};

/// The `global` section. Actions need it, so it is lowered before any node, wherever it is.
pub(super) fn global(root: &Element<'_>, sink: &mut TextSink) -> Option<Global> {
    let section = root.element("global")?;
    Some(configuration::global(&section, sink))
}

/// The nodes among these children of the root; [`workflow_app`] assigns their ids.
pub(super) fn nodes(cx: &mut LowerCtx<'_>, children: &[Element<'_>]) -> Vec<Node> {
    let mut nodes = Vec::with_capacity(children.len());
    for element in children {
        if let Some(kind) = node_kind(cx, element) {
            nodes.push(Node {
                id: NodeId(0),
                name: node_name(element, &kind),
                tag_span: element.name_span,
                kind,
            });
        }
    }
    nodes
}

/// Lowers the application around its nodes.
pub(super) fn workflow_app(
    root: &Element<'_>,
    version: WorkflowVersion,
    config_default: Vec<Property>,
    global: Option<Global>,
    mut nodes: Vec<Node>,
    sink: &mut TextSink,
) -> WorkflowApp {
    let mut has_start = false;
    // A second start has been reported, and would have the same name as the first.
    nodes.retain(|node| match node.kind {
        NodeKind::Start(_) => !std::mem::replace(&mut has_start, true),
        NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_)
        | NodeKind::Action(_) => true,
    });
    for (node, id) in nodes.iter_mut().zip(0..) {
        node.id = NodeId(id);
    }
    WorkflowApp {
        file: root.file(),
        root_span: root.name_span,
        version,
        dialect: Dialect::Oozie,
        name: template::of_required_attribute(root, "name", sink),
        parameters: parameters::parameters(root, sink),
        global,
        credentials: credentials::credentials(root, sink),
        config_default,
        functions: Vec::new(),
        nodes,
        sla: sla::block(root, sink),
        extensions: &[],
        has_all_extensions: true,
        scripts: BTreeMap::new(),
    }
}

/// The node of a child of the root; `None` if it is not a node.
fn node_kind(cx: &mut LowerCtx<'_>, element: &Element<'_>) -> Option<NodeKind> {
    match element.name.local {
        "start" => Some(NodeKind::Start(control_nodes::start(element))),
        "end" => Some(NodeKind::End(End)),
        "kill" => Some(NodeKind::Kill(control_nodes::kill(element, cx.sink))),
        "decision" => Some(NodeKind::Decision(control_nodes::decision(
            element, cx.sink,
        ))),
        "fork" => Some(NodeKind::Fork(control_nodes::fork(element))),
        "join" => Some(NodeKind::Join(control_nodes::join(element))),
        "action" => Some(NodeKind::Action(Box::new(action::action(cx, element)))),
        _ => None,
    }
}

fn node_name(element: &Element<'_>, kind: &NodeKind) -> Spanned<String> {
    match (kind, element.attribute("name")) {
        (NodeKind::Start(_), _) => Spanned::new(":start:".to_owned(), element.name_span),
        (_, Some(name)) => Spanned::new(name.value.as_str().to_owned(), name.value_span),
        (_, None) => Spanned::new(String::new(), element.name_span),
    }
}
