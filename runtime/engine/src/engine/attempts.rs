//! Attempts of actions: started, found again, awaited, completed.

use std::sync::Arc;

use hpdlc_core::{
    definition::NodeId,
    status::{ActionStatus, JobStatus},
    step::{Effect, Event},
};
use hpdlc_executors::Completion;
use hpdlc_host::{exit::RunError, settings::Settings};
use hpdlc_launcher::{LauncherRequest, StartRequest};
use hpdlc_store::{StoreError, hosts};

use crate::engine::{AttemptKey, Engine, secrets};

mod reports;
mod task;

pub(super) use self::task::{AttemptTask, TaskProgress, judge};

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
        if !self.is_owner_still() {
            return;
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
        let recorded_boot = job.row_of(node).boot_id.clone();
        let is_same_boot =
            hosts::is_same_boot(recorded_boot.as_deref().unwrap_or_default(), &boot_id);
        let own = hosts::host_of(&boot_id);
        // If that cannot be read, the place is not named.
        let recorded_by =
            hosts::other_place(self.writer.connection(), recorded_boot.as_deref(), own);
        let recorded_by = recorded_by.unwrap_or_default();
        let settings = Settings {
            conf: &job.view.conf,
            site: &self.site,
        };
        let recorded = job.work(node)?;
        let (work, unread) = match secrets::with_secrets(&recorded, settings) {
            Ok(work) => (work.map_or(recorded, Arc::new), None),
            Err(error) => (recorded, Some(error)),
        };
        Some(AttemptTask {
            key: key.clone(),
            node: job.def(node).name,
            work,
            unread,
            attempt: job.attempt(&self.home, node, attempt),
            app_folder: job.app_folder.clone(),
            app_path: job.row.app_path.clone(),
            home: self.home.root().to_owned(),
            is_canceled: job.cancellation(node),
            is_same_boot,
            recorded_by,
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

    /// Checks that another host has not taken the jobs over, and that none does from now on: this process may have stood still. A launcher
    /// ends for that, but the next one would not know.
    ///
    /// # Errors
    ///
    /// They are not its own any more, or the store fails.
    pub(super) fn expect_job(&self) -> Result<(), RunError> {
        if !self.is_on_server() {
            return Ok(());
        }
        let proved = self.lock.prove_host(self.writer.connection());
        let expected = proved.map_err(StoreError::from);
        expected
            .and_then(|()| self.writer.expect_ownership())
            .map_err(|error| self.store_failure(&error))
    }

    /// Whether nothing has happened since the last transaction by which another host may have become the owner, or it is certain that none
    /// has. Otherwise the engine fails. To be asked before anything is started, after all that is read for it.
    fn is_owner_still(&mut self) -> bool {
        if self.writer.has_lost_session()
            && let Err(error) = self.expect_job()
        {
            self.failure.get_or_insert(error);
        }
        self.failure.is_none()
    }

    /// Sends a request to the launcher, starting one if there is none. If that fails, so does the engine.
    pub(super) fn request(&mut self, request: &LauncherRequest) -> bool {
        if !self.is_owner_still() {
            return false;
        }
        if !self.environment.has_launcher() {
            if let Err(error) = self.expect_job() {
                self.failure.get_or_insert(error);
                return false;
            }
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
        let completion = self.without_secrets(id, completion);
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
        match job.take_completion(node, completion) {
            None => self.apply(id, Event::Succeeded { node, attempt }),
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
}
