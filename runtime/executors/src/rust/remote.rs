//! Work that goes on elsewhere, by a type of an extension: found or started, and asked for its state until it has ended.
//!
//! What a process of the attempt has done is in its [`RemoteState`], each step on disk before the next one: that the start begins, and the id
//! that it gave. So whichever step it dies at, the next process knows whether the work may have been started, and nothing is started twice.

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use hpdlc_host::clock;
use hpdlc_launcher::Attempt;
use hpdlc_program::failure::ActionError;

use super::{
    Rust, ended_by, guarded,
    remote_state::RemoteState,
    remote_work::{RemoteWork, repeated_looks},
};
use crate::{
    action::{Context, DataMap, Error, Id, RemoteCalls, State, lost},
    time_limit,
    worker_process::{WorkError, WorkResult},
};

/// Before the first question about the state; then half as long again each time.
const FIRST_PAUSE: Duration = Duration::from_millis(200);

/// The longest pause between two questions.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long a start that is under way is awaited when the time limit is over.
const START_PATIENCE: Duration = Duration::from_secs(30);

/// What the thread that does the work and the one that looks at the clock tell each other.
#[derive(Default)]
struct Progress {
    is_over: bool,
    is_starting: bool,
}

/// Finds the work or starts it, and waits for its end; ends it when its time limit is over.
///
/// # Errors
///
/// It failed, is lost, or exceeded its time limit.
pub(super) fn follow(
    action: &Rust,
    calls: RemoteCalls,
    context: Context,
    attempt: &Attempt,
) -> Result<WorkResult, WorkError> {
    let work = RemoteWork {
        calls,
        arguments: action.arguments.clone(),
        context,
        attempt: attempt.clone(),
    };
    let state = work.state()?;
    let progress = Arc::new(Mutex::new(Progress::default()));
    let Some(limit) = action.limit else {
        return work.carry(state, &progress);
    };
    let left = time_left(limit.seconds, state.since);
    let (sender, receiver) = mpsc::channel();
    {
        let (work, progress) = (work.clone(), Arc::clone(&progress));
        thread::spawn(move || {
            let _ = sender.send(work.carry(state, &progress));
        });
    }
    receiver.recv_timeout(left).unwrap_or_else(|_| {
        await_start(&progress);
        let mut error = time_limit::time_over("it", limit.seconds);
        if let Err(problem) = work.kill_within_patience() {
            error.message.push_str("; ");
            error.message.push_str(&problem);
        }
        Err(error.into())
    })
}

/// What is left of the limit, for the first process of the attempt and those after it.
fn time_left(seconds: u64, since: i64) -> Duration {
    let passed = u64::try_from(clock::now_millis().saturating_sub(since)).unwrap_or(0);
    Duration::from_secs(seconds).saturating_sub(Duration::from_millis(passed))
}

/// Lets nothing be started from now on, and waits for a start that is under way.
fn await_start(progress: &Mutex<Progress>) {
    locked(progress).is_over = true;
    let until = Instant::now() + START_PATIENCE;
    while locked(progress).is_starting && Instant::now() < until {
        thread::sleep(Duration::from_millis(20));
    }
}

fn locked(progress: &Mutex<Progress>) -> MutexGuard<'_, Progress> {
    progress.lock().unwrap_or_else(PoisonError::into_inner)
}

impl RemoteWork {
    /// What an earlier process of the attempt has recorded.
    fn state(&self) -> Result<RemoteState, WorkError> {
        let recorded = RemoteState::read(&self.attempt);
        let recorded = recorded.map_err(|error| WorkError::Lost(self.unknown(&error)))?;
        Ok(recorded.unwrap_or_else(|| RemoteState {
            node: self.context.node().to_owned(),
            tag: self.context.tag(),
            since: clock::now_millis(),
            ..RemoteState::default()
        }))
    }

    fn unknown(&self, error: &std::io::Error) -> String {
        format!("{}: {error}", self.attempt.beside("remote").display())
    }

