//! Draining: if launchers would be terminated with their owner, it waits for running work before it releases its job.
//!
//! Otherwise a launcher outlives its owner, and SIGTERM releases the job at once. But if this process keeps a container alive, or
//! is in a systemd unit whose control group is killed as a whole, everything running is lost when the owner ends.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, getpid, getppid, kill_process};

use crate::{
    clock::format_duration,
    settings::{DrainWhen, Settings},
};

/// Set in the environment of processes started where all processes end with a container's first process.
pub const CONFINED: &str = "HPDL_CONFINED";

/// The inode of a machine's initial PID namespace (`PROC_PID_INIT_INO` of the kernel).
const INITIAL_NAMESPACE: &str = "pid:[4026531836]";

/// Init processes that keep running when a child ends.
const STAYING: &[&str] = &[
    "systemd",
    "init",
    "runit",
    "s6-svscan",
    "openrc-init",
    "supervisord",
    "busybox",
];

/// Time limit for queries to systemd.
const ASK_TIME: Duration = Duration::from_secs(2);

/// What is terminated as a whole with this process, including launchers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Whole {
    /// All processes of its container or PID namespace.
    Container,
    /// All processes of the systemd unit of this name.
    Unit(String),
    /// The setting `hpdl.drain` requires it.
    Said,
}

impl Whole {
    /// The cause, as readable text.
    fn cause(&self) -> String {
        match self {
            Whole::Container => "its processes end with this container".to_owned(),
            Whole::Unit(unit) => {
                format!("its processes end with {unit} (KillMode=process would let them continue)")
            }
            Whole::Said => "hpdl.drain is always".to_owned(),
        }
    }
}

/// The wait for running work.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drain {
    /// The signal that requested it.
    pub signal: &'static str,
    whole: Whole,
    timeout: Duration,
    pub deadline: Instant,
}

impl Drain {
    /// Whether the owner must wait: according to the settings, and to where this process runs. May take [`ASK_TIME`].
    pub fn wanted(signal: &'static str, settings: Settings<'_>) -> Option<Drain> {
        let whole = match settings.drain() {
            DrainWhen::Never => return None,
            DrainWhen::Always => Whole::Said,
            DrainWhen::Auto => ProcessContext::of_this_process().ends_whole(ask_systemd)?,
        };
        Some(Drain::new(signal, whole, settings.drain_timeout()))
    }

    pub fn new(signal: &'static str, whole: Whole, timeout: Duration) -> Drain {
        let now = Instant::now();
        Drain {
            signal,
            whole,
            timeout,
            // A century, in effect forever.
            deadline: now
                .checked_add(timeout)
                .unwrap_or(now + Duration::from_secs(3_000_000_000)),
        }
    }

    /// The deadline has passed, or nearly.
    pub fn is_late(&self) -> bool {
        Instant::now() + Duration::from_millis(100) >= self.deadline
    }

    fn time(&self) -> String {
        format_duration(i64::try_from(self.timeout.as_millis()).unwrap_or(i64::MAX))
    }

    /// The message when the wait begins; `running` names the work waited for.
    pub fn announcement(&self, running: &str) -> String {
        format!(
            "{}: nothing new is started, because {}; waiting up to {} (hpdl.drain.timeout) for {running}; \
             actions that are still running then, or when this process is killed, are lost as after a power failure",
            self.signal,
            self.whole.cause(),
            self.time()
        )
    }

    /// The message when the deadline has passed while `running` was still running.
    pub fn failure(&self, running: &str) -> String {
        format!(
            "{}: waited {} (hpdl.drain.timeout); still running, and lost as after a power failure: {running}",
            self.signal,
            self.time()
        )
    }
}

/// Completes at the deadline; never without a drain.
pub async fn is_over(drain: Option<&Drain>) {
    match drain {
        Some(drain) => tokio::time::sleep_until(drain.deadline.into()).await,
        None => std::future::pending().await,
    }
}

/// Whether all processes end with this one because it keeps a container alive: child processes must be told.
pub fn is_in_container() -> bool {
    ProcessContext::of_this_process().holds_container()
}

