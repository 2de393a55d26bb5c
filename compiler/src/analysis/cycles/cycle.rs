use crate::{
    diagnostics::{Diagnostic, code, message},
    source::Span,
};

code!("H0304", cycle, ["E0707"]);

/// How many edges are labelled; the headline shows at most twice as many nodes.
const MOST_LABELS: usize = 5;

/// Transitions that form a cycle.
pub(super) struct Cycle {
    /// From the first node of the cycle that `start` reaches; the last step leads back to it. Never empty.
    pub(super) steps: Vec<CycleEdge>,
}

pub(super) struct CycleEdge {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) reference: Span,
}

message!(Cycle, |steps| {
    let closing = steps
        .last()
        .expect("a cycle has a transition that closes it");
    let mut diagnostic = Diagnostic::new(
        &CODE,
        closing.reference,
        format!("cycle in the workflow: {}", path(&steps)),
    )
    .label(
        closing.reference,
        format!("`{}` leads back to `{}`", closing.from, closing.to),
    );
    let others = &steps[..steps.len() - 1];
    for step in others.iter().take(MOST_LABELS) {
        diagnostic = diagnostic.label(
            step.reference,
            format!("`{}` leads to `{}`", step.from, step.to),
        );
    }
    if let Some(n_more @ 1..) = others.len().checked_sub(MOST_LABELS) {
        let transitions = if n_more == 1 {
            "transition"
        } else {
            "transitions"
        };
        diagnostic = diagnostic.note(format!("{n_more} more {transitions} in this cycle"));
    }
    diagnostic
        .note("a workflow cannot loop; to repeat work, start a sub-workflow or use a coordinator")
});

/// The names along the cycle, with the middle of a long one left out.
fn path(steps: &[CycleEdge]) -> String {
    const MOST_NAMES: usize = 2 * MOST_LABELS;
    let mut names: Vec<String> = steps
        .iter()
        .map(|step| format!("`{}`", step.from))
        .collect();
    names.extend(steps.first().map(|step| format!("`{}`", step.from)));
    if let Some(n_more @ 1..) = names.len().checked_sub(MOST_NAMES) {
        names.splice(
            MOST_LABELS..MOST_LABELS + n_more,
            [format!("{n_more} more")],
        );
    }
    names.join(" -> ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::IntoDiagnostic;
    use crate::source::FileId;

    #[test]
    fn long_cycle_leaves_out_its_middle() {
        let steps: Vec<CycleEdge> = (0..14)
            .map(|n| CycleEdge {
                from: format!("n{n}"),
                to: format!("n{}", (n + 1) % 14),
                reference: Span::new(FileId(0), n, n + 1),
            })
            .collect();
        let diagnostic = Cycle { steps }.into_diagnostic();
        assert_eq!(
            diagnostic.message,
            "cycle in the workflow: `n0` -> `n1` -> `n2` -> `n3` -> `n4` -> 5 more -> `n10` -> `n11` -> `n12` -> `n13` -> `n0`"
        );
        assert_eq!(diagnostic.labels.len(), 6);
        assert_eq!(diagnostic.notes[0], "8 more transitions in this cycle");
    }
}
