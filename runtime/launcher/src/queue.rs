//! The work queue of the launcher: attempts that the owner has asked for, held until it says so, or waiting for a free worker.

use std::collections::{BTreeMap, VecDeque};

use crate::prepared::Prepared;

/// Attempts by their path, as requests name it.
#[derive(Default)]
pub(super) struct Queue {
    /// All of them.
    attempts: BTreeMap<String, Prepared>,
    /// Those of them that may start, in the order in which they may. Nobody has claimed them.
    queue: VecDeque<String>,
    /// Attempts that are held, by the path of the one after whose good end they start.
    followers: BTreeMap<String, String>,
}

impl Queue {
    /// An attempt is ready.
    pub(super) fn hold(&mut self, attempt: String, prepared: Prepared) {
        self.attempts.insert(attempt, prepared);
    }

    /// Takes out one that is not to be started.
    pub(super) fn remove(&mut self, attempt: &str) -> Option<Prepared> {
        self.queue.retain(|queued| queued != attempt);
        self.attempts.remove(attempt)
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

    /// The next that may start.
    pub(super) fn next(&mut self) -> Option<Prepared> {
        let first = self.queue.pop_front()?;
        self.attempts.remove(&first)
    }

    /// How many start without another word of the owner.
    pub(super) fn n_to_come(&self) -> usize {
        self.queue.len() + self.followers.len()
    }

    /// How many have been made ready.
    pub(super) fn n_made(&self) -> usize {
        let attempts = self.attempts.values();
        attempts.filter(|prepared| prepared.made.is_some()).count()
    }

    pub(super) fn n_queued(&self) -> usize {
        self.queue.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::StartRequest;

    fn prepared(attempt: &str) -> Prepared {
        Prepared::later(StartRequest {
            attempt: attempt.to_owned(),
            program: attempt.to_owned(),
            argv: Vec::new(),
            env: Vec::new(),
            action_xml: Some(String::new()),
            limit: None,
        })
    }

    /// The attempts that start now.
    fn started(queue: &mut Queue) -> Vec<String> {
        std::iter::from_fn(|| queue.next().map(|prepared| prepared.start.request.program)).collect()
    }

    #[test]
    fn attempts_start_in_the_order_of_the_word_to_go() {
        let mut queue = Queue::default();
        for attempt in ["a", "b", "c", "d"] {
            queue.hold(attempt.to_owned(), prepared(attempt));
        }
        for attempt in ["c", "a", "unknown", "d"] {
            queue.go(attempt.to_owned());
        }
        assert!(queue.remove("d").is_some());
        assert_eq!(queue.n_queued(), 2);
        assert_eq!(started(&mut queue), ["c", "a"]);
        assert!(queue.has("b"));
    }

    #[test]
    fn what_follows_starts_before_what_waits() {
        let mut queue = Queue::default();
        for attempt in ["a", "b"] {
            queue.hold(attempt.to_owned(), prepared(attempt));
        }
        queue.go("a".to_owned());
        queue.follow("b".to_owned(), "before".to_owned());
        assert_eq!(queue.n_to_come(), 2);
        let follower = queue.take_follower("before").unwrap();
        queue.go_first(follower);
        assert_eq!(started(&mut queue), ["b", "a"]);
    }
}
