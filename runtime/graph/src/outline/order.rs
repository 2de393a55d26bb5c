//! The order of nodes, and where the branches of a node meet again.

use std::collections::BTreeMap;

use crate::picture::{ArrowKind, Picture, Shape};

/// The transitions from a node to another one, except errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct OutlineWay {
    pub(super) to: usize,
    pub(super) labels: Vec<String>,
    pub(super) is_taken: bool,
}

pub(super) struct OutlineOrder {
    /// By node, in document order.
    pub(super) ways: Vec<Vec<OutlineWay>>,
    /// By node: the targets of its errors.
    pub(super) errors: Vec<Vec<usize>>,
    /// By node: the first node that all its branches reach, not counting those that end in a kill node.
    pub(super) meetings: Vec<Option<usize>>,
    /// The starting points: nodes without incoming transitions, the start first.
    pub(super) roots: Vec<usize>,
}

impl OutlineOrder {
    pub(super) fn of(picture: &Picture) -> OutlineOrder {
        let n_nodes = picture.nodes.len();
        let mut ways: Vec<Vec<OutlineWay>> = vec![Vec::new(); n_nodes];
        let mut errors = vec![Vec::new(); n_nodes];
        let mut has_source = vec![false; n_nodes];
        let mut places: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for arrow in &picture.arrows {
            has_source[arrow.to] = true;
            if arrow.kind == ArrowKind::Error {
                errors[arrow.from].push(arrow.to);
                continue;
            }
            let ways = &mut ways[arrow.from];
            let place = *places.entry((arrow.from, arrow.to)).or_insert(ways.len());
            if place == ways.len() {
                ways.push(OutlineWay {
                    to: arrow.to,
                    labels: Vec::new(),
                    is_taken: false,
                });
            }
            ways[place].labels.extend(arrow.label.clone());
            ways[place].is_taken |= arrow.is_taken;
        }
        let mut roots: Vec<usize> = (0..n_nodes)
            .filter(|&node| picture.nodes[node].shape == Shape::Start)
            .collect();
        if roots.is_empty() {
            let reached = (0..n_nodes).filter(|&node| picture.nodes[node].is_reached);
            roots.extend(reached.filter(|&node| !has_source[node]));
        }
        OutlineOrder {
            meetings: meetings(picture, &ways),
            ways,
            errors,
            roots,
        }
    }
}

/// The immediate post-dominator of each node, if there is one (Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm).
fn meetings(picture: &Picture, ways: &[Vec<OutlineWay>]) -> Vec<Option<usize>> {
    let n_nodes = picture.nodes.len();
    let exit = n_nodes;
    let is_kill = |way: &&OutlineWay| picture.nodes[way.to].shape != Shape::Kill;
    let targets: Vec<Vec<usize>> = ways
        .iter()
        .map(|ways| {
            let targets: Vec<usize> = ways.iter().filter(is_kill).map(|way| way.to).collect();
            if targets.is_empty() {
                vec![exit]
            } else {
                targets
            }
        })
        .collect();
    let mut sources: Vec<Vec<usize>> = vec![Vec::new(); n_nodes + 1];
    for (from, targets) in targets.iter().enumerate() {
        for &to in targets {
            sources[to].push(from);
        }
    }
    // In reverse postorder of the reversed graph, from a virtual exit node.
    let mut postorder = Vec::with_capacity(n_nodes + 1);
    let mut is_seen = vec![false; n_nodes + 1];
    let mut open = vec![(exit, 0)];
    is_seen[exit] = true;
    while let Some((node, at)) = open.last_mut() {
        match sources[*node].get(*at) {
            Some(&source) => {
                *at += 1;
                if !std::mem::replace(&mut is_seen[source], true) {
                    open.push((source, 0));
                }
            }
            None => {
                postorder.push(*node);
                open.pop();
            }
        }
    }
    let mut numbers = vec![0; n_nodes + 1];
    for (number, &node) in postorder.iter().enumerate() {
        numbers[node] = number;
    }
    let mut found: Vec<Option<usize>> = vec![None; n_nodes + 1];
    found[exit] = Some(exit);
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &node in postorder.iter().rev().filter(|node| **node != exit) {
            let known = targets[node]
                .iter()
                .copied()
                .filter(|to| found[*to].is_some());
            let meeting = known.reduce(|left, right| meet(&found, &numbers, left, right));
            if meeting.is_some() && found[node] != meeting {
                found[node] = meeting;
                is_changed = true;
            }
        }
    }
    found.truncate(n_nodes);
    found
        .into_iter()
        .map(|meeting| meeting.filter(|meeting| *meeting != exit))
        .collect()
}

fn meet(found: &[Option<usize>], numbers: &[usize], left: usize, right: usize) -> usize {
    let (mut left, mut right) = (left, right);
    while left != right {
        let below = if numbers[left] < numbers[right] {
            &mut left
        } else {
            &mut right
        };
        match found[*below] {
            Some(meeting) => *below = meeting,
            None => break,
        }
    }
    left
}
