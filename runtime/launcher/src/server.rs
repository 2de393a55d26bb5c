//! The first thread of a launcher: handles requests, prepares attempts, and does what is due.

use std::{
    env,
    fs::File,
    io::{self, Read, Write},
    os::{
        fd::{AsFd, OwnedFd},
        unix::net::UnixStream,
    },
    path::Path,
    process::{Child, ExitCode},
    sync::Arc,
    time::{Duration, Instant},
};

use hpdlc_host::inherited_descriptors;
use nix::sys::signal::SigSet;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::{FlockOperation, flock},
    io::Errno,
};

use crate::{
    fence::Fence,
    folder_pool::FolderPool,
    orphans::Orphans,
    out_of_resources,
    prepared::PreparedAttempt,
    protocol::{LauncherRequest, ReportEvent, StartRequest},
    shared_state::{LauncherState, Lingering, SharedState},
    spawn::Spawner,
    worker,
};

/// How many attempts are prepared before they may start: each has some files open. Others are prepared by their worker.
const MADE_AHEAD: usize = 8;

/// The interval between retries of an exit file that could not be written.
const RECORD_AGAIN: Duration = Duration::from_millis(200);

/// The polling interval for descendants of a process that have to end with it.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The interval between reapings of orphaned processes, while they are reparented to us.
const LOOK_AFTER: Duration = Duration::from_secs(1);

/// The longest wait, whatever is due: the range of a `Timespec` depends on the machine.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// Serves requests from the socket at standard input until it is closed and everything started has ended. Never returns.
pub(super) fn serve() -> ! {
    // So that its child processes do not inherit them either.
    inherited_descriptors::shed();
    let code = match connect() {
        Ok(server) => server.run(),
        Err(error) => {
            let _ = writeln!(io::stderr(), "launcher: {error}");
            ExitCode::FAILURE
        }
    };
    std::process::exit(i32::from(code != ExitCode::SUCCESS))
}

/// Sets up the connection to the owner.
fn connect() -> io::Result<LauncherServer> {
    // A session of its own: Ctrl-C at the owner's terminal and its hang-up do not reach us.
    rustix::process::setsid()?;
    // If a whole control group gets SIGTERM, the owner waits for the actions, and their ends are recorded here. The processes that it
    // starts have it unblocked.
    let _ = SigSet::from(nix::sys::signal::Signal::SIGTERM).thread_block();
    let socket: OwnedFd = io::stdin().as_fd().try_clone_to_owned()?;
    let socket = UnixStream::from(socket);
    Ok(LauncherServer {
        shared: Arc::new(SharedState::new(
            socket.try_clone()?,
            Fence::of_argument(env::args_os().nth(3)),
        )?),
        socket,
        null: Arc::new(File::open("/dev/null")?),
        spawner: Spawner::new().map(Arc::new),
        buffer: vec![0; 64 * 1024],
        inbox: Vec::new(),
        orphans: None,
        may_use_folder_pool: true,
        keeper: None,
    })
}

struct LauncherServer {
    shared: Arc<SharedState>,
    socket: UnixStream,
    /// The standard input of the processes.
    null: Arc<File>,
    spawner: Option<Arc<Spawner>>,
    buffer: Vec<u8>,
    /// Bytes of a request that has not been received completely.
    inbox: Vec<u8>,
    /// Orphaned processes of actions, once the folder pool needs to know of them.
    orphans: Option<Orphans>,
    /// Whether the folder pool has not been tried yet.
    may_use_folder_pool: bool,
    /// Proves that the host is alive, once the owner is gone.
    keeper: Option<Child>,
}

