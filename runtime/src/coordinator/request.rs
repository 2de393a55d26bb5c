//! What is asked of a coordinator: a word and its arguments, as a row of the store holds them.

use serde::{Deserialize, Serialize};

/// The word of what a coordinator is told of a workflow.
const WORKFLOW_CHANGED: &str = "workflow-changed";

/// A command, as text in the store: its word, a blank, and JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Request {
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
    Rerun(RerunRequest),
    Update(Box<UpdateRequest>),
    /// Told, not asked: something was done to the workflow of an action by itself.
    WorkflowChanged(WorkflowChange),
}

/// A workflow of a coordinator's action whose state is another than before.
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
pub struct RerunRequest {
    pub selection: Selection,
    pub refresh: bool,
    pub nocleanup: bool,
    pub failed: bool,
}

/// Another definition, or other properties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateRequest {
    pub hash: String,
    pub app: String,
    pub conf: std::collections::BTreeMap<String, String>,
    pub texts: super::texts::Texts,
}

impl Request {
    /// The word that people type.
    pub fn word(&self) -> &'static str {
        match self {
            Request::Start => "start",
            Request::Suspend => "suspend",
            Request::Resume => "resume",
            Request::Kill | Request::KillActions(_) => "kill",
            Request::Ignore | Request::IgnoreActions(_) => "ignore",
            Request::Change(_) => "change",
            Request::Rerun(_) => "rerun",
            Request::Update(_) => "update",
            Request::WorkflowChanged(_) => WORKFLOW_CHANGED,
        }
    }

    /// Those without arguments are the words that workflows know too.
    pub fn to_text(&self) -> String {
        let word = self.word();
        match self {
            Request::Start
            | Request::Suspend
            | Request::Resume
            | Request::Kill
            | Request::Ignore => word.to_owned(),
            Request::KillActions(_)
            | Request::IgnoreActions(_)
            | Request::Change(_)
            | Request::Rerun(_)
            | Request::Update(_)
            | Request::WorkflowChanged(_) => {
                let arguments = serde_json::to_string(self).expect("texts are JSON");
                format!("{word} {arguments}")
            }
        }
    }

    /// What [`Request::to_text`] has written.
    pub fn parse(text: &str) -> Option<Request> {
        match text.split_once(' ') {
            Some((_, arguments)) => serde_json::from_str(arguments).ok(),
            None => [
                Request::Start,
                Request::Suspend,
                Request::Resume,
                Request::Kill,
                Request::Ignore,
            ]
            .into_iter()
            .find(|request| request.word() == text),
        }
    }

    /// The definition that the coordinator is to go on with, where that is what it asks for.
    pub fn definition(text: &str) -> Option<String> {
        match Request::parse(text)? {
            Request::Update(update) => Some(update.hash),
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
            Request::Start,
            Request::Ignore,
            Request::KillActions(selection.clone()),
            Request::Change("endtime=2009-01-01T00:00Z".to_owned()),
            Request::Rerun(RerunRequest {
                selection,
                refresh: true,
                nocleanup: false,
                failed: false,
            }),
            Request::WorkflowChanged(WorkflowChange {
                action: 3,
                workflow: "0000004-261120093000123-hpdl-W".to_owned(),
            }),
        ] {
            assert_eq!(Request::parse(&request.to_text()), Some(request));
        }
        assert_eq!(Request::parse("sing"), None);
    }
}
