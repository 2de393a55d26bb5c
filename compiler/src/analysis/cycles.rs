//! The control flow must be acyclic: one depth-first walk from `start`, like that of `LiteWorkflowValidator`.
//!
//! Error transitions count like the others. Cycles among nodes that are not reachable from `start` are accepted by Oozie and
//! never run. The walk also determines which nodes are reached and in what order, so that no later pass repeats it.

use std::{cmp::Reverse, collections::BinaryHeap};

use crate::{
    analysis::graph::Graph,
    diagnostics::{Code, Sink},
    model::{NodeId, WorkflowApp},
};

mod cycle;

use self::cycle::{Cycle, CycleEdge};

pub static CODES: &[&Code] = &[&cycle::CODE];

/// The result of the walk from `start`.
#[derive(Debug)]
pub(crate) struct Reach {
    /// By node.
    pub(crate) is_reached: Vec<bool>,
    /// The reached nodes in topological order, otherwise in document order; `None` if there is a cycle, which has been
    /// reported.
    pub(crate) order: Option<Vec<NodeId>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Visit {
    New,
    /// On the path from `start` to the node being visited, at that index.
    OnPath(usize),
    Done,
}

/// A node on the path from `start` to the node being visited.
struct OnPath {
    node: NodeId,
    /// How many of its edges have been followed.
    n_followed: usize,
    /// The last index on the path, up to this one, whose node is in a cycle that has been reported.
    last_in_cycle: Option<usize>,
}

/// Walks the graph and reports its cycles. Cycles that share a node are one mistake: only the first is shown.
pub(crate) fn find(app: &WorkflowApp, graph: &Graph, sink: &mut Sink) -> Reach {
    let mut visits = vec![Visit::New; graph.n_nodes()];
    let mut has_cycle = false;
    // An explicit stack, because a chain of nodes may be deeper than the thread's stack allows.
    let mut path: Vec<OnPath> = Vec::new();
    let mut next = graph.start();
    loop {
        if let Some(node) = next.take() {
            visits[node.index()] = Visit::OnPath(path.len());
            path.push(OnPath {
                node,
                n_followed: 0,
                last_in_cycle: path.last().and_then(|outer| outer.last_in_cycle),
            });
        }
        let Some(last) = path.last_mut() else { break };
        let Some(&edge) = graph.edges_from(last.node).get(last.n_followed) else {
            visits[last.node.index()] = Visit::Done;
            path.pop();
            continue;
        };
        last.n_followed += 1;
        match visits[edge.to.index()] {
            Visit::New => next = Some(edge.to),
            Visit::OnPath(first) => {
                has_cycle = true;
                if last.last_in_cycle.is_none_or(|place| place < first) {
                    for (place, outer) in path.iter_mut().enumerate().skip(first) {
                        outer.last_in_cycle = Some(place);
                    }
                    sink.emit(described(app, graph, &path[first..]));
                }
            }
            Visit::Done => {}
        }
    }
    let is_reached: Vec<bool> = visits.iter().map(|visit| *visit != Visit::New).collect();
    let order = (!has_cycle).then(|| topological_order(graph, &is_reached));
    Reach { is_reached, order }
}

/// The reached nodes of an acyclic graph in topological order. Not the order of the walk, which depends on the order of a
/// fork's paths: diagnostics must not.
fn topological_order(graph: &Graph, is_reached: &[bool]) -> Vec<NodeId> {
    let mut n_waiting: Vec<usize> = vec![0; graph.n_nodes()];
    let mut order = Vec::with_capacity(graph.n_nodes());
    let mut ready = BinaryHeap::new();
    ready.extend(graph.start().map(Reverse));
    for id in (0..).map(NodeId).take(graph.n_nodes()) {
        n_waiting[id.index()] = graph
            .edges_to(id)
            .filter(|edge| is_reached[edge.from.index()])
            .count();
    }
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for edge in graph.edges_from(node) {
            let n_waiting = &mut n_waiting[edge.to.index()];
            *n_waiting -= 1;
            if *n_waiting == 0 {
                ready.push(Reverse(edge.to));
            }
        }
    }
    order
}

/// The cycle along the nodes of a path, each of which leads to the next by the edge that was followed last.
fn described(app: &WorkflowApp, graph: &Graph, path: &[OnPath]) -> Cycle {
    let edges = path
        .iter()
        .map(|outer| graph.edges_from(outer.node)[outer.n_followed - 1]);
    Cycle {
        steps: edges
            .map(|edge| CycleEdge {
                from: app.node(edge.from).name.value.clone(),
                to: app.node(edge.to).name.value.clone(),
                reference: edge.span,
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(nodes: &str, expect: Expect) {
        expect.assert_eq(&crate::analysis::testing::short_diagnostics(nodes));
    }

    #[test]
    fn cycle_is_shown_from_its_first_node() {
        check(
            r#"<start to="a"/>
<decision name="a"><switch><case to="b">${x}</case><default to="end"/></switch></decision>
<decision name="b"><switch><case to="c">${x}</case><default to="end"/></switch></decision>
<decision name="c"><switch><case to="b">${x}</case><default to="a"/></switch></decision>
<end name="end"/>"#,
            expect![[r#"
                4:38: H0304 cycle in the workflow: `b` -> `c` -> `b`
            "#]],
        );
    }

    #[test]
    fn separate_cycles_are_reported_separately() {
        check(
            r#"<start to="a"/>
<decision name="a"><switch><case to="b">${x}</case><default to="d"/></switch></decision>
<decision name="b"><switch><case to="c">${x}</case><default to="end"/></switch></decision>
<decision name="c"><switch><case to="b">${x}</case><default to="end"/></switch></decision>
<decision name="d"><switch><case to="e">${x}</case><default to="end"/></switch></decision>
<decision name="e"><switch><case to="d">${x}</case><default to="end"/></switch></decision>
<end name="end"/>"#,
            expect![[r#"
                4:38: H0304 cycle in the workflow: `b` -> `c` -> `b`
                6:38: H0304 cycle in the workflow: `d` -> `e` -> `d`
            "#]],
        );
    }

    #[test]
    fn error_transitions_count() {
        check(
            r#"<start to="a"/>
<action name="a"><fs><mkdir path="file:/x"/></fs><ok to="end"/><error to="b"/></action>
<action name="b"><fs><mkdir path="file:/x"/></fs><ok to="a"/><error to="end"/></action>
<end name="end"/>"#,
            expect![[r#"
                3:58: H0304 cycle in the workflow: `a` -> `b` -> `a`
            "#]],
        );
    }

    #[test]
    fn cycle_that_start_does_not_reach_is_no_error() {
        check(
            r#"<start to="end"/>
<decision name="d"><switch><case to="e">${x}</case><default to="end"/></switch></decision>
<decision name="e"><switch><case to="d">${x}</case><default to="end"/></switch></decision>
<end name="end"/>"#,
            expect![[r#"
                2:17: unreachable_nodes node `d` is never reached
                3:17: unreachable_nodes node `e` is never reached
            "#]],
        );
    }

    #[test]
    fn nodes_that_converge_are_no_cycle() {
        check(
            r#"<start to="a"/>
<decision name="a"><switch><case to="b">${x}</case><default to="c"/></switch></decision>
<decision name="b"><switch><case to="c">${x}</case><default to="end"/></switch></decision>
<decision name="c"><switch><case to="end">${x}</case><default to="end"/></switch></decision>
<end name="end"/>"#,
            expect![""],
        );
    }
}
