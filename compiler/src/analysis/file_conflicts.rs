//! Paths that one action deletes or moves and another one uses: in another branch of the same fork, or later; and those that an
//! action itself needs after it has removed them. Also moves between file systems.
//!
//! Paths are compared by their values where these are the same in every job, and otherwise as they are written.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{
        fork_join::Pairing,
        graph::{Edge, Graph},
        known_values::KnownValues,
    },
    diagnostics::Sink,
    lints::{
        deleted_inputs::{DeletedInput, Deletion},
        fork_path_conflicts::ForkPathConflict,
        moves_between_file_systems::MoveBetweenFileSystems,
    },
    model::{NodeId, NodeKind, Template, TransitionKind, WorkflowApp, action::fs::FsOperationKind},
};

mod normal_paths;
mod path_uses;

use self::path_uses::{PathRole, PathUse};

/// How many pairs of uses are compared. More have a common cause.
const MOST_PAIRS: usize = 1000;

/// How many removed paths of one action its later operations are compared with.
const MOST_REMOVED: usize = 100;

pub(crate) fn check(
    app: &WorkflowApp,
    graph: &Graph,
    pairing: &Pairing,
    known: &KnownValues,
    sink: &mut Sink,
) {
    moves(app, known, sink);
    let uses = path_uses::collect(app, known);
    for operations in uses.operations.chunk_by(|one, next| one.node == next.node) {
        removed_sources(app, operations, sink);
    }
    if uses.all.is_empty() {
        return;
    }
    let mut by_path: Vec<&PathUse> = uses.all.iter().collect();
    // What names a path comes before what removes it, too.
    by_path.sort_by(|one, other| {
        let key = |it: &PathUse| it.role.is_removal();
        (&one.path.path, key(one)).cmp(&(&other.path.path, key(other)))
    });
    let mut n_pairs = 0;
    let mut branches = Branches::default();
    // Of the texts of an action, the first is enough.
    let mut reported = BTreeSet::new();
    for removal in uses.operations.iter().filter(|it| it.role.is_removal()) {
        let path = &*removal.path.path;
        let first = by_path.partition_point(|it| *it.path.path < *path);
        let below = by_path[first..]
            .iter()
            .take_while(|it| it.path.path.starts_with(path))
            .filter(|it| it.path.is_within(&removal.path));
        for used in below {
            if used.node == removal.node {
                if removal.role == PathRole::Cleared
                    && used.role == PathRole::Input
                    && !is_written(&uses.all, removal, used, |node| node == used.node)
                    && reported.insert((removal.span, used.node))
                {
                    sink.emit(deleted(app, removal, used, Deletion::Prepare));
                }
                continue;
            }
            n_pairs += 1;
            if n_pairs > MOST_PAIRS {
                return;
            }
            if graph.has_gaps() || !is_use(removal, used) {
                continue;
            }
            if let Some(fork) = branches.common_fork(app, graph, pairing, removal.node, used.node) {
                if reported.insert((removal.span, used.node)) {
                    sink.emit(ForkPathConflict {
                        path: removal.path.path.clone().into_owned(),
                        removed: removal.span,
                        is_moved: removal.role == PathRole::Moved,
                        used: used.span,
                        nodes: [removal.node, used.node].map(|node| name(app, node)),
                        fork: name(app, fork),
                        fork_place: app.node(fork).name.span,
                    });
                }
            } else if let Some(way) = way_without_writer(app, graph, &uses.all, removal, used) {
                let way = way.iter().map(|edge| {
                    let is_error = edge.kind == TransitionKind::Error;
                    (name(app, edge.to), is_error)
                });
                let way = std::iter::once((name(app, removal.node), false)).chain(way);
                let deletion = Deletion::Earlier { way: way.collect() };
                sink.emit(deleted(app, removal, used, deletion));
            }
        }
    }
}

fn name(app: &WorkflowApp, node: NodeId) -> String {
    app.node(node).name.value.clone()
}

