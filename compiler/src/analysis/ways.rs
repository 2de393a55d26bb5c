//! The ways through a workflow: a shortest one to each end, what no way reaches, and what decides where a decision goes.

use std::collections::{BTreeMap, VecDeque, btree_map::Entry};

use crate::{
    analysis::{
        Facts,
        decisions::{self, CaseWay, When},
        graph::Edge,
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
};

/// The ways through a workflow without errors in its graph.
#[derive(Clone, Debug)]
pub struct Ways {
    /// The nodes that end the job, in document order, each with a shortest way from `start`.
    pub ends: Vec<EndWay>,
    /// Nodes that no job reaches.
    pub unreached: Vec<NodeId>,
    /// The decisions, in document order.
    pub decisions: Vec<DecisionWays>,
    /// How many transitions of actions and decisions were followed.
    pub n_outcomes: usize,
}

/// A node that ends the job.
#[derive(Clone, Debug)]
pub struct EndWay {
    pub node: NodeId,
    /// The transitions to it; `None` if no job reaches it.
    pub way: Option<Vec<Edge>>,
}

/// When a decision takes each of its transitions.
#[derive(Clone, Debug)]
pub struct DecisionWays {
    pub node: NodeId,
    /// The cases and the default, in order.
    pub cases: Vec<CaseWay>,
}

/// Follows every transition that some job can take.
pub fn ways(app: &WorkflowApp, facts: &Facts) -> Ways {
    let decisions: Vec<DecisionWays> = app
        .nodes
        .iter()
        .filter_map(|node| match &node.kind {
            NodeKind::Decision(decision) => Some(DecisionWays {
                node: node.id,
                cases: decisions::examples(decision),
            }),
            _ => None,
        })
        .collect();
    let by_node: BTreeMap<NodeId, &DecisionWays> =
        decisions.iter().map(|it| (it.node, it)).collect();
    let is_possible = |edge: &Edge| {
        let Some(decision) = by_node.get(&edge.from) else {
            return true;
        };
        let case = match edge.kind {
            TransitionKind::Case(at) => decision.cases.get(at as usize),
            _ => decision.cases.last(),
        };
        case.is_none_or(|case| !matches!(case.when, When::Never))
    };
    let mut last_of: BTreeMap<NodeId, Option<Edge>> = BTreeMap::new();
    let mut waiting: VecDeque<NodeId> = facts.graph.start().into_iter().collect();
    last_of.extend(waiting.iter().map(|start| (*start, None)));
    let mut n_outcomes = 0;
    while let Some(node) = waiting.pop_front() {
        let has_outcomes = matches!(
            app.node(node).kind,
            NodeKind::Action(_) | NodeKind::Decision(_)
        );
        for edge in facts
            .graph
            .edges_from(node)
            .iter()
            .filter(|it| is_possible(it))
        {
            n_outcomes += usize::from(has_outcomes);
            if let Entry::Vacant(vacant) = last_of.entry(edge.to) {
                vacant.insert(Some(*edge));
                waiting.push_back(edge.to);
            }
        }
    }
    let way = |to: NodeId| -> Option<Vec<Edge>> {
        let mut steps = Vec::new();
        let mut at = to;
        while let Some(edge) = last_of.get(&at)? {
            steps.push(*edge);
            at = edge.from;
        }
        steps.reverse();
        Some(steps)
    };
    let is_end = |kind: &NodeKind| matches!(kind, NodeKind::End(_) | NodeKind::Kill(_));
    let ends = app.nodes.iter().filter(|node| is_end(&node.kind));
    Ways {
        ends: ends
            .map(|node| EndWay {
                node: node.id,
                way: way(node.id),
            })
            .collect(),
        unreached: app
            .nodes
            .iter()
            .map(|node| node.id)
            .filter(|node| !last_of.contains_key(node))
            .collect(),
        decisions,
        n_outcomes,
    }
}
