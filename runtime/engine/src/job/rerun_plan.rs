//! Plans a further run of a job that has ended: which nodes are not run again, and the consequences.
//!
//! Oozie's rules (`ReRunXCommand`): the given properties override the stored ones; either a list of nodes is skipped or all that ended OK;
//! a skipped node ends as it did, a skipped decision is not evaluated again. Control nodes have nothing to skip, so they always run.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::Write,
};

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome, Shape},
    status::ActionStatus,
};
use hpdlc_host::{
    comma_list,
    property_names::{FAIL_NODES, SKIP_NODES},
};
use hpdlc_program::table::{App, NodeKind};
use hpdlc_store::{ActionRow, SkipMark};
use serde::{Deserialize, Serialize};

use crate::job::format_outcome;

mod further_run;

pub use self::further_run::{Busy, PreparedRerun, action_above, busy, own, prepare, row};

/// Which nodes a rerun is asked to skip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RerunChoice {
    /// Every node runs again, as in Oozie 5.2.
    All,
    /// These are skipped.
    Skip(Vec<String>),
    /// Nodes that ended OK are skipped.
    FailedNodes,
}

/// The plan of a rerun.
#[derive(Debug)]
pub struct RerunPlan {
    /// Actions and decisions that are not run again, with their outcome.
    pub skipped: BTreeMap<String, Outcome>,
    /// The actions and decisions that the run may reach.
    pub nodes: Vec<PlannedNode>,
}

/// An action or a decision in a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlannedNode {
    pub name: String,
    pub what: Fate,
    /// What it did in the last run.
    pub why: String,
}

/// What a rerun does with a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fate {
    #[serde(rename = "run")]
    Runs,
    #[serde(rename = "may run")]
    MayRun,
    #[serde(rename = "skip")]
    Skipped,
}

impl Fate {
    fn word(self) -> &'static str {
        match self {
            Fate::Runs => "run",
            Fate::MayRun => "may run",
            Fate::Skipped => "skip",
        }
    }
}

/// The choice that the properties of a rerun make.
///
/// # Errors
///
/// Both kinds are given (E0404).
pub fn choice(conf: &BTreeMap<String, String>) -> Result<RerunChoice, String> {
    let names: Vec<String> = conf
        .get(SKIP_NODES)
        .into_iter()
        .flat_map(|names| comma_list::entries(names))
        .map(str::to_owned)
        .collect();
    let is_failed = conf
        .get(FAIL_NODES)
        .is_some_and(|text| text.trim() == "true");
    match (names.is_empty(), is_failed) {
        (false, true) => Err(format!(
            "{SKIP_NODES} and {FAIL_NODES} exclude each other: give one of them (E0404)"
        )),
        (false, false) => Ok(RerunChoice::Skip(names)),
        (true, true) => Ok(RerunChoice::FailedNodes),
        (true, false) => Ok(RerunChoice::All),
    }
}

/// The stored properties of a job without the options of its last run.
pub fn stored(conf: &str) -> BTreeMap<String, String> {
    let mut conf: BTreeMap<String, String> = serde_json::from_str(conf).unwrap_or_default();
    conf.remove(SKIP_NODES);
    conf.remove(FAIL_NODES);
    conf
}

