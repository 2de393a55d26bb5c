//! A thread that makes attempts ready while the first one starts processes and reaps them: with several short processes at
//! once that one has no time to make folders.

use std::{
    fs::File,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{self, Receiver, Sender},
    },
    thread,
};

use rustix::event::{EventfdFlags, eventfd};

use crate::launcher::{prepared::Prepared, protocol::StartRequest};

/// An attempt as it was named in the request, and what came of making it ready.
pub(super) type Made = (String, io::Result<Prepared>);

/// The thread, which ends when this is dropped.
pub(super) struct Hands {
    requests: Sender<StartRequest>,
    made: Receiver<Made>,
    /// Requests without an answer so far.
    n_open: usize,
    bell: Arc<Bell>,
}

/// Wakes the first thread where it waits for what is being made.
struct Bell {
    event: OwnedFd,
    is_wanted: AtomicBool,
}

impl Hands {
    /// # Errors
    ///
    /// The machine has no room for a thread or an open file.
    pub(super) fn new(null: &File) -> io::Result<Hands> {
        let null = null.try_clone()?;
        let (requests, asked) = mpsc::channel::<StartRequest>();
        let (answers, made) = mpsc::channel();
        let bell = Arc::new(Bell {
            event: eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK)?,
            is_wanted: AtomicBool::new(false),
        });
        let ours = Arc::clone(&bell);
        thread::Builder::new()
            .name("prepare".to_owned())
            .spawn(move || {
                for request in asked {
                    let attempt = request.attempt.clone();
                    let made = Prepared::new(request, &null, &mut None);
                    if answers.send((attempt, made)).is_err() {
                        return;
                    }
                    ours.ring();
                }
            })?;
        Ok(Hands {
            requests,
            made,
            n_open: 0,
            bell,
        })
    }

    /// Has it make an attempt ready; gives the request back where it cannot.
    pub(super) fn make(&mut self, request: StartRequest) -> Option<StartRequest> {
        let unsent = self.requests.send(request).err().map(|unsent| unsent.0);
        self.n_open += usize::from(unsent.is_none());
        unsent
    }

    /// What has been made since, in the order of the requests.
    pub(super) fn take(&mut self) -> Vec<Made> {
        let made: Vec<Made> = self.made.try_iter().collect();
        self.n_open -= made.len();
        made
    }

    /// Waits until nothing is being made.
    pub(super) fn finish(&mut self) -> Vec<Made> {
        let made: Vec<Made> = self.made.iter().take(self.n_open).collect();
        self.n_open = 0;
        made
    }

    /// Has the bell ring when something is made from now on. For what was made before it does not ring: look once more.
    pub(super) fn listen(&self) {
        // It may have been rung for what has been taken since.
        let _ = rustix::io::read(&self.bell.event, &mut [0; 8]);
        self.bell.is_wanted.store(true, Ordering::SeqCst);
    }

    /// Readable once the bell has rung.
    pub(super) fn bell(&self) -> BorrowedFd<'_> {
        self.bell.event.as_fd()
    }
}

impl Bell {
    fn ring(&self) {
        if self.is_wanted.swap(false, Ordering::SeqCst) {
            let _ = rustix::io::write(&self.event, &1_u64.to_ne_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rustix::{
        event::{PollFd, PollFlags, Timespec, poll},
        fs::Mode,
    };

    use super::*;

    fn hands() -> Hands {
        Hands::new(&File::open("/dev/null").unwrap()).unwrap()
    }

    fn request(folder: &Path, attempt: &str) -> StartRequest {
        StartRequest {
            attempt: folder.join(attempt).display().to_string(),
            program: "/bin/true".to_owned(),
            argv: Vec::new(),
            env: Vec::new(),
            action_xml: Some("<configuration/>".to_owned()),
            limit: None,
        }
    }

    fn has_rung(hands: &Hands, seconds: i64) -> bool {
        let patience = Timespec {
            tv_sec: seconds,
            tv_nsec: 0,
        };
        let mut bell = [PollFd::from_borrowed_fd(hands.bell(), PollFlags::IN)];
        poll(&mut bell, Some(&patience)).unwrap() > 0
    }

    #[test]
    fn what_is_made_comes_in_the_order_of_the_requests_also_what_could_not_be_made() {
        let job = tempfile::tempdir().unwrap();
        std::fs::write(job.path().join("file"), "").unwrap();
        let mut hands = hands();
        for attempt in ["a/1", "file/1", "b/1"] {
            assert!(hands.make(request(job.path(), attempt)).is_none());
        }
        let made: Vec<(String, bool)> = hands
            .finish()
            .into_iter()
            .map(|(attempt, made)| (attempt, made.is_ok()))
            .collect();
        let path = |attempt: &str| job.path().join(attempt).display().to_string();
        let expected = [("a/1", true), ("file/1", false), ("b/1", true)];
        assert_eq!(made, expected.map(|(attempt, is)| (path(attempt), is)));
        assert!(job.path().join("b/1/action.xml").exists());
        assert_eq!(hands.finish().len(), 0, "nothing is open");
    }

    #[test]
    fn the_bell_rings_for_what_is_made_after_somebody_listens() {
        let job = tempfile::tempdir().unwrap();
        // The thread stands still where it opens a pipe that nobody reads.
        let pipe = job.path().join("a");
        std::fs::create_dir(&pipe).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, pipe.join("1.out"), Mode::RWXU).unwrap();
        let mut hands = hands();
        assert!(hands.make(request(job.path(), "a/1")).is_none());
        hands.listen();
        assert_eq!(hands.take().len(), 0);
        assert!(!has_rung(&hands, 0));
        let _reader = File::open(pipe.join("1.out")).unwrap();
        assert!(has_rung(&hands, 60));
        assert_eq!(hands.take().len(), 1);
        hands.listen();
        assert!(!has_rung(&hands, 0), "it is silent again");
    }
}
