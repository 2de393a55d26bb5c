//! Ended attempts whose exit file could not be written.

use std::{
    io::{self, Write},
    time::{Duration, Instant},
};

use crate::{
    attempt::{Attempt, ExitRecord},
    claim::Claim,
};

/// How long an exit file is retried if its file system seems to be gone.
const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) struct EndedAttempt {
    pub(super) attempt: Attempt,
    /// Held until the exit file is in place.
    pub(super) claim: Claim,
    pub(super) record: ExitRecord,
    /// When it ended.
    pub(super) since: Instant,
}

impl EndedAttempt {
    /// Retries to write the exit file; returns whether that is settled.
    pub(crate) fn record_again(&mut self) -> bool {
        let EndedAttempt {
            attempt,
            claim,
            record,
            since,
        } = self;
        if claim.is_deleted() {
            return true;
        }
        let Err(error) = claim.record_exit(attempt, record) else {
            return true;
        };
        if may_pass(error.kind()) || since.elapsed() < PATIENCE {
            return false;
        }
        let folder = attempt.folder().display();
        let _ = writeln!(
            io::stderr(),
            "launcher: {folder}: {error}; giving up on the exit file, and the action is lost"
        );
        true
    }
}

/// Whether the error may pass: space may be freed, or the disk made writable again. A file system that is gone does not come back.
fn may_pass(kind: io::ErrorKind) -> bool {
    matches!(
        kind,
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::ReadOnlyFilesystem
    )
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::attempt::testing::exit;

    #[test]
    fn an_exit_file_is_given_up_where_its_file_system_does_not_come_back() {
        let folder = tempfile::tempdir().expect("a folder");
        let node = folder.path().join("node");
        fs::create_dir(&node).expect("a folder");
        let attempt = Attempt::new(node.join("1"));
        let claim = attempt.claim().expect("claims").expect("is the first");
        // As if a mount were gone: the claim is open, and there is no folder for the exit file.
        fs::rename(&node, folder.path().join("elsewhere")).expect("moves");
        let mut ended = EndedAttempt {
            attempt,
            claim,
            record: exit(0),
            since: Instant::now(),
        };
        assert!(!ended.record_again(), "it is tried again");
        let Some(long_ago) = Instant::now().checked_sub(PATIENCE) else {
            return;
        };
        ended.since = long_ago;
        assert!(ended.record_again(), "and not for ever");
        fs::rename(folder.path().join("elsewhere"), &node).expect("moves back");
        ended.since = Instant::now();
        assert!(ended.record_again(), "written where it has come back");
        let kinds = [
            io::ErrorKind::StorageFull,
            io::ErrorKind::ReadOnlyFilesystem,
        ];
        assert!(kinds.into_iter().all(may_pass));
        let kinds = [
            io::ErrorKind::StaleNetworkFileHandle,
            io::ErrorKind::NotConnected,
        ];
        assert!(!kinds.into_iter().any(may_pass));
    }
}
