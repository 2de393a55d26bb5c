//! The work queue of the launcher: requested attempts, held until the owner starts them, or waiting for a free worker.

use std::collections::{BTreeMap, VecDeque};

use crate::prepared::PreparedAttempt;

/// Attempts by their path as in requests.
#[derive(Default)]
pub(super) struct Queue {
    /// All of them.
    attempts: BTreeMap<String, PreparedAttempt>,
    /// Those of them that may start, in their order. They are not claimed.
    queue: VecDeque<String>,
    /// Held attempts, by the path of the one after whose success they start.
    followers: BTreeMap<String, String>,
}

impl Queue {
    /// Adds a prepared attempt.
    pub(super) fn hold(&mut self, attempt: String, prepared: PreparedAttempt) {
        self.attempts.insert(attempt, prepared);
    }

    /// Removes an attempt that will not be started.
    pub(super) fn remove(&mut self, attempt: &str) -> Option<PreparedAttempt> {
        self.queue.retain(|queued| queued != attempt);
        self.attempts.remove(attempt)
    }

    pub(super) fn has(&self, attempt: &str) -> bool {
        self.attempts.contains_key(attempt)
    }

    /// Queues it for start, at the end.
    pub(super) fn go(&mut self, attempt: String) {
        if self.has(&attempt) {
            self.queue.push_back(attempt);
        }
    }

    /// Queues it for start, at the front.
    pub(super) fn go_first(&mut self, attempt: String) {
        if self.has(&attempt) {
            self.queue.push_front(attempt);
        }
    }

    /// Has `attempt` start when `after` has succeeded.
    pub(super) fn follow(&mut self, attempt: String, after: String) {
        self.followers.insert(after, attempt);
    }

    /// The attempt that was to start after the success of another.
    pub(super) fn take_follower(&mut self, after: &str) -> Option<String> {
        self.followers.remove(after)
    }

    /// Drops all relations between attempts.
    pub(super) fn forget_followers(&mut self) {
        self.followers.clear();
    }

    /// The next attempt that may start.
    pub(super) fn next(&mut self) -> Option<PreparedAttempt> {
        let first = self.queue.pop_front()?;
        self.attempts.remove(&first)
    }

    /// How many will start without another request of the owner.
    pub(super) fn n_to_come(&self) -> usize {
        self.queue.len() + self.followers.len()
    }

    /// How many have been prepared on disk.
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

    fn prepared(attempt: &str) -> PreparedAttempt {
        PreparedAttempt::later(StartRequest {
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
