//! `wf:actionData('load')` and similar: what a text reads of another node must be available when the text is evaluated.
//!
//! Three things are proved over the graph, if it is free of errors: that the node has run by then on some path, that it has
//! run on every path, and that it ended in the way that the function requires. Where the value is not certain to be used -
//! guarded by `empty`, `firstNotNull`, a condition - it may be missing. Sources: `DagELFunctions`, and trap T47 of the
//! semantics: the data of an action is visible once it has ended.
//! action leaves is visible once it has ended.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{
        cycles::Reach,
        fork_join::Pairing,
        graph::{Edge, Graph},
        templates::{SoundForms, TemplatePhase, TemplateUse},
        transitions::NodeIndex,
    },
    diagnostics::{Sink, step},
    lints::{
        unavailable_node_references::UnavailableNodeReference,
        uncertain_node_references::UncertainNodeReference,
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
};

mod availability;
mod data_keys;
mod errors;
mod finder;
mod without_data;

use self::{
    availability::{Availability, QuestionGround, Transition},
    finder::{Finder, Reference},
    without_data::WithoutData,
};

/// The maximum number of nodes visited to explain faults. Each explanation may visit all nodes, and there may be as many
/// references as nodes.
const MOST_STEPS: usize = 20_000_000;

/// Reports references to nodes whose result is not available by then.
pub(crate) fn check(
    app: &WorkflowApp,
    graph: &Graph,
    index: &NodeIndex<'_>,
    reach: &Reach,
    pairing: &Pairing,
    uses: &[TemplateUse<'_>],
    sink: &mut Sink,
) {
    let mut references = Vec::new();
    let mut silent = SoundForms::default();
    for template_use in uses {
        if let (TemplatePhase::Workflow, Some(node)) = (template_use.phase, template_use.node) {
            // A text without references has none in any node that uses it.
            if silent.contains(template_use.form) {
                continue;
            }
            let n_before = (references.len(), sink.n_found());
            let mut finder = Finder {
                app,
                index,
                template_use,
                node,
                references: &mut references,
                sink: &mut *sink,
            };
            for expr in template_use.template.ast.expressions() {
                finder.walk(expr, false);
            }
            if n_before == (references.len(), sink.n_found()) {
                silent.insert(template_use.form);
            }
        }
    }
    let mut without = WithoutData::new(app);
    references.retain(|reference| match without.check(reference) {
        Some(found) => {
            sink.emit(found);
            false
        }
        None => true,
    });
    // In an invalid graph it is unknown what runs before what.
    let is_broken = || sink.has_errors_like(app.root_span.file, &["H02", "H03"]);
    if references.is_empty() || graph.has_gaps() || is_broken() {
        return;
    }
    let Some(order) = &reach.order else { return };
    let joins: BTreeSet<NodeId> = pairing.iter().map(|(_, join)| join).collect();
    let is_paired = order
        .iter()
        .all(|node| !matches!(app.node(*node).kind, NodeKind::Join(_)) || joins.contains(node));
    if !is_paired {
        return;
    }
    references.retain(|reference| reach.is_reached[reference.node.index()]);
    let mut place_of: Vec<Option<usize>> = vec![None; graph.n_nodes()];
    for (place, node) in order.iter().enumerate() {
        place_of[node.index()] = Some(place);
    }
    let mut wanted: Vec<(NodeId, Transition)> = references
        .iter()
        .map(|reference| (reference.target, reference.way))
        .collect();
    // Sorted so that references to nearby nodes are handled together, and a pass covers only a part of the graph.
    wanted.sort_unstable_by_key(|&(node, way)| (place_of[node.index()], node, way));
    wanted.dedup();
    let mut by_wanted: BTreeMap<(NodeId, Transition), Vec<&Reference>> = BTreeMap::new();
    for reference in &references {
        by_wanted
            .entry((reference.target, reference.way))
            .or_default()
            .push(reference);
    }
    let ground = QuestionGround::new(graph, pairing, &reach.is_reached);
    let mut n_searches = MOST_STEPS / graph.n_nodes().max(1);
    for block in wanted.chunks_mut(availability::BLOCK) {
        block.sort_unstable();
        let block = &*block;
        let targets = block.iter();
        let first = targets.filter_map(|(node, _)| place_of[node.index()]).min();
        let asking = block.iter().flat_map(|key| &by_wanted[key]);
        let last = asking
            .filter_map(|reference| place_of[reference.node.index()])
            .max();
        let between = match (first, last) {
            (Some(first), Some(last)) => order.get(first..=last).unwrap_or_default(),
            (_, _) => &[],
        };
        let availability = Availability::compute(&ground, between, block);
        for (at, key) in block.iter().enumerate() {
            let mut unavailable: Vec<UnavailableNodeReference> = Vec::new();
            let mut uncertain: Vec<UncertainNodeReference> = Vec::new();
            // In document order, so that the first occurrence is the one that is reported.
            let mut asking = by_wanted[key].clone();
            asking.sort_by_key(|reference| reference.place);
            for reference in asking {
                match judge(app, graph, &availability, at, reference, &mut n_searches) {
                    Some(NodeReferenceFault::Unavailable(found)) => {
                        let same = unavailable.iter_mut().find(|known| known.is_like(&found));
                        match same {
                            Some(same) => same.others.push(found.place),
                            None => unavailable.push(found),
                        }
                    }
                    Some(NodeReferenceFault::Uncertain(found)) => {
                        let same = uncertain.iter_mut().find(|known| known.is_like(&found));
                        match same {
                            Some(same) => same.others.push(found.place),
                            None => uncertain.push(found),
                        }
                    }
                    None => {}
                }
            }
            unavailable.into_iter().for_each(|found| sink.emit(found));
            uncertain.into_iter().for_each(|found| sink.emit(found));
        }
    }
}

/// What is wrong with a reference.
enum NodeReferenceFault {
    Unavailable(UnavailableNodeReference),
    Uncertain(UncertainNodeReference),
}

fn judge(
    app: &WorkflowApp,
    graph: &Graph,
    availability: &Availability<'_>,
    at: usize,
    reference: &Reference,
    n_searches: &mut usize,
) -> Option<NodeReferenceFault> {
    let target = app.node(reference.target);
    if !availability.may(reference.node, at) {
        let is_itself = reference.node == reference.target;
        let is_searched = !is_itself && take_one(n_searches);
        let fork = is_searched
            .then(|| availability.fork_around(reference.node, reference.target))
            .flatten()
            .map(|fork| (name(app, fork), app.node(fork).name.span));
        return Some(NodeReferenceFault::Unavailable(UnavailableNodeReference {
            function: reference.function.clone(),
            place: reference.place,
            others: Vec::new(),
            node: name(app, reference.target),
            node_place: target.name.span,
            at: name(app, reference.node),
            is_itself,
            is_searched,
            is_about_success: reference.way == Transition::Ok,
            has_run: is_searched
                && availability.ancestors(reference.node)[reference.target.index()],
            fork,
        }));
    }
    // A reference to an error, or to the transition taken, is expected to find none on some paths.
    let is_certain_wanted = match reference.way {
        Transition::Ok | Transition::Any => true,
        Transition::Error => false,
    };
    if reference.is_guarded || !is_certain_wanted || availability.must(reference.node, at) {
        return None;
    }
    let (path, turn) = if take_one(n_searches) {
        let path = availability.path_without(reference.node, at);
        let before_target = availability.ancestors(reference.target);
        let turn = path
            .iter()
            .rev()
            .find(|edge| before_target[edge.from.index()])
            .copied();
        (path, turn)
    } else {
        (Vec::new(), None)
    };
    Some(NodeReferenceFault::Uncertain(UncertainNodeReference {
        function: reference.function.clone(),
        place: reference.place,
        others: Vec::new(),
        node: name(app, reference.target),
        node_place: target.name.span,
        path: steps(app, graph, &path),
        turn: turn.map(|edge| (edge.span, is_failure_of(&edge, reference.target))),
    }))
}

/// Decrements the counter; false if it was 0.
fn take_one(n_left: &mut usize) -> bool {
    let left = n_left.checked_sub(1);
    *n_left = left.unwrap_or(0);
    left.is_some()
}

fn is_failure_of(edge: &Edge, node: NodeId) -> bool {
    edge.from == node && edge.kind == TransitionKind::Error
}

/// The nodes along a path, beginning after `start`, each with the transition taken if it is not the usual one.
fn steps(app: &WorkflowApp, graph: &Graph, path: &[Edge]) -> Vec<String> {
    path.iter()
        .filter(|edge| Some(edge.to) != graph.start())
        .map(|edge| step(&name(app, edge.to), edge.kind == TransitionKind::Error))
        .collect()
}

fn name(app: &WorkflowApp, node: NodeId) -> String {
    app.node(node).name.value.clone()
}

#[cfg(test)]
mod tests;
