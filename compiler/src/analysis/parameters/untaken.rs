//! Properties that only nodes read which the job does not enter with the given properties: Oozie evaluates the texts of a node when it
//! starts it.

use std::collections::BTreeSet;

use super::{PropertyUse, reads, undefined_property};
use crate::{
    analysis::{
        Facts,
        cycles::Reach,
        entered::{entered, node_around},
        given::JobProperties,
        graph::Graph,
        known_values::KnownValues,
        templates::{self, TemplatePhase, TemplateUse},
    },
    diagnostics::{Diagnostic, Sink},
    lints::unreachable_mistakes::{UnreachableMistake, WhyUnreached},
    model::WorkflowApp,
    source::Span,
};

/// The texts that a job with the given properties may evaluate; `None` if these are all, or if it is not certain.
pub(super) fn uses_of_job<'a>(
    app: &WorkflowApp,
    uses: &[TemplateUse<'a>],
    graph: &Graph,
    given: &JobProperties,
) -> Option<Vec<TemplateUse<'a>>> {
    let is_entered = entered(app, graph, &KnownValues::new(app, given))?;
    let is_of_job = |it: &&TemplateUse<'_>| {
        let is_at_submission = matches!(it.phase, TemplatePhase::JobSubmit | TemplatePhase::Sla);
        is_at_submission || it.node.is_none_or(|node| is_entered[node.index()])
    };
    let of_job: Vec<TemplateUse<'a>> = uses.iter().filter(is_of_job).copied().collect();
    (of_job.len() < uses.len()).then_some(of_job)
}

/// Makes a lint of what is undefined in `found` and not in `left`, which is about the texts of the job alone, and such a property
/// optional. What only nodes read that nothing reaches stays: these are judged with all of their mistakes.
pub(super) fn soften(
    app: &WorkflowApp,
    reach: &Reach,
    left: &mut Sink,
    properties: &mut [PropertyUse],
    found: &mut Sink,
) {
    let is_undefined = |it: &Diagnostic| it.rule.id() == undefined_property::CODE.id;
    let left = left.take(is_undefined);
    let names: BTreeSet<&str> = left.iter().map(|it| it.message.as_str()).collect();
    let mut untaken: BTreeSet<Span> = BTreeSet::new();
    for mistake in found.take(is_undefined) {
        if names.contains(mistake.message.as_str()) {
            continue;
        }
        let place = mistake.span();
        let node = place.and_then(|place| node_around(app, place));
        let Some(node) = node.filter(|node| reach.is_reached[node.id.index()]) else {
            found.emit(mistake);
            continue;
        };
        untaken.extend(place);
        found.emit(UnreachableMistake {
            mistake,
            node: node.name.value.clone(),
            why: WhyUnreached::Untaken,
        });
    }
    for property in properties {
        property.is_optional |= property.uses.iter().any(|place| untaken.contains(place));
    }
    // With the places where the job reads it.
    for mistake in left {
        found.emit(mistake);
    }
}

/// What a workflow needs, for a job with these properties: what only texts read that it does not evaluate is optional.
#[must_use]
pub fn needs_of_job(
    app: &WorkflowApp,
    facts: &Facts,
    mut needs: Vec<PropertyUse>,
    given: &JobProperties,
) -> Vec<PropertyUse> {
    let is_missing = |need: &PropertyUse| need.is_required() && !given.has(&need.name);
    if !given.is_complete || !needs.iter().any(is_missing) {
        return needs;
    }
    let uses = templates::collect(app);
    let Some(of_job) = uses_of_job(app, &uses, &facts.graph, given) else {
        return needs;
    };
    let reads = reads::by_property(&of_job, &|name: &str| given.has(name), &|_, _| false);
    for need in needs.iter_mut().filter(|need| is_missing(need)) {
        let reads = reads.get(&need.name).into_iter().flatten();
        // What is declared without a default has to be there (`ParameterVerifier`).
        need.is_optional |= !need.is_declared && reads.into_iter().all(|read| read.is_optional);
    }
    needs
}

/// The `app-path` texts of the sub-workflows that a job with these properties does not start.
pub fn sub_workflows_not_run(
    app: &WorkflowApp,
    facts: &Facts,
    given: &JobProperties,
) -> BTreeSet<Span> {
    if !given.is_complete || app.sub_workflows().next().is_none() {
        return BTreeSet::new();
    }
    let Some(is_entered) = entered(app, &facts.graph, &KnownValues::new(app, given)) else {
        return BTreeSet::new();
    };
    app.actions()
        .filter(|(node, _)| !is_entered[node.id.index()])
        .filter_map(|(_, action)| Some(action.kind.sub_workflow()?.app_path.span))
        .collect()
}
