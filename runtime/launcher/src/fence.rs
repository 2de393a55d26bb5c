//! Ends what runs here when this host could not prove for too long that it is alive: others take its jobs over then (fencing).
//!
//! The proof is a file that another process of the host renews ([`hpdlc_host::liveness`]). When its owner has died, the launcher starts such
//! a process itself.

use std::{
    ffi::OsString,
    io::{self, Write},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Mutex, PoisonError},
    time::Duration,
};

use hpdlc_host::liveness::{self, Proof};
use rustix::{
    process::Signal,
    time::{
        Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, Timespec, timerfd_create,
        timerfd_settime,
    },
};

use crate::group::ProcessGroup;

/// The first argument of a process that proves that its host is alive; the second is the state folder.
pub const KEEPER: &str = "hpdl-host";

/// The longest time between two looks at the clock without an alarm: other timers do not count the time that the machine sleeps.
const LOOK: Duration = Duration::from_secs(1);

/// A time of zero would switch the alarm off.
const SOON: Duration = Duration::from_nanos(1);

/// Until when processes may run here.
#[derive(Debug)]
pub(super) struct Fence {
    path: PathBuf,
    state: Mutex<FenceState>,
    /// A timer that counts the time that the machine sleeps; `None` if the kernel has none.
    alarm: Option<OwnedFd>,
}

#[derive(Clone, Copy, Debug)]
struct FenceState {
    /// When the launcher was started.
    first: Option<Proof>,
    /// As read last.
    last: Option<Proof>,
}

impl FenceState {
    fn rest(self) -> Duration {
        let both = self.first.zip(self.last);
        both.map_or(Duration::ZERO, |(first, last)| first.rest_by(last))
    }
}

impl Fence {
    /// For the third argument of the launcher, the file with the proof; `None` without one.
    pub(super) fn of_argument(path: Option<OsString>) -> Option<Fence> {
        let path = PathBuf::from(path?);
        let first = liveness::read(&path);
        let state = Mutex::new(FenceState { first, last: first });
        let alarm = timerfd_create(
            TimerfdClockId::Boottime,
            TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK,
        );
        Some(Fence {
            path,
            state,
            alarm: alarm.ok(),
        })
    }

    /// The time until the next look; zero if nothing may run any more.
    pub(super) fn rest(&self) -> Duration {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.rest().is_zero() {
            state.last = liveness::read(&self.path).or(state.last);
        }
        match self.alarm {
            Some(_) => state.rest(),
            None => state.rest().min(LOOK),
        }
    }

    /// What is readable after this time, even if the machine sleeps meanwhile.
    pub(super) fn alarm(&self, after: Duration) -> Option<BorrowedFd<'_>> {
        let alarm = self.alarm.as_ref()?;
        let it_value = Timespec::try_from(after.max(SOON)).ok()?;
        let it_interval = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        let once = Itimerspec {
            it_interval,
            it_value,
        };
        timerfd_settime(alarm, TimerfdTimerFlags::empty(), &once).ok()?;
        Some(alarm.as_fd())
    }

    /// Ends processes that this launcher has started.
    pub(super) fn end(processes: impl Iterator<Item = u32>) {
        let session = std::process::id();
        for id in processes {
            ProcessGroup { id, session }.signal(Signal::KILL);
        }
    }

    /// Ends the launcher: the attempts that it has claimed are lost.
    pub(super) fn exit() -> ! {
        let _ = writeln!(
            io::stderr(),
            "launcher: this host could not prove to the job store for hpdl.host.timeout that it is alive: its processes were ended"
        );
        std::process::exit(1);
    }

    /// Starts a process that proves that the host is alive, as long as the result is kept.
    pub(super) fn keeper(&self) -> Option<Child> {
        let home = self.path.parent().unwrap_or(Path::new("/"));
        let child = Command::new("/proc/self/exe")
            .arg(KEEPER)
            .arg(home)
            .env("HPDL_HOME", home)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        child
            .inspect_err(|error| {
                let _ = writeln!(io::stderr(), "launcher: {KEEPER}: {error}");
            })
            .ok()
    }
}
