//! What whoever started this process has left it, on purpose or not.
//!
//! Open files: somebody may wait for the end of one, and a process that outlives the terminal would hold it for days.
//! Signals that are ignored: `nohup` means it, but one who does not want to hear of the end of his own children would have
//! the kernel forget how ours ended.

use std::{
    env, fs,
    os::unix::process::CommandExt,
    process::Command,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
};

use rustix::{
    fs::OFlags,
    process::{Pid, Signal, getpid},
};
use signal_hook::consts::{SIGCHLD, SIGTERM, SIGXFSZ};

/// The first number that is none of the standard streams.
const FIRST: i32 = 3;

/// Begins this program anew without such files, where there are any; returns otherwise. Call it in a process that is ours
/// alone, before anything is done in it.
pub fn shed() {
    if !has_inherited() {
        return;
    }
    close_fds::set_fds_cloexec(FIRST, &[]);
    if has_inherited() {
        return;
    }
    let mut arguments = env::args_os();
    let name = arguments.next().unwrap_or_default();
    // Where it cannot begin anew it goes on with them, and hands none of them on.
    let _ = Command::new("/proc/self/exe")
        .arg0(name)
        .args(arguments)
        .exec();
}

/// Whether a program begun by this process would have a file open that this one was given.
fn has_inherited() -> bool {
    let Ok(files) = fs::read_dir("/proc/self/fd") else {
        return false;
    };
    files
        .flatten()
        .filter_map(|file| file.file_name().to_str()?.parse::<i32>().ok())
        .any(|number| number >= FIRST && is_handed_on(number))
}

fn is_handed_on(number: i32) -> bool {
    let info = fs::read_to_string(format!("/proc/self/fdinfo/{number}")).unwrap_or_default();
    let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
    flags
        .and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok())
        .is_some_and(|flags| flags & OFlags::CLOEXEC.bits() == 0)
}

/// Has the kernel keep how children of this process end, until somebody asks.
pub fn hear_of_children() {
    if is_ignored(Signal::CHILD) {
        // Any handler does; programs that are started begin without it, and hear of theirs.
        let _ = signal_hook::flag::register(SIGCHLD, Arc::new(AtomicBool::new(false)));
    }
}

/// Has a write beyond the largest file that the system allows fail, which is told, instead of ending this process.
pub fn outlive_large_files() {
    // Programs that are started begin without it.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Set when the first process of a PID namespace was asked to end before it listened.
static ASKED_TO_END: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Has the first process of a PID namespace remember that it was asked to end: what it has no handler for never reaches it. Any
/// other is ended by such a signal until it listens.
pub fn remember_being_asked() {
    if getpid() != Pid::INIT {
        return;
    }
    let asked = ASKED_TO_END.get_or_init(Arc::default);
    // Where it cannot be, it is as it was.
    let _ = signal_hook::flag::register(SIGTERM, Arc::clone(asked));
}

/// Whether that has happened. Ask once a handler is installed.
pub fn was_asked_to_end() -> bool {
    ASKED_TO_END
        .get()
        .is_some_and(|asked| asked.load(Ordering::SeqCst))
}

/// Whether this process ignores a signal. Ask before a handler is installed.
pub fn is_ignored(signal: Signal) -> bool {
    // Signals count from 1.
    ignored() >> (signal.as_raw() - 1) & 1 == 1
}

/// The signals that this process ignores, a bit each.
pub fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default()
}
