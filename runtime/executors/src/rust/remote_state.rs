//! What is known of the work of an attempt that goes on elsewhere: a file beside its folder, for the next process of the attempt.

use std::io;

use hpdlc_launcher::Attempt;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{action::Id, attempt_state};

/// The ending of its name.
const FILE: &str = "remote";

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RemoteState {
    pub(super) node: String,
    pub(super) tag: String,
    /// When the first process of the attempt began, in milliseconds since 1970.
    pub(super) since: i64,
    /// The work may have been started.
    pub(super) has_begun: bool,
    pub(super) id: Option<Id>,
}

impl RemoteState {
    /// `None` before the first process of the attempt has written it.
    ///
    /// # Errors
    ///
    /// The file exists and cannot be read.
    pub(super) fn read(attempt: &Attempt) -> io::Result<Option<RemoteState>> {
        attempt_state::read(attempt, FILE)
    }

    /// Returns once it is on disk.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub(super) fn write(&self, attempt: &Attempt) -> io::Result<()> {
        attempt_state::write(attempt, FILE, self)
    }
}

/// The tag of an attempt. `key` is that of the state folder: jobs of two folders may have the same id.
pub(super) fn tag(key: &[u8], job: &str, attempt: &Attempt) -> String {
    // The path below the job's folder, so that the location of the state folder does not matter.
    let folder = attempt.folder().to_string_lossy();
    let below = folder.rsplit_once(job).map_or(&*folder, |(_, below)| below);
    let digest = Sha256::new()
        .chain_update(key)
        .chain_update(format!("{job}{below}"))
        .finalize();
    format!("hpdl-{}", hex::encode(&digest[..20]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_is_read_again() {
        let folder = tempfile::tempdir().unwrap();
        let attempt = Attempt::new(folder.path().join("1"));
        assert_eq!(RemoteState::read(&attempt).unwrap(), None);
        let state = RemoteState {
            has_begun: true,
            id: Some(Id::new("7")),
            ..RemoteState::default()
        };
        state.write(&attempt).unwrap();
        assert_eq!(RemoteState::read(&attempt).unwrap(), Some(state));
    }

    #[test]
    fn every_attempt_has_a_tag_of_its_own_wherever_the_state_folder_is() {
        let of = |folder: &str, key: &[u8]| tag(key, "0-W", &Attempt::new(folder));
        let first = of("/a/work/0-W/copy/1", b"x");
        assert_eq!(first, of("/b/work/0-W/copy/1", b"x"));
        for (folder, key) in [
            ("/a/work/0-W/copy/2", b"x"),
            ("/a/work/0-W/@1/copy/1", b"x"),
            ("/a/work/0-W/copy/1", b"y"),
        ] {
            assert_ne!(first, of(folder, key), "{folder}");
        }
        assert_eq!(first.len(), 45);
    }
}
