use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, endless_sub_workflows, ["SUBWF001"]);

/// Sub-workflows that start each other in a circle that no decision leaves.
pub(crate) struct EndlessSubWorkflow {
    /// The `app-path` that closes the circle.
    pub(crate) place: Span,
    /// The `app-path` texts of the others, in the order in which they are started.
    pub(crate) others: Vec<Span>,
    /// Decisions lead around it, which read nothing that changes.
    pub(crate) is_decided: bool,
}

message!(EndlessSubWorkflow, |place, others, is_decided| {
    let message = if others.is_empty() {
        "this workflow starts itself without end"
    } else {
        "these workflows start each other without end"
    };
    let mut diagnostic = Diagnostic::new(&LINT, place, message).label(
        place,
        if others.is_empty() {
            "each job starts another one here"
        } else {
            "starts the first one again"
        },
    );
    for other in others {
        diagnostic = diagnostic.label(other, "then this is started");
    }
    if is_decided {
        return diagnostic
            .note("the decisions before it are the same in every job: what they read is passed on unchanged; at 50 levels it ends in ERROR with SUBWF001")
            .help("pass on another value of a property that a decision reads, or start another workflow");
    }
    diagnostic
        .note("every job reaches this action unless an earlier action fails; at 50 levels it ends in ERROR with SUBWF001")
        .help("put the action behind a decision that ends the repetition")
});
