//! Which nodes a job enters at most: those that nothing reaches, and those that only cases lead to which are never taken with the given
//! properties, are not evaluated by Oozie (`SignalXCommand`).

use crate::{
    analysis::{graph::Graph, known_values::KnownValues},
    model::{Decision, Node, NodeId, NodeKind, TransitionKind, WorkflowApp},
    source::Span,
};

/// By node, whether a job may enter it. `None` if a transition on the way has been reported and omitted, so that it is not known.
pub(crate) fn entered(app: &WorkflowApp, graph: &Graph, known: &KnownValues) -> Option<Vec<bool>> {
    let mut is_entered = vec![false; graph.n_nodes()];
    let mut waiting = vec![graph.start()?];
    while let Some(node) = waiting.pop() {
        if std::mem::replace(&mut is_entered[node.index()], true) {
            continue;
        }
        if graph.is_incomplete(node) {
            return None;
        }
        match &app.node(node).kind {
            NodeKind::Decision(decision) => waiting.extend(taken(decision, node, graph, known)),
            NodeKind::Start(_)
            | NodeKind::End(_)
            | NodeKind::Kill(_)
            | NodeKind::Fork(_)
            | NodeKind::Join(_)
            | NodeKind::Action(_) => {
                waiting.extend(graph.edges_from(node).iter().map(|edge| edge.to));
            }
        }
    }
    Some(is_entered)
}

/// The node around a place in the document.
pub(crate) fn node_around(app: &WorkflowApp, place: Span) -> Option<&Node> {
    if place.file != app.file {
        return None;
    }
    let at = app
        .nodes
        .partition_point(|node| node.tag_span.start <= place.start);
    app.nodes.get(at.checked_sub(1)?)
}

/// Where a decision may lead: the first case whose text is `true` ends the search (`DecisionActionExecutor`).
fn taken(decision: &Decision, node: NodeId, graph: &Graph, known: &KnownValues) -> Vec<NodeId> {
    let mut targets = Vec::new();
    for (case, at) in decision.cases.iter().zip(0..) {
        let text = known.certain_text(&case.predicate);
        let is_true = text.as_deref().map(|text| text.trim() == "true");
        if is_true != Some(false) {
            targets.extend(graph.target(node, TransitionKind::Case(at)));
        }
        if is_true == Some(true) {
            return targets;
        }
    }
    targets.extend(graph.target(node, TransitionKind::Default));
    targets
}

#[cfg(test)]
mod tests {
    use crate::analysis::{GivenProperty, JobProperties, testing};

    const NODES: &str = r#"<start to="pick"/>
<decision name="pick"><switch><case to="one">${kind eq 'one'}</case><default to="two"/></switch></decision>
<action name="one"><fs><mkdir path="${dirOne}"/></fs><ok to="end"/><error to="end"/></action>
<action name="two"><fs><mkdir path="${dirTwo}"/></fs><ok to="end"/><error to="end"/></action>
<end name="end"/>"#;

    #[track_caller]
    fn check(given: &[(&str, &str)], expected: &[&str]) {
        let property = |value: &str| GivenProperty {
            value: value.to_owned(),
            span: None,
        };
        let given = JobProperties {
            is_complete: true,
            properties: given
                .iter()
                .map(|(name, value)| ((*name).to_owned(), property(value)))
                .collect(),
            ..JobProperties::default()
        };
        let said = testing::short_diagnostics_given(NODES, &given);
        let ids: Vec<&str> = said
            .lines()
            .filter_map(|line| line.split_whitespace().nth(1))
            .collect();
        assert_eq!(ids, expected, "{said}");
    }

    #[test]
    fn a_branch_that_the_properties_do_not_take_needs_no_properties() {
        const OTHER: &str = "unreachable_mistakes";
        check(&[("kind", "one"), ("dirOne", "file:/a")], &[OTHER]);
        check(&[("kind", "one")], &["H0511", OTHER]);
        check(&[("kind", "two"), ("dirTwo", "file:/a")], &[OTHER]);
        // It is not known which one is taken.
        check(&[("dirOne", "file:/a")], &["H0511", "H0511"]);
    }
}
