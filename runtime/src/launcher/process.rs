//! The launcher's own process: takes requests, spawns, waits, records.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
    process::{Child, ExitCode},
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{FlockOperation, flock},
    io::Errno,
};

use crate::{
    clock, inherited,
    launcher::{
        Group,
        attempt::{Attempt, Claim, ExitRecord},
        hands::{Hands, Made},
        limits::Deadline,
        prepared::{Prepared, exit_record, is_exhausted},
        protocol::{ReportEvent, Request, StartRequest},
        reports::Reports,
        spare::{Pattern, Spare},
        waiting::Waiting,
    },
    refused,
};

/// How long to wait before an exit file that the disk refused is tried again.
const RECORD_AGAIN: Duration = Duration::from_millis(200);

/// How often what a process has left behind is looked at, which is to end with it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// How long a process has run when the owner is told that it does.
const TELL_TIME: Duration = Duration::from_millis(20);

/// So long at most, whatever is due: what a `Timespec` holds depends on the machine.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// Serves requests from the socket at standard input until it closes and everything started has ended. Never returns.
pub(super) fn serve() -> ! {
    // Nor do the processes that it starts get any of them.
    inherited::shed();
    let code = match connect() {
        Ok((socket, null)) => Server {
            socket,
            null,
            is_open: true,
            buffer: vec![0; 64 * 1024],
            inbox: Vec::new(),
            waiting: Waiting::default(),
            hands: None,
            pattern: None,
            spare: None,
            at_most: usize::MAX,
            running: BTreeMap::new(),
            reports: Reports::default(),
            unrecorded: Vec::new(),
            lingering: Vec::new(),
        }
        .run(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "launcher: {error}");
            ExitCode::FAILURE
        }
    };
    std::process::exit(i32::from(code != ExitCode::SUCCESS))
}

/// The socket to the owner, and `/dev/null`.
fn connect() -> io::Result<(UnixStream, File)> {
    // A session of its own: Ctrl-C at the owner's terminal and its hang-up do not reach us.
    rustix::process::setsid()?;
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    Ok((UnixStream::from(socket), File::open("/dev/null")?))
}

struct Server {
    socket: UnixStream,
    /// What the processes read.
    null: File,
    is_open: bool,
    buffer: Vec<u8>,
    /// Bytes of a request that has not come in whole.
    inbox: Vec<u8>,
    waiting: Waiting,
    /// Nothing as long as it has not been needed.
    hands: Option<Hands>,
    /// What the last attempt that was held began with: the next one probably does.
    pattern: Option<Pattern>,
    spare: Option<Spare>,
    /// How many processes may run at once.
    at_most: usize,
    /// By process number.
    running: BTreeMap<u32, Running>,
    reports: Reports,
    /// Ended, with an exit file that the disk has refused so far.
    unrecorded: Vec<Ended>,
    /// Ended because their time was over; what they had started runs.
    lingering: Vec<Lingering>,
}

struct Running {
    attempt: Attempt,
    claim: Claim,
    child: Child,
    /// Becomes readable when the process ends.
    pidfd: OwnedFd,
    /// When it was started, until the owner has been told.
    untold: Option<Instant>,
    deadline: Option<Deadline>,
}

struct Lingering {
    attempt: Attempt,
    claim: Claim,
    pid: u32,
    record: ExitRecord,
    deadline: Deadline,
}

struct Ended {
    attempt: Attempt,
    /// Held until the exit file is in place.
    claim: Claim,
    record: ExitRecord,
}

impl Server {
    fn run(mut self) -> ExitCode {
        while self.is_open
            || !self.running.is_empty()
            || !self.lingering.is_empty()
            || !self.unrecorded.is_empty()
        {
            match self.wait() {
                Ok((requests, ended)) => {
                    for pid in ended {
                        self.reap(pid);
                    }
                    self.enforce_limits();
                    // What waits begins before what is asked for now is made ready.
                    self.start_queued();
                    self.record_again();
                    if requests {
                        self.read_requests();
                    }
                    self.start_queued();
                    self.tell_of_started();
                    self.send_reports();
                    self.make_spare();
                }
                Err(error) => {
                    let _ = writeln!(io::stderr(), "launcher: poll: {error}");
                    return ExitCode::FAILURE;
                }
            }
        }
        ExitCode::SUCCESS
    }

