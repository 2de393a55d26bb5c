//! Nodes that a rerun skips: they end as in the earlier run, and the job continues from there.

use super::{StepJob, TestGraph};

/// The store keeps the skip marker with the node, and a node that was killed has none.
#[test]
fn a_node_that_is_killed_before_it_is_skipped_is_to_be_skipped_no_more() {
    let graph = TestGraph::new(
        "start > f\n fork f j > a b\n action a > j k\n action b > j k\n join j > end\n kill k\n end",
    );
    let mut run = StepJob::new(&graph);
    run.give("stop b");
    run.give("skip a");
    for line in ["start", "kill"] {
        let event = run.event(line);
        run.take(event);
    }
    assert_eq!(run.show_state(), "KILLED start:OK f:OK a:KILLED b:KILLED");
    assert!(run.state.skips.is_empty(), "{:?}", run.state.skips);
}
