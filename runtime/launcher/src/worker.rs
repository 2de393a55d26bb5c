//! A worker thread: starts one attempt after the other, waits for its process, and records its end.

use std::{
    fs::File, io, os::unix::process::ExitStatusExt, path::Path, process::ExitStatus, sync::Arc,
    thread, time::Duration,
};

use hpdlc_host::{clock, exec_error};
use rustix::{
    io::Errno,
    process::{Pid, WaitOptions, waitpid},
};

use crate::{
    ProcessGroup,
    attempt::{Attempt, ExitRecord},
    claim::Claim,
    limits::{Deadline, TimeLimit},
    out_of_resources::{is_exhausted, problem},
    prepared::{Beside, Opened, PreparedAttempt, Start, exit_record},
    protocol::ReportEvent,
    reused_folder::{Again, ReusedFolder},
    shared_state::{EndReport, Lingering, SharedState},
    spawn::{self, Spawner},
};

/// How long an idle worker waits for an attempt before it ends.
const PATIENCE: Duration = Duration::from_secs(1);

/// In bytes; a worker has no deep calls.
const STACK: usize = 256 * 1024;

/// Starts a worker. `null` is `/dev/null`, the standard input of processes.
///
/// # Errors
///
/// No further thread can be started.
pub(super) fn open(
    shared: &Arc<SharedState>,
    null: &Arc<File>,
    spawner: Option<&Arc<Spawner>>,
) -> io::Result<()> {
    let mut worker = Worker {
        shared: Arc::clone(shared),
        null: Arc::clone(null),
        spawner: spawner.cloned(),
    };
    thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK)
        .spawn(move || {
            // If that is not allowed, as in many containers, it uses the slower way.
            worker.spawner = worker.spawner.filter(|_| spawn::unshare_working_folder());
            worker.shared.enter();
            while let Some(prepared) = worker.shared.next(PATIENCE) {
                worker.run(prepared);
            }
        })?;
    Ok(())
}

struct Worker {
    shared: Arc<SharedState>,
    null: Arc<File>,
    spawner: Option<Arc<Spawner>>,
}

/// An attempt that has been claimed.
struct Claimed {
    attempt: Attempt,
    claim: Claim,
    /// Set if its folder may be reused.
    again: Option<Again>,
}

impl Worker {
    /// Runs an attempt to its end.
    fn run(&self, mut prepared: PreparedAttempt) {
        let claimed = self.claim(&mut prepared);
        self.shared.begun();
        if let Some((claimed, outputs)) = claimed {
            self.start(&prepared.start, claimed, outputs);
        }
        self.shared.finished();
    }

    /// Makes the claim visible; if that fails, the owner has been notified.
    fn claim(&self, prepared: &mut PreparedAttempt) -> Option<(Claimed, [File; 2])> {
        let start = &prepared.start;
        let attempt = start.attempt.clone();
        let made = match prepared.made.take() {
            Some(made) => Ok(made),
            None => match self.shared.use_again(start) {
                Some((Opened { claim, outputs }, again)) => {
                    let again = Some(again);
                    let claimed = Claimed {
                        attempt,
                        claim,
                        again,
                    };
                    return Some((claimed, outputs));
                }
                None => start.make(),
            },
        };
        let is_alone = matches!(made, Ok((_, Beside::Nothing)));
        match made.and_then(|(made, _)| made.appear(&attempt)) {
            Ok(Some(Opened { claim, outputs })) => {
                let again = is_alone.then(|| self.shared.may_use_again(start)).flatten();
                let claimed = Claimed {
                    attempt,
                    claim,
                    again,
                };
                Some((claimed, outputs))
            }
            Ok(None) => {
                self.shared.give_up(&attempt, ReportEvent::ClaimedBefore);
                None
            }
            Err(error) => {
                let problem = problem(&attempt.claim_file(), &error);
                self.shared
                    .give_up(&attempt, ReportEvent::Unclaimed { problem });
                None
            }
        }
    }

