//! A job in memory: the step machine's state, the store's rows and the scope of expressions, kept consistent.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use hpdlc_core::{
    definition::{Definition, NodeId, Outcome},
    el::{
        functions::hadoop::TRACKER,
        scope::{JobFacts, NodeFacts},
    },
    status::{ActionStatus, JobStatus},
    step::{JobState, NodeState, Skip, SuspendPoints},
};
use hpdlc_executors::{Work, callbacks::Callbacks};
use hpdlc_host::{comma_list, home::Home, mask::Mask, property_names::SUSPEND_ON_NODES};
use hpdlc_launcher::Attempt;
use hpdlc_program::table::{App, NodeDef, NodeKind, Program};
use hpdlc_store::{ActionRow, JobRow, SkipMark};

use crate::{job::scope::JobScope, sla::Slas};

pub mod child;
mod ending;
pub mod node_secrets;
pub mod rerun_plan;
pub mod scope;
mod stored_outcome;
pub mod submission;

use self::stored_outcome::parse_outcome;
pub use self::{ending::NO_MESSAGE, stored_outcome::format_outcome};

/// Longer error messages are cut, as in Oozie (`WorkflowActionBean`).
const MAX_MESSAGE: usize = 500;

/// One workflow job of the tree that this process owns.
#[derive(Debug)]
pub struct Job {
    pub row: JobRow,
    pub app: &'static App,
    pub state: JobState,
    pub view: Arc<JobScope>,
    /// The secrets of this job that are not shown.
    pub mask: Mask,
    /// Where the application's files are unpacked.
    pub app_folder: PathBuf,
    /// The service levels of it and its actions.
    pub slas: Slas,
    rows: BTreeMap<NodeId, ActionRow>,
    works: BTreeMap<NodeId, Arc<Work>>,
    /// Set for attempts whose work must stop.
    cancellations: HashMap<NodeId, Arc<AtomicBool>>,
}

impl Job {
    /// A job that has not been started.
    pub fn new(program: &'static Program, home: &Home, row: JobRow) -> Result<Job, String> {
        let folder = home.apps().join(program.hash);
        Job::in_folder(program, &folder, Some(Callbacks::new(home)), row)
    }

    /// As [`Job::new`], where the files of the program are in `folder`.
    pub fn in_folder(
        program: &'static Program,
        folder: &Path,
        callbacks: Option<Callbacks>,
        row: JobRow,
    ) -> Result<Job, String> {
        let index = usize::try_from(row.app_index).unwrap_or(usize::MAX);
        let app = *program.apps.get(index).ok_or_else(|| {
            format!(
                "job {} belongs to no application of this executable",
                row.id
            )
        })?;
        let conf: BTreeMap<String, String> = serde_json::from_str(&row.conf)
            .map_err(|error| format!("the properties of job {} cannot be read: {error}", row.id))?;
        let facts = JobFacts {
            id: row.id.clone(),
            name: row.app.clone(),
            app_path: row.app_path.clone(),
            user: row.user.clone(),
            group: conf.get("group.name").cloned(),
            run: row.run,
        };
        let view = JobScope {
            facts,
            conf: Arc::new(conf),
            nodes: BTreeMap::new(),
            last_error_node: row.last_error_node.clone(),
            callbacks,
        };
        let mut state = JobState::new();
        state.suspend_points = suspend_points(app, &view.conf);
        Ok(Job {
            app_folder: folder.join(app.folder),
            row,
            app,
            state,
            mask: node_secrets::mask(app, &view.conf),
            view: Arc::new(view),
            slas: Slas::default(),
            rows: BTreeMap::new(),
            works: BTreeMap::new(),
            cancellations: HashMap::new(),
        })
    }

    /// A job as it is in the store.
    pub fn load(
        program: &'static Program,
        home: &Home,
        row: JobRow,
        actions: Vec<ActionRow>,
    ) -> Result<Job, String> {
        Job::new(program, home, row)?.with_rows(actions)
    }

