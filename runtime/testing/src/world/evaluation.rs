//! Evaluates decisions, bodies of actions and messages, as the engine does.

use std::sync::{Arc, atomic::AtomicBool};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    definition::NodeId,
    el::scope::{Origin, Scope},
    status::{ActionStatus, JobStatus},
    step::Event,
};
use hpdlc_engine::job::{
    Job, NO_MESSAGE,
    scope::{JobScope, NodeScope, choose_case},
};
use hpdlc_executors::{
    self as executors, Evaluation, Work,
    node_texts::{self, NodeTextSources, TextResult},
    sub_workflow::TopJob,
};
use hpdlc_files::{Access, AccessSettings};
use hpdlc_program::{
    failure::ActionError,
    table::{Body, NodeKind, Template},
};

use crate::{
    script::Script,
    values::Values,
    world::{World, scope::WorldScope},
};

impl World {
    /// Evaluates a decision.
    pub(super) fn choose(&mut self, id: &str, node: NodeId) {
        let job = &self.jobs[id];
        let NodeKind::Decision { cases } = job.def(node).kind else {
            return;
        };
        let attempt = job.state.nodes.get(&node).map_or(1, |state| state.attempt);
        let place = self.place(id, node);
        let forced = self.explorer.as_mut().map(|explorer| {
            let n_ways = u32::try_from(cases.len() + 1).unwrap_or(u32::MAX);
            explorer.case(&place, n_ways)
        });
        let (chosen, values) = self.with_scope(id, node, |scope, _| match forced {
            Some(case) => {
                // All cases up to that one would be evaluated.
                let reached = cases.iter().take(case as usize + 1);
                let failed = reached.map(|case| case.holds(scope)).find_map(Result::err);
                let chosen = failed.map_or(Ok(case), |error| Err(ActionError::from(error)));
                (chosen, Values::default())
            }
            None => {
                let chosen = choose_case(cases, scope);
                let last = chosen.as_ref().map_or(cases.len(), |&case| case as usize);
                (chosen, case_values(cases, last, scope))
            }
        });
        self.set_values(id, node, values);
        match chosen {
            Ok(case) => self.apply(id, Event::Chosen { node, case }),
            Err(error) => {
                self.failed_expressions.push((place, error.message.clone()));
                self.failed(&(id.to_owned(), node, attempt), &error);
            }
        }
    }

    /// Evaluates the body of an action.
    pub(super) fn prepare(&mut self, id: &str, node: NodeId, attempt: u32) {
        let job = &self.jobs[id];
        let NodeKind::Action(action) = &job.def(node).kind else {
            return;
        };
        let is_current = job.state.status == JobStatus::Running
            && job.state.nodes.get(&node).is_some_and(|state| {
                state.status == ActionStatus::Prep && state.attempt == attempt
            });
        if !is_current {
            // It is evaluated when the job is resumed.
            return;
        }
        let (values, work) = self.with_scope(id, node, |scope, access| {
            (
                self.node_values(job, node, scope),
                self.work(job, node, &action.body, scope, access),
            )
        });
        self.set_values(id, node, values);
        match work {
            Ok(work) => {
                if let Some(job) = self.jobs.get_mut(id) {
                    job.set_work(node, work, "");
                }
                self.apply(id, Event::Prepared { node, attempt });
            }
            Err(error) => {
                let place = self.place(id, node);
                self.failed_expressions.push((place, error.message.clone()));
                self.failed(&(id.to_owned(), node, attempt), &error);
            }
        }
    }

    /// Evaluates the message of the node that has ended the job.
    pub(super) fn message(&mut self, id: &str, node: NodeId) {
        let now = self.time();
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let view = Arc::clone(&job.view);
        let (name, origin) = (job.def(node).name, job.app.origin(node));
        let message = in_scope(&self.script, &view, name, origin, now, |scope, _| {
            job.take_message(node, scope)
        });
        let has_failed = job.row.error_code.as_deref() == Some(NO_MESSAGE);
        let Some(message) = message else {
            return;
        };
        if has_failed {
            let place = self.place(id, node);
            self.failed_expressions.push((place, message.clone()));
        }
        let values = Values::new(vec![("message".to_owned(), message)]);
        self.set_values(id, node, values);
    }

    fn set_values(&mut self, id: &str, node: NodeId, values: Values) {
        if let Some(track) = self.tracks.get_mut(id) {
            track.set_values(node, values);
        }
    }

    fn with_scope<T>(
        &self,
        id: &str,
        node: NodeId,
        work: impl FnOnce(&WorldScope<'_>, &Access<'_>) -> T,
    ) -> T {
        let job = &self.jobs[id];
        let (name, origin) = (job.def(node).name, job.app.origin(node));
        in_scope(&self.script, &job.view, name, origin, self.time(), work)
    }

    /// The body with every expression evaluated.
    fn work(
        &self,
        job: &Job,
        node: NodeId,
        body: &'static Body,
        scope: &dyn Scope,
        access: &Access<'_>,
    ) -> Result<Work, ActionError> {
        let cx = Evaluation {
            program: self.program,
            app: job.app,
            scope,
            conf: &job.view.conf,
            site: &self.script.site,
            root: TopJob {
                app: self.app,
                app_path: &self.top().row.app_path,
            },
            node: job.def(node).name,
            parent: job.row.parent_id.as_deref(),
            app_folder: &job.app_folder,
            #[cfg(feature = "full")]
            home: &self.ground.home,
            access,
        };
        executors::evaluate(&cx, body)
    }

    /// The values of an action that exist.
    fn node_values(&self, job: &Job, node: NodeId, scope: &dyn Scope) -> Values {
        // Nothing is known only later.
        let is_deferred = |_: &str| false;
        let sources = NodeTextSources {
            program: self.program,
            app: job.app,
            app_path: &self.top().row.app_path,
            conf: &job.view.conf,
            scope,
            is_deferred,
        };
        let texts = node_texts::texts(sources, job.def(node)).into_iter();
        let values = texts.filter_map(|text| match text.evaluate(scope, is_deferred) {
            TextResult::Value(value) => Some((text.path, value)),
            TextResult::Deferred | TextResult::Error(_) => None,
        });
        Values::new(values.collect())
    }
}

/// The values of the cases of a decision up to the one that holds.
fn case_values(cases: &[Template], last: usize, scope: &dyn Scope) -> Values {
    let reached = (1..).zip(cases).take(last + 1);
    let values = reached.filter_map(|(n, case): (usize, _)| {
        let value = case.evaluate(scope).ok()?;
        Some((format!("case[{n}]"), value))
    });
    Values::new(values.collect())
}

/// Calls `work` with what the expressions of a node see.
fn in_scope<T>(
    script: &Script,
    view: &JobScope,
    node: &'static str,
    origin: Origin,
    now: DateTime<Utc>,
    work: impl FnOnce(&WorldScope<'_>, &Access<'_>) -> T,
) -> T {
    let settings = AccessSettings::of(&view.conf, &script.site);
    let is_canceled = AtomicBool::new(false);
    let access = Access::new(&settings, &is_canceled);
    let job = NodeScope {
        view,
        node,
        origin,
        access: &access,
    };
    work(&WorldScope { job, script, now }, &access)
}