fn deleted(
    app: &WorkflowApp,
    removal: &PathUse<'_>,
    used: &PathUse<'_>,
    deletion: Deletion,
) -> DeletedInput {
    DeletedInput {
        path: used.path.path.clone().into_owned(),
        used: used.span,
        is_moved: used.role == PathRole::Moved,
        node: name(app, used.node),
        deleted: removal.span,
        deleted_path: removal.path.path.clone().into_owned(),
        deletion,
    }
}

/// Whether an action that runs at the same time as a removal suffers from it.
fn is_use(removal: &PathUse<'_>, used: &PathUse<'_>) -> bool {
    match used.role {
        // What is deleted twice is gone as well; the second of two moves has nothing to move.
        PathRole::Deleted => false,
        PathRole::Moved => removal.role != PathRole::Moved,
        // The action clears the place of its output.
        PathRole::Cleared => used.path.path.len() > removal.path.path.len(),
        PathRole::Input | PathRole::Read | PathRole::Prepared | PathRole::Other => true,
    }
}

/// Whether some text of these nodes names a path around what is read, below what is deleted: the action may write it again.
fn is_written(
    uses: &[PathUse<'_>],
    removal: &PathUse<'_>,
    used: &PathUse<'_>,
    is_asked: impl Fn(NodeId) -> bool,
) -> bool {
    uses.iter().any(|it| {
        let is_writer = if it.node == used.node {
            // The action itself reads its input before it writes anything.
            it.role == PathRole::Prepared
        } else {
            it.role.may_write()
        };
        is_writer && is_asked(it.node) && it.path.is_within(&removal.path) && it.is_around(used)
    })
}

/// A way from an action that deletes a path to a later one that needs it, on which nothing writes it again.
///
/// A file of the application is hardly written by an action that does not name it. Other data may be, so for these no action on
/// the way may be able to.
fn way_without_writer(
    app: &WorkflowApp,
    graph: &Graph,
    uses: &[PathUse<'_>],
    removal: &PathUse<'_>,
    used: &PathUse<'_>,
) -> Option<Vec<Edge>> {
    match (removal.role, used.role) {
        (PathRole::Deleted | PathRole::Cleared, PathRole::Read) => {
            let is_written = uses.iter().any(|it| {
                it.role.may_write() && it.path.is_within(&removal.path) && it.is_around(used)
            });
            if is_written {
                return None;
            }
            graph.shortest_way(removal.node, used.node)
        }
        (PathRole::Deleted, PathRole::Input | PathRole::Moved) => {
            let way = graph.shortest_way(removal.node, used.node)?;
            let cannot_write = |node: NodeId| match &app.node(node).kind {
                NodeKind::Action(action) => {
                    action.kind.body().is_some_and(|body| !body.may_write())
                }
                // Other branches of the fork may have written it.
                NodeKind::Join(_) => false,
                _ => true,
            };
            let is_quiet = way.iter().all(|edge| {
                edge.kind != TransitionKind::Error
                    && (edge.to == used.node || cannot_write(edge.to))
            });
            let is_on_way = |node| node == removal.node || way.iter().any(|edge| edge.to == node);
            // An operation before the move, in the same action, writes as well.
            let is_made = used.role == PathRole::Moved
                && uses
                    .iter()
                    .any(|it| it.node == used.node && it.role.may_write() && it.is_around(used));
            let is_silent = is_quiet && !is_made && !is_written(uses, removal, used, is_on_way);
            is_silent.then_some(way)
        }
        _ => None,
    }
}

/// Reports a `move` of what an earlier operation of the same action has deleted or moved away: they are carried out in the order of
/// the document, and are not undone.
fn removed_sources(app: &WorkflowApp, operations: &[PathUse<'_>], sink: &mut Sink) {
    let mut removed: Vec<&PathUse> = Vec::new();
    let mut reported = BTreeSet::new();
    for it in operations {
        if it.role == PathRole::Moved
            && let Some(removal) = removed.iter().find(|gone| it.path.is_within(&gone.path))
            && reported.insert(removal.span)
        {
            let is_moved = removal.role == PathRole::Moved;
            sink.emit(deleted(app, removal, it, Deletion::Operation { is_moved }));
        }
        if it.role.may_write() {
            removed.retain(|gone| !gone.is_around(it));
        } else if it.role.is_removal() && removed.len() < MOST_REMOVED {
            removed.push(it);
        }
    }
}

/// The branch of each node between a fork and its join; `None` for a node of several branches.
type BranchOf = BTreeMap<NodeId, Option<usize>>;

/// The branches of each fork with a join, once they are asked for.
#[derive(Default)]
struct Branches {
    by_fork: Option<BTreeMap<NodeId, BranchOf>>,
}

impl Branches {
    /// A fork that runs the two nodes in different branches.
    fn common_fork(
        &mut self,
        app: &WorkflowApp,
        graph: &Graph,
        pairing: &Pairing,
        one: NodeId,
        other: NodeId,
    ) -> Option<NodeId> {
        let by_fork = self.by_fork.get_or_insert_with(|| {
            let pairs = pairing.iter();
            pairs
                .map(|(fork, join)| (fork, branches_of(app, graph, fork, join)))
                .collect()
        });
        let found = by_fork.iter().find(|(_, branches)| {
            let (one, other) = (branches.get(&one), branches.get(&other));
            matches!((one, other), (Some(Some(one)), Some(Some(other))) if one != other)
        });
        found.map(|(fork, _)| *fork)
    }
}

fn branches_of(app: &WorkflowApp, graph: &Graph, fork: NodeId, join: NodeId) -> BranchOf {
    let mut branches = BranchOf::new();
    for (branch, first) in graph.edges_from(fork).iter().enumerate() {
        let mut waiting = vec![first.to];
        let mut seen = BTreeSet::new();
        while let Some(node) = waiting.pop() {
            let is_end = matches!(app.node(node).kind, NodeKind::Kill(_) | NodeKind::End(_));
            if node == join || is_end || !seen.insert(node) {
                continue;
            }
            branches
                .entry(node)
                .and_modify(|of| *of = of.filter(|of| *of == branch))
                .or_insert(Some(branch));
            waiting.extend(graph.edges_from(node).iter().map(|edge| edge.to));
        }
    }
    branches
}

/// Reports moves whose target is on another file system than their source (`FsActionExecutor.move`, FS007).
fn moves(app: &WorkflowApp, known: &KnownValues, sink: &mut Sink) {
    for (_, action) in app.actions() {
        for operation in action
            .kind
            .body()
            .into_iter()
            .flat_map(|body| body.operations())
        {
            let FsOperationKind::Move { source, target } = operation else {
                continue;
            };
            let name_node = action.kind.settings().and_then(|it| it.name_node.as_ref());
            let from = known_system(source, known).or_else(|| {
                let is_bare = source.text.as_str().trim_start().starts_with('/');
                known_system(name_node.filter(|_| is_bare)?, known)
            });
            let systems = [from, known_system(target, known)];
            if let [Some(from), Some(to)] = systems
                && from != to
            {
                sink.emit(MoveBetweenFileSystems {
                    source: source.span,
                    target: target.span,
                    from,
                    to,
                });
            }
        }
    }
}

/// The scheme and the authority of a path that begins with both, in lower case.
fn known_system(path: &Template, known: &KnownValues) -> Option<String> {
    let (text, is_all) = known.beginning(path);
    let (scheme, rest) = text.trim().split_once("://")?;
    let authority = match rest.split_once('/') {
        Some((authority, _)) => authority,
        None if is_all => rest,
        None => return None,
    };
    Some(format!("{scheme}://{authority}").to_lowercase())
}
