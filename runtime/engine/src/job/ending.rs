//! How nodes and jobs end: what a failure means, what is recorded of a completed attempt, and what the end of a child is for its parent.

use hpdlc_core::{
    definition::NodeId,
    el::scope::Scope,
    status::{ActionStatus, JobStatus},
    step::{AttemptFailure, FailureClass},
};
use hpdlc_executors::Completion;
use hpdlc_files::Access;
use hpdlc_host::settings::{Settings, WhenLost};
use hpdlc_program::{
    failure::ActionError,
    table::{NodeKind, Template},
};

use crate::job::{Job, scope::NodeScope};

/// The code of a job whose kill or fail node has no message: its expressions cannot be evaluated.
pub const NO_MESSAGE: &str = "E0756";

const LOST: &str = "HPDL_LOST";

impl Job {
    /// What `error` means for the step machine: its class with the retries that apply.
    pub fn failure_of(
        &self,
        settings: Settings<'_>,
        node: NodeId,
        error: &ActionError,
    ) -> AttemptFailure {
        let user = match &self.def(node).kind {
            NodeKind::Action(action) => {
                let scope = NodeScope {
                    view: &self.view,
                    node: self.def(node).name,
                    origin: self.app.origin(node),
                    // At submission no functions are available.
                    access: &Access::default(),
                };
                let text = |template: &Option<Template>| {
                    template
                        .as_ref()
                        .and_then(|template| template.evaluate(&scope).ok())
                };
                let retry = &action.retry;
                let (max, interval, policy) =
                    (text(&retry.max), text(&retry.interval), text(&retry.policy));
                settings.user_retry(
                    error,
                    max.as_deref(),
                    interval.as_deref(),
                    policy.as_deref(),
                    action.body.def().retries_every_error(),
                )
            }
            NodeKind::Start
            | NodeKind::End
            | NodeKind::Kill { .. }
            | NodeKind::Fail { .. }
            | NodeKind::Decision { .. }
            | NodeKind::Fork { .. }
            | NodeKind::Join => None,
        };
        // Control nodes and decisions with other errors fail the job; they have no error transition.
        let class = match (&self.def(node).kind, error.class) {
            (NodeKind::Action(_), class) => class,
            (_, FailureClass::Error) => FailureClass::Failed,
            (_, class) => class,
        };
        AttemptFailure {
            class,
            transient: settings.transient(),
            user,
        }
    }

    /// The failure of an attempt whose result is unknown (`hpdl.action.lost`).
    pub fn lost(when_lost: WhenLost, problem: &str) -> ActionError {
        match when_lost {
            WhenLost::Suspend => ActionError::non_transient(LOST, problem),
            WhenLost::Retry => ActionError::transient(LOST, problem),
            WhenLost::Error => ActionError::error(LOST, problem),
        }
    }

    /// Records how an attempt has ended; returns its failure.
    pub fn take_completion(&mut self, node: NodeId, completion: Completion) -> Option<ActionError> {
        let row = self.row_of(node);
        row.external_status = Some(completion.external_status);
        if completion.external_id.is_some() {
            row.external_id = completion.external_id;
        }
        row.external_id.get_or_insert_with(|| "-".to_owned());
        row.data = (!completion.data.is_empty())
            .then(|| serde_json::to_string(&completion.data).expect("a map of strings is JSON"));
        if completion.error.is_none() {
            row.error_code = None;
            row.error_message = None;
        }
        completion.error
    }

    /// Evaluates the message of the kill or fail node that ended the job, and makes it the job's. If that fails, the text is shown as
    /// written (E0756). `None` for other nodes.
    pub fn take_message(&mut self, node: NodeId, scope: &dyn Scope) -> Option<String> {
        let (NodeKind::Kill { message } | NodeKind::Fail { message }) = &self.def(node).kind else {
            return None;
        };
        let (code, text) = match message.evaluate(scope) {
            Ok(text) => ("E0729", text),
            Err(error) => (
                NO_MESSAGE,
                format!(
                    "{} (its message cannot be evaluated: {error})",
                    message.source()
                ),
            ),
        };
        self.set_error(node, code, &text);
        let row = self.row_of(node);
        if code == NO_MESSAGE {
            row.status = ActionStatus::Error;
            row.external_status = Some(ActionStatus::Error.name().to_owned());
        }
        let (error_code, error_message) = (row.error_code.clone(), row.error_message.clone());
        self.row.error_code = error_code;
        self.row.error_message = error_message;
        Some(text)
    }

    /// What the end of this child is for the action of its parent.
    pub fn completion(&self, status: JobStatus) -> Completion {
        if status == JobStatus::Succeeded {
            return Completion::ok(status.name());
        }
        let row = &self.row;
        let last_error = row.last_error_node.as_deref().and_then(|name| {
            self.rows()
                .find(|row| row.name == name)
                .and_then(|row| row.error_message.clone())
        });
        let mut problem = format!("sub-workflow job {} ended {status}", row.id);
        if let Some(message) = row.error_message.clone().or(last_error) {
            problem.push_str(": ");
            problem.push_str(&message);
        }
        // Oozie sets no error code for a failed child.
        Completion::failed(ActionError::error("", problem), status.name())
    }
}