    /// Waits for a request or the end of a process, and no longer than until something is due.
    fn wait(&self) -> io::Result<(bool, Vec<u32>)> {
        let mut pids = Vec::with_capacity(self.running.len());
        let mut fds = Vec::with_capacity(self.running.len() + 1);
        let mut is_untold = false;
        for (&pid, running) in &self.running {
            pids.push(pid);
            fds.push(PollFd::new(&running.pidfd, PollFlags::IN));
            is_untold |= running.untold.is_some();
        }
        if let Some(hands) = self.hands.as_ref().filter(|_| self.waits_for_hands()) {
            fds.push(PollFd::from_borrowed_fd(hands.bell(), PollFlags::IN));
        }
        if self.is_open {
            fds.push(PollFd::new(&self.socket, PollFlags::IN));
        }
        let timeout = self.longest_wait(is_untold);
        match poll(&mut fds, timeout.as_ref()) {
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

    /// The time until something is due; `None` where nothing is.
    fn longest_wait(&self, is_untold: bool) -> Option<Timespec> {
        let limits = self
            .running
            .values()
            .filter_map(|running| running.deadline.as_ref()?.rest());
        let due = [
            self.reports.due(),
            (is_untold && self.is_open).then_some(TELL_TIME),
            (!self.unrecorded.is_empty()).then_some(RECORD_AGAIN),
            (!self.lingering.is_empty()).then_some(LOOK_AGAIN),
            limits.min(),
        ];
        let wait = due.into_iter().flatten().min()?;
        Timespec::try_from(wait.min(LONGEST_WAIT)).ok()
    }

    fn read_requests(&mut self) {
        match self.socket.read(&mut self.buffer) {
            Ok(0) => self.close(),
            Ok(n) => self.inbox.extend_from_slice(&self.buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.close(),
        }
        while let Some(end) = self.inbox.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.inbox.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(request) => self.take(request),
                Err(error) => {
                    let _ = writeln!(io::stderr(), "launcher: bad request: {error}");
                }
            }
        }
    }

    /// The owner is gone, and all that it asked for has been done: its successor may rely on the claims that it finds.
    fn close(&mut self) {
        self.is_open = false;
        // Of what is held nobody knows whether it was meant, and what waits is unclaimed: the successor starts it.
        self.settle();
        self.hands = None;
        self.waiting = Waiting::default();
        if let Some(spare) = self.spare.take() {
            spare.discard();
        }
        // Standard output is the lock of pending requests (`client`). Where it cannot be released our end releases it.
        let _ = flock(io::stdout(), FlockOperation::Unlock);
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Start(request) => {
                let attempt = request.attempt.clone();
                self.prepare(request);
                self.waiting.go(attempt);
            }
            Request::Hold(request) => {
                self.pattern = Pattern::of(&request);
                self.prepare(request);
            }
            // Where it is not here the owner has been told why.
            Request::Go { attempt } => self.waiting.go(attempt),
            Request::Follow { attempt, after } => {
                if self.has_in_hand(&after) {
                    self.waiting.follow(attempt, after);
                }
            }
            Request::Withdraw => {
                self.waiting.forget_followers();
                self.reports.add(String::new(), ReportEvent::Withdrawn);
            }
            Request::Forget { attempt } => {
                self.settle();
                if let Some(prepared) = self.waiting.remove(&attempt) {
                    prepared.discard();
                }
            }
            Request::AtMost { processes } => self.at_most = processes,
        }
    }

    /// Whether the end of an attempt is still to come.
    fn has_in_hand(&self, attempt: &str) -> bool {
        let path = Path::new(attempt);
        let mut running = self.running.values();
        self.waiting.has(attempt) || running.any(|running| running.attempt.folder() == path)
    }

