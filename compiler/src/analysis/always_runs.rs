//! Whether every job runs a node.

use std::collections::BTreeMap;

use crate::{
    analysis::graph::Graph,
    model::{NodeId, NodeKind, TransitionKind, WorkflowApp},
};

/// Whether every job in which no action fails runs `node`: no decision leads around it.
pub fn always_runs(app: &WorkflowApp, graph: &Graph, node: NodeId) -> bool {
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
