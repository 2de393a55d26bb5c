//! Starting processes of which thousands are alike: what is the same for all of them is prepared once.
//!
//! [`std::process::Command`] copies and sorts the whole environment for each, and leaves the C library to ask for every signal
//! what becomes of it. For a program as short as `true` that is a tenth of what starting it takes.

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

/// Signals that have names, and two that the C library keeps to itself, which its own way to start a process ignores.
const KNOWN: u64 = (1 << 33) - 1;

/// What all processes get.
pub(super) struct Spawner {
    /// The names of the environment with `=`, and whole entries.
    environment: Vec<(CString, usize)>,
    /// What is not ignored here does what it does by default.
    signals: SigSet,
}

/// A program and what it is told.
pub(super) struct Program {
    pub(super) path: CString,
    pub(super) argv: Vec<CString>,
    /// Changes of the environment; `None` removes.
    pub(super) environment: Vec<(String, Option<CString>)>,
}

/// Lets this thread have a working folder of its own.
pub(super) fn unshare_working_folder() -> bool {
    unshare(CloneFlags::CLONE_FS).is_ok()
}

impl Spawner {
    /// `None` where signals are ignored of which the system's interface does not speak.
    pub(super) fn new() -> Option<Spawner> {
        let ignored = inherited_descriptors::ignored();
        if ignored & !KNOWN != 0 {
            return None;
        }
        let mut signals = SigSet::all();
        for signal in Signal::iterator() {
            // That one is ignored because this is a Rust program.
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

    /// Starts a program in `folder` as the first of a group of its own. Call it on a thread with a working folder of its own.
    ///
    /// # Errors
    ///
    /// The folder is not there, or the system does not execute the program.
    pub(super) fn spawn(
        &self,
        program: &Program,
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

    fn environment_of<'a>(&'a self, program: &'a Program) -> Vec<&'a CString> {
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

impl Program {
    /// `None` where something holds a zero byte, which the system cannot hand on.
    pub(super) fn new(
        path: &str,
        argv: &[String],
        environment: &[(String, Option<String>)],
    ) -> Option<Program> {
        // As the system's own functions do: of several changes of one name the last one counts.
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
        Some(Program {
            path: CString::new(path).ok()?,
            argv: argv.collect::<Result<_, _>>().ok()?,
            environment: changes,
        })
    }
}
