//! Mistakes in nodes that nothing reaches: Oozie does not look at them (`LiteWorkflowValidator`), so the application runs.

use crate::{
    analysis::{
        self, Facts,
        entered::node_around,
        given::JobProperties,
        templates::{self, TemplatePhase},
    },
    diagnostics::{Diagnostic, Level, Sink},
    lints::unreachable_mistakes::{UnreachableMistake, WhyUnreached},
    model::{Node, NodeId, WorkflowApp},
    source::Span,
};

/// Rules that Oozie applies only to nodes that it enters: undefined targets, expressions, and values of actions. Not among them are what
/// it finds when it reads the document, credentials, and times of SLA blocks.
const OF_REACHED: [&str; 17] = [
    "H0301",
    "H04",
    "H0511",
    "H0601",
    "H0602",
    "H0603",
    "H0604",
    "H0605",
    "H0606",
    "H0607",
    "H0608",
    "H0610",
    "H0612",
    "H0614",
    "H0812",
    "empty_path_parts",
    "malformed_fs_values",
];

/// Rules about the graph: after such a mistake it is not certain what is reached.
const OF_GRAPH: &str = "H03";

/// Makes a lint of the mistakes in nodes that nothing reaches, and removes these nodes from the model. Returns the facts of what is left.
///
/// All of the nodes stay, with their mistakes, if it is not certain what is reached.
pub fn without_unreached_mistakes(
    app: &mut WorkflowApp,
    facts: Facts,
    given: &JobProperties,
    sink: &mut Sink,
) -> Facts {
    let is_of_app = |it: &Diagnostic| it.file() == Some(app.file) && it.level == Level::Error;
    if facts.is_reached.iter().all(|it| *it) || !sink.iter().any(is_of_app) {
        return facts;
    }
    let at_submission = texts_of_submission(app);
    let unreached = |mistake: &Diagnostic| -> Option<&Node> {
        let id = mistake.rule.id();
        let is_wanted = OF_REACHED.iter().any(|rule| id.starts_with(rule));
        let place = mistake.span().filter(|_| is_wanted)?;
        let node = node_around(app, place).filter(|node| !facts.is_reached(node.id))?;
        (!is_within(&at_submission, place)).then_some(node)
    };
    let is_about_graph = |mistake: &Diagnostic| {
        mistake.rule.id().starts_with(OF_GRAPH) && unreached(mistake).is_none()
    };
    if !is_certain(&facts) || sink.iter().any(|it| is_of_app(it) && is_about_graph(it)) {
        return facts;
    }
    let softened = sink.take(|it| is_of_app(it) && unreached(it).is_some());
    if softened.is_empty() {
        return facts;
    }
    for mistake in softened {
        let node = unreached(&mistake).map(|node| node.name.value.clone());
        sink.emit(UnreachableMistake {
            mistake,
            node: node.unwrap_or_default(),
            why: WhyUnreached::NoTransition,
        });
    }
    let is_reached = facts.is_reached;
    let mut index = 0;
    app.nodes.retain(|_| {
        index += 1;
        is_reached[index - 1]
    });
    for (index, node) in (0..).zip(&mut app.nodes) {
        node.id = NodeId(index);
    }
    // What is wrong with the other nodes has been reported.
    analysis::workflow(app, given, &mut Sink::default())
}

/// Whether no transition is missing between the nodes that are reached.
fn is_certain(facts: &Facts) -> bool {
    let mut reached = (0..)
        .map(NodeId)
        .zip(&facts.is_reached)
        .filter(|(_, is_reached)| **is_reached);
    facts.graph.start().is_some() && !reached.any(|(node, _)| facts.graph.is_incomplete(node))
}

/// The texts of actions that Oozie evaluates at submission, whether an action is reached or not, by their places: retries and SLA blocks
/// (`LiteWorkflowAppParser`, `SubmitXCommand`).
fn texts_of_submission(app: &WorkflowApp) -> Vec<Span> {
    // An expression that cannot be read is in no list of texts.
    let retries = app
        .actions()
        .flat_map(|(_, action)| [&action.retry.max, &action.retry.interval])
        .flatten()
        .map(|text| text.span);
    let texts = templates::collect(app).into_iter();
    let mut spans: Vec<Span> = texts
        .filter(|text| matches!(text.phase, TemplatePhase::JobSubmit | TemplatePhase::Sla))
        .map(|text| text.template.span)
        .chain(retries)
        .filter(|span| span.file == app.file)
        .collect();
    spans.sort_by_key(|span| span.start);
    spans
}

/// Whether a place is in one of the sorted texts.
fn is_within(texts: &[Span], place: Span) -> bool {
    let at = texts.partition_point(|text| text.start <= place.start);
    at.checked_sub(1)
        .is_some_and(|at| texts[at].contains(place))
}

#[cfg(test)]
mod tests {
    use crate::analysis::testing;

    #[test]
    fn mistakes_of_unreached_nodes_are_warnings() {
        const OLD: &str = "<action name='old'><fs><mkdir path='file:/${x.y}'/></fs><ok to='nowhere'/><error to='end'/></action>";
        let all = format!("<start to='end'/>{OLD}<end name='end'/>");
        let (n_nodes, said) = testing::without_unreached_mistakes(&all);
        assert_eq!(n_nodes, 2, "{said}");
        assert!(!said.contains(" H0"), "{said}");
        assert_eq!(said.matches("unreachable_mistakes").count(), 2, "{said}");
        // A mistake in a node that is reached stays one.
        let reached = format!(
            "<start to='a'/><action name='a'><fs><mkdir path='file:/${{a.b}}'/></fs><ok to='end'/><error to='end'/></action>{OLD}<end name='end'/>"
        );
        let (n_nodes, said) = testing::without_unreached_mistakes(&reached);
        assert_eq!(n_nodes, 3, "{said}");
        assert_eq!(said.matches(" H0414").count(), 1, "{said}");
        assert_eq!(said.matches("unreachable_mistakes").count(), 2, "{said}");
        // With one in a transition, it is not certain what is reached.
        let other = format!("<start to='ende'/>{OLD}<end name='end'/>");
        let (n_nodes, said) = testing::without_unreached_mistakes(&other);
        assert_eq!(n_nodes, 3, "{said}");
        assert!(said.contains(" H0301 undefined node `nowhere`"), "{said}");
    }
}
