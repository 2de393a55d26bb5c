//! Whether every job runs a node.

use std::collections::BTreeMap;

use hpdlc_core::el::{
    ast::{Expr, ExprKind, Part},
    eval,
    functions::{self, Needs},
};

use crate::{
    analysis::graph::Graph,
    model::{Decision, NodeId, NodeKind, TransitionKind, WorkflowApp, action::SubWorkflow},
};

/// Whether every job in which no action fails runs `node`: no decision leads around it.
pub fn always_runs(app: &WorkflowApp, graph: &Graph, node: NodeId) -> bool {
    leads_to(app, graph, node, &|_| false)
}

/// Whether every job runs `node` in which no action fails, and which `child`, the action of the same workflow at `node`, has started:
/// every decision that could lead around it reads only properties that the child gets unchanged.
pub fn runs_again(app: &WorkflowApp, graph: &Graph, node: NodeId, child: &SubWorkflow) -> bool {
    let is_fixed = |decision: &Decision| {
        decision.cases.iter().all(|case| {
            let mut expressions = case.predicate.ast.expressions();
            !case.predicate.is_invalid && expressions.all(|expr| is_unchanged(app, child, expr))
        })
    };
    let mut is_before = vec![false; graph.n_nodes()];
    let mut open = vec![node];
    while let Some(at) = open.pop() {
        for edge in graph.edges_to(at) {
            if !std::mem::replace(&mut is_before[edge.from.index()], true) {
                open.push(edge.from);
            }
        }
    }
    // Behind a decision that may change its mind, others may be reached that no job has decided yet.
    let mut before = app.nodes.iter().filter(|node| is_before[node.id.index()]);
    before.all(|node| match &node.kind {
        NodeKind::Decision(decision) => is_fixed(decision),
        _ => true,
    }) && leads_to(app, graph, node, &is_fixed)
}

/// Whether the expression has the same value in the child: it reads properties alone, and the child gets them as they are.
fn is_unchanged(app: &WorkflowApp, child: &SubWorkflow, expr: &Expr) -> bool {
    if let Some(name) = eval::read_property(expr) {
        return is_passed_on(app, child, name);
    }
    let is_pure = match &expr.kind {
        ExprKind::Call { prefix, name, .. } => functions::find(prefix.as_deref(), name)
            .is_some_and(|function| function.needs == Needs::Nothing),
        _ => true,
    };
    is_pure
        && expr
            .children()
            .into_iter()
            .all(|expr| is_unchanged(app, child, expr))
}

fn is_passed_on(app: &WorkflowApp, child: &SubWorkflow, name: &str) -> bool {
    if !child.settings.job_xml.is_empty() {
        return false;
    }
    let global = app
        .global
        .iter()
        .flat_map(|global| &global.configuration.properties);
    let properties = global.chain(&child.settings.configuration.properties);
    let mut last = None;
    for property in properties {
        match property.name.literal() {
            Some(it) if it.trim() == name => last = Some(property),
            Some(_) => {}
            None => return false,
        }
    }
    let Some(property) = last else {
        return child.propagate_configuration;
    };
    match property.value.ast.parts.as_slice() {
        [Part::Expr(expr)] => eval::read_property(expr) == Some(name),
        _ => false,
    }
}

/// As [`always_runs`]; decisions that are `fixed` lead to `node` if one of their ways does.
fn leads_to(
    app: &WorkflowApp,
    graph: &Graph,
    node: NodeId,
    fixed: &dyn Fn(&Decision) -> bool,
) -> bool {
    let Some(start) = graph.start() else {
        return false;
    };
    // Whether a job that is at a node runs `node` afterwards; `None` while the nodes behind it are still open.
    let mut leads: BTreeMap<NodeId, Option<bool>> = BTreeMap::new();
    let mut open = vec![start];
    while let Some(&at) = open.last() {
        if at == node {
            leads.insert(at, Some(true));
        }
        if matches!(leads.get(&at), Some(Some(_))) {
            open.pop();
            continue;
        }
        let next: Vec<NodeId> = graph
            .edges_from(at)
            .iter()
            .filter(|edge| edge.kind != TransitionKind::Error)
            .map(|edge| edge.to)
            .collect();
        let is_first_visit = leads.insert(at, None).is_none();
        if is_first_visit {
            open.extend(next.iter().filter(|next| !leads.contains_key(next)));
            continue;
        }
        // A node that is still open here is part of a cycle, which has been reported.
        let mut known = next
            .iter()
            .map(|next| leads.get(next).copied().flatten() == Some(true));
        let answer = match &app.node(at).kind {
            NodeKind::Fork(_) => known.any(|leads| leads),
            NodeKind::Decision(decision) if fixed(decision) => known.any(|leads| leads),
            _ => !next.is_empty() && known.all(|leads| leads),
        };
        leads.insert(at, Some(answer));
        open.pop();
    }
    leads.get(&start).copied().flatten() == Some(true)
}

#[cfg(test)]
mod tests {
    use crate::analysis::testing;

    #[test]
    fn decisions_lead_around_and_forks_do_not() {
        const ACTION: &str = "<fs><mkdir path='file:/x'/></fs>";
        for (nodes, expected) in [
            (
                "<start to='a'/><action name='a'>A<ok to='end'/><error to='end'/></action>",
                true,
            ),
            (
                "<start to='b'/><action name='b'>A<ok to='end'/><error to='a'/></action><action name='a'>A<ok to='end'/><error to='end'/></action>",
                false,
            ),
            (
                "<start to='d'/><decision name='d'><switch><case to='a'>${x}</case><default to='end'/></switch></decision><action name='a'>A<ok to='end'/><error to='end'/></action>",
                false,
            ),
            (
                "<start to='d'/><decision name='d'><switch><case to='b'>${x}</case><default to='a'/></switch></decision><action name='b'>A<ok to='a'/><error to='a'/></action><action name='a'>A<ok to='end'/><error to='end'/></action>",
                true,
            ),
            (
                "<start to='f'/><fork name='f'><path start='a'/><path start='b'/></fork><action name='a'>A<ok to='j'/><error to='end'/></action><action name='b'>A<ok to='j'/><error to='end'/></action><join name='j' to='end'/>",
                true,
            ),
        ] {
            let nodes = nodes.replace(">A<", &format!(">{ACTION}<")) + "<end name='end'/>";
            assert_eq!(testing::always_runs(&nodes, "a"), expected, "{nodes}");
        }
    }
}
