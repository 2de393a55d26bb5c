//! Attempts of actions: started, found again, awaited, completed.

use std::{
    fs::File,
    io,
    path::PathBuf,
    sync::{Arc, atomic::AtomicBool},
};

use hpdlc_core::{
    definition::NodeId,
    status::{ActionStatus, JobStatus},
    step::{AttemptFailure, Effect, Event, FailureClass},
};
use hpdlc_executors::{AttemptPlace, Completion, ProcessOutcome, StartError, Work};
use hpdlc_files::Access;
use hpdlc_host::exit::RunError;
use hpdlc_launcher::{
    Attempt, AttemptState, ClaimRecord, LauncherReport, LauncherRequest, ReportEvent, StartRequest,
};
use hpdlc_program::{
    failure::ActionError,
    table::{NodeKind, Template},
};

use crate::{
    engine::{AttemptKey, Engine, Incoming},
    job::scope::NodeScope,
};

/// How many launchers may die in a row without a report before the machine is considered at fault.
const MAX_DEAD_LAUNCHERS: u32 = 3;

/// What a thread needs to start or find one attempt.
pub(super) struct AttemptTask {
    key: AttemptKey,
    node: &'static str,
    work: Arc<Work>,
    attempt: Attempt,
    app_folder: PathBuf,
    app_path: String,
    home: PathBuf,
    is_canceled: Arc<AtomicBool>,
    /// The intent was recorded in this boot of the machine.
    is_same_boot: bool,
    /// Prevents other processes from becoming the owner while files are changed, even if this engine has given up.
    lock: Option<Arc<File>>,
    /// It may have been started before.
    look_first: bool,
}

/// The result of a task so far.
pub(super) enum TaskProgress {
    Came(Incoming),
    /// The attempt was started before, and its process with this id runs: its end has to be awaited.
    Runs(Option<u32>),
}

impl Engine {
    /// Has the launcher prepare what will be started after the next commit, while that is being written.
    ///
    /// Only what has no visible effects: no `prepare`, no files. And only attempts that no owner has handled before. What cannot be held is
    /// started, or fails, after the commit.
    pub(super) fn hold_launches(&mut self) {
        let launches: Vec<(String, NodeId, u32)> = self
            .external
            .iter()
            .filter_map(|(id, effect)| match effect {
                Effect::Launch { node, attempt } => Some((id.clone(), *node, *attempt))
                    .filter(|key| !self.inherited.contains(key) && !self.held.contains(key))
                    .filter(|_| self.is_running_job(id)),
                Effect::Choose { .. }
                | Effect::Prepare { .. }
                | Effect::Cancel { .. }
                | Effect::Wait { .. }
                | Effect::Message { .. }
                | Effect::StrandEnded { .. }
                | Effect::Skipped { .. }
                | Effect::Suspended
                | Effect::Finished(_) => None,
            })
            .collect();
        for key in launches {
            let Some(task) = self.task(&key) else {
                continue;
            };
            if let Some(request) = task.hold()
                && self.request(&LauncherRequest::Hold(request))
            {
                self.held.insert(key);
            }
        }
        self.hold_followers();
        self.environment.flush();
    }

    /// Starts an attempt; if it may have been started before, `look_first` finds out its state.
    pub(super) fn launch(&mut self, id: &str, node: NodeId, attempt: u32, look_first: bool) {
        let key = (id.to_owned(), node, attempt);
        let is_held = self.held.remove(&key);
        // If the job was suspended at the same moment, the attempt starts when it is resumed.
        let may_begin = look_first || self.is_running_job(id);
        if !self.is_to_run(id, node, attempt) || !may_begin {
            return self.let_go(&key);
        }
        let Some(mut task) = self.task(&key) else {
            return;
        };
        task.look_first = look_first;
        if !self.in_flight.insert(key.clone()) {
            // Resumed while it runs: it reports once.
            return;
        }
        if look_first && !task.is_in_process() {
            self.slot_use.elsewhere.insert(key.clone());
            self.slot_use.sought.insert(key.clone());
        }
        // What a launcher held is lost if it died meanwhile.
        if is_held && self.environment.has_launcher() {
            let attempt = task.attempt.folder().display().to_string();
            self.launched.insert(attempt.clone(), key);
            self.environment.request(&LauncherRequest::Go { attempt });
            return;
        }
        self.environment.run(task);
    }

