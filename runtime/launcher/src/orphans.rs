//! Processes that actions have started and left running. The launcher is a subreaper: they become its children when their parent
//! ends.

use rustix::{
    io::Errno,
    process::{WaitOptions, getpid, set_child_subreaper, wait},
};

/// `__WNOTHREAD` of Linux: only children of the thread that asks. Those of workers are theirs to wait for.
const OF_THIS_THREAD: WaitOptions = WaitOptions::from_bits_retain(0x2000_0000);

/// Processes that come to the launcher when their parent ends, instead of to the first process of the system. They are
/// children of its first thread, which starts none itself: it alone may ask.
///
/// What another process starts on request, such as systemd by `systemd-run` or the daemon of `docker run -d`, is none of them.
pub(super) struct Orphans(());

impl Orphans {
    /// From now on they come; `None` where the system does not have it so.
    pub(super) fn adopt() -> Option<Orphans> {
        set_child_subreaper(Some(getpid())).ok()?;
        Some(Orphans(()))
    }

    /// Takes leave of those that have ended; whether any is left, which is assumed where it is not known.
    ///
    /// The kernel's own answer: its list in `/proc` may miss some while others end.
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