/// Asks the owner of a job, another process, to release it; returns its PID if it is still running.
pub fn pass_on(job: &str, owner: Option<i64>) -> Option<i64> {
    let pid = owner_process(job, owner)?;
    let number = i32::try_from(pid).ok().and_then(Pid::from_raw)?;
    kill_process(number, Signal::TERM).ok()?;
    Some(pid)
}

/// The PID of a job's owner, if it is a detached owner on this machine.
pub fn owner_process(job: &str, owner: Option<i64>) -> Option<i64> {
    let pid = owner?;
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    // PIDs are reused: the owner has the job's id on its command line.
    let mut words = line.split(|&byte| byte == 0);
    words.any(|word| word == job.as_bytes()).then_some(pid)
}

/// The context in which a process runs.
#[derive(Clone, Debug, Default)]
struct ProcessContext {
    pid: i32,
    /// 0 if the parent is outside of the PID namespace.
    parent: i32,
    /// In the machine's initial PID namespace.
    is_initial: bool,
    /// The name of the namespace's init process.
    first: String,
    /// The parent process has set [`CONFINED`].
    is_told: bool,
    /// `/proc/self/cgroup`.
    groups: String,
}

impl ProcessContext {
    fn of_this_process() -> ProcessContext {
        let link = fs::read_link("/proc/self/ns/pid").unwrap_or_default();
        let first = fs::read_to_string("/proc/1/comm").unwrap_or_default();
        ProcessContext {
            pid: getpid().as_raw_nonzero().get(),
            parent: getppid().map_or(0, |parent| parent.as_raw_nonzero().get()),
            is_initial: link.as_path() == Path::new(INITIAL_NAMESPACE),
            first: first.trim().to_owned(),
            is_told: std::env::var_os(CONFINED).is_some(),
            groups: fs::read_to_string("/proc/self/cgroup").unwrap_or_default(),
        }
    }

    /// The kernel kills all processes of a PID namespace with its init process, which is started by a container runtime, or is a
    /// minimal init that waits for this process.
    fn holds_container(&self) -> bool {
        self.pid == 1
            || self.is_told
            || !self.is_initial
                && match self.parent {
                    0 => true,
                    1 => !STAYING.contains(&self.first.as_str()),
                    _ => false,
                }
    }

    fn ends_whole(&self, ask: impl FnOnce(&SystemdUnit) -> Option<String>) -> Option<Whole> {
        if self.holds_container() {
            return Some(Whole::Container);
        }
        let unit = unit_of(&self.groups)?;
        // A unit about which systemd gives no answer is assumed to have the default settings.
        let is_whole = ask(&unit).is_none_or(|properties| is_ended_whole(&properties, self.pid));
        is_whole.then_some(Whole::Unit(unit.name))
    }
}

/// A systemd service, of the machine or of a user.
#[derive(Clone, Debug, PartialEq, Eq)]
struct SystemdUnit {
    name: String,
    is_users: bool,
}

