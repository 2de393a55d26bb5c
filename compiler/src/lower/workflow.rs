//! The `workflow-app` element and its nodes.

use hpdlc_core::el::functions::Dialect;

use crate::{
    lower::{LowerCtx, action, configuration, control, credentials, parameters, sla, template},
    model::{End, Node, NodeId, NodeKind, Property, WorkflowApp, WorkflowVersion},
    source::Spanned,
    syntax::xml::Element,
};

/// Lowers the application.
pub(super) fn workflow_app(
    cx: &mut LowerCtx<'_>,
    root: &Element<'_>,
    version: WorkflowVersion,
    config_default: Vec<Property>,
) -> WorkflowApp {
    cx.global = root
        .element("global")
        .map(|section| configuration::global(&section, cx.sink));
    let name = template::of_required_attribute(root, "name", cx.sink);
    let parameters = parameters::parameters(root, cx.sink);
    let mut nodes = Vec::new();
    let mut has_start = false;
    for element in root.elements() {
        // A second start has been reported, and could not be told from the first by its name.
        if element.name.local == "start" && std::mem::replace(&mut has_start, true) {
            continue;
        }
        if let Some(kind) = node_kind(cx, &element) {
            let id = NodeId(u32::try_from(nodes.len()).expect("a document has at most 2^26 bytes"));
            nodes.push(Node {
                id,
                name: node_name(&element, &kind),
                tag_span: element.name_span,
                kind,
            });
        }
    }
    let credentials = credentials::credentials(root, cx.sink);
    let sla = sla::block(root, cx.sink);
    WorkflowApp {
        file: root.file(),
        root_span: root.name_span,
        version,
        dialect: Dialect::Oozie,
        name,
        parameters,
        global: cx.global.take(),
        credentials,
        config_default,
        nodes,
        sla,
    }
}

/// The node that a child of the root is; `None` for what is none.
fn node_kind(cx: &mut LowerCtx<'_>, element: &Element<'_>) -> Option<NodeKind> {
    match element.name.local {
        "start" => Some(NodeKind::Start(control::start(element))),
        "end" => Some(NodeKind::End(End)),
        "kill" => Some(NodeKind::Kill(control::kill(element, cx.sink))),
        "decision" => Some(NodeKind::Decision(control::decision(element, cx.sink))),
        "fork" => Some(NodeKind::Fork(control::fork(element))),
        "join" => Some(NodeKind::Join(control::join(element))),
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
