//! The keys of data: the manifest of an extension says which the data of its actions has.

use hpdlc_core::el::ast::{Expr, ExprKind};

use crate::{
    analysis::transitions::NodeIndex,
    diagnostics::nearest,
    lints::unknown_data_keys::UnknownDataKey,
    model::{NodeKind, WorkflowApp},
    source::Span,
};

/// What is wrong with `key` of the data that `base` gives, if `base` is `wf:actionData('node')` and the keys are known. The key is at the
/// place, with quotes or without.
pub(super) fn unknown(
    app: &WorkflowApp,
    index: &NodeIndex<'_>,
    base: &Expr,
    key: &str,
    (place, is_quoted): (Span, bool),
) -> Option<UnknownDataKey> {
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
