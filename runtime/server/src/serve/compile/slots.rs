//! How many compilations there are at once, in this server.

use std::{
    sync::{Condvar, Mutex, PoisonError},
    time::Instant,
};

/// Requests that compile or wait for it; further ones are refused, so that others have threads.
const MOST_WAITING: u64 = 16;

#[derive(Debug, Default)]
pub(crate) struct Slots {
    taken: Mutex<u64>,
    freed: Condvar,
    waiting: Mutex<u64>,
}

/// A compilation.
#[derive(Debug)]
pub(crate) struct Slot<'s>(&'s Slots);

/// A request that may come to a compilation.
#[derive(Debug)]
pub(crate) struct Place<'s>(&'s Slots);

impl Slots {
    /// A place to wait at; `None` if there are too many.
    pub(crate) fn place(&self) -> Option<Place<'_>> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        if *waiting >= MOST_WAITING {
            return None;
        }
        *waiting += 1;
        Some(Place(self))
    }

    /// Waits until fewer than `most` compile; `None` at `deadline`.
    pub(crate) fn take(&self, most: u64, deadline: Instant) -> Option<Slot<'_>> {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let left = deadline.saturating_duration_since(Instant::now());
        let waited = self
            .freed
            .wait_timeout_while(taken, left, |taken| *taken >= most);
        let (mut taken, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
        if timeout.timed_out() && *taken >= most {
            return None;
        }
        *taken += 1;
        Some(Slot(self))
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        let mut taken = self.0.taken.lock().unwrap_or_else(PoisonError::into_inner);
        *taken -= 1;
        drop(taken);
        self.0.freed.notify_one();
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        let mut waiting = self
            .0
            .waiting
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        *waiting -= 1;
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn further_compilations_wait_and_too_many_are_refused() {
        let slots = Slots::default();
        let first = slots.take(1, Instant::now()).unwrap();
        assert!(
            slots
                .take(1, Instant::now() + Duration::from_millis(10))
                .is_none()
        );
        std::thread::scope(|scope| {
            let waits = scope.spawn(|| {
                slots
                    .take(1, Instant::now() + Duration::from_secs(60))
                    .is_some()
            });
            drop(first);
            assert!(waits.join().unwrap());
        });
        let places: Vec<_> = (0..MOST_WAITING).map(|_| slots.place().unwrap()).collect();
        assert!(slots.place().is_none());
        drop(places);
        assert!(slots.place().is_some());
    }
}
