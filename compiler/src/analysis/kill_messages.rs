//! Mistakes in messages of `kill` nodes: Oozie ends the job as intended, and loses the text (`KillActionExecutor`, E0756).

use crate::{
    analysis::entered::node_around,
    diagnostics::{Diagnostic, Sink},
    model::{NodeKind, WorkflowApp},
};

/// Rules about expressions, and about properties without a value.
const OF_TEXTS: [&str; 2] = ["H04", "H0511"];

/// Says of each mistake in a message what comes of it.
pub(crate) fn note(app: &WorkflowApp, sink: &mut Sink) {
    if !sink.has_errors_like(app.file, &OF_TEXTS) {
        return;
    }
    let is_in_message = |mistake: &Diagnostic| {
        let id = mistake.rule.id();
        let place = mistake
            .span()
            .filter(|_| OF_TEXTS.iter().any(|rule| id.starts_with(rule)));
        place.is_some_and(
            |place| match node_around(app, place).map(|node| &node.kind) {
                Some(NodeKind::Kill(kill)) => !kill.fails_job && kill.message.span.contains(place),
                Some(_) | None => false,
            },
        )
    };
    sink.change(is_in_message, |mistake| {
        mistake.note("in Oozie the job is KILLED all the same, and its message is lost (E0756)")
    });
}
