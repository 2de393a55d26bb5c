//! The keys of data: the manifest of an extension says which the data of its actions has, and a script which it prints.

use hpdlc_core::{
    el::ast::{Expr, ExprKind},
    slips::is_slip,
};

use crate::{
    analysis::{
        action_types::{self, ActionOutput},
        scripts,
        transitions::NodeIndex,
    },
    diagnostics::nearest,
    lints::{misspelt_data_keys::MisspeltDataKey, unknown_data_keys::UnknownDataKey},
    model::{Action, Node, NodeKind, WorkflowApp},
    source::Span,
};

/// What is wrong with a key.
pub(super) enum DataKeyFault {
    Unknown(UnknownDataKey),
    Misspelt(MisspeltDataKey),
}

/// What is wrong with `key` of the data that `base` gives, if `base` is `wf:actionData('node')` and something is known of its keys. The
/// key is at the place, with quotes or without.
pub(super) fn fault(
    app: &WorkflowApp,
    index: &NodeIndex<'_>,
    base: &Expr,
    key: &str,
    place: (Span, bool),
) -> Option<DataKeyFault> {
    let ExprKind::Call {
        prefix: Some(prefix),
        name,
        args,
        ..
    } = &base.kind
    else {
        return None;
    };
    let ("wf", "actionData", [argument]) = (prefix.as_str(), name.as_str(), args.as_slice()) else {
        return None;
    };
    let node = app.node(index.get(argument.as_text()?)?);
    let NodeKind::Action(action) = &node.kind else {
        return None;
    };
    let unknown = unknown(app, node, action, key, place).map(DataKeyFault::Unknown);
    unknown.or_else(|| misspelt(app, node, action, key, place).map(DataKeyFault::Misspelt))
}

/// The key, if an extension says that the data of the action does not have it.
fn unknown(
    app: &WorkflowApp,
    node: &Node,
    action: &Action,
    key: &str,
    (place, is_quoted): (Span, bool),
) -> Option<UnknownDataKey> {
    let function = action.kind.called_function(action.body_span)?.value;
    let mut extensions = app.extensions.iter();
    let known = extensions.find_map(|extension| extension.data_keys(&function))?;
    if known.iter().any(|it| it == key) {
        return None;
    }
    Some(UnknownDataKey {
        key: key.to_owned(),
        place,
        is_quoted,
        node: node.name.value.clone(),
        node_place: node.name.span,
        similar: nearest(key, known.iter().map(String::as_str)).map(str::to_owned),
        function,
        known,
    })
}

/// The key, if the action's script prints one with nearly the same name and not this one.
fn misspelt(
    app: &WorkflowApp,
    node: &Node,
    action: &Action,
    key: &str,
    (place, is_quoted): (Span, bool),
) -> Option<MisspeltDataKey> {
    let is_captured = action_types::of(&action.kind)?.data() == ActionOutput::Captured(true);
    let script = scripts::script_of(app, action).filter(|_| is_captured)?;
    let printed = scripts::printed_keys(script);
    if printed.iter().any(|it| it.key == key) {
        return None;
    }
    let similar = printed.into_iter().find(|it| is_slip(key, &it.key))?;
    Some(MisspeltDataKey {
        key: key.to_owned(),
        place,
        is_quoted,
        node: node.name.value.clone(),
        node_place: node.name.span,
        printed: similar.key,
        line: (script.path.clone(), similar.line_number, similar.line),
    })
}
