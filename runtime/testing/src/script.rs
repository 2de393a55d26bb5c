//! What a test has said of its job: properties, answers, where it stops, what files there are.

use std::collections::{BTreeMap, BTreeSet};

use chrono::{DateTime, Utc};
use hpdlc_core::definition::NodeId;
use hpdlc_program::table::{App, NodeKind};

use crate::{
    answer::Answers,
    files::{Clusters, Files},
    names,
};

/// The script of a test. Nodes of children are named by their places: `report/count` is the node `count` of the child that `report` starts.
#[derive(Clone, Debug)]
pub(crate) struct Script {
    /// The site's settings.
    pub(crate) site: BTreeMap<String, String>,
    pub(crate) answers: BTreeMap<String, Answers>,
    pub(crate) stops: BTreeSet<String>,
    pub(crate) files: Files,
    pub(crate) clusters: Clusters,
    pub(crate) begin: DateTime<Utc>,
    pub(crate) is_strict: bool,
}

impl Script {
    /// The nodes of a job at which it stops; `prefix` is the place of the job, with a slash after it.
    pub(crate) fn stops_in(&self, app: &App, prefix: &str) -> BTreeSet<NodeId> {
        let nodes = app.nodes();
        let stops = nodes.filter(|(_, def)| self.stops.contains(&format!("{prefix}{}", def.name)));
        stops.map(|(node, _)| node).collect()
    }

    /// The first mistake in the names of nodes of a job's application.
    pub(crate) fn wrong_name(&self, app: &App, prefix: &str) -> Option<String> {
        let of_answers = self.answers.keys().map(|place| (place, "an answer"));
        let of_stops = self.stops.iter().map(|place| (place, "a suspension"));
        of_answers.chain(of_stops).find_map(|(place, what)| {
            let rest = place.strip_prefix(prefix)?;
            let (name, is_of_child) = match rest.split_once('/') {
                Some((name, _)) => (name, true),
                None => (rest, false),
            };
            let Some((_, def)) = app.nodes().find(|(_, def)| def.name == name) else {
                let problem = unknown_node(app, name);
                return Some(format!("{what} is for `{place}`, and {problem}"));
            };
            let action = match &def.kind {
                NodeKind::Action(action) => Some(action),
                NodeKind::Start
                | NodeKind::End
                | NodeKind::Kill { .. }
                | NodeKind::Fail { .. }
                | NodeKind::Decision { .. }
                | NodeKind::Fork { .. }
                | NodeKind::Join => None,
            };
            if is_of_child && action.is_none_or(|action| action.body.def().child().is_none()) {
                return Some(format!(
                    "{what} is for `{place}`, and `{name}` is no sub-workflow"
                ));
            }
            let is_answer = what == "an answer";
            (is_answer && action.is_none())
                .then(|| format!("an answer is for `{place}`, and only actions have one"))
        })
    }
}

/// That an application has no node of this name, and which it has.
pub(crate) fn unknown_node(app: &App, name: &str) -> String {
    let names = app.nodes().map(|(_, def)| def.name);
    let names: Vec<&str> = names.filter(|name| !name.starts_with(':')).collect();
    let hint = names::hint(name, &names);
    format!(
        "workflow {} has no node `{name}`{hint} Its nodes are {}",
        app.name.source(),
        names.join(", ")
    )
}
