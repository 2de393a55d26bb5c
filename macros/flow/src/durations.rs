//! Durations of pauses and limits.

use crate::{builder::Gives, outside};

/// A duration that a workflow states.
#[derive(Debug)]
pub struct Duration {
    _private: (),
}

/// So many seconds.
pub fn seconds(_: impl Gives<u64>) -> Duration {
    outside()
}

/// So many minutes.
pub fn minutes(_: impl Gives<u64>) -> Duration {
    outside()
}

/// So many hours.
pub fn hours(_: impl Gives<u64>) -> Duration {
    outside()
}

/// So many days of 24 hours.
pub fn days(_: impl Gives<u64>) -> Duration {
    outside()
}
