//! The owner's thread that sends due notifications.

use std::{
    sync::mpsc::{self, Receiver, RecvTimeoutError, Sender},
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use hpdlc_host::{clock, home::Home};
use hpdlc_store::{self as store, notifications};

use super::{LINGER, failure, sender_process, sending::Sending};

/// The pause after a failure of the store.
const STORE_PAUSE: Duration = Duration::from_secs(1);

/// A request of the owner to its thread.
enum Ask {
    /// There are new notifications.
    Look,
    /// Send what is due now, and end.
    Finish,
}

/// The owner's thread that sends.
#[derive(Debug)]
pub struct NotificationSender {
    asks: Sender<Ask>,
    thread: JoinHandle<()>,
    home: Home,
    root: String,
    hash: String,
}

impl NotificationSender {
    /// Starts sending the stored notifications of the jobs of `root`; `hash` is that of the kept copy of this executable.
    ///
    /// # Errors
    ///
    /// No thread can be started.
    pub fn start(home: &Home, root: &str, hash: &str) -> std::io::Result<NotificationSender> {
        let (asks, asked) = mpsc::channel();
        let (own_home, own_root) = (home.clone(), root.to_owned());
        let thread = thread::Builder::new()
            .name("post".to_owned())
            .spawn(move || Sending::new(own_home, own_root).serve(&asked))?;
        Ok(NotificationSender {
            asks,
            thread,
            home: home.clone(),
            root: root.to_owned(),
            hash: hash.to_owned(),
        })
    }

    /// Notifies the thread that something new is on disk.
    pub fn look(&self) {
        // If the thread has ended, the sender process takes over.
        let _ = self.asks.send(Ask::Look);
    }

    /// The owner ends: what can be sent at once is sent; a separate process sends the rest.
    pub fn finish(self) {
        let _ = self.asks.send(Ask::Finish);
        let begun = Instant::now();
        // A running command is awaited: a sender process would run it again.
        while !self.thread.is_finished() && (begun.elapsed() < LINGER || failure::is_running()) {
            thread::sleep(Duration::from_millis(2));
        }
        let is_all_told = self.thread.is_finished()
            && store::look(&self.home).is_ok_and(|connection| {
                notifications::next_due(&connection, &self.root, clock::now_millis())
                    .is_ok_and(|due| due.is_none())
            });
        if !is_all_told {
            sender_process::start(&self.home, &self.root, &self.hash);
        }
    }
}

impl Sending {
    fn serve(mut self, asked: &Receiver<Ask>) {
        loop {
            let pause = match self.send_due() {
                Ok(Some(pause)) => pause,
                Ok(None) => Duration::MAX,
                Err(_) => STORE_PAUSE,
            };
            let ask = if pause == Duration::MAX {
                asked.recv().map_err(|_| RecvTimeoutError::Disconnected)
            } else {
                asked.recv_timeout(pause)
            };
            match ask {
                Ok(Ask::Look) | Err(RecvTimeoutError::Timeout) => {}
                Ok(Ask::Finish) => {
                    // An error leaves the rest to the sender process.
                    let _ = self.send_due();
                    return;
                }
                Err(RecvTimeoutError::Disconnected) => return,
            }
        }
    }
}
