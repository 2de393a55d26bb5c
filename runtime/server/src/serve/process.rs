//! A process with limits, of a process group of its own: when it takes too much, the whole group is killed.

use std::{
    io::Read,
    os::unix::process::{CommandExt, ExitStatusExt},
    process::{Command, ExitStatus, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, kill_process_group, prlimit, waitid,
};

/// What is kept of each output of a compiler; the rest is read and dropped.
const MOST_OUTPUT: u64 = 4 << 20;
/// How long outputs may stay open after the group was killed.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How a process ended by itself.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
}

/// Why it did not.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stopped {
    /// It took longer than it may.
    Late,
    /// It cannot be started.
    NotStarted(String),
}

impl Ended {
    /// `None` if a signal ended it.
    pub(crate) fn code(&self) -> Option<i32> {
        self.status.code()
    }

    pub(crate) fn signal(&self) -> Option<i32> {
        self.status.signal()
    }
}

/// What a process may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The most address space of each of its processes, in bytes.
    pub(crate) memory: Option<u64>,
    /// The largest file that one may write, in bytes.
    pub(crate) file: Option<u64>,
    /// What is kept of each output, in bytes; the rest is read and dropped.
    pub(crate) output: u64,
    pub(crate) deadline: Instant,
    /// Whether what it leaves of its group when it ends is killed, too.
    pub(crate) leaves_nothing: bool,
}

/// Runs a process to its end, or kills its group at `deadline`. What it leaves of the group when it ends is killed, too. `memory` is the
/// most address space of each of its processes, `file` the largest file that one may write, both in bytes.
pub(crate) fn run(
    command: &mut Command,
    memory: u64,
    file: u64,
    deadline: Instant,
) -> Result<Ended, Stopped> {
    let bounds = Bounds {
        memory: Some(memory),
        file: Some(file),
        output: MOST_OUTPUT,
        deadline,
        leaves_nothing: true,
    };
    run_within(command, bounds)
}

/// Runs a process to its end, or kills its group at the deadline.
pub(crate) fn run_within(command: &mut Command, bounds: Bounds) -> Result<Ended, Stopped> {
    let not_started = |error: &dyn std::fmt::Display| Stopped::NotStarted(error.to_string());
    let mut child = command
        .process_group(0)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| not_started(&error))?;
    let group = Pid::from_child(&child);
    for (resource, most) in [
        (Resource::As, bounds.memory),
        (Resource::Fsize, bounds.file),
    ] {
        if most.is_none() {
            continue;
        }
        let limit = Rlimit {
            current: most,
            maximum: most,
        };
        // It fails if the process has ended already.
        let _ = prlimit(Some(group), resource, limit);
    }
    let (outputs, output) = mpsc::channel();
    let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
    read(
        stdout.map(|it| Box::new(it) as _),
        0,
        bounds.output,
        &outputs,
    );
    read(
        stderr.map(|it| Box::new(it) as _),
        1,
        bounds.output,
        &outputs,
    );
    let (ends, end) = mpsc::channel();
    let waits = thread::Builder::new().spawn(move || {
        // It stays a zombie until the group is killed, so that its number is not another's.
        let _ = waitid(
            WaitId::Pid(group),
            WaitIdOptions::EXITED | WaitIdOptions::NOWAIT,
        );
        let _ = ends.send(());
    });
    let left = bounds.deadline.saturating_duration_since(Instant::now());
    let is_late = match waits {
        Ok(_) => end.recv_timeout(left) == Err(RecvTimeoutError::Timeout),
        Err(_) => true,
    };
    if is_late || bounds.leaves_nothing {
        let _ = kill_process_group(group, Signal::KILL);
    }
    let status = child.wait().map_err(|error| not_started(&error))?;
    if is_late {
        return Err(Stopped::Late);
    }
    let mut texts = [Vec::new(), Vec::new()];
    let last = Instant::now() + LAST_WORDS;
    for _ in 0..texts.len() {
        let left = last.saturating_duration_since(Instant::now());
        // A process that has left the group may hold them open.
        let Ok((which, text)) = output.recv_timeout(left) else {
            break;
        };
        texts[which] = text;
    }
    let [stdout, stderr] = texts;
    Ok(Ended {
        status,
        stdout,
        stderr,
    })
}