    fn task(&mut self, key: &AttemptKey) -> Option<AttemptTask> {
        let (id, node, attempt) = (&key.0, key.1, key.2);
        let boot_id = self.environment.boot_id().to_owned();
        let job = self.jobs.get_mut(id)?;
        Some(AttemptTask {
            key: key.clone(),
            node: job.def(node).name,
            work: job.work(node)?,
            attempt: job.attempt(&self.home, node, attempt),
            app_folder: job.app_folder.clone(),
            app_path: job.row.app_path.clone(),
            home: self.home.root().to_owned(),
            is_canceled: job.cancellation(node),
            is_same_boot: job.row_of(node).boot_id.as_deref() == Some(boot_id.as_str()),
            lock: Some(Arc::clone(&self.lock)),
            look_first: false,
        })
    }

    /// Sends a request to the launcher.
    pub(super) fn send_to_launcher(&mut self, key: AttemptKey, request: StartRequest) {
        if self.is_suspended(&key.0) {
            // It has not started, and starts when the job is resumed.
            return self.let_go(&key);
        }
        let attempt = request.attempt.clone();
        if self.request(&LauncherRequest::Start(request)) {
            self.slot_use.elsewhere.remove(&key);
            self.slot_use.sought.remove(&key);
            self.launched.insert(attempt, key);
        }
    }

    /// Sends a request to the launcher, starting one if there is none. If that fails, so does the engine.
    pub(super) fn request(&mut self, request: &LauncherRequest) -> bool {
        if !self.environment.has_launcher() {
            let log = self.home.work().join(&self.root).join("launcher.log");
            let pending = self.home.pending_requests(&self.root);
            if let Err(error) = self.environment.start_launcher(&self.root, &log, &pending) {
                let problem = format!("cannot start the launcher: {error}");
                self.failure.get_or_insert(RunError::machine(problem));
                return false;
            }
            self.tell_room();
        }
        self.environment.request(request);
        true
    }

    pub(super) fn take_report(&mut self, report: Option<LauncherReport>) -> Result<(), RunError> {
        let Some(report) = report else {
            self.launcher_gone();
            return Ok(());
        };
        self.n_dead_launchers = 0;
        self.settle_before(&report.attempt)?;
        if self.settles_report(&report) {
            return Ok(());
        }
        let LauncherReport { attempt, event } = report;
        match event {
            ReportEvent::Started { pid } => {
                self.slot_use.is_quick = false;
                self.withdraw_followers();
                if let Some(key) = self.launched.get(&attempt).cloned() {
                    self.started(&key, pid);
                }
            }
            ReportEvent::ClaimedBefore => {
                // An attempt claimed by a kill is not awaited.
                if let Some(key) = self.launched.remove(&attempt)
                    && (self.held.remove(&key) || self.in_flight.contains(&key))
                {
                    self.in_flight.insert(key.clone());
                    self.slot_use.elsewhere.insert(key.clone());
                    let work = self.jobs.get(&key.0).and_then(|job| job.work(key.1));
                    if let Some(work) = work {
                        self.environment.await_end(key, work, Attempt::new(attempt));
                    }
                }
            }
            ReportEvent::Exited { pid, record } => {
                self.slot_use.count_end();
                if let Some(key) = self.launched.remove(&attempt)
                    && let Some(work) = self.jobs.get(&key.0).and_then(|job| job.work(key.1))
                {
                    self.slot_use.is_quick = self.is_untold(&key);
                    if let Some(pid) = pid {
                        self.started(&key, pid);
                    }
                    if record.exceeded.is_some() && work.executor().may_go_on_elsewhere() {
                        // What it has started is ended too, on a thread that may block.
                        self.environment.await_end(key, work, Attempt::new(attempt));
                        return Ok(());
                    }
                    let found = Ok(AttemptState::Exited(record));
                    self.take(judge(key, &work, &Attempt::new(attempt), found));
                }
            }
            ReportEvent::Unclaimed { problem } => {
                self.failure.get_or_insert(RunError::machine(problem));
            }
            ReportEvent::Withdrawn => self.withdrawn()?,
        }
        Ok(())
    }

