//! The proof that this host is alive, in a file that its processes read.
//!
//! Hosts that share a database prove there from time to time that they are alive. If one cannot, others take its jobs over after a while
//! (`hpdl.host.timeout`), and by then it must have ended what it runs for them. So the file says until when processes may run, by a clock that
//! nobody sets and that goes on while the machine sleeps.

use std::{
    fs::{self, File},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
    time::Duration,
};

use rustix::time::{ClockId, clock_gettime};

/// A moment of this boot of the machine, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BootTime(u64);

impl BootTime {
    pub fn now() -> BootTime {
        let now = clock_gettime(ClockId::Boottime);
        let seconds = u64::try_from(now.tv_sec).unwrap_or_default();
        let millis = u64::try_from(now.tv_nsec).unwrap_or_default() / 1_000_000;
        BootTime(seconds * 1_000 + millis)
    }

    #[must_use]
    pub fn after(self, time: Duration) -> BootTime {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        BootTime(self.0.saturating_add(millis))
    }

    /// The time until then; zero if that is over.
    pub fn rest(self) -> Duration {
        Duration::from_millis(self.0.saturating_sub(BootTime::now().0))
    }
}

/// The id of this boot of the machine.
pub fn boot_id() -> String {
    fs::read_to_string("/proc/sys/kernel/random/boot_id")
        .map(|id| id.trim().to_owned())
        .unwrap_or_default()
}

/// Until when this host may run processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Counts how often a proof came too late: what was started before does not live on by a later one.
    life: u64,
    until: BootTime,
}

impl Proof {
    /// The time for which it still holds; zero if that is over.
    pub fn rest(self) -> Duration {
        self.until.rest()
    }

    /// The time for which what was started by this proof may run on by a later one.
    pub fn rest_by(self, later: Proof) -> Duration {
        match later.life == self.life {
            true => later.rest(),
            false => Duration::ZERO,
        }
    }

    /// The proof after `last`, which holds until then. To be called when the host has been told to be alive: if the last one does not hold
    /// any more, others may have found it gone before.
    fn after(last: Option<Proof>, until: BootTime) -> Proof {
        let life = last.map_or(0, |last| last.life + u64::from(last.rest().is_zero()));
        Proof { life, until }
    }
}

/// Writes a proof that holds until then.
///
/// # Errors
///
/// The file cannot be written.
pub fn write(path: &Path, until: BootTime) -> io::Result<()> {
    let Proof { life, until } = Proof::after(read(path), until);
    // Of one length, and in place: it is written on a full disk, too.
    let text = format!("{} {life:020} {:020}\n", boot_id(), until.0);
    let mut file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())
}

/// The last proof; `None` if there is none of this boot of the machine.
pub fn read(path: &Path) -> Option<Proof> {
    let text = fs::read_to_string(path).ok()?;
    let mut words = text.split_ascii_whitespace();
    let (boot, life, until) = (words.next()?, words.next()?, words.next()?);
    (boot == boot_id()).then_some(Proof {
        life: life.parse().ok()?,
        until: BootTime(until.parse().ok()?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_proof_holds_until_its_time_and_in_its_boot() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.alive");
        assert_eq!(read(&path), None);
        let until = BootTime::now().after(Duration::from_secs(60));
        write(&path, until).unwrap();
        let proof = read(&path).unwrap();
        assert!(proof.rest() > Duration::from_secs(50));
        fs::write(&path, format!("another-boot 0 {}\n", until.0)).unwrap();
        assert_eq!(read(&path), None);
        fs::write(&path, "damaged").unwrap();
        assert_eq!(read(&path), None);
    }

    #[test]
    fn what_was_started_before_a_late_proof_does_not_live_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("host.alive");
        let soon = || BootTime::now().after(Duration::from_secs(60));
        write(&path, soon()).unwrap();
        let first = read(&path).unwrap();
        write(&path, soon()).unwrap();
        let in_time = read(&path).unwrap();
        assert!(!first.rest_by(in_time).is_zero());
        // As if the host had slept.
        write(&path, BootTime(0)).unwrap();
        assert!(first.rest_by(read(&path).unwrap()).is_zero());
        write(&path, soon()).unwrap();
        let late = read(&path).unwrap();
        assert!(first.rest_by(late).is_zero());
        assert!(!late.rest_by(late).is_zero());
    }
}
