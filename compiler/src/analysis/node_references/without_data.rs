//! Nodes that never have the data or the counters that they are asked for, and those that have them.

use hpdlc_core::el::functions::Dialect;

use super::finder::Reference;
use crate::{
    analysis::action_types::{self, ActionOutput, JOBS_KEY},
    lints::nodes_without_data::{AskedResult, NodeWithoutData},
    model::{Action, Node, NodeId, NodeKind, Property, WorkflowApp},
};

/// The property that makes a `pig` action record its counters (trap T41 of the semantics reference).
const STATS: &str = "oozie.action.external.stats.write";

/// How many nodes that have what was asked for are named.
const MOST_NAMED: usize = 3;

/// Finds references that never have a result.
pub(super) struct WithoutData<'a> {
    app: &'a WorkflowApp,
    /// The nodes that have data, and those that have counters, in document order, once they are needed.
    with_data: Option<Vec<NodeId>>,
    with_counters: Option<Vec<NodeId>>,
}

impl<'a> WithoutData<'a> {
    pub(super) fn new(app: &'a WorkflowApp) -> WithoutData<'a> {
        WithoutData {
            app,
            with_data: None,
            with_counters: None,
        }
    }

    pub(super) fn check(&mut self, reference: &Reference) -> Option<NodeWithoutData> {
        let app = self.app;
        let target = app.node(reference.target);
        let (asked, why) = match reference.function.as_str() {
            "wf:actionData" => without_data(target, reference.key.as_deref())?,
            "hadoop:counters" => (AskedResult::Counters, without_counters(app, target)?),
            _ => return None,
        };
        let with = match asked {
            AskedResult::Data | AskedResult::Key => self
                .with_data
                .get_or_insert_with(|| nodes(app, &has_own_data)),
            AskedResult::Counters => self
                .with_counters
                .get_or_insert_with(|| nodes(app, &|node| has_counters(app, node))),
        };
        // Those before the expression, the nearest first, were more probably meant than those after it.
        let after = with.partition_point(|node| *node < reference.node);
        let (before, after) = with.split_at(after);
        let others = before.iter().rev().chain(after);
        let others = others.filter(|node| **node != reference.node && **node != reference.target);
        Some(NodeWithoutData {
            place: reference.place,
            node: target.name.value.clone(),
            node_place: target.name.span,
            asked,
            why,
            others: others
                .take(MOST_NAMED)
                .map(|node| app.node(*node).name.value.clone())
                .collect(),
        })
    }
}

fn nodes(app: &WorkflowApp, is_wanted: &dyn Fn(&Node) -> bool) -> Vec<NodeId> {
    let nodes = app.nodes.iter().filter(|node| is_wanted(node));
    nodes.map(|node| node.id).collect()
}

/// Whether the node certainly captures what its program prints.
fn has_own_data(node: &Node) -> bool {
    let NodeKind::Action(action) = &node.kind else {
        return false;
    };
    let own = action_types::of(&action.kind);
    own.is_some_and(|own| own.data() == ActionOutput::Captured(true))
}

fn has_counters(app: &WorkflowApp, node: &Node) -> bool {
    matches!(node.kind, NodeKind::Action(_)) && without_counters(app, node).is_none()
}

/// Why the node never has data, if so, or none with this key.
fn without_data(node: &Node, key: Option<&str>) -> Option<(AskedResult, String)> {
    let action = match &node.kind {
        NodeKind::Action(action) => action,
        NodeKind::Start(_)
        | NodeKind::End(_)
        | NodeKind::Kill(_)
        | NodeKind::Decision(_)
        | NodeKind::Fork(_)
        | NodeKind::Join(_) => {
            let why = format!("a `{}` leaves no data", node.kind.element());
            return Some((AskedResult::Data, why));
        }
    };
    let data = action_types::of(&action.kind).map_or(ActionOutput::Perhaps, |it| it.data());
    let name = action.kind.name();
    match data {
        ActionOutput::Never => {
            let why = format!("`{name}` actions leave no data");
            Some((AskedResult::Data, why))
        }
        ActionOutput::Captured(false) => {
            Some((AskedResult::Data, "it has no `capture-output`".to_owned()))
        }
        ActionOutput::Jobs => key.filter(|key| *key != JOBS_KEY).map(|_| {
            let why = format!(
                "`{name}` actions leave only `{JOBS_KEY}`, the ids of the jobs that they start"
            );
            (AskedResult::Key, why)
        }),
        ActionOutput::Captured(true) | ActionOutput::Perhaps => None,
    }
}

/// Why the node never has counters, if so.
fn without_counters(app: &WorkflowApp, node: &Node) -> Option<String> {
    let NodeKind::Action(action) = &node.kind else {
        return Some(format!("a `{}` has no counters", node.kind.element()));
    };
    let name = action.kind.name();
    if action_types::of(&action.kind).is_some_and(|it| !it.has_counters()) {
        return Some(format!("`{name}` actions have no counters"));
    }
    let is_pig = name == "pig" && app.dialect == Dialect::Oozie;
    (is_pig && !may_write_stats(app, action))
        .then(|| format!("`pig` actions have counters only where `{STATS}` is `true`"))
}

/// Whether the configuration of the action may set [`STATS`].
fn may_write_stats(app: &WorkflowApp, action: &Action) -> bool {
    let own = action.kind.settings().into_iter();
    let global = app.global.iter().map(|global| &global.configuration);
    own.map(|settings| &settings.configuration)
        .chain(global)
        .flat_map(|configuration| &configuration.properties)
        .chain(&app.config_default)
        .any(may_be_stats)
}

fn may_be_stats(property: &Property) -> bool {
    let may_be_it = property.name.literal().is_none_or(|name| name == STATS);
    may_be_it
        && property
            .value
            .literal()
            .is_none_or(|value| value.trim() == "true")
}