    /// The job with the rows of its nodes: as it is in the store.
    pub fn with_rows(self, actions: Vec<ActionRow>) -> Result<Job, String> {
        let mut job = self;
        // A new job has no rows to look up, and may have thousands of nodes.
        let ids: HashMap<&str, NodeId> = if actions.is_empty() {
            HashMap::new()
        } else {
            job.app.nodes().map(|(id, def)| (def.name, id)).collect()
        };
        let unknown = |name: &str, id: &str| {
            format!("job {id} has a node `{name}` that its executable does not know")
        };
        for action in actions {
            let node = *ids
                .get(action.name.as_str())
                .ok_or_else(|| unknown(&action.name, &job.row.id))?;
            let strand = match &action.strand {
                Some(name) => Some(
                    *ids.get(name.as_str())
                        .ok_or_else(|| unknown(name, &job.row.id))?,
                ),
                None => None,
            };
            if let Some(work) = action
                .work
                .as_ref()
                .filter(|_| action.status != ActionStatus::Ok)
            {
                let work = serde_json::from_str(work).map_err(|error| {
                    format!(
                        "the values of `{}` in job {} cannot be read: {error}",
                        action.name, job.row.id
                    )
                })?;
                job.works.insert(node, Arc::new(work));
            }
            let small = |n: i64| u32::try_from(n).unwrap_or_default();
            if action.skip.is_some_and(SkipMark::is_ahead) {
                let outcome = action.outcome.as_deref().and_then(parse_outcome);
                let outcome = outcome.ok_or_else(|| {
                    format!(
                        "job {} does not say how its `{}` ended",
                        job.row.id, action.name
                    )
                })?;
                let attempt = small(action.attempt);
                job.state.skips.insert(node, Skip { outcome, attempt });
                if action.skip == Some(SkipMark::Entered) {
                    let entered = NodeState {
                        attempt: 1,
                        strand,
                        ..NodeState::default()
                    };
                    job.state.nodes.insert(node, entered);
                }
                job.rows.insert(node, action);
                job.show(node);
                continue;
            }
            job.state.nodes.insert(
                node,
                NodeState {
                    status: action.status,
                    attempt: small(action.attempt),
                    user_retries: small(action.user_retries),
                    transient_retries: small(action.transient_retries),
                    strand,
                    live_strands: small(action.live_strands),
                    outcome: action.outcome.as_deref().and_then(parse_outcome),
                    is_canceling: action.is_canceling,
                },
            );
            job.rows.insert(node, action);
            job.show(node);
        }
        // A job that has entered no node yet starts now, whatever a rerun has kept of the previous run: its owner created it, or its rerun,
        // but did not start it.
        if !(job.state.nodes.is_empty() && job.row.status == JobStatus::Running) {
            job.state.status = job.row.status;
        }
        Ok(job)
    }

    pub fn id(&self) -> &str {
        &self.row.id
    }

