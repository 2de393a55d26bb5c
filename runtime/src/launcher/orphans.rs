//! What actions have started and left running: processes whose parent is gone.

use std::{fs::File, io, os::unix::fs::FileExt};

use rustix::process::{Pid, WaitOptions, getpid, set_child_subreaper, waitpid};

/// Processes that come to the launcher when their parent ends, instead of to the first process of the system. They are
/// children of its first thread, which starts none itself.
pub(super) struct Orphans {
    /// The numbers of the thread's children.
    children: File,
}

impl Orphans {
    /// From now on they come; `None` where the system does not say which there are.
    pub(super) fn adopt() -> Option<Orphans> {
        let me = getpid();
        let children = File::open(format!("/proc/self/task/{me}/children")).ok()?;
        set_child_subreaper(Some(me)).ok()?;
        Some(Orphans { children })
    }

    /// Takes leave of those that have ended; whether any is left, which is assumed where it is not known.
    pub(super) fn reap(&self) -> bool {
        let Ok(numbers) = self.numbers() else {
            return true;
        };
        let mut is_any_left = false;
        for number in numbers {
            is_any_left |= !matches!(waitpid(Some(number), WaitOptions::NOHANG), Ok(Some(_)));
        }
        is_any_left
    }

    fn numbers(&self) -> io::Result<Vec<Pid>> {
        let mut bytes = [0; 4096];
        let length = self.children.read_at(&mut bytes, 0)?;
        if length == bytes.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        let text = String::from_utf8_lossy(&bytes[..length]);
        let numbers = text.split_ascii_whitespace();
        Ok(numbers
            .filter_map(|number| Pid::from_raw(number.parse().ok()?))
            .collect())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        path::Path,
        process::{Command, Stdio},
        thread,
        time::{Duration, Instant},
    };

    use rustix::process::{Signal, kill_process};

    use super::*;

    #[test]
    fn what_outlives_its_parent_is_seen_as_long_as_it_lives_and_leaves_no_zombie() {
        let orphans = Orphans::adopt().expect("this kernel tells of children");
        let output = Command::new("sh")
            .args(["-c", "setsid sleep 600 > /dev/null 2>&1 & echo $!"])
            .stderr(Stdio::null())
            .output()
            .unwrap();
        let number = String::from_utf8(output.stdout).unwrap();
        let orphan = Pid::from_raw(number.trim().parse().unwrap()).unwrap();
        assert!(orphans.reap(), "it lives");
        assert!(orphans.numbers().unwrap().contains(&orphan));
        kill_process(orphan, Signal::KILL).unwrap();
        let begun = Instant::now();
        // Other tests may leave some of their own.
        while orphans.numbers().unwrap().contains(&orphan) {
            assert!(begun.elapsed() < Duration::from_secs(60));
            orphans.reap();
            thread::sleep(Duration::from_millis(5));
        }
        assert!(!Path::new(&format!("/proc/{orphan}")).exists());
    }
}
