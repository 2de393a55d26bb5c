//! State inherited from the parent process, intentionally or not.
//!
//! Open file descriptors: another process may wait for their end of file, and a process that outlives the terminal would keep
//! them open for days. Ignored signals: `nohup` is intentional, but a parent that ignores SIGCHLD would make the kernel discard
//! the exit status of our children.

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

/// The first descriptor after the standard streams.
const FIRST: i32 = 3;

/// Re-executes this program without inherited descriptors, if there are any; returns otherwise. To be called in a process of our
/// own, before it does anything else.
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
    // If the exec fails, it continues with them, but passes none of them on.
    let _ = Command::new("/proc/self/exe")
        .arg0(name)
        .args(arguments)
        .exec();
}

/// Whether a program executed by this process would inherit a descriptor.
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

/// Makes the kernel keep the exit status of children until it is collected.
pub fn hear_of_children() {
    if is_ignored(Signal::CHILD) {
        // Any handler is sufficient; started programs do not inherit it.
        let _ = signal_hook::flag::register(SIGCHLD, Arc::new(AtomicBool::new(false)));
    }
}

/// Makes a write beyond the file size limit return an error, which is reported, instead of terminating this process (SIGXFSZ).
pub fn outlive_large_files() {
    // Started programs do not inherit it.
    let _ = signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// Set if the init process of a PID namespace received SIGTERM before it listened.
static ASKED_TO_END: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// Makes the init process of a PID namespace record SIGTERM: the kernel discards signals that it has no handler for. Any other
/// process is terminated by the signal until it listens.
pub fn remember_being_asked() {
    if getpid() != Pid::INIT {
        return;
    }
    let asked = ASKED_TO_END.get_or_init(Arc::default);
    // A failure changes nothing.
    let _ = signal_hook::flag::register(SIGTERM, Arc::clone(asked));
}

/// Makes this process record SIGTERM from now on, for one that looks at [`was_asked_to_end`] every now and then.
pub fn record_being_asked() {
    let asked = ASKED_TO_END.get_or_init(Arc::default);
    // A failure changes nothing: the signal ends it then.
    let _ = signal_hook::flag::register(SIGTERM, Arc::clone(asked));
}

/// Whether SIGTERM was recorded. To be called after a handler is installed.
pub fn was_asked_to_end() -> bool {
    ASKED_TO_END
        .get()
        .is_some_and(|asked| asked.load(Ordering::SeqCst))
}

/// Whether this process ignores a signal. To be called before a handler is installed.
pub fn is_ignored(signal: Signal) -> bool {
    // Signals are numbered from 1.
    ignored() >> (signal.as_raw() - 1) & 1 == 1
}

/// The signals that this process ignores, as a bit mask.
pub fn ignored() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigIgn:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default()
}
