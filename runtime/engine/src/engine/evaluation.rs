//! Evaluates the expressions of decisions, action bodies and kill messages.

use std::{
    collections::BTreeMap,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use hpdlc_core::{
    coded_message::coded,
    definition::NodeId,
    el::scope::Origin,
    status::ActionStatus,
    step::{Event, FailureClass},
};

use hpdlc_executors::{self as executors, Evaluation, Work, sub_workflow::TopJob};
use hpdlc_files::{Access, AccessSettings};
#[cfg(feature = "full")]
use hpdlc_host::home::Home;
use hpdlc_host::settings::Settings;
use hpdlc_program::{
    failure::ActionError,
    table::{App, Body, NodeKind, Program},
};

use crate::{
    engine::{Engine, Incoming, secrets},
    job::scope::{self, JobScope, NodeScope},
    progress,
};

/// The values of one node.
#[derive(Debug)]
pub(super) enum Evaluated {
    /// The index of the decision's first case that holds, the default having the index after the last, and why it was chosen.
    Case(Result<(u32, String), ActionError>),
    Body(Box<Result<Work, ActionError>>),
}

/// The data that an evaluation on another thread needs.
pub(super) struct Snapshot {
    program: &'static Program,
    app: &'static App,
    view: Arc<JobScope>,
    site: Arc<BTreeMap<String, String>>,
    /// Of the job at the top: the index of its application, and `wf:appPath()`.
    root: (usize, String),
    app_folder: PathBuf,
    #[cfg(feature = "full")]
    home: Home,
    node: &'static str,
    parent: Option<String>,
    origin: Origin,
    is_canceled: Arc<AtomicBool>,
}

impl Snapshot {
    /// Calls `work` with access to files.
    fn with_access<T>(&self, work: impl FnOnce(&Access<'_>) -> T) -> T {
        let settings = AccessSettings::of(&self.view.conf, &self.site);
        work(&Access::new(&settings, &self.is_canceled))
    }

    fn scope<'a>(&'a self, access: &'a Access<'a>) -> NodeScope<'a> {
        NodeScope {
            view: &self.view,
            node: self.node,
            origin: self.origin,
            access,
        }
    }
}

impl Engine {
    /// Evaluates a decision: here, or on a thread that may block if a case accesses files.
    pub(super) fn choose(&mut self, id: &str, node: NodeId) {
        let Some(job) = self.jobs.get(id) else { return };
        let NodeKind::Decision { cases } = job.def(node).kind else {
            return;
        };
        let attempt = job.state.nodes.get(&node).map_or(1, |state| state.attempt);
        let Some(snapshot) = self.snapshot(id, node) else {
            return;
        };
        let is_blocking = cases.iter().any(|case| case.is_blocking());
        self.evaluate(id, node, attempt, is_blocking, snapshot, move |snapshot| {
            snapshot.with_access(|access| {
                let scope = snapshot.scope(access);
                let chosen = scope::choose_case(cases, &scope);
                Evaluated::Case(chosen.map(|case| (case, scope::why_chosen(cases, case, &scope))))
            })
        });
    }