    /// From the point that an earlier process has reached to the end of the work.
    fn carry(
        &self,
        mut state: RemoteState,
        progress: &Mutex<Progress>,
    ) -> Result<WorkResult, WorkError> {
        let id = match &state.id {
            Some(id) => id.clone(),
            None => {
                let id = self.found_or_started(&mut state, progress)?;
                eprintln!("`{id}` does the work");
                id
            }
        };
        let result = |status: &str, data| WorkResult {
            external_status: status.to_owned(),
            external_id: Some(id.to_string()),
            data,
            ..WorkResult::default()
        };
        match self.end_of(&id) {
            Ok(data) => Ok(result("OK", data)),
            Err(error) if error.is_lost() => Err(ended_by(error)),
            Err(error) => {
                let known = Box::new(result("ERROR", DataMap::new()));
                Err(WorkError::Known(error.into(), known))
            }
        }
    }

    fn found_or_started(
        &self,
        state: &mut RemoteState,
        progress: &Mutex<Progress>,
    ) -> Result<Id, WorkError> {
        if let Some(id) = self.find(state.has_begun).map_err(ended_by)? {
            return self.recorded(state, id);
        }
        if state.has_begun {
            let problem = "its process died while it started the work, and the work is not found: whether it was done is not known";
            return Err(WorkError::Lost(problem.to_owned()));
        }
        {
            let mut progress = locked(progress);
            if progress.is_over {
                return Err(WorkError::Lost("its time was over".to_owned()));
            }
            progress.is_starting = true;
        }
        let started = self.start(state);
        locked(progress).is_starting = false;
        started
    }

    /// Records the id, by which the next process goes on.
    fn recorded(&self, state: &mut RemoteState, id: Id) -> Result<Id, WorkError> {
        (state.id, state.has_begun) = (Some(id.clone()), true);
        // Without the record the next process finds it by its tag.
        if let Err(error) = state.write(&self.attempt) {
            eprintln!("{}", self.unknown(&error));
        }
        Ok(id)
    }

    /// Before a start has begun, an error ends the action: nothing is there. After that the service may show the work late, and is asked
    /// several times.
    fn find(&self, has_begun: bool) -> Result<Option<Id>, Error> {
        let find = || (self.calls.find)(&self.context, &self.arguments);
        if !has_begun {
            return guarded(None, find);
        }
        let found = repeated_looks(|| patiently(|| guarded(None, find)));
        found.map_err(|error| {
            lost(format!(
                "whether the work was started is not known: {error}"
            ))
        })
    }

    fn start(&self, state: &mut RemoteState) -> Result<Id, WorkError> {
        state.has_begun = true;
        state
            .write(&self.attempt)
            .map_err(|error| ActionError::transient("JA009", self.unknown(&error)))?;
        let start = || (self.calls.start)(&self.context, &self.arguments);
        let error = match guarded(None, start) {
            Ok(id) => return self.recorded(state, id),
            Err(error) => error,
        };
        let is_certain = !(error.is_lost() || error.is_foreign() || error.code() == super::PANIC);
        if is_certain {
            return Err(ended_by(error));
        }
        // The request may have arrived.
        match self.find(true).map_err(ended_by)? {
            Some(id) => self.recorded(state, id),
            None => Err(WorkError::Lost(format!(
                "the start has failed ({}), and the work is not found: whether it was done is not known",
                error.message()
            ))),
        }
    }

    fn end_of(&self, id: &Id) -> Result<DataMap, Error> {
        let mut pause = FIRST_PAUSE;
        loop {
            let check = || (self.calls.check)(&self.context, &self.arguments, id);
            let state = patiently(|| guarded(None, check));
            match state {
                Ok(State::Running) => {
                    thread::sleep(pause);
                    pause = LONGEST_PAUSE.min(pause + pause / 2);
                }
                Ok(State::Done(data)) => return Ok(data),
                Ok(State::Failed(error)) => return Err(error),
                Err(error) if error.code() == super::PANIC => {
                    let problem = format!("the work goes on as `{id}`: {}", error.message());
                    return Err(lost(problem));
                }
                Err(error) => return Err(error),
            }
        }
    }
}

/// Repeats a call with growing pauses until it has no error that may pass.
fn patiently<T>(mut call: impl FnMut() -> Result<T, Error>) -> Result<T, Error> {
    let mut pause = FIRST_PAUSE;
    loop {
        match call() {
            Err(error) if error.may_pass() => {
                eprintln!("{error}; asked again in {} s", pause.as_secs_f32());
                thread::sleep(pause);
                pause = LONGEST_PAUSE.min(pause * 2);
            }
            ended => return ended,
        }
    }
}

#[cfg(test)]
mod tests;