impl LauncherServer {
    fn run(mut self) -> ExitCode {
        while !self.shared.lock().is_over() {
            match self.wait() {
                Ok(has_requests) => {
                    self.shared.awake();
                    self.shared.expect_host();
                    self.enforce_limits();
                    self.record_again();
                    if has_requests {
                        self.read_requests();
                    }
                    self.open_lanes();
                    self.shared.tell_of_started();
                    self.look_after();
                }
                Err(error) => {
                    let _ = writeln!(io::stderr(), "launcher: poll: {error}");
                    return ExitCode::FAILURE;
                }
            }
        }
        if let Some(mut keeper) = self.keeper.take() {
            drop(keeper.stdin.take());
            let _ = keeper.wait();
        }
        ExitCode::SUCCESS
    }

    /// Waits for a request or the bell, at most until something is due; returns whether there are requests.
    fn wait(&self) -> io::Result<bool> {
        let (due, alarm, is_open) = {
            let mut state = self.shared.lock();
            let due = self.due(&state);
            SharedState::sleeps(&mut state, due);
            (due, self.shared.alarm(&state), state.is_open)
        };
        let timeout = due.and_then(|due| {
            let wait = due.saturating_duration_since(Instant::now());
            Timespec::try_from(wait.min(LONGEST_WAIT)).ok()
        });
        let mut fds = vec![PollFd::from_borrowed_fd(self.shared.bell(), PollFlags::IN)];
        fds.extend(alarm.map(|alarm| PollFd::from_borrowed_fd(alarm, PollFlags::IN)));
        if is_open {
            fds.push(PollFd::new(&self.socket, PollFlags::IN));
        }
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) => {}
            Err(Errno::INTR) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        Ok(is_open && fds.last().is_some_and(|fd| !fd.revents().is_empty()))
    }

    /// When the next thing is due; `None` if there is none.
    fn due(&self, state: &LauncherState) -> Option<Instant> {
        let now = Instant::now();
        let limits = state
            .in_hand
            .values()
            .filter_map(|in_hand| Some(now + in_hand.deadline.as_ref()?.rest()?));
        let due = [
            state.reports_due(),
            state.tells().filter(|_| state.is_open),
            (!state.unrecorded.is_empty()).then_some(now + RECORD_AGAIN),
            (!state.lingering.is_empty()).then_some(now + LOOK_AGAIN),
            (self.orphans.is_some() && state.is_busy()).then_some(now + LOOK_AFTER),
            self.shared.fence_due(state).map(|rest| now + rest),
            limits.min(),
        ];
        due.into_iter().flatten().min()
    }

    fn read_requests(&mut self) {
        match self.socket.read(&mut self.buffer) {
            Ok(0) => return self.close(),
            Ok(n) => self.inbox.extend_from_slice(&self.buffer[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => return self.close(),
        }
        let inbox = std::mem::take(&mut self.inbox);
        let mut rest = inbox.as_slice();
        while let Some(end) = rest.iter().position(|&byte| byte == b'\n') {
            match serde_json::from_slice(&rest[..end]) {
                Ok(request) => self.take(request),
                Err(error) => {
                    let _ = writeln!(io::stderr(), "launcher: bad request: {error}");
                }
            }
            rest = &rest[end + 1..];
        }
        self.inbox = rest.to_vec();
    }

    fn close(&mut self) {
        self.shared.close();
        self.shared.end_folder_pool();
        if self.shared.lock().is_busy() {
            self.keeper = self.shared.keeper();
        }
        // Standard output is the lock of pending requests (`client`). If it cannot be released, our exit releases it.
        let _ = flock(io::stdout(), FlockOperation::Unlock);
    }

    fn take(&mut self, request: LauncherRequest) {
        match request {
            LauncherRequest::Start(request) => {
                let attempt = request.attempt.clone();
                self.prepare(request);
                self.shared.lock().queue.go(attempt);
            }
            LauncherRequest::Hold(request) => self.prepare(request),
            // If it is not here, the owner was notified why.
            LauncherRequest::Go { attempt } => self.shared.lock().queue.go(attempt),
            LauncherRequest::Follow { attempt, after } => {
                let mut state = self.shared.lock();
                if state.has(&after) {
                    state.queue.follow(attempt, after);
                }
            }
            LauncherRequest::Withdraw => {
                let mut state = self.shared.lock();
                state.queue.forget_followers();
                state.reports.add("", ReportEvent::Withdrawn);
                self.shared.send_reports(&mut state);
            }
            LauncherRequest::Forget { attempt } => {
                let forgotten = self.shared.lock().queue.remove(&attempt);
                if let Some(prepared) = forgotten {
                    prepared.discard();
                }
            }
            LauncherRequest::Recorded { ends } => {
                if let (Some(orphans), Some(pool)) =
                    (&self.orphans, &mut self.shared.lock().folder_pool)
                {
                    pool.on_disk(ends, orphans.reap());
                }
            }
            LauncherRequest::AtMost { processes } => self.shared.lock().at_most = processes,
        }
    }

    /// Prepares an attempt, unless enough are prepared; one that can use a pooled folder needs nothing.
    fn prepare(&mut self, request: StartRequest) {
        let attempt = request.attempt.clone();
        let is_later = {
            let state = self.shared.lock();
            let has_folders = state
                .folder_pool
                .as_ref()
                .is_some_and(FolderPool::has_folders);
            state.queue.n_made() >= MADE_AHEAD || has_folders && request.action_xml.is_some()
        };
        let made = if is_later {
            Ok(PreparedAttempt::later(request))
        } else {
            PreparedAttempt::new(request)
        };
        let mut state = self.shared.lock();
        match made {
            Ok(prepared) => state.queue.hold(attempt, prepared),
            Err(error) => {
                let problem = out_of_resources::problem(Path::new(&attempt), &error);
                state
                    .reports
                    .add(&attempt, ReportEvent::Unclaimed { problem });
                self.shared.send_reports(&mut state);
            }
        }
    }

    /// Ensures a worker for each attempt that may start.
    fn open_lanes(&self) {
        while self.shared.needs_worker() {
            if let Err(error) = worker::open(&self.shared, &self.null, self.spawner.as_ref()) {
                return self.shared.lacks_worker(&error);
            }
        }
    }

    /// Ends processes that exceed their limits, with their descendants; only then they have ended.
    fn enforce_limits(&self) {
        let lingering = {
            let mut state = self.shared.lock();
            for in_hand in state.in_hand.values_mut() {
                if let Some(deadline) = &mut in_hand.deadline {
                    deadline.enforce();
                }
            }
            std::mem::take(&mut state.lingering)
        };
        for mut lingering in lingering {
            if lingering.deadline.is_group_alive() {
                lingering.deadline.enforce();
                self.shared.lock().lingering.push(lingering);
            } else {
                let Lingering {
                    attempt,
                    claim,
                    pid,
                    record,
                    ..
                } = lingering;
                self.shared.tell_end(&attempt, Some(pid), &record);
                self.shared.record(&attempt, claim, &record);
            }
        }
    }

    fn record_again(&self) {
        let mut unrecorded = std::mem::take(&mut self.shared.lock().unrecorded);
        unrecorded.retain_mut(|ended| !ended.record_again());
        self.shared.lock().unrecorded.append(&mut unrecorded);
    }

    /// Reaps orphaned processes, and starts or ends the folder pool when it is worthwhile.
    fn look_after(&mut self) {
        if let Some(orphans) = &self.orphans {
            orphans.reap();
            if self
                .shared
                .lock()
                .folder_pool
                .as_ref()
                .is_some_and(FolderPool::is_over)
            {
                self.shared.end_folder_pool();
            }
        } else if self.may_use_folder_pool && self.shared.lock().nears_folder_pool() {
            self.may_use_folder_pool = false;
            if let Some((pool, orphans)) = FolderPool::begin() {
                self.orphans = Some(orphans);
                self.shared.lock().folder_pool = Some(pool);
            }
        }
    }
}