    /// Evaluates an action's body; a local process waits for its slot first.
    pub(super) fn prepare(&mut self, id: &str, node: NodeId, attempt: u32) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let NodeKind::Action(action) = &job.def(node).kind else {
            return;
        };
        job.reset_cancellation(node);
        if action.body.def().is_process() {
            let key = (id.to_owned(), node, attempt);
            if !self.slots.contains(&key) && !self.has_slot(id, node) {
                self.waiting.push_back(key);
                return;
            }
            self.slots.insert(key.clone());
            if let Some(work) = self.take_follower(&key) {
                return self.take_evaluated(&key, Evaluated::Body(Box::new(Ok(work))));
            }
        }
        self.prepare_now(id, node, attempt);
    }

    fn prepare_now(&mut self, id: &str, node: NodeId, attempt: u32) {
        let Some(job) = self.jobs.get(id) else { return };
        let NodeKind::Action(action) = &job.def(node).kind else {
            return;
        };
        let body = &action.body;
        let Some(snapshot) = self.snapshot(id, node) else {
            return;
        };
        let is_blocking = executors::is_blocking(snapshot.app, body, &snapshot.view.conf);
        self.evaluate(id, node, attempt, is_blocking, snapshot, move |snapshot| {
            Evaluated::Body(Box::new(evaluate_body(snapshot, body)))
        });
    }

    /// Starts waiting actions while there are slots.
    pub(super) fn fill_slots(&mut self) {
        while self.can_fill_slot() {
            let Some((id, node, attempt)) = self.waiting.pop_front() else {
                return;
            };
            let is_current = self
                .jobs
                .get(&id)
                .and_then(|job| job.state.nodes.get(&node))
                .is_some_and(|state| {
                    state.status == ActionStatus::Prep && state.attempt == attempt
                });
            if is_current {
                self.slots.insert((id.clone(), node, attempt));
                self.prepare_now(&id, node, attempt);
            }
        }
    }

    /// Whether the first waiting action can get a slot.
    pub(super) fn can_fill_slot(&self) -> bool {
        self.waiting
            .front()
            .is_some_and(|(id, node, _)| self.has_slot(id, *node))
    }

    fn evaluate(
        &mut self,
        id: &str,
        node: NodeId,
        attempt: u32,
        is_blocking: bool,
        snapshot: Snapshot,
        work: impl FnOnce(&Snapshot) -> Evaluated + Send + 'static,
    ) {
        let key = (id.to_owned(), node, attempt);
        if !is_blocking {
            let evaluated = work(&snapshot);
            self.take_evaluated(&key, evaluated);
            return;
        }
        self.timers.begin(id);
        self.environment
            .on_thread(Box::new(move || Incoming::Evaluated(key, work(&snapshot))));
    }

    pub(super) fn take_evaluated(&mut self, key: &(String, NodeId, u32), evaluated: Evaluated) {
        let (id, node, attempt) = key;
        let (node, attempt) = (*node, *attempt);
        let is_current = self
            .jobs
            .get(id)
            .and_then(|job| job.state.nodes.get(&node))
            .is_some_and(|state| state.status == ActionStatus::Prep && state.attempt == attempt);
        if !is_current {
            self.slots.remove(key);
            return;
        }
        match evaluated {
            Evaluated::Case(Ok((case, why))) => {
                if !why.is_empty() {
                    if let Some(job) = self.jobs.get_mut(id) {
                        job.row_of(node).note = Some(why.clone());
                    }
                    self.dirty_nodes.insert((id.to_owned(), node));
                    self.note(id, Some(node), progress::DECIDED, &why);
                }
                self.apply(id, Event::Chosen { node, case });
            }
            Evaluated::Case(Err(error)) => self.failed(id, node, attempt, &error),
            Evaluated::Body(body) => match *body {
                Ok(work) => {
                    let settings = self.settings(id);
                    let read = settings.map(|it| secrets::with_secrets(&work, it));
                    if let Some(Err(error)) = read {
                        self.slots.remove(key);
                        return self.failed(id, node, attempt, &error);
                    }
                    let boot_id = self.environment.boot_id().to_owned();
                    if let Some(job) = self.jobs.get_mut(id) {
                        job.set_work(node, work, &boot_id);
                    }
                    self.question(key);
                    if self.slots.contains(key) {
                        self.mark_queued(id, node);
                    }
                    self.apply(id, Event::Prepared { node, attempt });
                    // If the job was suspended meanwhile, it is evaluated again on resume; until then the other jobs of the tree use the
                    // slot.
                    if !self.is_to_run(id, node, attempt) {
                        self.slots.remove(key);
                    }
                }
                Err(error) => {
                    self.slots.remove(key);
                    self.failed(id, node, attempt, &error);
                }
            },
        }
    }

    /// Records a failure and lets the step machine decide what it means.
    pub(super) fn failed(&mut self, id: &str, node: NodeId, attempt: u32, error: &ActionError) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        job.set_error(node, &error.code, &error.message);
        let settings = Settings {
            conf: &job.view.conf,
            site: &self.site,
        };
        let failure = job.failure_of(settings, node, error);
        let class = match error.class {
            FailureClass::Transient => "transient failure",
            FailureClass::NonTransient => "non-transient failure",
            FailureClass::Error => "error",
            FailureClass::Failed => "failure of the job",
        };
        let text = match error.code.as_str() {
            "" => format!(": {}", error.message),
            code => format!(" {}", coded(code, &error.message)),
        };
        self.note(id, Some(node), "ERROR", &format!("{class}{text}"));
        self.apply(
            id,
            Event::Failed {
                node,
                attempt,
                failure,
            },
        );
    }

    /// Evaluates the message of the kill or fail node that ended the job. If that fails, the text is shown as written (E0756).
    pub(super) fn kill_message(&mut self, id: &str, node: NodeId) {
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let settings = AccessSettings::of(&job.view.conf, &self.site);
        let is_canceled = AtomicBool::new(false);
        let access = Access::new(&settings, &is_canceled);
        let view = Arc::clone(&job.view);
        let scope = NodeScope {
            view: &view,
            node: job.def(node).name,
            origin: job.app.origin(node),
            access: &access,
        };
        let Some(text) = job.take_message(node, &scope) else {
            return;
        };
        self.dirty_nodes.insert((id.to_owned(), node));
        self.dirty_jobs.insert(id.to_owned());
        self.note(id, Some(node), "MESSAGE", &text);
    }

    pub(super) fn snapshot(&mut self, id: &str, node: NodeId) -> Option<Snapshot> {
        let is_canceled = self.jobs.get_mut(id)?.cancellation(node);
        let job = self.jobs.get(id)?;
        Some(Snapshot {
            program: self.program,
            app: job.app,
            view: Arc::clone(&job.view),
            site: Arc::clone(&self.site),
            root: {
                let row = &self.jobs.get(&self.root)?.row;
                let index = usize::try_from(row.app_index).unwrap_or_default();
                (index, row.app_path.clone())
            },
            app_folder: job.app_folder.clone(),
            #[cfg(feature = "full")]
            home: self.home.clone(),
            node: job.def(node).name,
            parent: job.row.parent_id.clone(),
            origin: job.app.origin(node),
            is_canceled,
        })
    }
}

/// The body of an action with every expression evaluated.
pub(super) fn evaluate_body(snapshot: &Snapshot, body: &'static Body) -> Result<Work, ActionError> {
    snapshot.with_access(|access| {
        let scope = snapshot.scope(access);
        let cx = Evaluation {
            program: snapshot.program,
            app: snapshot.app,
            scope: &scope,
            conf: &snapshot.view.conf,
            site: &snapshot.site,
            root: TopJob {
                app: snapshot.root.0,
                app_path: &snapshot.root.1,
            },
            node: snapshot.node,
            parent: snapshot.parent.as_deref(),
            app_folder: &snapshot.app_folder,
            #[cfg(feature = "full")]
            home: &snapshot.home,
            access,
        };
        executors::evaluate(&cx, body)
    })
}
