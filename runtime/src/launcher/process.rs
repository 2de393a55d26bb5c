//! The launcher's own process: takes requests, spawns, waits, records.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::{
            net::UnixStream,
            process::{CommandExt, ExitStatusExt},
        },
    },
    process::{Child, Command, ExitCode, ExitStatus, Stdio},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{FlockOperation, flock},
    io::Errno,
    process::{Pid, PidfdFlags, pidfd_open},
};
use serde::{Deserialize, Serialize};

use crate::{
    clock,
    launcher::{
        attempt::{Attempt, Claim, ExitRecord},
        protocol::{Report, ReportEvent, StartRequest},
    },
};

/// How long to wait before an exit file that the disk refused is tried again.
const RECORD_AGAIN: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 200_000_000,
};

/// A process that cannot be mistaken for a later one with the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Liveness {
    /// Also the number of its process group.
    pub pid: u32,
    /// Clock ticks between the boot and its start: field 22 of `/proc/PID/stat`.
    pub start_time: u64,
}

impl Liveness {
    /// Reads the start time of a process that has not been waited for yet.
    fn of(pid: u32) -> Option<Liveness> {
        Some(Stat::of(pid)?.process)
    }

    /// Whether the process runs. One that has ended and that nobody has reaped does not.
    pub fn is_alive(self) -> bool {
        Stat::of(self.pid).is_some_and(|stat| stat.process == self && !stat.has_ended)
    }
}

/// What `/proc/PID/stat` says.
struct Stat {
    process: Liveness,
    has_ended: bool,
}

impl Stat {
    fn of(pid: u32) -> Option<Stat> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The second field is the program's name in parentheses, which may hold anything.
        let (_, fields) = stat.rsplit_once(')')?;
        let mut fields = fields.split_ascii_whitespace();
        let has_ended = matches!(fields.next()?, "Z" | "X");
        let start_time = fields.nth(18)?.parse().ok()?;
        Some(Stat {
            process: Liveness { pid, start_time },
            has_ended,
        })
    }
}

/// Serves requests from the socket at standard input until it closes and everything started has ended. Never returns.
pub(super) fn serve() -> ! {
    let code = match connect() {
        Ok(socket) => Server {
            socket,
            is_open: true,
            inbox: Vec::new(),
            running: BTreeMap::new(),
            unrecorded: Vec::new(),
        }
        .run(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "launcher: {error}");
            ExitCode::FAILURE
        }
    };
    std::process::exit(i32::from(code != ExitCode::SUCCESS))
}

fn connect() -> io::Result<UnixStream> {
    // A session of its own: Ctrl-C at the owner's terminal and its hang-up do not reach us.
    rustix::process::setsid()?;
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    Ok(UnixStream::from(socket))
}

struct Server {
    socket: UnixStream,
    is_open: bool,
    /// Bytes of a request that has not come in whole.
    inbox: Vec<u8>,
    /// By process number.
    running: BTreeMap<u32, Running>,
    /// Ended, with an exit file that the disk has refused so far.
    unrecorded: Vec<Ended>,
}

struct Running {
    attempt: String,
    claim: Claim,
    child: Child,
    /// Becomes readable when the process ends.
    pidfd: OwnedFd,
}

struct Ended {
    attempt: String,
    /// Held until the exit file is in place.
    _claim: Claim,
    record: ExitRecord,
}

impl Server {
    fn run(mut self) -> ExitCode {
        while self.is_open || !self.running.is_empty() || !self.unrecorded.is_empty() {
            match self.wait() {
                Ok((requests, ended)) => {
                    for pid in ended {
                        self.reap(pid);
                    }
                    self.record_again();
                    if requests {
                        self.read_requests();
                    }
                }
                Err(error) => {
                    let _ = writeln!(io::stderr(), "launcher: poll: {error}");
                    return ExitCode::FAILURE;
                }
            }
        }
        ExitCode::SUCCESS
    }