    /// Starts what waits, while there is room and it is ready.
    fn start_queued(&mut self) {
        loop {
            while self.running.len() < self.at_most
                && let Some(prepared) = self.waiting.next()
            {
                self.start(prepared);
            }
            if !self.waits_for_hands() {
                return;
            }
            if let Some(hands) = &self.hands {
                hands.listen();
            }
            if !self.take_made() {
                return;
            }
        }
    }

    /// There is room, and what may start is not ready.
    fn waits_for_hands(&self) -> bool {
        self.running.len() < self.at_most && self.waiting.has_queue()
    }

    /// Makes an attempt ready, or has it made where there are processes to look after.
    fn prepare(&mut self, request: StartRequest) {
        let attempt = request.attempt.clone();
        let mut request = Some(request);
        if self.running.len() > 1 {
            if self.hands.is_none() {
                self.hands = Hands::new(&self.null).ok();
            }
            if let Some(hands) = &mut self.hands {
                request = request.and_then(|request| hands.make(request));
            }
        }
        match request {
            None => self.waiting.expect(attempt),
            Some(request) => {
                let made = Prepared::new(request, &self.null, &mut self.spare);
                self.hold((attempt, made));
            }
        }
    }

    /// Takes what has been made ready; whether there was anything.
    fn take_made(&mut self) -> bool {
        let made = self.hands.as_mut().map(Hands::take).unwrap_or_default();
        let is_any = !made.is_empty();
        for made in made {
            self.hold(made);
        }
        is_any
    }

    /// Waits for all that is being made ready.
    fn settle(&mut self) {
        let made = self.hands.as_mut().map(Hands::finish).unwrap_or_default();
        for made in made {
            self.hold(made);
        }
    }

    fn hold(&mut self, (attempt, made): Made) {
        match made {
            Ok(prepared) => self.waiting.hold(attempt, prepared),
            Err(error) => {
                self.waiting.remove(&attempt);
                let problem = format!("{attempt}: {error}");
                self.report(&Attempt::new(attempt), ReportEvent::Unclaimed { problem });
            }
        }
    }

