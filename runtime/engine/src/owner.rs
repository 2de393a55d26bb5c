//! The owner of a job: creates it, and drives it to its end.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use hpdlc_host::{
    bell::Bell,
    clock,
    exit::RunError,
    home::Home,
    job_id::JobKind,
    settings::{self, Settings},
};
use hpdlc_launcher as launcher;
use hpdlc_program::table::{Entry, Program, applications::workflow_of};
use hpdlc_store::{self as store, JobRow, query, slas, sql::Connection, writer::Writer};

use crate::{
    control,
    engine::{self, EngineParts, ForeignJobs, JobCompletion, Signals},
    foreign_child,
    job::Job,
    job::submission,
    progress::Progress,
    registry, scheduling,
    sla::{self, Slas},
};

mod create;
mod functions;
pub mod library;
#[cfg(test)]
mod tests;

pub use crate::{
    new_job::{JobToDrive, NewJob, NewJobOptions},
    session::{JobLock, OwnerPlace, Ownership, Session},
};

/// How long a launcher may take to carry out the requests of an owner that died.
const LAUNCHER_PATIENCE: Duration = Duration::from_secs(30);

impl Session {
    pub fn open(program: &'static Program) -> Result<Session, RunError> {
        if !scheduling::is_linked(program) {
            return Err(RunError::usage(format!(
                "this program has a {} and was started by `init_with` without the scheduler",
                program.word()
            ))
            .with_help("name `Parts::with_scheduler` in its `main`"));
        }
        functions::check(program)?;
        let home = Home::open()?;
        let site = Arc::new(settings::site(&home)?);
        Ok(Session {
            program: registry::build::identified(program, &home)?,
            home,
            site,
        })
    }

    /// The stored jobs of a tree, and the rows of children that another definition ran to their end.
    fn load(
        &self,
        connection: &Connection,
        root: &str,
    ) -> Result<(Vec<Job>, Vec<JobRow>), RunError> {
        let rows = query::job_tree(connection, root).map_err(|error| self.describe(error))?;
        let (rows, former): (Vec<JobRow>, Vec<JobRow>) = rows
            .into_iter()
            .partition(|row| row.hash == self.program.hash);
        if let Some(other) = former
            .iter()
            .find(|row| row.id == root || !row.status.is_terminal())
        {
            return Err(RunError::machine(format!(
                "job {} belongs to another definition than this executable's",
                other.id
            )));
        }
        let jobs: Result<Vec<Job>, RunError> = rows
            .into_iter()
            .map(|row| {
                let actions =
                    query::actions(connection, &row.id).map_err(|error| self.describe(error))?;
                let slas =
                    slas::of_job(connection, &row.id).map_err(|error| self.describe(error))?;
                let mut job =
                    Job::load(self.program, &self.home, row, actions).map_err(RunError::machine)?;
                job.slas = Slas::stored(job.app, slas, job.row.started.is_some());
                Ok(job)
            })
            .collect();
        Ok((jobs?, former))
    }

