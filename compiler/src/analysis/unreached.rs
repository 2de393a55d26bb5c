//! Mistakes in nodes that nothing reaches: Oozie does not look at them (`LiteWorkflowValidator`), so the application runs.

use crate::{
    analysis::{
        self, Facts,
        given::JobProperties,
        templates::{self, TemplatePhase},
    },
    diagnostics::{Diagnostic, Level, Sink},
    lints::unreachable_mistakes::UnreachableMistake,
    model::{Node, NodeId, WorkflowApp},
    source::Span,
};

/// Rules that Oozie applies only to nodes that it reaches: undefined targets, and what is wrong with expressions.
const OF_REACHED: [&str; 2] = ["H0301", "H04"];

/// If all errors are in nodes that nothing reaches, makes them a lint, and removes these nodes from the model. Returns the facts of what
/// is left.
pub fn without_unreached_mistakes(
    app: &mut WorkflowApp,
    facts: Facts,
    given: &JobProperties,
    sink: &mut Sink,
) -> Facts {
    let is_of_app = |it: &Diagnostic| it.file() == Some(app.file) && it.level == Level::Error;
    let unreached = |mistake: &Diagnostic| {
        let is_wanted = OF_REACHED
            .iter()
            .any(|beginning| mistake.rule.id().starts_with(beginning))
            && !is_of_submission(app, mistake);
        let node = node_of(app, mistake).filter(|node| is_wanted && !facts.is_reached(node.id));
        node.map(|node| node.name.value.clone())
    };
    let errors: Vec<&Diagnostic> = sink.iter().filter(|it| is_of_app(it)).collect();
    if errors.is_empty() || !errors.iter().all(|error| unreached(error).is_some()) {
        return facts;
    }
    for mistake in sink.take(|it| is_of_app(it) && unreached(it).is_some()) {
        let node = unreached(&mistake).unwrap_or_default();
        sink.emit(UnreachableMistake { mistake, node });
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

/// Whether the mistake is in a text of an action that Oozie evaluates at submission, whether the action is reached or not: its retries and
/// its SLA (`LiteWorkflowAppParser`, `SubmitXCommand`).
fn is_of_submission(app: &WorkflowApp, mistake: &Diagnostic) -> bool {
    let Some(place) = mistake.span() else {
        return false;
    };
    let is_around =
        |span: Span| span.file == place.file && span.start <= place.start && place.end <= span.end;
    // An expression that cannot be read is in no list of texts.
    let mut retries = app
        .actions()
        .flat_map(|(_, action)| [&action.retry.max, &action.retry.interval]);
    retries.any(|text| text.as_ref().is_some_and(|text| is_around(text.span)))
        || templates::collect(app).iter().any(|text| {
            matches!(text.phase, TemplatePhase::JobSubmit | TemplatePhase::Sla)
                && is_around(text.template.span)
        })
}

/// The node around the place of a diagnostic.
fn node_of<'a>(app: &'a WorkflowApp, mistake: &Diagnostic) -> Option<&'a Node> {
    let place = mistake.span()?;
    let at = app
        .nodes
        .partition_point(|node| node.tag_span.start <= place.start);
    app.nodes.get(at.checked_sub(1)?)
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
        // With another mistake, it is not certain what is reached.
        let other = format!("<start to='ende'/>{OLD}<end name='end'/>");
        let (n_nodes, said) = testing::without_unreached_mistakes(&other);
        assert_eq!(n_nodes, 3, "{said}");
        assert!(said.contains(" H0301 undefined node `nowhere`"), "{said}");
    }
}
