//! Replaces the tools of Hadoop in a program of the small runtime, which has none.

use std::collections::BTreeMap;

use hpdlc_launcher::Attempt;
use hpdlc_program::{failure::ActionError, table::ActionDef};
use serde::{Deserialize, Serialize};

use crate::{AttemptPlace, Evaluation, Executor, RunsIn, ToolKind};

/// No action has this type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {}

/// Nothing is known of applications that a process may start.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Applications {}

impl Applications {
    /// # Errors
    ///
    /// None.
    pub fn evaluate(
        _: &Evaluation<'_>,
        _: &BTreeMap<String, String>,
    ) -> Result<Option<Applications>, ActionError> {
        Ok(None)
    }

    pub fn for_action(&self, _: &AttemptPlace<'_>) -> [(String, String); 1] {
        match *self {}
    }

    pub fn for_tools(
        &self,
        _: &AttemptPlace<'_>,
        _: &BTreeMap<String, String>,
    ) -> Vec<(String, String)> {
        match *self {}
    }

    pub fn propagated(&self, _: &AttemptPlace<'_>) -> BTreeMap<String, String> {
        match *self {}
    }

    pub fn end(&self, _: &BTreeMap<String, String>, _: &str, _: &Attempt) -> Result<(), String> {
        match *self {}
    }
}

impl Tool {
    /// # Errors
    ///
    /// E0723, always.
    pub fn evaluate(
        _: &Evaluation<'_>,
        kind: ToolKind,
        _: &dyn ActionDef,
        _: bool,
    ) -> Result<Tool, ActionError> {
        let problem = format!(
            "this executable has no support for {} actions; `hpdlc build --full` builds one that has it",
            kind.type_name()
        );
        Err(ActionError::failed("E0723", problem))
    }
}

impl Executor for Tool {
    fn runs_in(&self) -> RunsIn {
        match *self {}
    }
}
