//! The process group of an attempt, which may outlive the process that leads it.

use std::fs;

use rustix::process::{Pid, Signal, kill_process_group};

use crate::processes::Stat;

/// What an attempt's process has started, and the process itself.
///
/// A number may be used again once its group is gone. The session tells the groups apart: it is the launcher's own, and no
/// process outside it can join.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    pub id: u32,
    pub session: u32,
}

impl Group {
    /// Whether any process of the group runs. One that has ended and waits to be reaped does not.
    pub fn is_alive(self) -> bool {
        let Ok(processes) = fs::read_dir("/proc") else {
            return false;
        };
        processes.flatten().any(|entry| {
            let is_process = entry
                .file_name()
                .to_str()
                .is_some_and(|name| name.parse::<u32>().is_ok());
            is_process
                && fs::read_to_string(entry.path().join("stat"))
                    .is_ok_and(|stat| self.is_member(&stat))
        })
    }

    /// Sends `signal` to every process of the group; does nothing where none is left.
    pub fn signal(self, signal: Signal) {
        if !self.is_alive() {
            return;
        }
        if let Some(group) = i32::try_from(self.id).ok().and_then(Pid::from_raw) {
            // The last one may have ended a moment ago.
            let _ = kill_process_group(group, signal);
        }
    }

    /// Whether the line of `/proc/PID/stat` is of a process of the group that runs.
    fn is_member(self, line: &str) -> bool {
        Stat::parse(line).is_some_and(|stat| {
            stat.is_running() && stat.group == self.id && stat.session == self.session
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(stat: &str, expected: bool) {
        assert_eq!(
            Group {
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
