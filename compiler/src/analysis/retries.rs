//! `retry-max` on actions whose usual failure is not retried, and above the limit of the job.
//!
//! Oozie retries only the error codes on a list of the server, and exit codes of programs are not on it
//! (`LiteWorkflowStoreService`).

use crate::{
    analysis::{action_types, given::JobProperties},
    diagnostics::Sink,
    lints::{
        capped_retries::CappedRetry,
        ineligible_retries::{IneligibleRetry, UsualFailure},
        retry_intervals_without_retries::RetryIntervalWithoutRetries,
    },
    model::{NodeKind, WorkflowApp},
};

/// Properties that extend or replace the list.
const CODE_LISTS: [&str; 2] = [
    "oozie.service.LiteWorkflowStoreService.user.retry.error.code",
    "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext",
];

/// The property that limits `retry-max`, and its default.
const LIMIT: (&str, u64) = ("oozie.service.LiteWorkflowStoreService.user.retry.max", 3);

/// The property with the `retry-max` of actions without one; it is 0 otherwise.
const DEFAULT: &str = "oozie.service.LiteWorkflowStoreService.user.retry.default";

/// Reports retries that would never happen.
pub(crate) fn check(app: &WorkflowApp, given: &JobProperties, sink: &mut Sink) {
    check_limit(app, given, sink);
    if given.value(DEFAULT).is_none() {
        check_intervals(app, sink);
    }
    let codes = || {
        let lists = CODE_LISTS.iter().filter_map(|list| given.value(list));
        lists.flat_map(|list| list.split(',')).map(str::trim)
    };
    if codes().any(|code| code == "ALL") {
        return;
    }
    let has_exit_codes = codes().any(|code| code.parse::<i32>().is_ok());
    for node in &app.nodes {
        let NodeKind::Action(action) = &node.kind else {
            continue;
        };
        if let Some(failure) = action_types::of(&action.kind).and_then(|it| it.usual_failure())
            && !(has_exit_codes && matches!(failure, UsualFailure::Exit(_)))
            && let Some(max) = &action.retry.max
            // An invalid number has been reported.
            && max.literal().is_none_or(|max| max.trim().parse().is_ok_and(|max: u64| max > 0))
        {
            sink.emit(IneligibleRetry {
                action: node.name.value.clone(),
                kind: action.kind.name().to_owned(),
                failure,
                place: max.span,
            });
        }
    }
}

fn check_limit(app: &WorkflowApp, given: &JobProperties, sink: &mut Sink) {
    let (name, default) = LIMIT;
    let limit = match given.value(name) {
        None => default,
        // An invalid number has no effect here; the job reports it.
        Some(value) => match value.trim().parse() {
            Ok(limit) => limit,
            Err(_) => return,
        },
    };
    for node in &app.nodes {
        if let NodeKind::Action(action) = &node.kind
            && let Some(attribute) = &action.retry.max
            && let Some(max) = attribute.literal().and_then(|max| max.trim().parse().ok())
            && max > limit
        {
            sink.emit(CappedRetry {
                action: node.name.value.clone(),
                max,
                limit,
                place: attribute.span,
            });
        }
    }
}

fn check_intervals(app: &WorkflowApp, sink: &mut Sink) {
    for (node, action) in app.actions() {
        let retry = &action.retry;
        let named = [
            ("retry-interval", &retry.interval),
            ("retry-policy", &retry.policy),
        ];
        let first = named
            .into_iter()
            .find_map(|(name, text)| Some((name, text.as_ref()?)));
        if let (None, Some((attribute, text))) = (&retry.max, first) {
            sink.emit(RetryIntervalWithoutRetries {
                action: node.name.value.clone(),
                attribute,
                place: text.span,
            });
        }
    }
}
