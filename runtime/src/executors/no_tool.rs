//! What stands for tools of Hadoop in a program that stays on the machine: there is none.

use serde::{Deserialize, Serialize};

use crate::{
    executors::{
        ActionError, Evaluation, Place, StartError, Work,
        courier::{Delivery, Trip, Trouble},
    },
    launcher::{Attempt, StartRequest},
    table,
};

/// No action is one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tool {}

impl Tool {
    /// # Errors
    ///
    /// E0723, always.
    pub fn evaluate(_: &Evaluation<'_>, def: &'static table::Tool) -> Result<Tool, ActionError> {
        let problem = format!(
            "this program stays on its machine, and cannot do a {} action; `hpdlc build --full` makes one that can",
            def.kind.type_name()
        );
        Err(ActionError::failed("E0723", problem))
    }

    pub fn start(&self, _: &Place<'_>, _: &Work) -> Result<StartRequest, StartError> {
        match *self {}
    }

    pub fn carry(&self, _: &Trip<'_>) -> Result<Delivery, Trouble> {
        match *self {}
    }

    pub fn tidy_up(&self, _: &Trip<'_>) {
        match *self {}
    }

    pub fn kill(&self, _: &str, _: &Attempt) -> Result<(), String> {
        match *self {}
    }
}
