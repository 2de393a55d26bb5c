//! The event loop of a coordinator and of a bundle: one task owns all state, as in the engine of a workflow job.
//!
//! The changes of an event are written in one transaction, with the child jobs that are created; only then are these started. Each child
//! job has its own lock and owner: this process, if there is no other. The engine has a loop of its own: it owns a tree of jobs, waits only
//! for completions, and lets its launcher run ahead of the commits.

use std::time::Duration;

use chrono::{DateTime, Utc};
use hpdlc_engine::{
    engine::{JobCompletion, SignalRequest, Signals},
    owner::{Ownership, Session},
    progress::Shared,
};
use hpdlc_host::{
    bell::Bell,
    clock,
    drain::{self, Drain},
    exit::{Exit, RunError},
    settings::Settings,
};
use hpdlc_store::{CommandRow, JobRow, commands::Handled};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    time::{self, Instant},
};

mod job;

pub use self::job::OwnedJob;

/// The polling interval for commands in the store, and for child jobs that other processes drive.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// After a poll that took long, the pause is so many times as long, and at most this.
const PAUSE_FACTOR: u32 = 5;
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

/// The longest sleep.
const LONGEST_SLEEP: Duration = Duration::from_secs(60);

/// The polling interval for owners elsewhere in a drain.
const DRAIN_LOOK_INTERVAL: Duration = Duration::from_millis(50);

/// An event from outside.
pub enum Incoming<C, N> {
    /// This process has released a child job.
    Driven(C, Box<Result<JobCompletion, RunError>>),
    News(N),
}

/// The result of a command.
pub enum CommandAnswer {
    Done,
    Refused(String),
    /// It stays queued, with all later ones.
    Postponed,
}

impl CommandAnswer {
    pub fn of(result: Result<(), String>) -> CommandAnswer {
        result.map_or_else(CommandAnswer::Refused, |()| CommandAnswer::Done)
    }
}

/// Drives a job whose work is done by child jobs.
pub trait Supervisor: Sized {
    /// Identifies a child job.
    type Child: Ord + 'static;
    /// Performed after a transaction.
    type Effect;
    /// An event from outside other than the end of a child job.
    type News: 'static;

    /// The words for the job and its child jobs in messages.
    const NOUN: &'static str;
    const CHILDREN: &'static str;
    /// How much longer than its child jobs it waits in a drain.
    const DRAIN_MARGIN: Duration;

    fn load(job: OwnedJob<Self>) -> Result<Self, RunError>;
    fn job(&self) -> &OwnedJob<Self>;
    fn job_mut(&mut self) -> &mut OwnedJob<Self>;
    fn settings(&self) -> Option<Settings<'_>>;

    /// Resumes what the store says is outstanding.
    fn take_up(&mut self);
    /// When something is due, by the job's clock.
    fn wake(&self) -> Option<DateTime<Utc>>;
    /// Handles what is due.
    fn tick(&mut self);
    fn kill(&mut self);
    /// Carries out a command.
    fn obey(&mut self, id: i64, text: &str) -> Result<CommandAnswer, RunError>;
    /// Waits for an event that no task sends. Cancel safe.
    async fn news(&mut self) -> Self::News;
    fn take(&mut self, news: Self::News) -> Result<(), RunError>;
    /// Checks what other processes may have changed in the store.
    fn look(&mut self) -> Result<(), RunError>;
    /// This process no longer drives a child job.
    fn let_go(&mut self, child: &Self::Child);
    fn ended(&mut self, child: Self::Child, ended: JobCompletion) -> Result<(), RunError>;

    /// Whether there is nothing to write.
    fn is_clean(&self) -> bool;
    /// Commits all changes in one transaction.
    fn write(&mut self) -> Result<(), RunError>;
    /// Performs the effects after their transaction.
    fn perform(&mut self, effects: Vec<Self::Effect>) -> Result<(), RunError>;
    /// Nothing is left to do, or nothing can be done before the user acts.
    fn is_over(&self) -> bool;

