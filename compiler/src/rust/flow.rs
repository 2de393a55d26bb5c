//! What a piece of workflow code became.

use crate::rust::{document::Target, scope::Binding};

/// What a piece of code became.
#[derive(Debug)]
pub(super) struct Flow {
    /// The first node, or what follows if there is none.
    pub(super) entry: Target,
    /// What its value is; `None` if the code after it is not reached.
    pub(super) value: Option<Binding>,
}

impl Flow {
    /// Nothing happens.
    pub(super) fn through(next: Target) -> Flow {
        Flow {
            entry: next,
            value: Some(Binding::Unit),
        }
    }

    pub(super) fn leaves(entry: Target) -> Flow {
        Flow { entry, value: None }
    }

    /// After a mistake.
    pub(super) fn unknown(next: Target) -> Flow {
        Flow {
            entry: next,
            value: Some(Binding::Unknown),
        }
    }
}

/// What happens to an action's error.
pub(super) enum OnError {
    /// `?`
    Fail,
    /// The same as after success.
    Continue,
    To(Target),
}
