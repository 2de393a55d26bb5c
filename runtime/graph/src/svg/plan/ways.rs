//! Counts the transitions of each node, which decide how they are drawn.

use std::collections::{BTreeMap, BTreeSet};

use crate::picture::{ArrowKind, Picture, Shape};

/// With at least this many errors to a node, marks are used instead of lines.
const MANY_ERRORS: usize = 3;

/// With at least this many decisions leading to one kill node, each gets a connector of its own.
const MANY_WAYS_OUT: usize = 3;

/// In a picture with at most this many nodes, a single line to a kill node is drawn.
const FEW_NODES: usize = 15;

/// The transitions by node.
pub(super) struct Ways {
    /// By node: errors that lead there are drawn as marks.
    pub is_marked: Vec<bool>,
    /// By node: other transitions that lead there end at a connector.
    pub is_connected: Vec<bool>,
    /// By node: the number of sources with an error but no other transition to it.
    pub n_errors: Vec<usize>,
    /// By node: the number of non-error arrows that leave it, or that lead to it, whichever is larger.
    pub n_branches: Vec<usize>,
}

impl Ways {
    pub fn of(picture: &Picture, flows: &BTreeSet<(usize, usize)>, all_lines: bool) -> Ways {
        let n_nodes = picture.nodes.len();
        let (mut n_errors, mut n_others, mut n_ways_out) =
            (vec![0; n_nodes], vec![0; n_nodes], vec![0; n_nodes]);
        for arrow in &picture.arrows {
            match arrow.kind {
                ArrowKind::Error if flows.contains(&(arrow.from, arrow.to)) => {}
                ArrowKind::Error => n_errors[arrow.to] += 1,
                ArrowKind::Flow => {
                    n_others[arrow.to] += 1;
                    n_ways_out[arrow.from] += 1;
                }
            }
        }
        let is_kill = |node: usize| picture.nodes[node].shape == Shape::Kill;
        let is_marked = (0..n_nodes)
            .map(|node| {
                let few = if n_nodes > FEW_NODES { 1 } else { 2 };
                let limit = if is_kill(node) { few } else { MANY_ERRORS };
                !all_lines && n_errors[node] >= limit
            })
            .collect();
        let is_connected = (0..n_nodes)
            .map(|node| !all_lines && is_kill(node) && n_others[node] >= MANY_WAYS_OUT)
            .collect();
        let mut n_branches: Vec<usize> = n_others
            .iter()
            .zip(n_ways_out)
            .map(|(&into, out)| out.max(into))
            .collect();
        equal_pairs(picture, &mut n_branches);
        Ways {
            is_marked,
            is_connected,
            n_errors,
            n_branches,
        }
    }
}

/// A fork and its join have the same width.
fn equal_pairs(picture: &Picture, n_branches: &mut [usize]) {
    let mut most: BTreeMap<usize, usize> = BTreeMap::new();
    for (node, n_branches) in picture.nodes.iter().zip(n_branches.iter()) {
        if let Some(pair) = node.pair {
            let most = most.entry(pair).or_default();
            *most = (*most).max(*n_branches);
        }
    }
    for (node, n_branches) in picture.nodes.iter().zip(n_branches) {
        if let Some(most) = node.pair.and_then(|pair| most.get(&pair)) {
            *n_branches = *most;
        }
    }
}
