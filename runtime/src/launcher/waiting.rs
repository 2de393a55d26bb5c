//! What the owner has asked for and has not begun: held until it says so, or waiting for room.

use std::collections::{BTreeMap, VecDeque};

use crate::launcher::prepared::Prepared;

/// Attempts by their path, as requests name it.
#[derive(Default)]
pub(super) struct Waiting {
    /// All of them; nothing while it is being made ready.
    attempts: BTreeMap<String, Option<Prepared>>,
    /// Those of them that may start, in the order in which they may. Nobody has claimed them.
    queue: VecDeque<String>,
    /// Attempts that are held, by the path of the one after whose good end they start.
    followers: BTreeMap<String, String>,
}

impl Waiting {
    /// An attempt is being made ready.
    pub(super) fn expect(&mut self, attempt: String) {
        self.attempts.insert(attempt, None);
    }

    /// It is ready.
    pub(super) fn hold(&mut self, attempt: String, prepared: Prepared) {
        self.attempts.insert(attempt, Some(prepared));
    }

    /// Takes out one that is not to be started, or could not be made ready; what was made of it.
    pub(super) fn remove(&mut self, attempt: &str) -> Option<Prepared> {
        self.queue.retain(|queued| queued != attempt);
        self.attempts.remove(attempt).flatten()
    }

    pub(super) fn has(&self, attempt: &str) -> bool {
        self.attempts.contains_key(attempt)
    }

    /// It may start, after what may start already.
    pub(super) fn go(&mut self, attempt: String) {
        if self.has(&attempt) {
            self.queue.push_back(attempt);
        }
    }

    /// It may start, before everything else.
    pub(super) fn go_first(&mut self, attempt: String) {
        if self.has(&attempt) {
            self.queue.push_front(attempt);
        }
    }

    /// `attempt` starts when `after` has ended well.
    pub(super) fn follow(&mut self, attempt: String, after: String) {
        self.followers.insert(after, attempt);
    }

    /// What was to start when an attempt has ended well.
    pub(super) fn take_follower(&mut self, after: &str) -> Option<String> {
        self.followers.remove(after)
    }

    /// Nothing starts after another any more.
    pub(super) fn forget_followers(&mut self) {
        self.followers.clear();
    }

    /// The next that may start; none where it is not ready yet.
    pub(super) fn next(&mut self) -> Option<Prepared> {
        let is_ready = self.attempts.get(self.queue.front()?)?.is_some();
        let first = is_ready.then(|| self.queue.pop_front()).flatten()?;
        self.attempts.remove(&first).flatten()
    }

    /// How many start without another word of the owner.
    pub(super) fn n_to_come(&self) -> usize {
        self.queue.len() + self.followers.len()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.attempts.is_empty()
    }

    pub(super) fn has_queue(&self) -> bool {
        !self.queue.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;

    use super::*;
    use crate::launcher::protocol::StartRequest;

    fn prepared(folder: &tempfile::TempDir, attempt: &str) -> Prepared {
        let request = StartRequest {
            attempt: folder.path().join(attempt).display().to_string(),
            program: attempt.to_owned(),
            argv: Vec::new(),
            env: Vec::new(),
            action_xml: Some(String::new()),
            limit: None,
        };
        Prepared::new(request, &File::open("/dev/null").unwrap(), &mut None).unwrap()
    }

    /// The attempts that start now.
    fn started(waiting: &mut Waiting) -> Vec<String> {
        std::iter::from_fn(|| waiting.next().map(|prepared| prepared.start.program)).collect()
    }

    #[test]
    fn attempts_start_in_the_order_of_the_word_to_go_and_wait_for_one_that_is_not_ready() {
        let folder = tempfile::tempdir().unwrap();
        let mut waiting = Waiting::default();
        for attempt in ["a", "b", "c"] {
            waiting.expect(attempt.to_owned());
        }
        for attempt in ["a", "c"] {
            waiting.hold(attempt.to_owned(), prepared(&folder, attempt));
        }
        for attempt in ["a", "b", "c"] {
            waiting.go(attempt.to_owned());
        }
        assert_eq!(started(&mut waiting), ["a"]);
        assert!(waiting.has_queue());
        waiting.hold("b".to_owned(), prepared(&folder, "b"));
        assert_eq!(started(&mut waiting), ["b", "c"]);
        assert!(waiting.is_empty());
    }

    #[test]
    fn what_follows_starts_before_what_waits() {
        let folder = tempfile::tempdir().unwrap();
        let mut waiting = Waiting::default();
        for attempt in ["a", "b"] {
            waiting.hold(attempt.to_owned(), prepared(&folder, attempt));
        }
        waiting.go("a".to_owned());
        waiting.follow("b".to_owned(), "before".to_owned());
        assert_eq!(waiting.n_to_come(), 2);
        let follower = waiting.take_follower("before").unwrap();
        waiting.go_first(follower);
        assert_eq!(started(&mut waiting), ["b", "a"]);
    }

    #[test]
    fn one_that_could_not_be_made_ready_needs_another_word_when_it_is_held_again() {
        let folder = tempfile::tempdir().unwrap();
        let mut waiting = Waiting::default();
        waiting.expect("a".to_owned());
        waiting.go("a".to_owned());
        assert!(waiting.remove("a").is_none());
        waiting.go("a".to_owned());
        waiting.hold("a".to_owned(), prepared(&folder, "a"));
        assert_eq!(started(&mut waiting), [""; 0]);
        waiting.go("a".to_owned());
        assert_eq!(started(&mut waiting), ["a"]);
    }
}
