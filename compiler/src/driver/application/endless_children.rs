//! Sub-workflows that start each other without end.

use std::collections::BTreeSet;

use super::{CheckedApp, CompiledApplication, Session};
use crate::{
    analysis::{always_runs, runs_again},
    driver::{children::CompileTimeScope, mistakes::endless_sub_workflows::EndlessSubWorkflow},
    source::Span,
};

/// A start of a workflow by another one, by their indices.
#[derive(Clone, Copy, Debug)]
struct ChildStart {
    child: usize,
    /// The `app-path`.
    place: Span,
    /// Decisions lead around it, in the same way in every job.
    is_decided: bool,
}

impl Session {
    /// Reports each circle of workflows in which every job starts the next one, unless an action fails.
    pub(super) fn check_endless_children(&mut self, application: &CompiledApplication) {
        let starts: Vec<Vec<ChildStart>> = application
            .apps
            .iter()
            .map(|app| self.certain_starts(app, application))
            .collect();
        let mut is_done = vec![false; starts.len()];
        for first in 0..starts.len() {
            // The way to here: each workflow, and how many of its starts have been followed.
            let mut way: Vec<(usize, usize)> = vec![(first, 0)];
            while let Some(&mut (app, ref mut followed)) = way.last_mut() {
                let next = starts[app].get(*followed).filter(|_| !is_done[app]);
                let Some(next) = next else {
                    is_done[app] = true;
                    way.pop();
                    continue;
                };
                *followed += 1;
                match way.iter().position(|(on_way, _)| *on_way == next.child) {
                    Some(at) => {
                        let before = &way[at..way.len() - 1];
                        let others = before.iter().map(|(app, n)| starts[*app][n - 1].place);
                        self.enter(&application.apps[app].location);
                        self.sink.emit(EndlessSubWorkflow {
                            place: next.place,
                            others: others.collect(),
                            is_decided: next.is_decided,
                        });
                    }
                    None => way.push((next.child, 0)),
                }
            }
        }
    }

    /// The children that every job of a workflow starts, unless an action fails.
    fn certain_starts(
        &self,
        parent: &CheckedApp,
        application: &CompiledApplication,
    ) -> Vec<ChildStart> {
        let mut seen = BTreeSet::new();
        let scope = CompileTimeScope::new(&parent.app, &self.properties, &parent.uri);
        let mut starts = Vec::new();
        for (node, action) in parent.app.actions() {
            let Some(child) = action.kind.sub_workflow() else {
                continue;
            };
            if child.app_path.is_invalid || child.host_url.is_some() {
                continue;
            }
            let uri = scope.uri(&child.app_path).ok();
            let index = uri.and_then(|uri| application.children.get(&uri));
            let Some(&index) = index.filter(|index| !seen.contains(*index)) else {
                continue;
            };
            let (app, graph) = (&parent.app, &parent.facts.graph);
            let is_itself = std::ptr::eq(&application.apps[index], parent);
            let always = always_runs(app, graph, node.id);
            if always || is_itself && runs_again(app, graph, node.id, child) {
                seen.insert(index);
                starts.push(ChildStart {
                    child: index,
                    place: child.app_path.span,
                    is_decided: !always,
                });
            }
        }
        starts
    }
}
