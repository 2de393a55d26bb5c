//! The owner's notification channel: a named pipe in addition to its lock, written to by any process that has put a command into
//! the store.
//!
//! It is only a hint. A pipe and not a signal: a signal that arrives before its handler is installed terminates the process, and
//! a PID read from the store may have been reused, or belong to another container.

use std::{
    fs::File,
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use rustix::{
    fs::{CWD, FileType, Mode, OFlags, mknodat},
    io::Errno,
};
use tokio::net::unix::pipe::{OpenOptions, Receiver};

use crate::home::Home;

/// The owner's end. If the file system has no named pipes, it is never notified, and the owner polls from time to time.
#[derive(Debug)]
pub struct Bell {
    receiver: Option<Receiver>,
}

impl Bell {
    /// Must be called within an async runtime.
    pub fn listen(home: &Home, root: &str) -> Bell {
        Bell {
            receiver: open(&home.bell(root)).ok(),
        }
    }

    /// Returns after a notification; several pending ones are merged.
    pub async fn rung(&self) {
        let Some(receiver) = &self.receiver else {
            return std::future::pending().await;
        };
        loop {
            // The owner also holds a write end, so the pipe never reaches end of file.
            if receiver.readable().await.is_err() {
                return std::future::pending().await;
            }
            let mut rings = [0; 64];
            match receiver.try_read(&mut rings) {
                Ok(_) => return,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(_) => return std::future::pending().await,
            }
        }
    }
}

fn open(path: &Path) -> io::Result<Receiver> {
    match mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(error) => return Err(error.into()),
    }
    OpenOptions::new().read_write(true).open_receiver(path)
}

/// Notifies the owner of a job tree, if there is one.
pub fn ring(home: &Home, root: &str) {
    let nonblocking = i32::try_from(OFlags::NONBLOCK.bits()).unwrap_or_default();
    // Without an owner, or if the pipe is full, there is nothing to do.
    let _ = File::options()
        .write(true)
        .custom_flags(nonblocking)
        .open(home.bell(root))
        .and_then(|mut bell| bell.write_all(b"."));
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_bell_rings_once_for_many_and_nobody_needs_to_hear_it() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        std::fs::create_dir(home.locks()).unwrap();
        ring(&home, "1");
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(async {
            let patience = Duration::from_millis(20);
            let bell = Bell::listen(&home, "1");
            assert!(tokio::time::timeout(patience, bell.rung()).await.is_err());
            for _ in 0..3 {
                ring(&home, "1");
            }
            bell.rung().await;
            assert!(tokio::time::timeout(patience, bell.rung()).await.is_err());
            let again = Bell::listen(&home, "1");
            ring(&home, "1");
            again.rung().await;
        });
        ring(&home, "2");
        assert!(!home.bell("2").exists());
    }
}
