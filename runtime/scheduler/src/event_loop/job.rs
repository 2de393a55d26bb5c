//! The job of an event loop: what coordinators and bundles have in common.

use std::{collections::BTreeMap, future::Future, mem, sync::Arc};

use hpdlc_core::{
    coordinator::{CoordinatorStatus, machine::ActionFault},
    status::JobStatus,
};
use hpdlc_engine::{
    engine::{JobCompletion, Signals},
    notify::{
        NotificationSender,
        failure::{self, JobFailure},
    },
    owner::{JobLock, Ownership, Session},
    progress::{EventJournal, Shared},
};
use hpdlc_host::{
    clock,
    drain::Drain,
    exit::RunError,
    job_id::{self, JobKind},
    mask::Mask,
    settings::Settings,
};
use hpdlc_store::{
    JobRow, StoreError, query,
    writer::{Batch, Writer},
};
use tokio::sync::{mpsc, watch};

use super::{Incoming, Supervisor};
use crate::clock::Clock;

/// A job that this process owns.
pub struct OwnedJob<S: Supervisor> {
    pub session: Session,
    pub writer: Writer,
    /// The lock that makes this process the owner.
    _lock: Arc<JobLock>,
    pub row: JobRow,
    pub clock: Clock,
    pub journal: EventJournal,
    pub outbox: mpsc::UnboundedSender<Incoming<S::Child, S::News>>,
    /// Child jobs created in the current transaction: owned by us before any other process can see them.
    pub fresh: BTreeMap<S::Child, Ownership>,
    /// The next transaction, except for what is known only then.
    pub batch: Batch,
    /// Whether the row of the job has to be written.
    pub is_dirty: bool,
    /// Effects that may be performed only when their cause is on disk.
    pub after: Vec<S::Effect>,
    pub failure: Option<RunError>,
    /// Has the child jobs that run here drain.
    pub(super) drain: watch::Sender<Option<Drain>>,
    /// Sends notifications; started with the first one.
    sender: Option<NotificationSender>,
    /// SQLite's `data_version`, which counts changes by others, when the store was last checked.
    seen_version: i64,
}

impl<S: Supervisor> OwnedJob<S> {
    pub(super) fn new(
        session: Session,
        ownership: Ownership,
        progress: Shared,
        outbox: mpsc::UnboundedSender<Incoming<S::Child, S::News>>,
    ) -> Result<OwnedJob<S>, RunError> {
        let (root, epoch, store, lock) = ownership.into_parts();
        let row = query::job(&store, &root).map_err(|error| session.describe(error))?;
        let row = row.ok_or_else(|| {
            RunError::machine(format!("job {root} no longer exists in the store"))
        })?;
        let writer = Writer::start(store, root, epoch)
            .map_err(|error| error.describe(session.home.store_location()))?;
        let journal = EventJournal::new(row.id.clone(), progress, Mask::default());
        Ok(OwnedJob {
            session,
            writer,
            _lock: lock,
            journal: journal.labeled(row.parent_node.clone()),
            row,
            clock: Clock::default(),
            outbox,
            fresh: BTreeMap::new(),
            batch: Batch::default(),
            is_dirty: false,
            after: Vec::new(),
            failure: None,
            drain: watch::Sender::new(None),
            sender: None,
            seen_version: -1,
        })
    }

    /// Sets what the rows of its kind contain.
    pub fn set(&mut self, clock: Clock, mask: Mask) {
        self.clock = clock;
        self.journal.set_mask(mask);
    }

    pub fn id(&self) -> &str {
        &self.row.id
    }

    /// Whether it was started; one that was only submitted waits.
    pub fn is_started(&self) -> bool {
        self.row.started.is_some() || self.row.status != JobStatus::Prep
    }

    /// Marks the job as begun; returns whether it was not before.
    pub fn begin(&mut self) -> bool {
        let is_first = self.row.started.is_none();
        if is_first {
            self.row.started = Some(clock::now_millis());
            self.is_dirty = true;
        }
        is_first
    }

    /// Whether other processes have changed the store since the last call.
    pub fn has_news(&mut self) -> Result<bool, RunError> {
        let is_there = self.writer.expect_store();
        is_there.map_err(|error| self.store_failure(&error))?;
        let version = query::data_version(self.writer.connection())
            .map_err(|error| self.session.describe(error))?;
        Ok(mem::replace(&mut self.seen_version, version) != version)
    }

    /// The id of a new child job, and its creation time.
    pub fn child_id(&self, kind: JobKind) -> Result<(String, i64), RunError> {
        let number = self.writer.next_job_number();
        let number = number.map_err(|error| self.store_failure(&error))?;
        let created = clock::now();
        let id = job_id::job(number, created, kind);
        Ok((id, created.timestamp_millis()))
    }

