//! What happens to a job, and what follows from it.

use std::{collections::BTreeSet, time::Duration};

use super::RetryRule;
use crate::{definition::NodeId, status::JobStatus};

/// Something that happened to a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The job is started (PREP only).
    Start,
    /// A decision was evaluated: which case holds, the default being the one after the last.
    Chosen {
        node: NodeId,
        case: u32,
    },
    /// An action's values were evaluated; the driver records them together with this event.
    Prepared {
        node: NodeId,
        attempt: u32,
    },
    /// An action's work succeeded.
    Succeeded {
        node: NodeId,
        attempt: u32,
    },
    /// An evaluation, a start or the work itself failed.
    Failed {
        node: NodeId,
        attempt: u32,
        failure: AttemptFailure,
    },
    /// The time of a retry has been reached.
    RetryDue {
        node: NodeId,
    },
    /// The work named by [`Effect::Cancel`] is confirmed to be gone.
    Canceled {
        node: NodeId,
    },
    Kill,
    Suspend,
    Resume,
}

/// Why something failed, and its retry rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptFailure {
    pub class: FailureClass,
    /// Applied to [`FailureClass::Transient`].
    pub transient: RetryRule,
    /// Applied to [`FailureClass::Error`] and [`FailureClass::Failed`]; `None` if the error code is not eligible.
    pub user: Option<RetryRule>,
}

/// The specification's kinds of failure (`ActionExecutorException.ErrorType`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureClass {
    /// Retried at an interval; when the retries are used up, treated as non-transient.
    Transient,
    /// The job is suspended until the user resumes it.
    NonTransient,
    /// The `error` transition.
    Error,
    /// The job FAILED.
    Failed,
}

/// An effect of a step.
///
/// [`Effect::Launch`], [`Effect::Cancel`] and [`Effect::Wait`] have external effects: they are performed once the step is
/// durable, and [`outstanding`] lists them again after a crash, as it does [`Effect::Choose`] and [`Effect::Prepare`]. The
/// others, and the time that a wait is due, are recorded in the transaction of the step itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Evaluate the cases of a decision, then report [`Event::Chosen`] or a failure.
    Choose { node: NodeId },
    /// Evaluate an action's templates, then report [`Event::Prepared`] or a failure. Nothing may be started yet.
    Prepare { node: NodeId, attempt: u32 },
    /// Start this attempt, or attach to it if it was started before.
    Launch { node: NodeId, attempt: u32 },
    /// Stop what this attempt may have started, then report [`Event::Canceled`].
    Cancel { node: NodeId, attempt: u32 },
    /// Report [`Event::RetryDue`] after this time; `None` is the time that was recorded when the wait began.
    Wait {
        node: NodeId,
        delay: Option<Duration>,
    },
    /// Evaluate the message of a kill or fail node.
    Message { node: NodeId },
    /// A strand reached this node, which another had entered before: the strand ends here.
    StrandEnded { node: NodeId },
    /// A strand reached this node, which ended in an earlier run and is skipped.
    Skipped { node: NodeId },
    /// The user, or a node of `oozie.suspend.on.nodes`, has suspended the job: its parent jobs are suspended too. Not reported if
    /// a failure suspends the job (`SuspendXCommand`).
    Suspended,
    /// The job has reached this terminal state.
    Finished(JobStatus),
}

/// The result of an event.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// In the order in which they must be performed.
    pub effects: Vec<Effect>,
    /// The nodes whose state has changed.
    pub changed: BTreeSet<NodeId>,
    pub job_changed: bool,
}
