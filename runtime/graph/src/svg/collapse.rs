//! Collapses parts of a picture that is too large: the nodes between a fork and its join, the smallest groups first, then chains
//! of actions. Each becomes one box with the number of its nodes by type.

use std::collections::{BTreeMap, BTreeSet};

use crate::picture::{Arrow, ArrowKind, Look, NodeState, Picture, PictureNode, Shape};

/// The minimum length of a collapsed piece of a chain.
const LEAST_PIECE: usize = 3;

/// The number of visits between forks and joins, per node of the picture: with nested forks, each would visit everything inside
/// it.
const MOST_LOOKS: usize = 64;

/// The maximum number of action types named in a box.
const MAX_TYPES: usize = 3;

/// `picture` with at most about `limit` nodes, as far as it can be collapsed.
pub fn collapsed(picture: &Picture, limit: usize) -> Picture {
    if picture.nodes.len() <= limit {
        return picture.clone();
    }
    let mut folding = Folding::new(picture);
    folding.fold_branches(limit);
    if folding.n_left > limit {
        folding.fold_chains(limit);
    }
    folding.finish()
}

struct Folding<'a> {
    picture: &'a Picture,
    /// By node: the targets of non-error arrows, and their sources.
    targets: Vec<Vec<usize>>,
    sources: Vec<Vec<usize>>,
    is_error_target: Vec<bool>,
    /// By node: the first node of the group that it is collapsed into.
    folded_into: Vec<Option<usize>>,
    n_left: usize,
}