    pub fn def(&self, node: NodeId) -> &'static NodeDef {
        self.app.node(node)
    }

    /// The row of a node that the step machine has entered.
    pub fn row_of(&mut self, node: NodeId) -> &mut ActionRow {
        let def = self.app.node(node);
        self.rows
            .entry(node)
            .or_insert_with(|| ActionRow::new(&self.row.id, def.name, type_name(def)))
    }

    /// The row of a node, if there is one.
    pub fn stored_row(&self, node: NodeId) -> Option<&ActionRow> {
        self.rows.get(&node)
    }

    pub fn rows(&self) -> impl Iterator<Item = &ActionRow> {
        self.rows.values()
    }

    /// Updates the row of a node to the step machine's state; returns whether the status has changed.
    pub fn sync(&mut self, node: NodeId, now: i64) -> bool {
        let Some(state) = self.state.nodes.get(&node).cloned() else {
            return false;
        };
        let strand = state.strand.map(|fork| self.app.node(fork).name.to_owned());
        if state.status == ActionStatus::Prep && self.state.skips.contains_key(&node) {
            let row = self.row_of(node);
            row.skip = Some(SkipMark::Entered);
            row.strand = strand;
            return false;
        }
        let transition = self.transition(node, &state);
        let is_control = !matches!(self.app.node(node).kind, NodeKind::Action(_));
        let row = self.row_of(node);
        if row.skip == Some(SkipMark::Entered) && state.status == ActionStatus::Killed {
            // Killed before it was skipped: it was not run, nor will be.
            row.skip = None;
            row.run = None;
            row.ended = None;
        }
        if row.is_queued() && state.status != ActionStatus::Running {
            row.external_status = None;
        }
        let is_new = row.started.is_none();
        let has_changed = row.status != state.status || is_new;
        row.started.get_or_insert(now);
        if state.status.is_terminal() {
            row.ended.get_or_insert(now);
            row.ahead = None;
        }
        if is_control && state.status == ActionStatus::Ok {
            row.external_id = Some("-".to_owned());
            let chosen = transition
                .clone()
                .filter(|_| matches!(state.outcome, Some(Outcome::Case(_))));
            row.external_status = Some(chosen.unwrap_or_else(|| "OK".to_owned()));
        }
        row.status = state.status;
        row.attempt = i64::from(state.attempt);
        row.user_retries = i64::from(state.user_retries);
        row.transient_retries = i64::from(state.transient_retries);
        row.retries = i64::from(state.attempt.saturating_sub(1));
        row.strand = strand;
        row.live_strands = i64::from(state.live_strands);
        row.outcome = state.outcome.map(format_outcome);
        row.transition = transition;
        row.is_canceling = state.is_canceling;
        if !matches!(
            state.status,
            ActionStatus::StartRetry | ActionStatus::UserRetry
        ) {
            row.due = None;
            row.retry_wait = None;
        }
        if state.status == ActionStatus::Error {
            let name = row.name.clone();
            self.row.last_error_node = Some(name.clone());
            Arc::make_mut(&mut self.view).last_error_node = Some(name);
        }
        if state.status == ActionStatus::Ok {
            // Of what failed or was killed something may still be left to end.
            self.works.remove(&node);
        }
        self.show(node);
        has_changed
    }

    /// The following node, as `wf:transition` returns it: `*` for a fork.
    fn transition(&self, node: NodeId, state: &NodeState) -> Option<String> {
        match self.app.node(node).kind {
            NodeKind::Fork { .. } => Some("*".to_owned()),
            NodeKind::Start
            | NodeKind::End
            | NodeKind::Kill { .. }
            | NodeKind::Fail { .. }
            | NodeKind::Decision { .. }
            | NodeKind::Join
            | NodeKind::Action(_) => {
                let outcome = state
                    .outcome
                    .filter(|_| state.status != ActionStatus::Done)?;
                self.app
                    .next(node, outcome)
                    .map(|next| self.app.node(next).name.to_owned())
            }
        }
    }

    /// Makes a node visible to expressions. The results of an action are visible once it has ended (trap T47).
    fn show(&mut self, node: NodeId) {
        let Some(row) = self.rows.get(&node) else {
            return;
        };
        if !row.status.is_terminal() {
            return;
        }
        let data: BTreeMap<String, String> = row
            .data
            .as_deref()
            .and_then(|data| serde_json::from_str(data).ok())
            .unwrap_or_default();
        let facts = NodeFacts {
            status: Some(row.status),
            transition: row.transition.clone(),
            error_code: row.error_code.clone(),
            // Without a code the message is ours, for people: of a sub-workflow that did not succeed Oozie has neither
            // (`SubWorkflowActionExecutor.end`).
            error_message: row
                .error_message
                .clone()
                .filter(|_| row.error_code.is_some()),
            external_id: row.external_id.clone(),
            tracker_uri: Some(data.get(TRACKER).cloned().unwrap_or_else(|| "-".to_owned())),
            external_status: row.external_status.clone(),
            data,
        };
        let name = row.name.clone();
        Arc::make_mut(&mut self.view).nodes.insert(name, facts);
    }

    pub fn work(&self, node: NodeId) -> Option<Arc<Work>> {
        self.works.get(&node).cloned()
    }

    /// Records the evaluated values that an attempt will be started with.
    pub fn set_work(&mut self, node: NodeId, work: Work, boot_id: &str) {
        let mut text = serde_json::to_string(&work)
            .expect("evaluated bodies are strings, numbers and maps of strings");
        // There may be thousands of them in a fork.
        text.shrink_to_fit();
        let boot_id = boot_id.to_owned();
        let row = self.row_of(node);
        row.work = Some(text);
        row.boot_id = Some(boot_id);
        row.external_id = None;
        row.external_status = None;
        self.works.insert(node, Arc::new(work));
    }

    /// Records why an attempt failed; an empty code means none.
    pub fn set_error(&mut self, node: NodeId, code: &str, message: &str) {
        let row = self.row_of(node);
        row.error_code = Some(code.to_owned()).filter(|code| !code.is_empty());
        row.error_message = Some(message.chars().take(MAX_MESSAGE).collect());
    }

    /// Gives a FAILED job the error of the action that failed it, prefixed with that action's name; the message of a fail node is evaluated
    /// later.
    pub fn take_failure(&mut self, changed: &BTreeSet<NodeId>) {
        if self.state.status != JobStatus::Failed || self.row.error_message.is_some() {
            return;
        }
        let mut changed = changed.iter().filter_map(|node| self.rows.get(node));
        let failed = changed.find(|row| row.status == ActionStatus::Failed);
        let Some(failed) = failed else { return };
        let message = failed.error_message.as_deref().unwrap_or("no message");
        self.row.error_message = Some(format!("{}: {message}", failed.name));
        self.row.error_code = failed.error_code.clone();
    }

    pub fn attempt(&self, home: &Home, node: NodeId, attempt: u32) -> Attempt {
        let name = self.def(node).name;
        Attempt::new(home.attempt(self.id(), self.row.run, name, i64::from(attempt)))
    }

    /// The flag that cancels the current attempt of a node.
    pub fn cancellation(&mut self, node: NodeId) -> Arc<AtomicBool> {
        Arc::clone(self.cancellations.entry(node).or_default())
    }

    /// Cancels all evaluations and work of the job.
    pub fn cancel_all(&self) {
        for is_canceled in self.cancellations.values() {
            is_canceled.store(true, Ordering::Relaxed);
        }
    }

    /// Makes a new flag for a new attempt.
    pub fn reset_cancellation(&mut self, node: NodeId) {
        self.cancellations.remove(&node);
    }

    pub fn set_status(&mut self, now: i64) {
        self.row.status = self.state.status;
        match self.state.status {
            JobStatus::Prep => {}
            JobStatus::Running | JobStatus::Suspended => {
                self.row.started.get_or_insert(now);
            }
            // A job that is killed before its start has no time of start, as in Oozie.
            JobStatus::Killed => {
                self.row.ended.get_or_insert(now);
            }
            JobStatus::Succeeded | JobStatus::Failed => {
                self.row.started.get_or_insert(now);
                self.row.ended.get_or_insert(now);
            }
        }
    }
}

/// The nodes that `oozie.suspend.on.nodes` names: a list, or `*` for all. Unknown names are ignored.
fn suspend_points(app: &App, conf: &BTreeMap<String, String>) -> SuspendPoints {
    let Some(names) = conf.get(SUSPEND_ON_NODES).map(|names| names.trim()) else {
        return SuspendPoints::None;
    };
    if names == "*" {
        return SuspendPoints::All;
    }
    let names: Vec<&str> = comma_list::entries(names).collect();
    let nodes = app.nodes().filter(|(_, def)| names.contains(&def.name));
    SuspendPoints::Nodes(nodes.map(|(node, _)| node).collect())
}

/// Oozie's name of a node's type; control nodes have one too.
pub fn type_name(def: &NodeDef) -> &'static str {
    match &def.kind {
        NodeKind::Start => ":START:",
        NodeKind::End => ":END:",
        NodeKind::Kill { .. } => ":KILL:",
        NodeKind::Fail { .. } => ":FAIL:",
        NodeKind::Fork { .. } => ":FORK:",
        NodeKind::Join => ":JOIN:",
        NodeKind::Decision { .. } => "switch",
        NodeKind::Action(action) => action.body.def().type_name(),
    }
}