/// Plans a run of `app` after the one that has left `rows`.
///
/// # Errors
///
/// All nodes that cannot be skipped: those that did not run (E0807), did not end OK or in ERROR (E0806), or whose transition no longer
/// exists in the definition.
pub fn plan(
    app: &App,
    rows: &[ActionRow],
    choice: &RerunChoice,
    run: i64,
) -> Result<RerunPlan, String> {
    let former: BTreeMap<&str, &ActionRow> = rows
        .iter()
        // Nodes that an earlier rerun kept and the last run did not reach were not run.
        .filter(|row| !row.skip.is_some_and(SkipMark::is_ahead))
        .map(|row| (row.name.as_str(), row))
        .collect();
    let mut problems = Vec::new();
    let names: Vec<String> = match choice {
        RerunChoice::All => Vec::new(),
        RerunChoice::Skip(names) => {
            let unknown: Vec<&str> = names
                .iter()
                .map(String::as_str)
                .filter(|name| !former.contains_key(name))
                .collect();
            if !unknown.is_empty() {
                problems.push(format!(
                    "cannot skip {}: the last run did not come to it (E0807)",
                    unknown.join(", ")
                ));
            }
            names.clone()
        }
        RerunChoice::FailedNodes => former
            .values()
            .filter(|row| row.status == ActionStatus::Ok)
            .map(|row| row.name.clone())
            .collect(),
    };
    let ids: BTreeMap<&str, NodeId> = app.nodes().map(|(id, def)| (def.name, id)).collect();
    let mut skipped = BTreeMap::new();
    for name in names {
        let Some(row) = former.get(name.as_str()) else {
            continue;
        };
        if !matches!(row.status, ActionStatus::Ok | ActionStatus::Error) {
            problems.push(format!(
                "cannot skip {name}: it is {}, and only what ended OK or in ERROR can be skipped (E0806)",
                row.status
            ));
            continue;
        }
        let is_asked_for = matches!(choice, RerunChoice::Skip(_));
        match ids.get(name.as_str()).map(|&id| way_out(app, id, row)) {
            Some(Ok(Some(outcome))) => {
                skipped.insert(name, outcome);
            }
            Some(Ok(None)) => {}
            // Nodes that ended OK and have changed since run again.
            Some(Err(_)) | None if !is_asked_for => {}
            Some(Err(problem)) => problems.push(format!("cannot skip {name}: {problem}")),
            None => problems.push(format!(
                "cannot skip {name}: this version of the workflow has no such node (E0807)"
            )),
        }
    }
    if !problems.is_empty() {
        return Err(problems.join("\n"));
    }
    let nodes = explain(app, &former, &skipped, run);
    Ok(RerunPlan { skipped, nodes })
}

/// The outcome of a node, by the present definition; `None` for control nodes.
fn way_out(app: &App, node: NodeId, row: &ActionRow) -> Result<Option<Outcome>, String> {
    match app.shape(node) {
        Shape::Action if row.status == ActionStatus::Error => Ok(Some(Outcome::Error)),
        Shape::Action => Ok(Some(Outcome::Ok)),
        Shape::Decision => {
            let target = row.transition.as_deref().unwrap_or_default();
            let way = cases(app, node).find(|&case| {
                let next = app.next(node, case);
                next.is_some_and(|next| app.node(next).name == target)
            });
            way.map(Some)
                .ok_or_else(|| format!("it went to {target}, and has no such case any more"))
        }
        Shape::Start
        | Shape::End
        | Shape::Kill
        | Shape::Fail
        | Shape::Fork { .. }
        | Shape::Join => Ok(None),
    }
}

fn cases(app: &App, node: NodeId) -> impl Iterator<Item = Outcome> {
    let n_cases = match app.node(node).kind {
        NodeKind::Decision { cases } => cases.len(),
        NodeKind::Start
        | NodeKind::End
        | NodeKind::Kill { .. }
        | NodeKind::Fail { .. }
        | NodeKind::Fork { .. }
        | NodeKind::Join
        | NodeKind::Action(_) => 0,
    };
    (0..=u32::try_from(n_cases).unwrap_or(u32::MAX)).map(Outcome::Case)
}

/// Follows the transitions from the start: those that are certain first, then those that depend on nodes that run.
fn explain(
    app: &App,
    former: &BTreeMap<&str, &ActionRow>,
    skipped: &BTreeMap<String, Outcome>,
    run: i64,
) -> Vec<PlannedNode> {
    let mut planned = Vec::new();
    let mut seen = BTreeSet::from([app.start]);
    let mut certain = VecDeque::from([app.start]);
    let mut possible = VecDeque::new();
    while let Some((node, is_certain)) = certain
        .pop_front()
        .map(|node| (node, true))
        .or_else(|| possible.pop_front().map(|node| (node, false)))
    {
        let name = app.node(node).name;
        let shape = app.shape(node);
        let kept = skipped.get(name);
        let ways: Vec<Outcome> = match (shape, kept) {
            (Shape::Action | Shape::Decision, Some(&outcome)) => vec![outcome],
            (Shape::Action, None) => vec![Outcome::Ok, Outcome::Error],
            (Shape::Decision, None) => cases(app, node).collect(),
            (Shape::Start, _) => vec![Outcome::Ok],
            (Shape::Join, _) => vec![Outcome::Joined],
            (Shape::Fork { branches, .. }, _) => (0..branches).map(Outcome::Branch).collect(),
            (Shape::End | Shape::Kill | Shape::Fail, _) => Vec::new(),
        };
        if matches!(shape, Shape::Action | Shape::Decision) {
            planned.push(PlannedNode {
                what: match (kept.is_some(), is_certain) {
                    (true, _) => Fate::Skipped,
                    (false, true) => Fate::Runs,
                    (false, false) => Fate::MayRun,
                },
                name: name.to_owned(),
                why: reason(former.get(name).copied(), run - 1),
            });
        }
        let is_open = kept.is_none() && matches!(shape, Shape::Action | Shape::Decision);
        for next in ways.into_iter().filter_map(|way| app.next(node, way)) {
            // A join waits for all its branches: one that runs makes it uncertain. It is settled after the last branch.
            if seen.insert(next) {
                if is_certain && !is_open && app.shape(next) != Shape::Join {
                    certain.push_back(next);
                } else {
                    possible.push_back(next);
                }
            }
        }
        if certain.is_empty() {
            settle_joins(app, skipped, &mut certain, &mut possible, &planned);
        }
    }
    planned
}

