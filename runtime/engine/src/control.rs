//! Commands on jobs from any terminal: which are allowed in which state, and how they reach the owner.
//!
//! A command is a row in the store and a ring of the owner's bell. If the job has no owner, the command finds one: this process, or a
//! detached one. So every command is carried out by an owner, in the transaction that changes the job, and the caller waits for the answer.

use std::{
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::{
    bell, clock,
    exit::RunError,
    job_id::{self, JobKind},
    proc_stat::Stat,
};
use hpdlc_store::{
    JobRow,
    commands::{self, Handled},
    query,
    sql::Connection,
};

pub use crate::job_command::{JobOrder, Verb, bundle_request, coordinator_request};

use self::{bundle_request::BundleRequest, coordinator_request::CoordinatorRequest};
use crate::{
    detached_owner::{self, Detached},
    engine::Signals,
    progress::Silent,
    scheduling,
    session::Session,
};

/// How often to poll for the answer: at a short interval first, then at a longer one.
const FIRST_LOOK: Duration = Duration::from_millis(2);
const LAST_LOOK: Duration = Duration::from_millis(20);

/// How often the bell is rung again until the answer arrives.
const RING_AGAIN: Duration = Duration::from_millis(200);

/// An owner that has not answered within this time is considered hung.
const PATIENCE: Duration = Duration::from_secs(30);

/// The same for an owner that is stopped (`SIGSTOP`).
const STOPPED_PATIENCE: Duration = Duration::from_secs(3);

/// How many owners may be started that end without a message.
const MAX_HELPERS: u32 = 20;

/// Has `order` carried out on a job, by its owner or by one found for it; returns when it is recorded.
///
/// If the job has no owner, `start` and `resume` leave a detached owner behind; `suspend` and `kill` are completed before this returns.
///
/// # Errors
///
/// Exit 2 if the job's state does not allow it; exit 5 if the owner does not answer or dies (the request remains queued).
pub fn ask(session: &Session, job: &JobRow, order: JobOrder<'_>) -> Result<(), RunError> {
    check(session, job, order)?;
    let command = StoredCommand::put(session, job, order)?;
    command.see_through()
}

/// Whether the job would carry out `order`, judging by the store: an order refused here leaves neither a row nor a process. The owner
/// checks again when it takes the order.
///
/// A workflow program does not know how a coordinator or a bundle handles an order; its owner does.
///
/// # Errors
///
/// Exit 2 with the refusal.
pub fn check(session: &Session, job: &JobRow, order: JobOrder<'_>) -> Result<(), RunError> {
    if let Some(words) = order.refusal(job) {
        return Err(RunError::usage(words));
    }
    match (order, scheduling::of(session.program)) {
        (JobOrder::Coordinator(_) | JobOrder::Bundle(_), Some(scheduling)) => {
            (scheduling.check)(session, job, order)
        }
        (JobOrder::Workflow(_), _) | (_, None) => Ok(()),
    }
}

/// Has the owner of a coordinator or a bundle carry out its queued commands, starting an owner if there is none, and waits for it.
///
/// # Errors
///
/// As [`StoredCommand::see_through`]; the commands remain queued.
pub fn see_to(session: &Session, id: &str) -> Result<(), RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let Some(job) = query::job(&connection, id).map_err(describe)? else {
        return Ok(());
    };
    let Some(last) = commands::open(&connection, id).map_err(describe)?.pop() else {
        return Ok(());
    };
    match JobKind::of(id) {
        JobKind::Coordinator => match CoordinatorRequest::parse(&last.verb) {
            Some(request) => {
                let order = JobOrder::Coordinator(&request);
                StoredCommand::of_row(session, &job, order, last.id)?.see_through()
            }
            None => Ok(()),
        },
        JobKind::Bundle => match BundleRequest::parse(&last.verb) {
            Some(request) => {
                let order = JobOrder::Bundle(&request);
                StoredCommand::of_row(session, &job, order, last.id)?.see_through()
            }
            None => Ok(()),
        },
        JobKind::Workflow => Ok(()),
    }
}

/// As [`see_to`], on a detached thread. If the thread cannot be started, `recover` does it.
pub fn rouse(session: &Session, id: &str) {
    bell::ring(&session.home, id);
    if session.has_owner(id) {
        return;
    }
    let (session, id) = (session.clone(), id.to_owned());
    let _ = thread::Builder::new().spawn(move || see_to(&session, &id));
}

/// The id of the job that is notified of changes of `job`: the coordinator of a workflow, the bundle of a coordinator.
pub fn above(job: &JobRow) -> Option<&str> {
    let parent = job.parent_id.as_deref()?;
    match JobKind::of(&job.id) {
        JobKind::Workflow => job_id::coordinator_action(parent).map(|(id, _)| id),
        JobKind::Coordinator => Some(parent),
        JobKind::Bundle => None,
    }
}

/// A command that has been put into the store.
pub struct StoredCommand<'a> {
    session: &'a Session,
    connection: Connection,
    id: i64,
    job: &'a JobRow,
    order: JobOrder<'a>,
}

