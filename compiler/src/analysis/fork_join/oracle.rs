//! Test oracles: Oozie's algorithm step by step, and an enumeration of all paths.
//!
//! Both are exponential or recursive, and only for small graphs without cycles.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{NodeId, NodeKind, TransitionKind, WorkflowApp};

fn targets(app: &WorkflowApp, node: NodeId) -> Vec<(TransitionKind, NodeId)> {
    app.node(node)
        .targets()
        .map(|(kind, target)| {
            let to = app.node_named(&target.value).expect("all targets exist");
            (kind, to)
        })
        .collect()
}

fn start(app: &WorkflowApp) -> NodeId {
    app.node_named(":start:").expect("there is a start")
}

/// The verdict of `LiteWorkflowValidator.validateForkJoin` of Oozie 5.2.1: the code of the first error.
pub(super) fn oozie(app: &WorkflowApp) -> Option<&'static str> {
    let mut reached = BTreeSet::new();
    reach(app, start(app), &mut reached);
    let count = |is_kind: fn(&NodeKind) -> bool| {
        reached
            .iter()
            .filter(|&&node| is_kind(&app.node(node).kind))
            .count()
    };
    if count(|kind| matches!(kind, NodeKind::Fork(_)))
        != count(|kind| matches!(kind, NodeKind::Join(_)))
    {
        return Some("E0730");
    }
    let mut walk = Walk {
        app,
        join_owner: BTreeMap::new(),
        first_seen: BTreeMap::new(),
    };
    walk.visit(start(app), None, None, true).err()
}

fn reach(app: &WorkflowApp, node: NodeId, reached: &mut BTreeSet<NodeId>) {
    if reached.insert(node) {
        for (_, to) in targets(app, node) {
            reach(app, to, reached);
        }
    }
}

struct Walk<'a> {
    app: &'a WorkflowApp,
    join_owner: BTreeMap<NodeId, NodeId>,
    first_seen: BTreeMap<NodeId, Option<NodeId>>,
}

impl Walk<'_> {
    fn visit(
        &mut self,
        node: NodeId,
        fork: Option<NodeId>,
        decision: Option<NodeId>,
        is_ok: bool,
    ) -> Result<(), &'static str> {
        let kind = &self.app.node(node).kind;
        let is_last = matches!(kind, NodeKind::Join(_) | NodeKind::End(_));
        if is_ok && !is_last && !matches!(kind, NodeKind::Kill(_)) {
            match self.first_seen.get(&node) {
                None => {
                    self.first_seen.insert(node, decision);
                }
                Some(&first) if first.is_none() && decision.is_none() || first != decision => {
                    return Err("E0743");
                }
                Some(_) => {}
            }
        }
        let targets = targets(self.app, node);
        match kind {
            NodeKind::Start(_) => self.visit(targets[0].1, fork, decision, is_ok),
            NodeKind::Kill(_) => Ok(()),
            NodeKind::End(_) => match fork {
                Some(_) => Err("E0737"),
                None => Ok(()),
            },
            NodeKind::Action(_) => {
                self.visit(targets[0].1, fork, decision, is_ok)?;
                self.visit(targets[1].1, fork, decision, false)
            }
            NodeKind::Decision(_) => {
                for (_, to) in targets {
                    self.visit(to, fork, decision.or(Some(node)), is_ok)?;
                }
                Ok(())
            }
            NodeKind::Join(_) => {
                let fork = fork.ok_or("E0742")?;
                match *self.join_owner.entry(node).or_insert(fork) == fork {
                    true => Ok(()),
                    false => Err("E0758"),
                }
            }
            NodeKind::Fork(_) => {
                let mut seen = BTreeSet::new();
                for &(_, to) in &targets {
                    let is_exempt = matches!(
                        self.app.node(to).kind,
                        NodeKind::Join(_) | NodeKind::Kill(_)
                    );
                    if !seen.insert(to) && !is_exempt {
                        return Err("E0744");
                    }
                }
                for (_, to) in targets {
                    self.visit(to, Some(node), decision, is_ok)?;
                }
                let joins: Vec<NodeId> = self
                    .join_owner
                    .iter()
                    .filter(|(_, owner)| **owner == node)
                    .map(|(join, _)| *join)
                    .collect();
                match joins.as_slice() {
                    [] => Err("E0733"),
                    [join] => {
                        let after = self::targets(self.app, *join)[0].1;
                        self.visit(after, fork, decision, is_ok)
                    }
                    [..] => Err("E0757"),
                }
            }
        }
    }
}

/// What the paths from `start` show about the pairing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Paths {
    /// Some path reaches an end in a fork, or a join outside of any fork; or some fork has two joins, or some join two
    /// forks.
    pub(super) is_broken: bool,
    /// Some fork has no join.
    pub(super) has_unclosed_fork: bool,
}

/// Enumerates all paths, with the forks that are open on each.
pub(super) fn paths(app: &WorkflowApp) -> Paths {
    let mut pairs: BTreeSet<(NodeId, NodeId)> = BTreeSet::new();
    let mut forks: BTreeSet<NodeId> = BTreeSet::new();
    let mut result = Paths::default();
    let mut seen: BTreeSet<(NodeId, Vec<NodeId>)> = BTreeSet::new();
    let mut stack = vec![(start(app), Vec::new())];
    while let Some((node, mut open)) = stack.pop() {
        if !seen.insert((node, open.clone())) {
            continue;
        }
        match &app.node(node).kind {
            NodeKind::End(_) => result.is_broken |= !open.is_empty(),
            NodeKind::Join(_) => match open.pop() {
                Some(fork) => {
                    pairs.insert((fork, node));
                }
                None => result.is_broken = true,
            },
            NodeKind::Fork(_) => {
                forks.insert(node);
                open.push(node);
            }
            NodeKind::Start(_)
            | NodeKind::Kill(_)
            | NodeKind::Decision(_)
            | NodeKind::Action(_) => {}
        }
        stack.extend(
            targets(app, node)
                .into_iter()
                .map(|(_, to)| (to, open.clone())),
        );
    }
    let paired: BTreeSet<NodeId> = pairs.iter().map(|(fork, _)| *fork).collect();
    let joins: BTreeSet<NodeId> = pairs.iter().map(|(_, join)| *join).collect();
    result.is_broken |= paired.len() != pairs.len() || joins.len() != pairs.len();
    result.has_unclosed_fork = paired.len() != forks.len();
    result
}
