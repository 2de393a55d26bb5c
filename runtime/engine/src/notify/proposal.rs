//! The tokens of notifications by the proposal of 2009 (its section 5).

use hpdlc_core::status::ActionStatus;

use super::{JobChange, StateChange, TokenWords};

/// Only the end of a job.
pub(super) fn job(told: &StateChange<'_>) -> TokenWords {
    let JobChange::To(status) = told.status else {
        return None;
    };
    status.is_terminal().then(|| {
        vec![
            ("$wfId", told.job.id.clone()),
            ("$wfstatus", status.name().to_owned()),
        ]
    })
}

/// Entering and leaving actions, and the choices of decisions.
pub(super) fn action(told: &StateChange<'_>) -> TokenWords {
    let (row, status) = told.node?;
    if row.type_name.starts_with(':') || row.skip.is_some() {
        return None;
    }
    let is_decision = row.type_name == "switch";
    let status = match status {
        ActionStatus::Ok if is_decision => row.transition.as_deref()?,
        ActionStatus::Running if row.attempt < 2 => "started",
        ActionStatus::StartRetry | ActionStatus::UserRetry => "automatic-retry",
        ActionStatus::StartManual => "manual-retry",
        ActionStatus::Ok => "OK",
        ActionStatus::Error | ActionStatus::Failed => "ERROR",
        ActionStatus::Prep | ActionStatus::Running | ActionStatus::Done | ActionStatus::Killed => {
            return None;
        }
    };
    Some(vec![
        ("$wfId", told.job.id.clone()),
        ("$nodeName", row.name.clone()),
        ("$nodeStatus", status.to_owned()),
    ])
}
