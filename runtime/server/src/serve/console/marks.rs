//! States as people see them: a shape, a color and the word, so that none of them is the only sign.

use hpdlc_graph::Look;
use serde::Serialize;

/// A state on a page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Mark {
    /// The class of the color, and the name of the shape.
    pub(crate) look: &'static str,
    /// Such as `SUCCEEDED`.
    pub(crate) word: String,
}

impl Mark {
    pub(crate) fn of(status: &str) -> Mark {
        Mark {
            look: look(status).class(),
            word: status.to_owned(),
        }
    }
}

/// The look of a state of a job, of an action of a coordinator, of a node, or of a service level.
pub(crate) fn look(status: &str) -> Look {
    match status {
        "PREP" | "WAITING" | "READY" | "SUBMITTED" | "START_RETRY" | "USER_RETRY"
        | "NOT_STARTED" => Look::Waiting,
        "RUNNING" | "IN_PROCESS" => Look::Running,
        "SUCCEEDED" | "OK" | "DONE" | "MET" | "ACTIVE" => Look::Good,
        "FAILED" | "ERROR" | "DONEWITHERROR" | "RUNNINGWITHERROR" | "TIMEDOUT" | "MISS" => {
            Look::Bad
        }
        "KILLED" => Look::Killed,
        status if status.contains("SUSPENDED") || status.contains("PAUSED") => Look::Stuck,
        "START_MANUAL" => Look::Stuck,
        _ => Look::Untouched,
    }
}

#[cfg(test)]
mod tests {
    use hpdlc_core::{
        coordinator::{CoordinatorActionStatus, CoordinatorStatus},
        status::JobStatus,
    };

    use super::*;

    #[test]
    fn every_state_has_a_look() {
        for status in JobStatus::ALL {
            assert_ne!(look(status.name()), Look::Untouched, "{status}");
        }
        for name in [
            "RUNNINGWITHERROR",
            "DONEWITHERROR",
            "PAUSED",
            "PREPSUSPENDED",
            "PREPPAUSED",
        ] {
            assert!(CoordinatorStatus::from_name(name).is_some(), "{name}");
            assert_ne!(look(name), Look::Untouched, "{name}");
        }
        assert!(CoordinatorActionStatus::from_name("IGNORED").is_some());
        assert_eq!(look("IGNORED"), Look::Untouched);
        assert_eq!(Mark::of("KILLED").look, "killed");
    }
}
