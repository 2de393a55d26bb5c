//! Action nodes: what all types share, and the dispatch to one file per type.

use crate::{
    lower::{
        LowerCtx,
        check::{self, body::CheckedBody},
        control_nodes, credentials, sla, template,
    },
    model::{Action, ActionKind, action::Retry},
    source::Spanned,
    syntax::xml::Element,
};

mod custom;
mod distcp;
mod email;
mod fs;
mod git;
mod hive;
mod hive2;
mod http;
mod java;
mod map_reduce;
mod pig;
#[cfg(test)]
mod probe;
mod rust;
mod settings;
mod shell;
mod spark;
mod sqoop;
mod ssh;
mod sub_workflow;

/// Lowers an `action` element.
pub(super) fn action(cx: &mut LowerCtx<'_>, element: &Element<'_>) -> Action {
    let body = check::action_body(element, cx.scope);
    Action {
        body_span: body.map_or(element.name_span, |body| body.name_span),
        retry: Retry {
            max: template::of_optional_attribute(element, "retry-max", cx.sink),
            interval: template::of_optional_attribute(element, "retry-interval", cx.sink),
            policy: template::of_optional_attribute(element, "retry-policy", cx.sink),
        },
        credentials: credentials::names(element),
        ok: transition(element, "ok"),
        error: transition(element, "error"),
        kind: match body {
            Some(body) => kind(cx, &body),
            None => ActionKind::Unknown(String::new()),
        },
        sla: sla::block(element, cx.sink),
    }
}

/// The target of `ok` or `error`; empty if the element is missing, which has been reported.
fn transition(action: &Element<'_>, local: &str) -> Spanned<String> {
    match action.element(local) {
        Some(element) => control_nodes::target(&element, "to"),
        None => Spanned::new(String::new(), action.name_span),
    }
}

fn kind(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> ActionKind {
    let local = body.name.local;
    // A body in the wrong namespace has been reported, and is lowered by its name.
    if let CheckedBody::Unknown(_) = check::body::resolve(body, cx.scope) {
        return ActionKind::Unknown(local.to_owned());
    }
    if let Some(known) = cx.scope.extensions.body(local) {
        return ActionKind::Custom(custom::custom(body, known, cx.sink));
    }
    match local {
        "distcp" => ActionKind::Distcp(distcp::distcp(cx, body)),
        "email" => ActionKind::Email(Box::new(email::email(body, cx.sink))),
        "fs" => ActionKind::Fs(fs::fs(cx, body)),
        "git" => ActionKind::Git(Box::new(git::git(cx, body))),
        "hive" => ActionKind::Hive(hive::hive(cx, body)),
        "hive2" => ActionKind::Hive2(Box::new(hive2::hive2(cx, body))),
        "http" => ActionKind::Http(http::http(body, cx.sink)),
        "java" => ActionKind::Java(java::java(cx, body)),
        "map-reduce" => ActionKind::MapReduce(Box::new(map_reduce::map_reduce(cx, body))),
        "pig" => ActionKind::Pig(pig::pig(cx, body)),
        #[cfg(test)]
        "probe" => ActionKind::Probe(probe::probe(body, cx.sink)),
        "rust" => ActionKind::Rust(rust::rust(body, cx.sink)),
        "shell" => ActionKind::Shell(shell::shell(cx, body)),
        "spark" => ActionKind::Spark(Box::new(spark::spark(cx, body))),
        "sqoop" => ActionKind::Sqoop(sqoop::sqoop(cx, body)),
        "ssh" => ActionKind::Ssh(ssh::ssh(body, cx.sink)),
        "sub-workflow" => ActionKind::SubWorkflow(sub_workflow::sub_workflow(cx, body)),
        // The schema tables have a type that is missing above.
        other => ActionKind::Unknown(other.to_owned()),
    }
}
