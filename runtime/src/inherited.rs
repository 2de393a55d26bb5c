//! Files that whoever started this process has left open for it, on purpose or not: somebody may wait for the end of one,
//! and a process that outlives the terminal would hold it for days.

use std::{env, fs, os::unix::process::CommandExt, process::Command};

use rustix::fs::OFlags;

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
