//! The paths of strands: sequences, decisions, forks and joins.

/// Two parallel actions; both go to the handler `h` if they fail.
pub(super) const SHARED_HANDLER: &str = "
    start > f
    fork f j > a b
    action a > j h
    action b > j h
    action h > j k
    join j > end
    kill k
    end";

#[test]
fn a_long_row_of_control_nodes_takes_no_stack() {
    let mut text = "start > f0\n".to_owned();
    let n = 2_000;
    for i in 0..n {
        let next = if i + 1 == n {
            "end".to_owned()
        } else {
            format!("f{}", i + 1)
        };
        text.push_str(&format!("fork f{i} j{i} > j{i} j{i}\njoin j{i} > {next}\n"));
    }
    text.push_str("end");
    let graph = super::TestGraph::new(&text);
    let mut run = super::StepJob::new(&graph);
    let step = run.take(super::Event::Start);
    assert_eq!(
        step.effects,
        [super::Effect::Finished(super::JobStatus::Succeeded)]
    );
}