    /// Drives a job tree that this process owns.
    ///
    /// # Errors
    ///
    /// Exit 5: the machine failed, the job is recoverable.
    pub fn drive(
        &self,
        ownership: Ownership,
        is_recovery: bool,
        progress: Box<dyn Progress>,
        signals: impl FnOnce() -> std::io::Result<Signals>,
    ) -> Result<JobCompletion, RunError> {
        registry::unpack(&self.home, self.program)?;
        let lock = ownership.lock();
        let root = ownership.root().to_owned();
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| RunError::machine(format!("cannot start the engine: {error}")))?;
        let local = tokio::task::LocalSet::new();
        let ended = local.block_on(&runtime, async {
            let signals = signals()
                .map_err(|error| RunError::machine(format!("cannot listen to signals: {error}")))?;
            match JobKind::of(ownership.root()) {
                JobKind::Workflow => {
                    self.drive_workflow(ownership, is_recovery, progress, signals, true)
                        .await
                }
                JobKind::Coordinator | JobKind::Bundle => {
                    let Some(scheduling) = scheduling::of(self.program) else {
                        return Err(RunError::machine(format!(
                            "job {} belongs to another definition than this executable's",
                            ownership.root()
                        )));
                    };
                    (scheduling.drive)(self.clone(), ownership, progress, signals).await
                }
            }
        });
        // Workflows of a coordinator that is handed over are released, with their threads.
        drop(local);
        // Threads that wait for other processes must not delay the end.
        runtime.shutdown_background();
        drop(lock);
        if ended.is_ok() {
            self.tell_above(&root);
        }
        ended
    }

    /// Has the coordinator of a workflow, or the bundle of a coordinator, handle its notification. If that fails it is in the store, and
    /// `recover` does it.
    fn tell_above(&self, root: &str) {
        let row = self
            .store()
            .and_then(|connection| query::job(&connection, root).map_err(|it| self.describe(it)));
        if let Ok(Some(row)) = row
            && let Some(above) = control::above(&row)
        {
            let _ = control::see_to(self, above);
        }
    }

    /// Drives the job tree of a workflow inside a [`tokio::task::LocalSet`], possibly with others. With `tells_above`, the coordinator of
    /// its action is notified of every new state; one that drives the workflow itself sees them.
    ///
    /// # Errors
    ///
    /// As [`Session::drive`].
    pub async fn drive_workflow(
        &self,
        ownership: Ownership,
        is_recovery: bool,
        progress: Box<dyn Progress>,
        signals: Signals,
        tells_above: bool,
    ) -> Result<JobCompletion, RunError> {
        let root = ownership.root().to_owned();
        if is_recovery {
            let (session, root) = (self.clone(), root.clone());
            // Other tasks of this process can run meanwhile.
            let waited = tokio::task::spawn_blocking(move || session.await_launchers(&root)).await;
            waited.map_err(|error| RunError::machine(error.to_string()))??;
        }
        // Before the store is read for commands: later ones ring the bell.
        let bell = Bell::listen(&self.home, &root);
        let mut drive = self.take_up(ownership, progress)?;
        drive.tells_above = tells_above;
        engine::drive(drive, signals, bell).await
    }

    /// Reads the jobs to drive.
    ///
    /// # Errors
    ///
    /// Exit 5: the machine failed, the job is recoverable.
    pub fn take_up(
        &self,
        ownership: Ownership,
        progress: Box<dyn Progress>,
    ) -> Result<EngineParts, RunError> {
        let (root, epoch, store, lock) = ownership.into_parts();
        self.prepare(&store, &root)?;
        let (jobs, former) = self.load(&store, &root)?;
        let writer = Writer::start(store, root, epoch)
            .map_err(|error| error.describe(self.home.store_location()))?;
        Ok(EngineParts {
            program: self.program,
            home: self.home.clone(),
            site: Arc::clone(&self.site),
            writer,
            lock,
            jobs,
            progress,
            former,
            tells_above: false,
            foreign_jobs: ForeignJobs {
                rouse: control::rouse,
                end: foreign_child::end,
            },
        })
    }

    /// Completes a job that another executable has created, for a coordinator's action or a sub-workflow: that knows neither our defaults
    /// nor our name.
    fn prepare(&self, connection: &Connection, root: &str) -> Result<(), RunError> {
        let describe = |error| self.describe(error);
        if !store::coordinators::is_unprepared(connection, root).map_err(describe)? {
            return Ok(());
        }
        let Some(row) = query::job(connection, root).map_err(describe)? else {
            return Ok(());
        };
        let given: BTreeMap<String, String> = serde_json::from_str(&row.conf).unwrap_or_default();
        let folder = registry::unpack(&self.home, self.program)?;
        let index = match self.program.entry {
            Entry::Workflow => Some(0),
            // Which of its coordinators it was is unknown; the URIs of all are known.
            Entry::Coordinator | Entry::Bundle(_) => {
                workflow_of(self.program, 0, &given, &row.app_path)
            }
        };
        let submission = match index.and_then(|index| self.program.apps.get(index)) {
            Some(app) => submission::complete(app, given, &folder, &row.user),
            None => Err(RunError::usage(format!(
                "workflow `{}` is not compiled into its executable (E0710)",
                row.app_path
            ))),
        };
        let index = i64::try_from(index.unwrap_or_default()).unwrap_or_default();
        let now = clock::now_millis();
        let completed = submission.map(|submission| {
            let settings = Settings {
                conf: &submission.conf,
                site: &self.site,
            };
            let slas = sla::registered(root, &submission.slas, settings);
            (submission, slas)
        });
        let completed =
            completed
                .as_ref()
                .map(|(submission, slas)| store::coordinators::JobSubmission {
                    app: &submission.app_name,
                    app_path: &submission.app_path,
                    conf: &submission.conf,
                    slas,
                });
        store::coordinators::complete(connection, root, index, completed, now).map_err(describe)
    }

    /// Waits until the launchers of earlier owners have carried out all requests.
    fn await_launchers(&self, root: &str) -> Result<(), RunError> {
        let path = self.home.pending_requests(root);
        match launcher::await_requests(&path, LAUNCHER_PATIENCE) {
            Ok(true) => Ok(()),
            Ok(false) => Err(RunError::machine(format!(
                "a launcher of job {root} does not accept the requests of the job's last owner"
            ))
            .with_help("look for a stopped process `hpdl-launcher`, kill it, and try again")),
            Err(error) => Err(RunError::machine(format!("{}: {error}", path.display()))),
        }
    }
}