impl<'a> Folding<'a> {
    fn new(picture: &'a Picture) -> Folding<'a> {
        let n_nodes = picture.nodes.len();
        let mut folding = Folding {
            picture,
            targets: vec![Vec::new(); n_nodes],
            sources: vec![Vec::new(); n_nodes],
            is_error_target: vec![false; n_nodes],
            folded_into: vec![None; n_nodes],
            n_left: n_nodes,
        };
        for arrow in &picture.arrows {
            match arrow.kind {
                ArrowKind::Flow => {
                    folding.targets[arrow.from].push(arrow.to);
                    folding.sources[arrow.to].push(arrow.from);
                }
                ArrowKind::Error => folding.is_error_target[arrow.to] = true,
            }
        }
        folding
    }

    fn fold_branches(&mut self, limit: usize) {
        let mut ends: BTreeMap<usize, (Option<usize>, Option<usize>)> = BTreeMap::new();
        for (number, node) in self.picture.nodes.iter().enumerate() {
            if let Some(pair) = node.pair {
                let ends = ends.entry(pair).or_default();
                match node.shape {
                    Shape::Fork => ends.0 = Some(number),
                    Shape::Join => ends.1 = Some(number),
                    Shape::Start
                    | Shape::End
                    | Shape::Kill
                    | Shape::Decision
                    | Shape::Action(_)
                    | Shape::Schedule
                    | Shape::Dataset
                    | Shape::Event
                    | Shape::Logic
                    | Shape::Application
                    | Shape::Block => {}
                }
            }
        }
        let mut n_looks = MOST_LOOKS * self.picture.nodes.len();
        // Inner forks, which come later in most documents, come before outer ones.
        let mut insides: Vec<BTreeSet<usize>> = ends
            .into_values()
            .rev()
            .filter_map(|(fork, join)| self.inside(fork?, join?, &mut n_looks))
            .filter(|inside| inside.len() > 1)
            .collect();
        insides.reverse();
        insides.sort_by_key(BTreeSet::len);
        for inside in insides {
            if self.n_left <= limit {
                return;
            }
            self.fold(inside);
        }
    }

    /// The nodes between a fork and its join, if no other transition leads into or out of them, and if the search needs at most
    /// `n_looks` visits.
    fn inside(&self, fork: usize, join: usize, n_looks: &mut usize) -> Option<BTreeSet<usize>> {
        let mut inside = BTreeSet::new();
        let mut open = self.targets[fork].clone();
        while let Some(node) = open.pop() {
            *n_looks = n_looks.checked_sub(1)?;
            let is_kill = self.picture.nodes[node].shape == Shape::Kill;
            if node != join && !is_kill && inside.insert(node) {
                open.extend(&self.targets[node]);
            }
        }
        let is_closed = inside.iter().all(|&node| {
            !self.is_error_target[node]
                && self.sources[node]
                    .iter()
                    .all(|source| *source == fork || inside.contains(source))
        });
        is_closed.then_some(inside)
    }

    /// Collapses chains of actions, in pieces that are as short as the limit allows.
    fn fold_chains(&mut self, limit: usize) {
        let piece = LEAST_PIECE.max((2 * self.n_left).div_ceil(limit.max(1)));
        for first in 0..self.picture.nodes.len() {
            let begins = self.is_link(first)
                && !matches!(self.sources[first].as_slice(), [source] if self.is_link(*source));
            if !begins {
                continue;
            }
            let mut chain = vec![first];
            while let [next] = self.targets[chain[chain.len() - 1]][..] {
                // A cycle consisting only of actions has no beginning, so this terminates.
                if !self.is_link(next) {
                    break;
                }
                chain.push(next);
            }
            for members in chain.chunks(piece) {
                if members.len() > 1 {
                    self.fold(members.iter().copied().collect());
                }
            }
        }
    }

    /// An action with one incoming and one outgoing transition.
    fn is_link(&self, node: usize) -> bool {
        matches!(self.picture.nodes[node].shape, Shape::Action(_))
            && self.folded_into[node].is_none()
            && !self.is_error_target[node]
            && self.sources[node].len() == 1
            && self.targets[node].len() == 1
    }

    /// Collapses `members` into one box; some of them may be collapsed already.
    fn fold(&mut self, members: BTreeSet<usize>) {
        let Some(&first) = members.first() else {
            return;
        };
        let n_before: BTreeSet<usize> = members
            .iter()
            .map(|&member| self.folded_into[member].unwrap_or(member))
            .collect();
        self.n_left -= n_before.len() - 1;
        for member in members {
            self.folded_into[member] = Some(first);
        }
    }

    fn finish(self) -> Picture {
        let mut members: BTreeMap<usize, Vec<&PictureNode>> = BTreeMap::new();
        for (number, into) in self.folded_into.iter().enumerate() {
            if let Some(first) = into {
                members
                    .entry(*first)
                    .or_default()
                    .push(&self.picture.nodes[number]);
            }
        }
        let mut places = vec![0; self.picture.nodes.len()];
        let mut nodes = Vec::with_capacity(self.n_left);
        for (number, node) in self.picture.nodes.iter().enumerate() {
            match self.folded_into[number] {
                Some(first) if first != number => places[number] = places[first],
                Some(_) | None => {
                    places[number] = nodes.len();
                    nodes.push(match members.get(&number) {
                        Some(members) => block(members),
                        None => node.clone(),
                    });
                }
            }
        }
        let mut seen = BTreeSet::new();
        let mut arrows: Vec<Arrow> = Vec::new();
        for arrow in &self.picture.arrows {
            let (from, to) = (places[arrow.from], places[arrow.to]);
            let is_folded = [arrow.from, arrow.to].map(|end| self.folded_into[end].is_some());
            let is_inside = from == to && arrow.from != arrow.to;
            if is_inside || (is_folded.contains(&true) && !seen.insert((from, to, arrow.kind))) {
                continue;
            }
            arrows.push(Arrow {
                from,
                to,
                kind: arrow.kind,
                // A condition is meaningless if its decision is not shown.
                label: arrow.label.clone().filter(|_| !is_folded[0]),
                is_taken: arrow.is_taken,
            });
        }
        Picture {
            title: self.picture.title.clone(),
            nodes,
            arrows,
        }
    }
}

fn block(members: &[&PictureNode]) -> PictureNode {
    let mut types: BTreeMap<&str, usize> = BTreeMap::new();
    for member in members {
        if let Some(subtitle) = &member.subtitle {
            *types.entry(subtitle).or_default() += 1;
        }
    }
    let mut types: Vec<(&str, usize)> = types.into_iter().collect();
    types.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut named: Vec<String> = types
        .iter()
        .take(MAX_TYPES)
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if types.len() > MAX_TYPES {
        named.push("…".to_owned());
    }
    let first = members.first().map_or("", |member| member.name.as_str());
    PictureNode {
        name: first.to_owned(),
        shape: Shape::Block,
        title: format!("{} nodes", members.len()),
        subtitle: (!named.is_empty()).then(|| named.join(", ")),
        target: None,
        pair: None,
        is_reached: members.iter().any(|member| member.is_reached),
        is_supported: members.iter().all(|member| member.is_supported),
        state: state(members),
    }
}

/// The state of a box of several nodes: the look with the highest priority, and how many nodes have which look.
fn state(members: &[&PictureNode]) -> Option<NodeState> {
    let mut looks: BTreeMap<Look, usize> = BTreeMap::new();
    for state in members.iter().filter_map(|member| member.state.as_ref()) {
        *looks.entry(state.look).or_default() += 1;
    }
    const BY_URGENCY: [Look; 7] = [
        Look::Bad,
        Look::Stuck,
        Look::Running,
        Look::Waiting,
        Look::Killed,
        Look::Good,
        Look::Untouched,
    ];
    let look = BY_URGENCY
        .into_iter()
        .find(|look| looks.contains_key(look))?;
    let text: Vec<String> = looks
        .iter()
        .map(|(look, count)| format!("{count} {}", look.class()))
        .collect();
    Some(NodeState {
        look,
        text: text.join(", "),
    })
}
