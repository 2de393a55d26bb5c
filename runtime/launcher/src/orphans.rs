//! Orphaned processes that actions leave running. The launcher is a subreaper: they become its children when their parent ends.

use rustix::{
    io::Errno,
    process::{WaitOptions, getpid, set_child_subreaper, wait},
};

/// `__WNOTHREAD` of Linux: only children of the calling thread. Those of workers are awaited by the workers.
const OF_THIS_THREAD: WaitOptions = WaitOptions::from_bits_retain(0x2000_0000);

/// Processes that are reparented to the launcher when their parent ends, instead of to init. They are children of its first thread, which
/// starts none itself: only that thread may wait for them.
///
/// Processes that another process starts on request, such as systemd by `systemd-run` or the daemon of `docker run -d`, do not belong to
/// them.
pub(super) struct Orphans(());

impl Orphans {
    /// Becomes a subreaper; `None` if the system does not support it.
    pub(super) fn adopt() -> Option<Orphans> {
        set_child_subreaper(Some(getpid())).ok()?;
        Some(Orphans(()))
    }

    /// Reaps those that have ended; returns whether any is left, which is assumed if unknown.
    ///
    /// It relies on the result of `wait`: the list in `/proc` may miss some while others end.
    pub(super) fn reap(&self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG | OF_THIS_THREAD) {
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Err(Errno::CHILD) => return false,
                Ok(None) | Err(_) => return true,
            }
        }
    }
}