/// If nothing has to run before a join, its transition is certain.
fn settle_joins(
    app: &App,
    skipped: &BTreeMap<String, Outcome>,
    certain: &mut VecDeque<NodeId>,
    possible: &mut VecDeque<NodeId>,
    planned: &[PlannedNode],
) {
    let runs_something = planned.iter().any(|node| !skipped.contains_key(&node.name));
    if !runs_something {
        let (joins, others) = possible
            .drain(..)
            .partition(|&node| app.shape(node) == Shape::Join);
        *certain = joins;
        *possible = others;
    }
}

fn reason(row: Option<&ActionRow>, former: i64) -> String {
    let Some(row) = row else {
        return format!("did not run in run {former}");
    };
    let ran = row.run.unwrap_or(former);
    let mut why = format!("{} in run {ran}", row.status);
    if row.status == ActionStatus::Ok && row.type_name == "switch" {
        why = format!(
            "went to {} in run {ran}",
            row.transition.as_deref().unwrap_or("nowhere")
        );
    }
    if let (ActionStatus::Error | ActionStatus::Failed, Some(message)) =
        (row.status, &row.error_message)
    {
        why.push_str(": ");
        why.push_str(message.lines().next().unwrap_or_default());
    }
    why
}

impl RerunPlan {
    /// The skipped nodes in the store's format.
    pub fn stored_skips(&self) -> Vec<(String, String)> {
        self.skipped
            .iter()
            .map(|(name, outcome)| (name.clone(), format_outcome(*outcome)))
            .collect()
    }

    /// A line for each node that the run may reach.
    pub fn describe(&self) -> String {
        let width = self.nodes.iter().map(|node| node.name.len()).max();
        let width = width.unwrap_or_default();
        let mut text = String::new();
        for PlannedNode { name, what, why } in &self.nodes {
            let _ = writeln!(text, "  {:<7}  {name:<width$}  {why}", what.word());
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_choice(conf: &[(&str, &str)], expected: Result<RerunChoice, &str>) {
        let conf = conf
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let found = choice(&conf);
        match expected {
            Ok(expected) => assert_eq!(found, Ok(expected)),
            Err(code) => assert!(found.is_err_and(|words| words.contains(code))),
        }
    }

    #[test]
    fn either_a_list_or_the_failed_nodes_or_everything() {
        let skip =
            |names: &[&str]| RerunChoice::Skip(names.iter().map(|&n| n.to_owned()).collect());
        check_choice(&[], Ok(RerunChoice::All));
        check_choice(&[(SKIP_NODES, " a ,b,, c")], Ok(skip(&["a", "b", "c"])));
        check_choice(&[(SKIP_NODES, " , ")], Ok(RerunChoice::All));
        check_choice(&[(FAIL_NODES, "true")], Ok(RerunChoice::FailedNodes));
        check_choice(&[(FAIL_NODES, "false")], Ok(RerunChoice::All));
        check_choice(
            &[(FAIL_NODES, "false"), (SKIP_NODES, "a")],
            Ok(skip(&["a"])),
        );
        check_choice(&[(FAIL_NODES, "true"), (SKIP_NODES, "a")], Err("E0404"));
    }

    #[test]
    fn what_a_run_was_asked_is_not_asked_of_the_next() {
        let conf = format!(r#"{{"a":"1","{SKIP_NODES}":"x","{FAIL_NODES}":"true"}}"#);
        let expected = BTreeMap::from([("a".to_owned(), "1".to_owned())]);
        assert_eq!(stored(&conf), expected);
    }
}