fn read(
    output: Option<Box<dyn Read + Send>>,
    which: usize,
    most: u64,
    outputs: &mpsc::Sender<(usize, Vec<u8>)>,
) {
    let (Some(output), outputs) = (output, outputs.clone()) else {
        return;
    };
    // Without a thread its text is missing.
    let _ = thread::Builder::new().spawn(move || {
        let mut text = Vec::new();
        let mut limited = output.take(most);
        let _ = limited.read_to_end(&mut text);
        let _ = std::io::copy(&mut limited.into_inner(), &mut std::io::sink());
        let _ = outputs.send((which, text));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, seconds: f64) -> Result<Ended, Stopped> {
        let deadline = Instant::now() + Duration::from_secs_f64(seconds);
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        run(&mut command, 1 << 30, 1 << 20, deadline)
    }

    #[test]
    fn what_it_prints_and_how_it_ends_is_known() {
        let ended = shell("echo a; echo b >&2; exit 3", 30.0).unwrap();
        assert_eq!((ended.code(), ended.signal()), (Some(3), None));
        assert_eq!(
            (ended.stdout, ended.stderr),
            (b"a\n".to_vec(), b"b\n".to_vec())
        );
        let killed = shell("kill -9 $$", 30.0).unwrap();
        assert_eq!((killed.code(), killed.signal()), (None, Some(9)));
    }

    #[test]
    fn one_that_hangs_is_killed_with_all_of_its_group() {
        let folder = tempfile::tempdir().unwrap();
        let pids = folder.path().join("pids");
        let script = format!(
            "sleep 600 & echo $! >> {0}; sleep 600 & echo $! >> {0}; wait",
            pids.display()
        );
        let begun = Instant::now();
        assert_eq!(shell(&script, 0.5).unwrap_err(), Stopped::Late);
        assert!(begun.elapsed() < Duration::from_secs(60));
        let pids = std::fs::read_to_string(pids).unwrap();
        assert_eq!(pids.lines().count(), 2);
        for pid in pids.lines() {
            let stat = || std::fs::read_to_string(format!("/proc/{pid}/stat"));
            let is_alive = || stat().is_ok_and(|stat| !stat.contains(") Z "));
            let patience = Instant::now() + Duration::from_secs(30);
            while is_alive() && Instant::now() < patience {
                thread::sleep(Duration::from_millis(5));
            }
            assert!(!is_alive(), "{pid}");
        }
    }

    #[test]
    fn what_it_leaves_behind_does_not_outlive_it() {
        let begun = Instant::now();
        let ended = shell("sleep 600 & exit 0", 300.0).unwrap();
        assert_eq!(ended.code(), Some(0));
        assert!(begun.elapsed() < Duration::from_secs(100));
    }

    #[test]
    fn memory_files_and_outputs_are_limited() {
        let hungry = "x=aaaaaaaaaaaaaaaa; sleep 0.2; while :; do x=$x$x; done";
        let ended = shell(hungry, 60.0).unwrap();
        assert_ne!(ended.code(), Some(0));
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("large");
        let script = format!(
            "sleep 0.2; dd if=/dev/zero of={} bs=65536 count=1000 2>/dev/null",
            path.display()
        );
        assert_ne!(shell(&script, 60.0).unwrap().code(), Some(0));
        assert!(std::fs::metadata(&path).unwrap().len() <= 1 << 20);
        let loud = shell("yes | head -c 8000000", 60.0).unwrap();
        assert_eq!(loud.stdout.len(), 4 << 20);
    }

    #[test]
    fn what_is_no_program_is_not_started() {
        let mut command = Command::new("/no/such/program");
        let stopped = run(&mut command, 1 << 30, 1 << 20, Instant::now()).unwrap_err();
        assert!(matches!(stopped, Stopped::NotStarted(_)));
    }
}
