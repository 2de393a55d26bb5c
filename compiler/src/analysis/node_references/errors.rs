//! Comparisons with errors: codes that an action type never gives, and nodes that never end in error.
//!
//! Only closed families of codes are checked: `FS...` and `EM...` belong to one type each, `JA...` to the launcher, exit
//! codes to programs. Everything else may be the name of a Java class, which `ActionExecutor.convertException` uses as a
//! code.

use hpdlc_core::el::ast::{Expr, ExprKind, Literal};

use crate::{
    analysis::action_types::{self, ExitCodes, LAUNCHER_ERROR_CODES},
    diagnostics::nearest,
    lints::impossible_error_comparisons::ImpossibleErrorComparison,
    model::{Node, NodeKind, WorkflowApp},
    source::Span,
};

/// The code of failed credentials, which the launcher's actions give too.
const CREDENTIALS_ERROR_CODE: &str = "JA021";

/// What is wrong with comparing `call` with `other`, if the result is the same in every job.
pub(super) fn compare(
    app: &WorkflowApp,
    call: &Expr,
    other: &Expr,
    place: Span,
) -> Option<ImpossibleErrorComparison> {
    let ExprKind::Call {
        prefix: Some(prefix),
        name,
        args,
        ..
    } = &call.kind
    else {
        return None;
    };
    let ExprKind::Literal(Literal::Text(compared)) = &other.kind else {
        return None;
    };
    if prefix != "wf" || compared.is_empty() {
        return None;
    }
    match (name.as_str(), args.as_slice()) {
        ("errorCode", [argument]) => {
            let ExprKind::Literal(Literal::Text(node)) = &argument.kind else {
                return None;
            };
            let node = app.node(app.node_named(node)?);
            let (why, similar) = never_gives(node, compared)?;
            Some(ImpossibleErrorComparison {
                compared: compared.clone(),
                place,
                node: Some(node.name.span),
                why,
                similar,
            })
        }
        ("lastErrorNode", []) => never_fails(app, compared, place),
        (_, _) => None,
    }
}

/// Why the node never ends with that code, and a similar code.
fn never_gives(node: &Node, code: &str) -> Option<(String, Option<String>)> {
    let NodeKind::Action(action) = &node.kind else {
        let why = format!("a `{}` has no error code", node.kind.element());
        return Some((why, None));
    };
    let kind = &action.kind;
    let r#type = action_types::of(kind)?;
    let own = r#type.error_codes();
    if own.contains(&code) || code == CREDENTIALS_ERROR_CODE {
        return None;
    }
    let similar = || {
        let upper = code.to_uppercase();
        if own.contains(&upper.as_str()) {
            return Some(upper);
        }
        nearest(&upper, own.iter().copied()).map(str::to_owned)
    };
    let upper = code.to_uppercase();
    let family = ["FS", "EM", "JA"].into_iter().find(|family| {
        upper
            .strip_prefix(family)
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let why = format!("`{}` actions never end with this code", kind.name());
    if let Some(family) = family {
        // A failure before an action starts may have a code of the launcher.
        let is_open =
            family == "JA" && LAUNCHER_ERROR_CODES.contains(&upper.as_str()) && upper == code;
        return (!is_open).then(|| (why, similar()));
    }
    let is_number = code.parse::<i32>().is_ok();
    match r#type.exit_codes() {
        ExitCodes::None if is_number => Some((why, None)),
        ExitCodes::One if is_number && code != "1" => Some((
            format!(
                "a `{}` action that fails has the code `1`, whatever its command exits with",
                kind.name()
            ),
            Some("1".to_owned()),
        )),
        ExitCodes::Any | ExitCodes::None | ExitCodes::One => None,
    }
}

/// Whether the node of that name is never the last one to end in error.
fn never_fails(
    app: &WorkflowApp,
    compared: &str,
    place: Span,
) -> Option<ImpossibleErrorComparison> {
    let finding = |node, why, similar| ImpossibleErrorComparison {
        compared: compared.to_owned(),
        place,
        node,
        why,
        similar,
    };
    match app.node_named(compared) {
        Some(node) => {
            let node = app.node(node);
            let element = match &node.kind {
                NodeKind::Action(_) => return None,
                NodeKind::Start(_)
                | NodeKind::End(_)
                | NodeKind::Kill(_)
                | NodeKind::Decision(_)
                | NodeKind::Fork(_)
                | NodeKind::Join(_) => node.kind.element(),
            };
            let why = format!("a `{element}` never ends in error");
            Some(finding(Some(node.name.span), why, None))
        }
        None => {
            // A missing node that is the target of a transition has been reported.
            let is_target = app
                .nodes
                .iter()
                .flat_map(Node::targets)
                .any(|(_, target)| target.value == compared);
            if is_target || app.has_gaps() {
                return None;
            }
            let actions = app.actions().map(|(node, _)| node.name.value.as_str());
            let similar = nearest(compared, actions).map(str::to_owned);
            Some(finding(None, "no node has this name".to_owned(), similar))
        }
    }
}