/// The service that the process belongs to, according to `/proc/PID/cgroup`; `None` in a session or terminal scope.
fn unit_of(groups: &str) -> Option<SystemdUnit> {
    let paths = groups.lines().filter_map(|line| {
        let mut fields = line.splitn(3, ':');
        let (_, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
        // The hierarchy of systemd, its own or the unified one.
        matches!(controllers, "" | "name=systemd").then_some(path)
    });
    let path = paths.max_by_key(|path| path.len())?;
    let units: Vec<&str> = path
        .split('/')
        .filter(|part| {
            let ending = Path::new(part).extension();
            ending.is_some_and(|ending| ending == "service" || ending == "scope")
        })
        .collect();
    let (last, above) = units.split_last()?;
    last.ends_with(".service").then(|| SystemdUnit {
        name: (*last).to_owned(),
        is_users: above.iter().any(|unit| unit.starts_with("user@")),
    })
}

/// Whether the remaining processes of a unit are killed: it is being stopped, or stops with this process.
fn is_ended_whole(properties: &str, pid: i32) -> bool {
    let of = |name: &str| {
        let mut lines = properties.lines();
        lines.find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
    };
    let is_mode = !matches!(of("KillMode"), Some("process" | "none"));
    let is_stopping = of("ActiveState").is_none_or(|state| state == "deactivating");
    let is_main = of("MainPID").is_some_and(|main| main == pid.to_string());
    is_mode && (is_stopping || is_main)
}

/// Asks systemd how a unit is stopped; `None` if there is no answer.
fn ask_systemd(unit: &SystemdUnit) -> Option<String> {
    let mut command = Command::new("systemctl");
    if unit.is_users {
        command.arg("--user");
    }
    let mut child = command
        .args(["show", "--property=KillMode,ActiveState,MainPID", "--"])
        .arg(&unit.name)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let begun = Instant::now();
    loop {
        match child.try_wait() {
            Ok(None) if begun.elapsed() < ASK_TIME => thread::sleep(Duration::from_millis(5)),
            Ok(Some(status)) if status.success() => {
                // The output is a few lines, which fit into the pipe buffer.
                let output = child.wait_with_output().ok()?;
                let text = String::from_utf8_lossy(&output.stdout).into_owned();
                return text.contains("KillMode=").then_some(text);
            }
            Ok(_) | Err(_) => {
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(pid: i32, parent: i32, first: &str, is_initial: bool) -> ProcessContext {
        ProcessContext {
            pid,
            parent,
            is_initial,
            first: first.to_owned(),
            ..ProcessContext::default()
        }
    }

    #[test]
    fn a_container_ends_with_its_first_process_and_whoever_that_waits_for() {
        for (place, expected) in [
            (place(1, 0, "etl", false), true),
            (place(1, 0, "etl", true), true),
            (place(7, 1, "tini", false), true),
            (place(7, 1, "sh", false), true),
            (place(7, 0, "pause", false), true),
            (place(7, 6, "sleep", false), false),
            (place(7, 1, "systemd", false), false),
            (place(7, 1, "init", true), false),
            (place(7, 1, "sh", true), false),
        ] {
            assert_eq!(place.holds_container(), expected, "{place:?}");
        }
        let told = ProcessContext {
            is_told: true,
            ..place(7, 6, "sleep", false)
        };
        assert!(told.holds_container());
    }

    #[test]
    fn a_unit_is_the_last_of_the_path_and_no_session() {
        let unit = |name: &str, is_users| {
            Some(SystemdUnit {
                name: name.to_owned(),
                is_users,
            })
        };
        for (groups, expected) in [
            ("0::/system.slice/etl.service\n", unit("etl.service", false)),
            (
                "0::/system.slice/system-etl.slice/etl@a.service/inner\n",
                unit("etl@a.service", false),
            ),
            (
                "0::/user.slice/user-7.slice/user@7.service/app.slice/etl.service\n",
                unit("etl.service", true),
            ),
            (
                "0::/user.slice/user-7.slice/user@7.service/app.slice/vte-1.scope\n",
                None,
            ),
            ("0::/user.slice/user-7.slice/session-3.scope\n", None),
            (
                "4:memory:/etl.service\n1:name=systemd:/system.slice/a.service\n0::/\n",
                unit("a.service", false),
            ),
            ("0::/\n", None),
            ("", None),
        ] {
            assert_eq!(unit_of(groups), expected, "{groups}");
        }
    }

    #[test]
    fn a_unit_is_ended_whole_by_its_mode_and_its_main_process() {
        for (properties, expected) in [
            (
                "KillMode=control-group\nActiveState=active\nMainPID=7",
                true,
            ),
            ("KillMode=mixed\nActiveState=deactivating\nMainPID=8", true),
            ("KillMode=mixed\nActiveState=active\nMainPID=8", false),
            (
                "KillMode=process\nActiveState=deactivating\nMainPID=7",
                false,
            ),
            ("KillMode=none\nActiveState=deactivating\nMainPID=7", false),
        ] {
            assert_eq!(is_ended_whole(properties, 7), expected, "{properties}");
        }
        let place = ProcessContext {
            groups: "0::/system.slice/etl.service".to_owned(),
            ..place(7, 6, "systemd", true)
        };
        let whole = Some(Whole::Unit("etl.service".to_owned()));
        assert_eq!(place.ends_whole(|_| None), whole, "systemd does not tell");
        let going_on = |_: &SystemdUnit| Some("KillMode=process".to_owned());
        assert_eq!(place.ends_whole(going_on), None);
    }
}
