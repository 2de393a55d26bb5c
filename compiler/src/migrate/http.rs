//! `http` actions, which no schema after 0.1 defines: they become a `shell` action that runs `curl`.

use crate::{
    migrate::{MigrateCtx, migration_losses::Loss, newest::newest},
    syntax::xml::Element,
};

/// One request, its parts as written.
pub(super) struct HttpRequest {
    pub(super) url: String,
    pub(super) content_type: Option<String>,
    /// The body of a POST; `None` for a GET.
    pub(super) payload: Option<String>,
    pub(super) captures_output: bool,
    /// The action ends when its callback is called.
    pub(super) waits: bool,
}

/// The `shell` element that replaces the action, without indentation.
pub(super) fn shell(
    cx: &mut MigrateCtx<'_>,
    action: &Element<'_>,
    request: &HttpRequest,
) -> String {
    let indentation = cx.indentation(action).to_owned();
    shell_at(cx, action, request, &indentation)
}

/// Like [`shell`], at another place.
pub(super) fn shell_at(
    cx: &mut MigrateCtx<'_>,
    action: &Element<'_>,
    request: &HttpRequest,
    indentation: &str,
) -> String {
    cx.lose(Loss {
        place: action.name_span,
        what: "an `http` action",
        instead: "a `shell` action that runs `curl` now".to_owned(),
        help: Some("`curl` has to be on every machine of the cluster".to_owned()),
    });
    if request.waits {
        cx.lose(Loss {
            place: action.name_span,
            what: "the wait for a callback",
            instead: "ends with the response now".to_owned(),
            help: Some("a `shell` action that asks again and again, or a dataset of a coordinator, can wait".to_owned()),
        });
    }
    let namespace = newest("uri:oozie:shell-action:").unwrap_or_default();
    let line = format!("{}{indentation}", cx.line_end);
    let mut arguments = vec!["--fail", "--silent", "--show-error"]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<String>>();
    if let Some(content_type) = &request.content_type {
        arguments.push("--header".to_owned());
        arguments.push(format!("Content-Type: {content_type}"));
    }
    if let Some(payload) = &request.payload {
        arguments.push("--data-binary".to_owned());
        arguments.push(payload.clone());
    }
    arguments.push(request.url.clone());
    let mut shell = format!("<shell xmlns=\"{namespace}\">{line}    <exec>curl</exec>");
    for argument in arguments {
        shell.push_str(&format!("{line}    <argument>{argument}</argument>"));
    }
    if request.captures_output {
        shell.push_str(&format!("{line}    <capture-output/>"));
    }
    shell.push_str(&format!("{line}</shell>"));
    shell
}