    fn start(&self, start: &Start, claimed: Claimed, outputs: [File; 2]) {
        self.shared.expect_host_for(&claimed.attempt);
        let spawner = self.spawner.as_deref();
        match start.spawn(spawner, &self.null, outputs) {
            Ok(process) => self.wait(claimed, process, start.request.limit),
            Err(error) if is_exhausted(&error) => self.withdraw(claimed, &error),
            Err(error) => {
                let program = &start.request.program;
                let record = ExitRecord {
                    code: None,
                    signal: None,
                    error: Some(format!(
                        "cannot run {program}: {}",
                        exec_error::why(Path::new(program), &error)
                    )),
                    exceeded: None,
                    ended: clock::now_millis(),
                };
                let told = self.shared.tell_end(&claimed.attempt, None, &record);
                self.record(claimed, &record, told);
            }
        }
    }

    fn wait(&self, mut claimed: Claimed, process: Pid, limit: Option<TimeLimit>) {
        let pid = process.as_raw_nonzero().get().unsigned_abs();
        // Without the line only we can kill the process; that is no reason to stop it.
        let _ = claimed.claim.record_process(pid);
        let deadline = limit.map(|limit| {
            let session = std::process::id();
            Deadline::new(limit, ProcessGroup { id: pid, session })
        });
        self.shared.runs(&claimed.attempt, pid, deadline);
        let mut record = exit_record(end_of(process));
        self.shared.expect_no_fence();
        let deadline = self.shared.deadline_of(&claimed.attempt);
        record.exceeded = deadline.as_ref().and_then(Deadline::exceeded);
        let Some(deadline) = deadline.filter(|_| record.exceeded.is_some()) else {
            let told = self.shared.tell_end(&claimed.attempt, Some(pid), &record);
            return self.record(claimed, &record, told);
        };
        self.not_again(claimed.again);
        self.shared.linger(Lingering {
            attempt: claimed.attempt,
            claim: claimed.claim,
            pid,
            record,
            deadline,
        });
    }

    /// Writes the exit file and releases the claim. The follower may start when a success is recorded.
    fn record(&self, claimed: Claimed, record: &ExitRecord, told: EndReport) {
        let Claimed {
            attempt,
            mut claim,
            again,
        } = claimed;
        let used = match again {
            // Without the exit file, which would have to be removed again. If the line cannot be written, it is treated like others.
            Some(again) if told.is_short && claim.write_exit(record).is_ok() => {
                drop(claim);
                Some(ReusedFolder::new(attempt, again))
            }
            again => {
                self.not_again(again);
                if !self.shared.record(&attempt, claim, record) {
                    return;
                }
                None
            }
        };
        self.shared.recorded(told, used);
    }

    fn not_again(&self, again: Option<Again>) {
        if let Some(again) = again {
            self.shared.not_again(again);
        }
    }

    /// Nothing was started, because the machine failed: the attempt becomes unclaimed again.
    fn withdraw(&self, claimed: Claimed, error: &io::Error) {
        let Claimed {
            attempt,
            claim,
            again,
        } = claimed;
        self.not_again(again);
        let problem = problem(attempt.folder(), error);
        let event = match claim.withdraw(&attempt) {
            Ok(()) => ReportEvent::Unclaimed { problem },
            // It will be found lost.
            Err(error) => ReportEvent::Unclaimed {
                problem: format!("{problem}; {error}"),
            },
        };
        self.shared.give_up(&attempt, event);
    }
}

/// Waits for the end of a process that this one has started.
fn end_of(process: Pid) -> ExitStatus {
    loop {
        match waitpid(Some(process), WaitOptions::empty()) {
            Ok(Some((_, status))) => return ExitStatus::from_raw(status.as_raw()),
            Ok(None) | Err(Errno::INTR) => {}
            Err(error) => panic!("our own process is waited for once: {error}"),
        }
    }
}