    /// The launcher is gone: its requests were completed, lost, or never started, as their files say.
    fn launcher_gone(&mut self) {
        self.environment.forget_launcher();
        self.slot_use.launcher_gone();
        self.followers_left();
        self.held.clear();
        self.n_dead_launchers += 1;
        if self.n_dead_launchers > MAX_DEAD_LAUNCHERS {
            let log = self.home.work().join(&self.root).join("launcher.log");
            let problem = format!(
                "the launcher exits right after its start; see {}",
                log.display()
            );
            self.failure.get_or_insert(RunError::machine(problem));
            return;
        }
        for key in std::mem::take(&mut self.launched).into_values() {
            self.in_flight.remove(&key);
            self.launch(&key.0, key.1, key.2, true);
        }
    }

    /// The process id is recorded with the next write.
    fn started(&mut self, (id, node, _): &AttemptKey, pid: u32) {
        if let Some(job) = self.jobs.get_mut(id)
            // A child is identified by the id of its job.
            && job.work(*node).is_none_or(|work| work.child().is_none())
        {
            job.row_of(*node).external_id = Some(pid.to_string());
        }
        self.no_longer_queued(id, *node);
    }

    /// No process id of the attempt is known yet.
    fn is_untold(&self, (id, node, _): &AttemptKey) -> bool {
        self.jobs
            .get(id)
            .and_then(|job| job.stored_row(*node))
            .is_some_and(|row| row.external_id.is_none())
    }

    pub(super) fn attached(&mut self, key: &AttemptKey, pid: Option<u32>) {
        if let Some(pid) = pid {
            self.started(key, pid);
        }
        self.slot_use.sought.remove(key);
        let (id, node, _) = key;
        self.no_longer_queued(id, *node);
        self.note(
            id,
            Some(*node),
            "ATTACHED",
            "the process is still running; waiting for it to end",
        );
    }

    /// Completes an attempt.
    pub(super) fn completed(&mut self, key: &AttemptKey, completion: Completion) {
        self.let_go(key);
        let (id, node, attempt) = (&key.0, key.1, key.2);
        if !self.is_current(key) {
            return;
        }
        self.no_longer_queued(id, node);
        for warning in &completion.warnings {
            self.note(id, Some(node), "WARNING", warning);
        }
        let Some(job) = self.jobs.get_mut(id) else {
            return;
        };
        let is_process = job.work(node).is_some_and(|work| work.is_process());
        if is_process && job.row_of(node).external_id.is_none() {
            // It ended before any living process was told that it ran.
            let files = job.attempt(&self.home, node, attempt);
            let process = files.claim_record().and_then(|claim| claim.process);
            job.row_of(node).external_id = process.map(|pid| pid.to_string());
        }
        let row = job.row_of(node);
        row.external_status = Some(completion.external_status);
        if completion.external_id.is_some() {
            row.external_id = completion.external_id;
        }
        row.external_id.get_or_insert_with(|| "-".to_owned());
        row.data = (!completion.data.is_empty())
            .then(|| serde_json::to_string(&completion.data).expect("a map of strings is JSON"));
        match completion.error {
            None => {
                row.error_code = None;
                row.error_message = None;
                self.apply(id, Event::Succeeded { node, attempt });
            }
            Some(error) => self.failed(id, node, attempt, &error),
        }
    }

    pub(super) fn let_go(&mut self, key: &AttemptKey) {
        self.in_flight.remove(key);
        self.slots.remove(key);
        self.slot_use.elsewhere.remove(key);
        self.slot_use.sought.remove(key);
    }