    /// The child jobs that run here, as shown to the user.
    fn running(&self) -> Vec<String>;
    /// The prefix of messages about a child job.
    fn title(child: &Self::Child) -> String;
    /// The node in the log that it belongs to.
    fn node(_: &Self::Child) -> Option<String> {
        None
    }
    /// Has the owners of child jobs that other executables drive release them.
    fn drain_elsewhere(&self) -> Vec<JobRow> {
        Vec::new()
    }

    fn commit(&mut self) -> Result<(), RunError> {
        if self.is_clean() {
            return Ok(());
        }
        self.write()
    }

    /// Commits the changes, and then shows them to the user.
    fn settle(&mut self) -> Result<(), RunError> {
        self.commit()?;
        self.job_mut().journal.tell();
        Ok(())
    }
}

/// Drives a job until it has ended, or nothing can be done before the user acts. Must run inside a [`tokio::task::LocalSet`].
///
/// # Errors
///
/// Exit 5 if the machine fails (the job is recoverable then), or if a signal asked to hand over.
pub async fn run<S: Supervisor>(
    session: Session,
    ownership: Ownership,
    progress: Shared,
    mut signals: Signals,
) -> Result<JobCompletion, RunError> {
    // Before the store is read for commands: later ones ring the bell.
    let bell = Bell::listen(&session.home, ownership.root());
    let (outbox, mut inbox) = mpsc::unbounded_channel();
    let mut supervisor = S::load(OwnedJob::new(session, ownership, progress, outbox)?)?;
    if supervisor.job().is_started() {
        if supervisor.job().row.started.is_some() {
            // Notifications that an earlier owner has not sent.
            supervisor.job_mut().send_notices();
        }
        supervisor.take_up();
    }
    take_commands(&mut supervisor)?;
    let mut next_look = Instant::now();
    loop {
        if due(&supervisor).is_some_and(|due| due <= supervisor.job().clock.now()) {
            supervisor.tick();
        }
        advance(&mut supervisor)?;
        if supervisor.is_over() {
            return Ok(supervisor.job_mut().end());
        }
        let wake = due(&supervisor).map_or(LONGEST_SLEEP, |due| supervisor.job().clock.until(due));
        tokio::select! {
            biased;
            asked = signals.next() => match asked.in_this_place(supervisor.settings()) {
                SignalRequest::Kill => kill(&mut supervisor),
                SignalRequest::Drain(drain) => return Err(drain_job(supervisor, drain, inbox).await),
                SignalRequest::HandOver(signal) => {
                    supervisor.settle()?;
                    return Err(stopped(&supervisor, signal, "its running actions continue"));
                }
            },
            () = bell.rung() => take_commands(&mut supervisor)?,
            Some(incoming) = inbox.recv() => {
                take(&mut supervisor, incoming)?;
                while let Ok(incoming) = inbox.try_recv() {
                    take(&mut supervisor, incoming)?;
                }
            }
            news = supervisor.news() => supervisor.take(news)?,
            () = time::sleep(wake) => {}
            () = time::sleep_until(next_look) => {
                let begun = Instant::now();
                take_commands(&mut supervisor)?;
                supervisor.look()?;
                // Where hundreds of jobs look at a store, each leaves time to what they wait for.
                let pause = (begun.elapsed() * PAUSE_FACTOR).clamp(LOOK_INTERVAL, LONGEST_PAUSE);
                next_look = Instant::now() + pause;
            }
        }
    }
}

fn due<S: Supervisor>(supervisor: &S) -> Option<DateTime<Utc>> {
    let is_started = supervisor.job().is_started();
    is_started.then(|| supervisor.wake()).flatten()
}

/// Commits the changes and performs their effects, until there are no more.
fn advance<S: Supervisor>(supervisor: &mut S) -> Result<(), RunError> {
    loop {
        if let Some(failure) = supervisor.job_mut().failure.take() {
            return Err(supervisor.job().recoverable(failure));
        }
        supervisor.settle()?;
        let effects = std::mem::take(&mut supervisor.job_mut().after);
        if !effects.is_empty() {
            supervisor.perform(effects)?;
        } else if supervisor.is_clean() {
            return Ok(());
        }
    }
}

