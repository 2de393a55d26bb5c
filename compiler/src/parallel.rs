//! Two pieces of work at the same time.

use std::{
    panic,
    sync::{Mutex, PoisonError},
    thread,
};

/// Does both, `beside` on a thread of its own where the system has one to give. Neither may wait for the other.
///
/// # Panics
///
/// If one of the two does.
pub(crate) fn both<A: Send, B>(
    beside: impl FnOnce() -> A + Send,
    here: impl FnOnce() -> B,
) -> (A, B) {
    // A thread that cannot be started would take the work with it.
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
    use super::both;

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
