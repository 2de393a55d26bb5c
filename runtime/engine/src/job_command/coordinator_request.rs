//! Commands on a coordinator: a word and its arguments, as stored in a row.

use std::collections::BTreeMap;

use hpdlc_program::coordinator_texts::CoordinatorTexts;
use serde::{Deserialize, Serialize};

/// The word of the notification about a workflow.
const WORKFLOW_CHANGED: &str = "workflow-changed";

/// A command, as text in the store: its word, a space, and JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CoordinatorRequest {
    Start,
    Suspend,
    Resume,
    Kill,
    /// Actions by their numbers or dates.
    KillActions(Selection),
    IgnoreActions(Selection),
    Ignore,
    /// `endtime=...;concurrency=...`, as Oozie's clients write it.
    Change(String),
    Rerun(CoordinatorRerun),
    Update(Box<CoordinatorUpdate>),
    Sla(SlaRequest),
    /// A notification: the workflow of an action was changed by a command of its own.
    WorkflowChanged(WorkflowChange),
}

/// A workflow of a coordinator's action whose state has changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkflowChange {
    pub action: u64,
    pub workflow: String,
}

/// Actions as the command line names them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Selection {
    /// `1,3-4`
    Actions(String),
    /// `2009-01-01T00:00Z::2009-02-01T00:00Z`
    Dates(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoordinatorRerun {
    pub selection: Selection,
    pub refresh: bool,
    pub nocleanup: bool,
    pub failed: bool,
}

/// A command on the service levels of actions, and of those to come if no actions are named (`CoordSLAAlertsXCommand`).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlaRequest {
    /// `1,3-4`, beside those of `dates`.
    pub actions: Option<String>,
    pub dates: Option<String>,
    pub order: SlaOrder,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlaOrder {
    /// Alerts are sent.
    Enable,
    Disable,
    /// `sla-should-start=...;sla-max-duration=...`, as Oozie's clients write it.
    Change(String),
}

impl SlaOrder {
    /// As in the parameter `action` of requests.
    pub fn word(&self) -> &'static str {
        match self {
            SlaOrder::Enable => "sla-enable",
            SlaOrder::Disable => "sla-disable",
            SlaOrder::Change(_) => "sla-change",
        }
    }
}

/// Another definition, or other properties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CoordinatorUpdate {
    pub hash: String,
    pub app: String,
    pub conf: BTreeMap<String, String>,
    pub texts: CoordinatorTexts,
}

impl CoordinatorRequest {
    /// The word that the user types.
    pub fn word(&self) -> &'static str {
        match self {
            CoordinatorRequest::Start => "start",
            CoordinatorRequest::Suspend => "suspend",
            CoordinatorRequest::Resume => "resume",
            CoordinatorRequest::Kill | CoordinatorRequest::KillActions(_) => "kill",
            CoordinatorRequest::Ignore | CoordinatorRequest::IgnoreActions(_) => "ignore",
            CoordinatorRequest::Change(_) => "change",
            CoordinatorRequest::Rerun(_) => "rerun",
            CoordinatorRequest::Update(_) => "update",
            CoordinatorRequest::Sla(request) => request.order.word(),
            CoordinatorRequest::WorkflowChanged(_) => WORKFLOW_CHANGED,
        }
    }

    /// Those without arguments have the words of workflow commands.
    pub fn to_text(&self) -> String {
        let word = self.word();
        match self {
            CoordinatorRequest::Start
            | CoordinatorRequest::Suspend
            | CoordinatorRequest::Resume
            | CoordinatorRequest::Kill
            | CoordinatorRequest::Ignore => word.to_owned(),
            CoordinatorRequest::KillActions(_)
            | CoordinatorRequest::IgnoreActions(_)
            | CoordinatorRequest::Change(_)
            | CoordinatorRequest::Rerun(_)
            | CoordinatorRequest::Update(_)
            | CoordinatorRequest::Sla(_)
            | CoordinatorRequest::WorkflowChanged(_) => {
                let arguments = serde_json::to_string(self).expect("texts are JSON");
                format!("{word} {arguments}")
            }
        }
    }

    /// Parses the result of [`CoordinatorRequest::to_text`].
    pub fn parse(text: &str) -> Option<CoordinatorRequest> {
        match text.split_once(' ') {
            Some((_, arguments)) => serde_json::from_str(arguments).ok(),
            None => [
                CoordinatorRequest::Start,
                CoordinatorRequest::Suspend,
                CoordinatorRequest::Resume,
                CoordinatorRequest::Kill,
                CoordinatorRequest::Ignore,
            ]
            .into_iter()
            .find(|request| request.word() == text),
        }
    }

    /// The hash of the definition that the coordinator has to change to, for an update.
    pub fn definition(text: &str) -> Option<String> {
        match CoordinatorRequest::parse(text)? {
            CoordinatorRequest::Update(update) => Some(update.hash),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_read_back() {
        let selection = Selection::Actions("1,3-4".to_owned());
        for request in [
            CoordinatorRequest::Start,
            CoordinatorRequest::Ignore,
            CoordinatorRequest::KillActions(selection.clone()),
            CoordinatorRequest::Change("endtime=2009-01-01T00:00Z".to_owned()),
            CoordinatorRequest::Rerun(CoordinatorRerun {
                selection,
                refresh: true,
                nocleanup: false,
                failed: false,
            }),
            CoordinatorRequest::Sla(SlaRequest {
                actions: None,
                dates: Some("2009-01-01T00:00Z".to_owned()),
                order: SlaOrder::Change("sla-max-duration=${20 * MINUTES}".to_owned()),
            }),
            CoordinatorRequest::WorkflowChanged(WorkflowChange {
                action: 3,
                workflow: "0000004-261120093000123-hpdl-W".to_owned(),
            }),
        ] {
            assert_eq!(CoordinatorRequest::parse(&request.to_text()), Some(request));
        }
        assert_eq!(CoordinatorRequest::parse("sing"), None);
    }
}
