//! Action nodes: what all types share, and the dispatch to one file a type.

use crate::{
    lower::{
        LowerCtx,
        check::{self, body::Body},
        control,
        schema::CREDENTIALS_SINCE,
        template,
        workflow::UnsupportedCredentials,
    },
    model::{Action, ActionKind, action::Retry},
    source::Spanned,
    syntax::xml::Element,
};

mod fs;
mod java;
mod settings;
mod shell;
mod sub_workflow;
pub(super) mod unsupported_action_type;

use self::unsupported_action_type::UnsupportedActionType;

/// Lowers an `action` element.
pub(super) fn action(cx: &mut LowerCtx<'_>, element: &Element<'_>) -> Action {
    // An empty list asks for nothing; what an older schema does not have has been reported.
    if let Some(cred) = element.attribute("cred")
        && cx.scope.version >= CREDENTIALS_SINCE
        && !cred.value.is_blank()
    {
        cx.sink.emit(UnsupportedCredentials::Use {
            names: Spanned::new(cred.value.as_str().to_owned(), cred.value_span),
        });
    }
    let body = check::action_body(element, cx.scope);
    Action {
        body_span: body.map_or(element.name_span, |body| body.name_span),
        retry: Retry {
            max: template::of_optional_attribute(element, "retry-max", cx.sink),
            interval: template::of_optional_attribute(element, "retry-interval", cx.sink),
            policy: template::of_optional_attribute(element, "retry-policy", cx.sink),
        },
        ok: transition(element, "ok"),
        error: transition(element, "error"),
        kind: match body {
            Some(body) => kind(cx, &body),
            None => ActionKind::Unsupported(String::new()),
        },
    }
}

/// Where `ok` or `error` leads; empty where that is missing, which has been reported.
fn transition(action: &Element<'_>, local: &str) -> Spanned<String> {
    match action.element(local) {
        Some(element) => control::target(&element, "to"),
        None => Spanned::new(String::new(), action.name_span),
    }
}

fn kind(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> ActionKind {
    let is_in_its_namespace = match check::body::resolve(body, cx.scope) {
        Body::Known { .. } => true,
        Body::WrongNamespace { .. } => false,
        Body::Unknown(_) => return ActionKind::Unsupported(body.name.local.to_owned()),
    };
    match body.name.local {
        "fs" => ActionKind::Fs(fs::fs(cx, body)),
        "java" => ActionKind::Java(java::java(cx, body)),
        "shell" => ActionKind::Shell(shell::shell(cx, body)),
        "sub-workflow" => ActionKind::SubWorkflow(sub_workflow::sub_workflow(cx, body)),
        other => {
            // One mistake is enough for a body in the wrong namespace.
            if is_in_its_namespace {
                cx.sink.emit(UnsupportedActionType {
                    name: Spanned::new(other.to_owned(), body.name_span),
                });
            }
            ActionKind::Unsupported(other.to_owned())
        }
    }
}