/// Carries out the queued commands, each as if the one before were long done.
fn take_commands<S: Supervisor>(supervisor: &mut S) -> Result<(), RunError> {
    let job = supervisor.job();
    let commands = job.writer.commands();
    for CommandRow { id, verb, .. } in commands.map_err(|error| job.store_failure(&error))? {
        let refusal = match supervisor.obey(id, &verb)? {
            CommandAnswer::Done => None,
            CommandAnswer::Refused(words) => Some(words),
            CommandAnswer::Postponed => break,
        };
        let time = clock::now_millis();
        let handled = Handled { id, time, refusal };
        supervisor.job_mut().batch.handled.push(handled);
        // The next command is checked against the rows that the last one has changed.
        supervisor.commit()?;
    }
    Ok(())
}

fn take<S: Supervisor>(
    supervisor: &mut S,
    incoming: Incoming<S::Child, S::News>,
) -> Result<(), RunError> {
    let (child, result) = match incoming {
        Incoming::News(news) => return supervisor.take(news),
        Incoming::Driven(child, result) => (child, result),
    };
    supervisor.let_go(&child);
    match *result {
        Ok(ended) => supervisor.ended(child, ended),
        Err(error) if error.exit == Exit::Machine => Err(supervisor.job().recoverable(error)),
        Err(error) => {
            let words = format!("{}: {error}", S::title(&child));
            let journal = &mut supervisor.job_mut().journal;
            journal.warn(S::node(&child), words);
            Ok(())
        }
    }
}

fn kill<S: Supervisor>(supervisor: &mut S) {
    let words = format!("killing the {} and its {}", S::NOUN, S::CHILDREN);
    let journal = &mut supervisor.job_mut().journal;
    journal.note(None, "KILL", Some(words));
    supervisor.kill();
}

/// Creates and starts nothing more, and waits for the child jobs that would end with this process. Their results are found by the next
/// owner.
async fn drain_job<S: Supervisor>(
    mut supervisor: S,
    drain: Drain,
    mut inbox: UnboundedReceiver<Incoming<S::Child, S::News>>,
) -> RunError {
    let words = drain.announcement(&names_of_running(&supervisor));
    let journal = &mut supervisor.job_mut().journal;
    journal.note(None, "DRAIN", Some(words));
    if let Err(error) = supervisor.settle() {
        return error;
    }
    let elsewhere = supervisor.drain_elsewhere();
    let has_owner = |row: &JobRow| drain::owner_process(&row.id, row.owner_pid).is_some();
    let drained = &supervisor.job().drain;
    drained.send_replace(Some(drain.clone()));
    let mut problems = Vec::new();
    let over = Instant::from(drain.deadline) + S::DRAIN_MARGIN;
    while !supervisor.running().is_empty() || elsewhere.iter().any(has_owner) {
        tokio::select! {
            Some(incoming) = inbox.recv() => {
                let Incoming::Driven(child, result) = incoming else {
                    continue;
                };
                supervisor.let_go(&child);
                if let Err(error) = *result && drain.is_late() {
                    problems.push(format!("{}: {}", S::title(&child), error.message));
                }
            }
            () = time::sleep(DRAIN_LOOK_INTERVAL) => {}
            () = time::sleep_until(over) => break,
        }
    }
    let words = if !supervisor.running().is_empty() {
        drain.failure(&names_of_running(&supervisor))
    } else if problems.is_empty() {
        return stopped(&supervisor, drain.signal, "none of its actions is running");
    } else {
        problems.join("\n")
    };
    supervisor.job().recoverable(RunError::machine(words))
}

fn names_of_running<S: Supervisor>(supervisor: &S) -> String {
    let names = supervisor.running();
    if names.is_empty() {
        "nothing".to_owned()
    } else {
        names.join(", ")
    }
}

fn stopped<S: Supervisor>(supervisor: &S, signal: &str, actions: &str) -> RunError {
    let job = supervisor.job();
    let (noun, id) = (S::NOUN, job.id());
    let words = format!("{signal}: stopped managing {noun} {id}; {actions}");
    job.recoverable(RunError::machine(words))
}
