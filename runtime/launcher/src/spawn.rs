//! Spawns thousands of similar processes: what they have in common is prepared once.
//!
//! [`std::process::Command`] copies and sorts the whole environment for each, and has the C library query the disposition of every signal.
//! For a program as short as `true` that is a tenth of the cost of its start.

use std::{
    env,
    ffi::{CString, OsString},
    fs::File,
    io,
    os::{fd::AsRawFd, unix::ffi::OsStringExt},
    path::Path,
};

use hpdlc_host::inherited_descriptors;
use nix::{
    sched::{CloneFlags, unshare},
    spawn::{PosixSpawnAttr, PosixSpawnFileActions, PosixSpawnFlags as Flags, posix_spawn},
    sys::signal::{SigSet, Signal},
    unistd,
};
use rustix::process::Pid;

/// Signals that have names, and two that the C library reserves, which its own spawn function leaves out.
const KNOWN: u64 = (1 << 33) - 1;

/// What all processes have in common.
pub(super) struct Spawner {
    /// The entries of the environment, each with the length of its name.
    environment: Vec<(CString, usize)>,
    /// Signals to be reset to their default, all but the ignored ones.
    signals: SigSet,
}

/// A program with its arguments.
pub(super) struct SpawnedProgram {
    pub(super) path: CString,
    pub(super) argv: Vec<CString>,
    /// Changes of the environment; `None` removes.
    pub(super) environment: Vec<(String, Option<CString>)>,
}

/// Gives this thread a working folder of its own.
pub(super) fn unshare_working_folder() -> bool {
    unshare(CloneFlags::CLONE_FS).is_ok()
}

impl Spawner {
    /// `None` if signals are ignored that the system's interface does not cover.
    pub(super) fn new() -> Option<Spawner> {
        let ignored = inherited_descriptors::ignored();
        if ignored & !KNOWN != 0 {
            return None;
        }
        let mut signals = SigSet::all();
        for signal in Signal::iterator() {
            // It is ignored only because this is a Rust program.
            if signal != Signal::SIGPIPE && ignored >> (signal as i32 - 1) & 1 == 1 {
                signals.remove(signal);
            }
        }
        let environment = env::vars_os().filter_map(|(name, value)| {
            let n_name = name.len();
            let mut entry: OsString = name;
            entry.push("=");
            entry.push(value);
            Some((CString::new(entry.into_vec()).ok()?, n_name))
        });
        Some(Spawner {
            environment: environment.collect(),
            signals,
        })
    }

    /// Starts a program in `folder` as the leader of a new process group. Call it on a thread with a working folder of its own.
    ///
    /// # Errors
    ///
    /// The folder does not exist, or the program cannot be executed.
    pub(super) fn spawn(
        &self,
        program: &SpawnedProgram,
        folder: &Path,
        [stdin, stdout, stderr]: [&File; 3],
    ) -> io::Result<Pid> {
        rustix::process::chdir(folder)?;
        let mut files = PosixSpawnFileActions::init()?;
        for (file, number) in [(stdin, 0), (stdout, 1), (stderr, 2)] {
            files.add_dup2(file.as_raw_fd(), number)?;
        }
        let mut attributes = PosixSpawnAttr::init()?;
        attributes.set_flags(
            Flags::POSIX_SPAWN_SETPGROUP
                | Flags::POSIX_SPAWN_SETSIGDEF
                | Flags::POSIX_SPAWN_SETSIGMASK,
        )?;
        attributes.set_pgroup(unistd::Pid::from_raw(0))?;
        attributes.set_sigdefault(&self.signals)?;
        attributes.set_sigmask(&SigSet::empty())?;
        let environment = self.environment_of(program);
        let spawned = posix_spawn(
            program.path.as_c_str(),
            &files,
            &attributes,
            &program.argv,
            &environment,
        )?;
        Ok(Pid::from_raw(spawned.as_raw()).expect("a process has a number"))
    }

    fn environment_of<'a>(&'a self, program: &'a SpawnedProgram) -> Vec<&'a CString> {
        let changes = &program.environment;
        let is_changed = |(entry, n_name): &&(CString, usize)| {
            let name = &entry.as_bytes()[..*n_name];
            changes
                .iter()
                .any(|(changed, _)| changed.as_bytes() == name)
        };
        let kept = self.environment.iter().filter(|entry| !is_changed(entry));
        let kept = kept.map(|(entry, _)| entry);
        kept.chain(changes.iter().filter_map(|(_, entry)| entry.as_ref()))
            .collect()
    }
}

impl SpawnedProgram {
    /// `None` if a string contains a NUL byte, which the system cannot pass.
    pub(super) fn new(
        path: &str,
        argv: &[String],
        environment: &[(String, Option<String>)],
    ) -> Option<SpawnedProgram> {
        // As in the system's own functions, the last of several changes of one name counts.
        let mut changes: Vec<(String, Option<CString>)> = Vec::with_capacity(environment.len());
        for (name, value) in environment {
            changes.retain(|(changed, _)| changed != name);
            let entry = value
                .as_ref()
                .map(|value| CString::new(format!("{name}={value}")));
            changes.push((name.clone(), entry.transpose().ok()?));
        }
        let named = if argv.is_empty() {
            &[path.to_owned()]
        } else {
            argv
        };
        let argv = named.iter().map(|argument| CString::new(argument.as_str()));
        Some(SpawnedProgram {
            path: CString::new(path).ok()?,
            argv: argv.collect::<Result<_, _>>().ok()?,
            environment: changes,
        })
    }
}