    /// Drives a child job in this process.
    pub fn spawn<D>(&self, child: S::Child, driving: impl FnOnce(Session, Shared, Signals) -> D)
    where
        D: Future<Output = Result<JobCompletion, RunError>> + 'static,
    {
        let signals = Signals::of_driver(self.drain.subscribe());
        let driving = driving(self.session.clone(), self.journal.progress(), signals);
        let outbox = self.outbox.clone();
        tokio::task::spawn_local(async move {
            let result = Box::new(driving.await);
            // Its supervisor may have ended.
            let _ = outbox.send(Incoming::Driven(child, result));
        });
    }

    /// Reports a new state of the job.
    pub fn tell_status(
        &mut self,
        status: CoordinatorStatus,
        error: Option<&ActionFault>,
        conf: &BTreeMap<String, String>,
    ) {
        let message = match (status, error) {
            (CoordinatorStatus::Running, _) => Some(self.row.app.clone()),
            (CoordinatorStatus::Failed, Some(error)) => {
                Some(format!("{}: {}", error.code, error.message))
            }
            (_, _) => None,
        };
        self.journal.state(None, status.name(), message);
        let is_failure = matches!(
            status,
            CoordinatorStatus::Killed
                | CoordinatorStatus::Failed
                | CoordinatorStatus::DoneWithError
        );
        if is_failure {
            self.tell_failure(None, status.name(), error, conf);
        }
    }

    /// Notifies that the job, or an action of it, has failed, if configured.
    pub fn tell_failure(
        &mut self,
        action: Option<u64>,
        status: &str,
        error: Option<&ActionFault>,
        conf: &BTreeMap<String, String>,
    ) {
        let failure = JobFailure {
            job: &self.row,
            action,
            status,
            node: None,
            error_code: error.map(|error| error.code.as_str()),
            error_message: error.map(|error| error.message.as_str()),
            mask: self.journal.mask(),
        };
        let site = &self.session.site;
        let notice = failure::of(failure, Settings { conf, site }, clock::now_millis());
        self.batch.notices.extend(notice);
    }

    pub fn is_clean(&self) -> bool {
        let Batch {
            jobs,
            new_runs,
            handled,
            ..
        } = &self.batch;
        let is_clean = jobs.is_empty() && new_runs.is_empty() && handled.is_empty();
        is_clean && !self.is_dirty && self.journal.is_clean()
    }

    /// Sets the columns that every job has.
    pub fn set_status(&mut self, status: CoordinatorStatus, has_work: bool) {
        self.row.status = common_status(status, self.row.started.is_some(), has_work);
        if status.is_terminal() {
            self.row.ended.get_or_insert(clock::now_millis());
        } else {
            self.row.ended = None;
        }
    }

    /// Commits the batch, and sends its notifications.
    pub fn write(&mut self) -> Result<(), RunError> {
        self.batch.log = self.journal.take_log();
        let batch = mem::take(&mut self.batch);
        let written = self.writer.commit(&batch);
        written.map_err(|error| self.store_failure(&error))?;
        if !batch.notices.is_empty() {
            self.send_notices();
        }
        Ok(())
    }

    /// Sends the notifications that are on disk. If no thread can be started, `recover` sends them.
    pub(super) fn send_notices(&mut self) {
        if self.sender.is_none() {
            let hash = self.session.program.hash;
            self.sender = NotificationSender::start(&self.session.home, &self.row.id, hash).ok();
        }
        if let Some(sender) = &self.sender {
            sender.look();
        }
    }

    pub(super) fn end(&mut self) -> JobCompletion {
        if let Some(sender) = self.sender.take() {
            sender.finish();
        }
        JobCompletion::of(self.row.clone())
    }

    pub fn store_failure(&self, error: &StoreError) -> RunError {
        error.describe_to_owner(self.session.home.store_location(), &self.row.id)
    }

    pub fn recoverable(&self, error: RunError) -> RunError {
        error.and_recover(&self.row.id)
    }
}

/// The nearest state of a workflow job: it is shown where only workflows are known, and determines whether the job needs an owner.
fn common_status(status: CoordinatorStatus, is_started: bool, has_work: bool) -> JobStatus {
    use CoordinatorStatus as C;
    match status {
        C::Prep | C::PrepPaused if is_started => JobStatus::Running,
        C::Prep | C::PrepPaused => JobStatus::Prep,
        C::Running | C::RunningWithError => JobStatus::Running,
        C::Paused | C::PausedWithError if has_work => JobStatus::Running,
        C::Paused
        | C::PausedWithError
        | C::PrepSuspended
        | C::Suspended
        | C::SuspendedWithError => JobStatus::Suspended,
        C::Succeeded => JobStatus::Succeeded,
        C::DoneWithError | C::Failed => JobStatus::Failed,
        C::Killed | C::Ignored => JobStatus::Killed,
    }
}