    /// Waits for a request or the end of a process.
    fn wait(&self) -> io::Result<(bool, Vec<u32>)> {
        let mut pids = Vec::with_capacity(self.running.len());
        let mut fds = Vec::with_capacity(self.running.len() + 1);
        for (&pid, running) in &self.running {
            pids.push(pid);
            fds.push(PollFd::new(&running.pidfd, PollFlags::IN));
        }
        if self.is_open {
            fds.push(PollFd::new(&self.socket, PollFlags::IN));
        }
        let timeout = if self.unrecorded.is_empty() {
            None
        } else {
            Some(&RECORD_AGAIN)
        };
        match poll(&mut fds, timeout) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok((false, Vec::new())),
            Err(error) => return Err(error.into()),
        }
        let ended = pids
            .iter()
            .zip(&fds)
            .filter(|(_, fd)| !fd.revents().is_empty())
            .map(|(&pid, _)| pid)
            .collect();
        let requests = self.is_open && fds.last().is_some_and(|fd| !fd.revents().is_empty());
        Ok((requests, ended))
    }

    fn read_requests(&mut self) {
        let mut buffer = [0; 64 * 1024];
        match self.socket.read(&mut buffer) {
            Ok(0) => self.close(),
            Ok(n) => self.inbox.extend_from_slice(&buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.close(),
        }
        while let Some(end) = self.inbox.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.inbox.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(request) => self.start(request),
                Err(error) => {
                    let _ = writeln!(io::stderr(), "launcher: bad request: {error}");
                }
            }
        }
    }

    /// The owner is gone, and all that it asked for has been done: its successor may rely on the claims that it finds.
    fn close(&mut self) {
        self.is_open = false;
        // Standard output is the lock of pending requests (`client`). Where it cannot be released our end releases it.
        let _ = flock(io::stdout(), FlockOperation::Unlock);
    }

    fn start(&mut self, request: StartRequest) {
        let attempt = Attempt::new(&request.attempt);
        let mut claim = match attempt.claim() {
            Ok(Some(claim)) => claim,
            Ok(None) => return self.report(request.attempt, ReportEvent::ClaimedBefore),
            Err(error) => {
                let problem = format!("{}: {error}", attempt.claim_file().display());
                return self.report(request.attempt, ReportEvent::Unclaimed { problem });
            }
        };
        let output = match Output::create(&attempt) {
            Ok(output) => output,
            Err(error) => return self.withdraw(&attempt, claim, &error),
        };
        match spawn(&request, &attempt, output) {
            Ok((child, pidfd)) => {
                let pid = child.id();
                if let Some(liveness) = Liveness::of(pid) {
                    // Without the line nobody but us can kill the process; that is no reason to stop it.
                    let _ = claim.record_process(liveness);
                }
                self.report(request.attempt.clone(), ReportEvent::Started { pid });
                self.running.insert(
                    pid,
                    Running {
                        attempt: request.attempt,
                        claim,
                        child,
                        pidfd,
                    },
                );
            }
            Err(error) if is_exhausted(&error) => self.withdraw(&attempt, claim, &error),
            Err(error) => {
                let record = ExitRecord {
                    code: None,
                    signal: None,
                    error: Some(format!("cannot run {}: {error}", request.program)),
                    ended: clock::now_millis(),
                };
                self.record(Ended {
                    attempt: request.attempt,
                    _claim: claim,
                    record,
                });
            }
        }
    }

    /// Nothing was started, because the machine failed: the attempt is as if it had not been claimed.
    fn withdraw(&mut self, attempt: &Attempt, claim: Claim, error: &io::Error) {
        let problem = format!("{}: {error}", attempt.folder().display());
        let event = match claim.withdraw(attempt) {
            Ok(()) => ReportEvent::Unclaimed { problem },
            // Whoever looks finds it lost.
            Err(error) => ReportEvent::Unclaimed {
                problem: format!("{problem}; {error}"),
            },
        };
        self.report(attempt.folder().display().to_string(), event);
    }

    fn reap(&mut self, pid: u32) {
        let Some(running) = self.running.get_mut(&pid) else {
            return;
        };
        let Ok(Some(status)) = running.child.try_wait() else {
            return;
        };
        let Some(Running { attempt, claim, .. }) = self.running.remove(&pid) else {
            return;
        };
        self.record(Ended {
            attempt,
            _claim: claim,
            record: exit_record(status),
        });
    }

    /// Writes the exit file, lets go of the claim and tells the owner; keeps all of it where the disk refuses.
    fn record(&mut self, ended: Ended) {
        match Attempt::new(&ended.attempt).record_exit(&ended.record) {
            Ok(()) => {
                let Ended {
                    attempt,
                    _claim: claim,
                    ..
                } = ended;
                drop(claim);
                self.report(attempt, ReportEvent::Exited);
            }
            Err(error) => {
                let problem = format!("{}: {error}", ended.attempt);
                self.report(ended.attempt.clone(), ReportEvent::CannotRecord { problem });
                self.unrecorded.push(ended);
            }
        }
    }

    fn record_again(&mut self) {
        for ended in std::mem::take(&mut self.unrecorded) {
            if Attempt::new(&ended.attempt)
                .record_exit(&ended.record)
                .is_ok()
            {
                let Ended {
                    attempt,
                    _claim: claim,
                    ..
                } = ended;
                drop(claim);
                self.report(attempt, ReportEvent::Exited);
            } else {
                self.unrecorded.push(ended);
            }
        }
    }

    /// Tells the owner; an owner that is gone reads the files instead.
    fn report(&mut self, attempt: String, event: ReportEvent) {
        let report = Report { attempt, event };
        let Ok(mut line) = serde_json::to_vec(&report) else {
            return;
        };
        line.push(b'\n');
        let _ = self.socket.write_all(&line);
    }
}

/// Where a process prints to.
struct Output {
    stdout: File,
    stderr: File,
}

impl Output {
    fn create(attempt: &Attempt) -> io::Result<Output> {
        Ok(Output {
            stdout: File::create(attempt.stdout())?,
            stderr: File::create(attempt.stderr())?,
        })
    }
}

/// The machine has no room for another process, or this one for another file: not the program's fault.
fn is_exhausted(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE)
    )
}

fn spawn(
    request: &StartRequest,
    attempt: &Attempt,
    output: Output,
) -> io::Result<(Child, OwnedFd)> {
    let mut command = Command::new(&request.program);
    let mut argv = request.argv.iter();
    if let Some(name) = argv.next() {
        command.arg0(name);
    }
    command
        .args(argv)
        .current_dir(attempt.folder())
        .stdin(Stdio::null())
        .stdout(output.stdout)
        .stderr(output.stderr)
        .process_group(0);
    for (name, value) in &request.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    let mut child = command.spawn()?;
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    match pid
        .ok_or(Errno::SRCH)
        .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()))
    {
        Ok(pidfd) => Ok((child, pidfd)),
        Err(error) => {
            // Nobody would hear of its end.
            let _ = child.kill();
            let _ = child.wait();
            Err(io::Error::other(error))
        }
    }
}

fn exit_record(status: ExitStatus) -> ExitRecord {
    ExitRecord {
        code: status.code(),
        signal: status.signal(),
        error: None,
        ended: clock::now_millis(),
    }
}