    fn is_suspended(&self, id: &str) -> bool {
        self.jobs
            .get(id)
            .is_some_and(|job| job.state.status == JobStatus::Suspended)
    }

    /// Whether the decision to start the attempt still holds, with no event such as a kill since.
    pub(super) fn is_to_run(&self, id: &str, node: NodeId, attempt: u32) -> bool {
        self.jobs
            .get(id)
            .and_then(|job| job.state.nodes.get(&node))
            .is_some_and(|state| state.status == ActionStatus::Running && state.attempt == attempt)
    }

    pub(super) fn is_current(&self, (id, node, attempt): &AttemptKey) -> bool {
        self.jobs
            .get(id)
            .and_then(|job| job.state.nodes.get(node))
            .is_some_and(|state| state.attempt == *attempt && !state.status.is_terminal())
    }

    /// What `error` means for the step machine: its class with the retries that apply.
    pub(super) fn failure_of(
        &self,
        id: &str,
        node: NodeId,
        error: &ActionError,
    ) -> Option<AttemptFailure> {
        let settings = self.settings(id)?;
        let job = self.jobs.get(id)?;
        let user = match &job.def(node).kind {
            NodeKind::Action(action) => {
                let scope = NodeScope {
                    view: &job.view,
                    node: job.def(node).name,
                    origin: job.app.origin(node),
                    // At submission no functions are available.
                    access: &Access::default(),
                };
                let text = |template: &Option<Template>| {
                    template
                        .as_ref()
                        .and_then(|template| template.evaluate(&scope).ok())
                };
                let retry = &action.retry;
                let (max, interval, policy) =
                    (text(&retry.max), text(&retry.interval), text(&retry.policy));
                settings.user_retry(
                    error,
                    max.as_deref(),
                    interval.as_deref(),
                    policy.as_deref(),
                )
            }
            NodeKind::Start
            | NodeKind::End
            | NodeKind::Kill { .. }
            | NodeKind::Fail { .. }
            | NodeKind::Decision { .. }
            | NodeKind::Fork { .. }
            | NodeKind::Join => None,
        };
        let transient = settings.transient();
        // Control nodes and decisions with other errors fail the job; they have no error transition.
        let class = match (&job.def(node).kind, error.class) {
            (NodeKind::Action(_), class) => class,
            (_, FailureClass::Error) => FailureClass::Failed,
            (_, class) => class,
        };
        Some(AttemptFailure {
            class,
            transient,
            user,
        })
    }
}

impl AttemptTask {
    /// It has no local process: the engine does the work itself.
    fn is_in_process(&self) -> bool {
        !self.work.is_process()
    }

    /// Whether [`AttemptTask::begin`] may block.
    pub(super) fn may_take_long(&self) -> bool {
        self.look_first || self.work.executor().is_slow_to_start()
    }

    /// Starts the attempt, or finds out its state. Call it once.
    pub(super) fn begin(&mut self) -> TaskProgress {
        match self.work.executor().run(&self.attempt, &self.is_canceled) {
            None => self
                .find()
                .unwrap_or_else(|| TaskProgress::Came(self.start())),
            Some(Ok(completion)) => {
                TaskProgress::Came(Incoming::Completed(self.key.clone(), completion))
            }
            Some(Err(problem)) => TaskProgress::Came(Incoming::Machine(problem)),
        }
    }

    /// The result of an attempt that may have been started before; `None` if it was not.
    fn find(&mut self) -> Option<TaskProgress> {
        if !self.look_first {
            return None;
        }
        let found = self.attempt.inspect();
        let came = match found {
            Ok(AttemptState::Unclaimed) if self.is_same_boot => return None,
            Ok(AttemptState::Unclaimed) => Incoming::Lost(
                self.key.clone(),
                "the machine went down after the intent to start was recorded; whether it ran is not known".to_owned(),
            ),
            Ok(AttemptState::Running) => {
                // From here on the task only waits.
                self.lock = None;
                let claim = self.attempt.claim_record();
                return Some(TaskProgress::Runs(claim.and_then(|claim| claim.process)));
            }
            Ok(AttemptState::Exited(_) | AttemptState::Lost(_)) | Err(_) => {
                judge(self.key.clone(), &self.work, &self.attempt, found)
            }
        };
        Some(TaskProgress::Came(came))
    }