impl<'a> StoredCommand<'a> {
    pub fn put(
        session: &'a Session,
        job: &'a JobRow,
        order: JobOrder<'a>,
    ) -> Result<StoredCommand<'a>, RunError> {
        let connection = session.store()?;
        let id = commands::add(&connection, &job.id, &order.to_text(), clock::now_millis())
            .map_err(|error| session.describe(error))?;
        bell::ring(&session.home, &job.root_id);
        StoredCommand::of_row(session, job, order, id)
    }

    /// A command that is already in the store.
    pub fn of_row(
        session: &'a Session,
        job: &'a JobRow,
        order: JobOrder<'a>,
        id: i64,
    ) -> Result<StoredCommand<'a>, RunError> {
        Ok(StoredCommand {
            session,
            connection: session.store()?,
            id,
            job,
            order,
        })
    }

    /// `None` until there is an answer.
    pub fn answer(&self) -> Result<Option<Result<(), RunError>>, RunError> {
        let answer = commands::answer(&self.connection, self.id)
            .map_err(|error| self.session.describe(error))?;
        Ok(answer.map(|refusal| match refusal {
            None => Ok(()),
            Some(words) => Err(RunError::usage(words)),
        }))
    }

    /// Waits for the answer; if the job has no owner, finds one.
    pub fn see_through(&self) -> Result<(), RunError> {
        let begun = Instant::now();
        let mut rung = begun;
        let mut look = FIRST_LOOK;
        let mut helper: Option<Detached> = None;
        let mut n_helpers = 0;
        let result = loop {
            if let Some(answer) = self.answer()? {
                break answer;
            }
            if let Some(detached) = &mut helper {
                if let Some(problem) = detached.problem()? {
                    // It may have answered before it died.
                    break self.answer()?.unwrap_or(Err(self.unanswered(&problem)));
                }
                if detached.has_ended() {
                    helper = None;
                }
            } else if !self.session.has_owner(&self.job.root_id) {
                // Whatever ended these will end the next one too.
                if n_helpers == MAX_HELPERS {
                    break self
                        .answer()?
                        .unwrap_or(Err(self.unanswered("something ends it")));
                }
                helper = self.find_owner()?;
                n_helpers += u32::from(helper.is_some());
            } else if rung.elapsed() > RING_AGAIN {
                rung = Instant::now();
                bell::ring(&self.session.home, &self.job.root_id);
                self.check_owner(begun.elapsed())?;
            }
            thread::sleep(look);
            look = (look * 2).min(LAST_LOOK);
        };
        if let Some(detached) = helper.filter(|_| self.order.is_brief()) {
            // The command is recorded; it is complete when nothing of the job runs any more.
            detached.await_end(PATIENCE);
        }
        result
    }

    /// Starts an owner, which finds the command in the store.
    fn find_owner(&self) -> Result<Option<Detached>, RunError> {
        let session = self.session;
        let (job, root) = (self.row(&self.job.id)?, self.row(&self.job.root_id)?);
        if let Some(words) = self.order.refusal(&job) {
            // The last owner is gone, and no other would be started for this command.
            let handled = Handled {
                id: self.id,
                time: clock::now_millis(),
                refusal: Some(words),
            };
            commands::write_handled(&self.connection, &handled)
                .map_err(|error| session.describe(error))?;
            return Ok(None);
        }
        if !self.order.is_brief() || root.hash != session.program.hash {
            return detached_owner::start(session, &root).map(Some);
        }
        if let Some(ownership) = session.own(&root.id)? {
            session.drive(ownership, true, Box::new(Silent), Signals::of_program)?;
        }
        Ok(None)
    }

    fn row(&self, id: &str) -> Result<JobRow, RunError> {
        query::job(&self.connection, id)
            .map_err(|error| self.session.describe(error))?
            .ok_or_else(|| RunError::machine(format!("job {id} is no longer in the store")))
    }

    /// Gives up on an owner that does not answer.
    fn check_owner(&self, waited: Duration) -> Result<(), RunError> {
        let root = &self.job.root_id;
        let owner = self.session.owner(root)?;
        let here = owner.pid();
        let is_stopped = here.and_then(Stat::of).is_some_and(Stat::is_stopped);
        let patience = if is_stopped {
            STOPPED_PATIENCE
        } else {
            PATIENCE
        };
        if waited < patience {
            return Ok(());
        }
        let problem = RunError::machine(format!(
            "the owner of job {root}, {owner}, {}does not respond; the request remains queued",
            if is_stopped { "is stopped and " } else { "" }
        ));
        Err(problem.with_help(match here.filter(|_| is_stopped) {
            Some(pid) => format!(
                "let it continue with: kill -CONT {pid}; or kill it, and then type: recover {root}"
            ),
            None if owner.is_waited_for() => format!(
                "start `hpdl serve` or `recover --watch` there; or type there: recover {root}"
            ),
            None => format!("check what it is doing, or kill it and then type: recover {root}"),
        }))
    }

    fn unanswered(&self, problem: &str) -> RunError {
        RunError::machine(format!(
            "the owner of job {} ended before it could {} it; the request remains queued\n{problem}",
            self.job.root_id,
            self.order.word()
        ))
        .with_help(format!(
            "correct the problem above, then type: recover {}",
            self.job.root_id
        ))
    }
}
