//! The work of worker processes that send requests, which not every program contains: `http` actions, and sub-workflows on other
//! instances.

use crate::{
    Work, http, remote_child,
    worker_process::{WorkContext, WorkError, WorkResult},
};

/// Does the work that requests do; `None` where it is of another type.
pub fn carrier(work: &Work, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
    match work {
        Work::RemoteChild(child) => Some(child.attend(context)),
        _ => http::carrier(work, context),
    }
}

/// Links what is done outside of worker processes.
pub fn link() {
    remote_child::link();
}
