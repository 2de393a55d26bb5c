//! Runs two tasks in parallel.

use std::{
    panic, slice,
    sync::{Mutex, PoisonError},
    thread,
};

/// A work queue that two threads consume from both ends, a few items at a time, until they meet: neither waits for the other
/// for long, however uneven the items are.
pub(crate) struct BothEnds<'a, T>(Mutex<slice::Chunks<'a, T>>);

impl<'a, T> BothEnds<'a, T> {
    /// `n_at_once` must not be 0.
    pub(crate) fn of(things: &'a [T], n_at_once: usize) -> BothEnds<'a, T> {
        BothEnds(Mutex::new(things.chunks(n_at_once)))
    }

    /// The first chunk that has not been taken.
    pub(crate) fn first(&self) -> Option<&'a [T]> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }

    /// The last chunk that has not been taken.
    pub(crate) fn last(&self) -> Option<&'a [T]> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .next_back()
    }
}

/// Runs both, `beside` on a separate thread if one can be started. Neither may wait for the other.
///
/// # Panics
///
/// If one of the two panics.
pub(crate) fn both<A: Send, B>(
    beside: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    // Kept here, because a closure moved into a thread that cannot be started would be lost.
    let waiting = Mutex::new(Some(beside));
    let take = || {
        waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    };
    thread::scope(|scope| {
        let started = thread::Builder::new().spawn_scoped(scope, || {
            let work = take();
            work.map(|work| work())
        });
        let here = here();
        let done = match started {
            Ok(thread) => thread
                .join()
                .unwrap_or_else(|payload| panic::resume_unwind(payload)),
            Err(_) => {
                let work = take();
                work.map(|work| work())
            }
        };
        let beside = done.expect("the work is taken once: by the thread, or here if there is none");
        (beside, here)
    })
}

#[cfg(test)]
mod tests {
    use super::{BothEnds, both};

    #[test]
    fn both_ends_meet_and_everything_is_taken_once() {
        for n_things in [0, 1, 7, 1_000] {
            let things: Vec<usize> = (0..n_things).collect();
            let ends = BothEnds::of(&things, 3);
            let (last, first) = both(
                || std::iter::from_fn(|| ends.last()).collect::<Vec<_>>(),
                || std::iter::from_fn(|| ends.first()).collect::<Vec<_>>(),
            );
            let taken: Vec<usize> = first
                .into_iter()
                .chain(last.into_iter().rev())
                .flatten()
                .copied()
                .collect();
            assert_eq!(taken, things);
        }
    }

    #[test]
    fn both_results_come_back() {
        let text = "shared".to_owned();
        assert_eq!(both(|| text.len(), || text.as_str()), (6, "shared"));
    }

    #[test]
    fn panic_of_the_other_thread_goes_on_here() {
        let outcome = std::panic::catch_unwind(|| both(|| panic!("on the other thread"), || ()));
        let payload = outcome.expect_err("the panic is passed on");
        assert_eq!(payload.downcast_ref(), Some(&"on the other thread"));
    }
}