    fn start(&mut self, Prepared { claim, start }: Prepared) {
        let attempt = start.attempt.clone();
        let mut claim = match claim.appear(&attempt) {
            Ok(Some(claim)) => claim,
            Ok(None) => {
                self.waiting.take_follower(&path_of(&attempt));
                return self.report(&attempt, ReportEvent::ClaimedBefore);
            }
            Err(error) => {
                let problem = format!("{}: {error}", attempt.claim_file().display());
                return self.report(&attempt, ReportEvent::Unclaimed { problem });
            }
        };
        let program = start.program.clone();
        let limit = start.limit;
        match start.spawn() {
            Ok((child, pidfd)) => {
                let pid = child.id();
                // Without the line nobody but us can kill the process; that is no reason to stop it.
                let _ = claim.record_process(pid);
                self.running.insert(
                    pid,
                    Running {
                        attempt,
                        claim,
                        child,
                        pidfd,
                        untold: Some(Instant::now()),
                        deadline: limit.map(|limit| {
                            let session = std::process::id();
                            Deadline::new(limit, Group { id: pid, session })
                        }),
                    },
                );
            }
            Err(error) if is_exhausted(&error) => self.withdraw(&attempt, claim, &error),
            Err(error) => {
                let record = ExitRecord {
                    code: None,
                    signal: None,
                    error: Some(format!(
                        "cannot run {program}: {}",
                        refused::why(Path::new(&program), &error)
                    )),
                    exceeded: None,
                    ended: clock::now_millis(),
                };
                self.record(attempt, claim, None, record);
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
        self.report(attempt, event);
    }

    /// Makes a folder ahead while there is nothing to do but to wait for one process. With several the machine has no time to
    /// spare.
    fn make_spare(&mut self) {
        let is_idle = self.is_open && self.running.len() == 1 && self.waiting.is_empty();
        if is_idle
            && self.spare.is_none()
            && let Some(pattern) = self.pattern.take()
        {
            self.spare = Spare::make(pattern);
        }
    }

    fn reap(&mut self, pid: u32) {
        let Some(running) = self.running.get_mut(&pid) else {
            return;
        };
        let Ok(Some(status)) = running.child.try_wait() else {
            return;
        };
        let Some(Running {
            attempt,
            claim,
            deadline,
            ..
        }) = self.running.remove(&pid)
        else {
            return;
        };
        let mut record = exit_record(status);
        record.exceeded = deadline.as_ref().and_then(Deadline::exceeded);
        match deadline.filter(|_| record.exceeded.is_some()) {
            Some(deadline) => self.lingering.push(Lingering {
                attempt,
                claim,
                pid,
                record,
                deadline,
            }),
            None => self.record(attempt, claim, Some(pid), record),
        }
    }

    /// Ends what has run for too long, with all that it has started; only then has it ended.
    fn enforce_limits(&mut self) {
        for running in self.running.values_mut() {
            if let Some(deadline) = &mut running.deadline {
                deadline.enforce();
            }
        }
        for mut lingering in std::mem::take(&mut self.lingering) {
            if lingering.deadline.is_group_alive() {
                lingering.deadline.enforce();
                self.lingering.push(lingering);
            } else {
                let Lingering {
                    attempt,
                    claim,
                    pid,
                    record,
                    ..
                } = lingering;
                self.record(attempt, claim, Some(pid), record);
            }
        }
    }

    /// Tells the owner, so that it can go on, writes the exit file and lets go of the claim; keeps it where the disk refuses.
    /// What follows a good end may start when that is recorded: then it starts first.
    fn record(&mut self, attempt: Attempt, mut claim: Claim, pid: Option<u32>, record: ExitRecord) {
        let told = ReportEvent::Exited {
            pid,
            record: record.clone(),
        };
        let is_good = record.code == Some(0) && record.exceeded.is_none();
        let path = path_of(&attempt);
        let follower = self.waiting.take_follower(&path).filter(|_| is_good);
        self.reports.add(path, told);
        if follower.is_none() {
            self.send_reports();
        }
        match claim.record_exit(&attempt, &record) {
            Ok(()) => {
                if let Some(follower) = follower {
                    self.waiting.go_first(follower);
                }
            }
            Err(error) => {
                let folder = attempt.folder().display();
                let _ = writeln!(
                    io::stderr(),
                    "launcher: {folder}: {error}; the action has ended, its exit file is tried again"
                );
                self.unrecorded.push(Ended {
                    attempt,
                    claim,
                    record,
                });
            }
        }
    }

    fn record_again(&mut self) {
        self.unrecorded.retain_mut(|ended| {
            let Ended {
                attempt,
                claim,
                record,
            } = ended;
            !claim.is_deleted() && claim.record_exit(attempt, record).is_err()
        });
    }

    /// Tells the owner of the processes that have been running for a while.
    fn tell_of_started(&mut self) {
        let mut due = Vec::new();
        for (&pid, running) in &mut self.running {
            if running
                .untold
                .is_some_and(|started| started.elapsed() >= TELL_TIME)
            {
                running.untold = None;
                due.push((running.attempt.clone(), pid));
            }
        }
        for (attempt, pid) in due {
            self.report(&attempt, ReportEvent::Started { pid });
        }
    }

    /// Has the owner told; an owner that is gone reads the files instead.
    fn report(&mut self, attempt: &Attempt, event: ReportEvent) {
        self.reports.add(path_of(attempt), event);
        self.send_reports();
    }

    fn send_reports(&mut self) {
        self.reports.send(&self.socket, self.waiting.n_to_come());
    }
}

/// As requests and reports name it.
fn path_of(attempt: &Attempt) -> String {
    attempt.folder().display().to_string()
}
