//! Compares the properties that sub-workflows need with those that the workflows running them pass.

use super::{CheckedApp, CompiledApplication, Session};
use crate::{
    analysis::{self, JobProperties, PassedProperties, PropertyUse, Started},
    driver::children::{self, CompileTimeScope},
    model::action::SubWorkflow,
};

impl Session {
    /// Reports the properties that the children of an application need and do not receive, if it is certain which children
    /// they are and what they receive. A child is checked against every action that runs it, and its own children with what the
    /// first of these actions passes.
    pub(super) fn check_children(
        &mut self,
        application: &CompiledApplication,
        given: &JobProperties,
    ) {
        // By application.
        let mut given_to: Vec<Option<JobProperties>> = vec![None; application.apps.len()];
        given_to[0] = Some(given.clone());
        let mut pending = vec![0];
        while let Some(index) = pending.pop() {
            let parent = &application.apps[index];
            let Some(given) = given_to[index].clone() else {
                continue;
            };
            // Defaults are only used if all properties are known: another one may override the default that an `app-path` reads.
            let scope = if given.is_complete {
                CompileTimeScope::new(&parent.app, &self.properties, &parent.uri)
            } else {
                let values = self.properties.iter();
                let values = values.map(|(name, property)| (name.clone(), property.value.clone()));
                CompileTimeScope::of_values(values.collect(), &parent.uri)
            };
            let not_run = analysis::sub_workflows_not_run(&parent.app, &parent.facts, &given);
            let children: Vec<(&SubWorkflow, usize)> = children::sub_workflows(&parent.app)
                .filter(|child| !not_run.contains(&child.app_path.span))
                .filter_map(|child| {
                    let uri = scope.uri(&child.app_path).ok()?;
                    Some((child, *application.children.get(&uri)?))
                })
                .collect();
            for (child, child_index) in children {
                let passed = PassedProperties::to_sub_workflow(&parent.app, child, &given);
                // Properties that the parent itself lacks have been reported there.
                let is_reported = |need: &PropertyUse| {
                    let own = parent.facts.property(&need.name);
                    child.propagate_configuration && own.is_some_and(PropertyUse::is_required)
                };
                let CheckedApp { app, facts, .. } = &application.apps[child_index];
                let needs: Vec<PropertyUse> = facts
                    .properties
                    .iter()
                    .filter(|need| !is_reported(need))
                    .cloned()
                    .collect();
                let needs = analysis::needs_of_job(app, facts, needs, &passed.given);
                analysis::check_passed(
                    Started::SubWorkflow,
                    &needs,
                    &passed,
                    &child.app_path,
                    &mut self.sink,
                );
                if given_to[child_index].is_none() {
                    given_to[child_index] = Some(passed.given);
                    pending.push(child_index);
                }
            }
        }
    }
}
