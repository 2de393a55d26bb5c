//! Paths that one action deletes or moves and another one uses: in another branch of the same fork, or later. Also moves between
//! file systems.
//!
//! Paths are compared by their values where these are the same in every job, and otherwise as they are written.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    analysis::{fork_join::Pairing, graph::Graph, known_values::KnownValues},
    diagnostics::Sink,
    lints::{
        deleted_inputs::DeletedInput, fork_path_conflicts::ForkPathConflict,
        moves_between_file_systems::MoveBetweenFileSystems,
    },
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp, action::fs::FsOperationKind},
};

mod path_uses;

use self::path_uses::{PathRole, PathUse, is_within};

/// How many pairs of uses are compared. More have a common cause.
const MOST_PAIRS: usize = 1000;

pub(crate) fn check(
    app: &WorkflowApp,
    graph: &Graph,
    pairing: &Pairing,
    known: &KnownValues,
    sink: &mut Sink,
) {
    moves(app, known, sink);
    let uses = path_uses::collect(app, known);
    if uses.is_empty() || graph.has_gaps() {
        return;
    }
    let mut by_path: Vec<&PathUse> = uses.iter().collect();
    by_path.sort_by(|one, other| one.path.cmp(&other.path));
    let mut n_pairs = 0;
    let mut branches = Branches::default();
    for removal in uses.iter().filter(|it| it.role.is_removal()) {
        let first = by_path.partition_point(|it| *it.path < *removal.path);
        let below = by_path[first..]
            .iter()
            .take_while(|it| it.path.starts_with(&*removal.path))
            .filter(|it| is_within(&it.path, &removal.path) && it.node != removal.node);
        for used in below {
            n_pairs += 1;
            if n_pairs > MOST_PAIRS {
                return;
            }
            if used.role.is_removal() {
                continue;
            }
            if let Some(fork) = branches.common_fork(app, graph, pairing, removal.node, used.node) {
                sink.emit(ForkPathConflict {
                    path: removal.path.clone().into_owned(),
                    removed: removal.span,
                    is_moved: removal.role == PathRole::Moved,
                    used: used.span,
                    nodes: [removal.node, used.node].map(|node| name(app, node)),
                    fork: name(app, fork),
                    fork_place: app.node(fork).name.span,
                });
            } else if removal.role == PathRole::Deleted
                && used.role == PathRole::Read
                && !is_written(&uses, removal, used)
                && let Some(way) = graph.shortest_way(removal.node, used.node)
            {
                sink.emit(DeletedInput {
                    path: used.path.clone().into_owned(),
                    used: used.span,
                    node: name(app, used.node),
                    deleted: removal.span,
                    deleted_path: removal.path.clone().into_owned(),
                    way: std::iter::once((name(app, removal.node), false))
                        .chain(
                            way.iter().map(|edge| {
                                (name(app, edge.to), edge.kind == TransitionKind::Error)
                            }),
                        )
                        .collect(),
                });
            }
        }
    }
}

fn name(app: &WorkflowApp, node: NodeId) -> String {
    app.node(node).name.value.clone()
}

/// Whether some other text names a path around what is read, below what is deleted: that action may write it again.
fn is_written(uses: &[PathUse<'_>], removal: &PathUse<'_>, used: &PathUse<'_>) -> bool {
    uses.iter().any(|it| {
        it.role == PathRole::Other
            && is_within(&it.path, &removal.path)
            && (is_within(&used.path, &it.path) || is_within(&it.path, &used.path))
    })
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
            let systems = [source, target].map(|path| {
                let text = known.text(path);
                text.and_then(|text| file_system(&text.value))
            });
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

/// The scheme and the authority of a URI, in lower case.
fn file_system(uri: &str) -> Option<String> {
    let (scheme, rest) = uri.trim().split_once("://")?;
    let authority = rest.split('/').next()?;
    Some(format!("{scheme}://{authority}").to_lowercase())
}
