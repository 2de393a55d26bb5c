//! The state of a process according to the system.

use std::fs;

/// Some fields of `/proc/PID/stat`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    state: char,
    pub parent: u32,
    pub group: u32,
    pub session: u32,
}

impl Stat {
    /// `None` if there is no process with that PID.
    pub fn of(pid: i64) -> Option<Stat> {
        Stat::parse(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
    }

    /// The fields after the name, which may contain any character, are state, parent, group, session.
    pub fn parse(line: &str) -> Option<Stat> {
        let (_, fields) = line.rsplit_once(')')?;
        let fields: Vec<&str> = fields.split_ascii_whitespace().take(4).collect();
        let [state, parent, group, session] = fields[..] else {
            return None;
        };
        Some(Stat {
            state: state.chars().next()?,
            parent: parent.parse().ok()?,
            group: group.parse().ok()?,
            session: session.parse().ok()?,
        })
    }

    /// False for a zombie.
    pub fn is_running(self) -> bool {
        !matches!(self.state, 'Z' | 'X')
    }

    /// Stopped by a signal or a debugger.
    pub fn is_stopped(self) -> bool {
        matches!(self.state, 'T' | 't')
    }
}