    #[cfg(test)]
    pub(super) fn attempt(&self) -> &Attempt {
        &self.attempt
    }

    /// Ends what lost attempts have started; returns a warning if some of it may go on. Blocks.
    pub(super) fn end_lost(&self) -> Option<Incoming> {
        let (id, node, _) = &self.key;
        let problem = self.work.executor().end_lost(id, &self.attempt).err()?;
        Some(Incoming::Warning(id.clone(), *node, problem))
    }

    /// Reports that the attempt's process runs.
    pub(super) fn attached(&self, pid: Option<u32>) -> Incoming {
        Incoming::Attached(self.key.clone(), pid)
    }

    /// Waits for the end of the attempt and judges it. Blocks.
    pub(super) fn ended(&self) -> Incoming {
        judge(
            self.key.clone(),
            &self.work,
            &self.attempt,
            self.attempt.wait(),
        )
    }

    fn place(&self) -> AttemptPlace<'_> {
        AttemptPlace {
            job_id: &self.key.0,
            node: self.node,
            attempt: &self.attempt,
            app_folder: &self.app_folder,
            app_path: &self.app_path,
            home: &self.home,
            is_canceled: &self.is_canceled,
        }
    }

    /// The request for an attempt that can be prepared before its intent is on disk.
    fn hold(&self) -> Option<StartRequest> {
        self.work.executor().hold(&self.place())
    }

    fn start(&self) -> Incoming {
        let key = self.key.clone();
        match self.work.start(&self.place()) {
            Ok(request) => Incoming::Ready(key, request),
            Err(StartError::Action(error)) => {
                Incoming::Completed(key, Completion::failed(error, "FAILED/KILLED"))
            }
            Err(StartError::Machine(problem)) => Incoming::Machine(problem),
        }
    }
}

/// The event for an attempt whose processes have all ended.
pub(super) fn judge(
    key: AttemptKey,
    work: &Work,
    attempt: &Attempt,
    found: io::Result<AttemptState>,
) -> Incoming {
    let failed =
        |error: io::Error| Incoming::Machine(format!("{}: {error}", attempt.folder().display()));
    let told = |ending| match ending {
        ProcessOutcome::Completed(completion) => Incoming::Completed(key.clone(), completion),
        ProcessOutcome::Lost(problem) => Incoming::Lost(key.clone(), problem),
    };
    if let Ok(AttemptState::Lost(_)) = &found {
        match work.left(attempt) {
            Ok(Some(ending)) => return told(ending),
            Ok(None) => {}
            Err(error) => return failed(error),
        }
    }
    match found {
        Ok(AttemptState::Exited(record)) => {
            match work.executor().finish(&key.0, attempt, &record) {
                Ok(ending) => told(ending),
                Err(error) => failed(error),
            }
        }
        Ok(AttemptState::Lost(claim)) => {
            let problem = match claim.and_then(ClaimRecord::group) {
                Some(group) if group.is_alive() => format!(
                    "its launcher died while it ran; its process group {} is still running, and no process monitors it",
                    group.id
                ),
                Some(group) => format!(
                    "its launcher died while it ran (process {}): how it ended is not known",
                    group.id
                ),
                None => {
                    "its launcher died while it started it: whether it ran is not known".to_owned()
                }
            };
            Incoming::Lost(key, problem)
        }
        Ok(AttemptState::Unclaimed | AttemptState::Running) => Incoming::Lost(
            key,
            "its launcher died before it started it, or its files were removed".to_owned(),
        ),
        Err(error) => failed(error),
    }
}
