//! What reaches the driver from other threads.

use std::sync::Arc;

use hpdlc_core::coordinator::machine::{Answer, Event};
use hpdlc_engine::engine::Ended;
use hpdlc_host::exit::RunError;

/// Something that happened outside.
pub(super) enum Incoming {
    Looked(Vec<(Arc<str>, Answer)>),
    Event(Box<Event>),
    /// The engine has let go of the workflow of an action.
    Driven(u64, Box<Result<Ended, RunError>>),
}
