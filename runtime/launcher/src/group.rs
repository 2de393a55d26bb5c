//! The process group of an attempt, which may outlive its leader.

use std::fs;

use hpdlc_host::proc_stat::Stat;
use rustix::{
    io::Errno,
    process::{Pid, Signal, kill_process_group, test_kill_process_group},
};

/// The process of an attempt with its descendants.
///
/// A process group id may be reused once its group is gone. The session distinguishes them: it is the launcher's own, and no process
/// outside it can join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessGroup {
    pub id: u32,
    pub session: u32,
}

impl ProcessGroup {
    /// Whether any process of the group runs. A zombie does not count.
    pub fn is_alive(self) -> bool {
        let mut last = None;
        self.is_any_alive(&mut last)
    }

    /// As [`ProcessGroup::is_alive`], for polling: `last` is the process that was found last, which is checked first.
    pub fn is_any_alive(self, last: &mut Option<u32>) -> bool {
        let known = last.unwrap_or(self.id);
        if Stat::of(i64::from(known)).is_some_and(|stat| self.has(stat)) {
            return true;
        }
        *last = self.find();
        last.is_some()
    }

    /// A running process of the group, searched in `/proc`.
    fn find(self) -> Option<u32> {
        // The usual case costs one system call: there is no process in the group at all.
        let is_none = |group| test_kill_process_group(group) == Err(Errno::SRCH);
        if self.pid().is_none_or(is_none) {
            return None;
        }
        fs::read_dir("/proc").ok()?.flatten().find_map(|entry| {
            let number = entry.file_name().to_str()?.parse::<u32>().ok()?;
            let stat = fs::read_to_string(entry.path().join("stat")).ok()?;
            self.is_member(&stat).then_some(number)
        })
    }

    /// Sends `signal` to every process of the group; does nothing if none is left.
    pub fn signal(self, signal: Signal) {
        if !self.is_alive() {
            return;
        }
        if let Some(group) = self.pid() {
            // The last one may have ended a moment ago.
            let _ = kill_process_group(group, signal);
        }
    }

    fn pid(self) -> Option<Pid> {
        i32::try_from(self.id).ok().and_then(Pid::from_raw)
    }

    /// Whether the line of `/proc/PID/stat` is that of a running process of the group.
    fn is_member(self, line: &str) -> bool {
        Stat::parse(line).is_some_and(|stat| self.has(stat))
    }

    fn has(self, stat: Stat) -> bool {
        stat.is_running() && stat.group == self.id && stat.session == self.session
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stat: &str, expected: bool) {
        assert_eq!(
            ProcessGroup {
                id: 40,
                session: 30
            }
            .is_member(stat),
            expected,
            "{stat}"
        );
    }

    #[test]
    fn members_have_the_group_and_its_session() {
        check("41 (sleep) S 1 40 30 0 -1 4194304", true);
        check("41 (a) b) (c) R 1 40 30 0 -1 4194304", true);
        check("41 (sleep) S 1 41 30 0 -1 4194304", false);
        check("41 (sleep) S 1 40 31 0 -1 4194304", false);
    }

    #[test]
    fn the_dead_are_no_members() {
        check("41 (sleep) Z 1 40 30 0 -1 4194304", false);
        check("41 (sleep", false);
    }
}
