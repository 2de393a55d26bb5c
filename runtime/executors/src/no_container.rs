//! Replaces containers in a program of the small runtime, which reaches no cluster.

use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{Evaluation, Executor, RunsIn, Work, launcher_choice::Launcher};

/// No action becomes this.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Container {}

/// The work itself, where it is to run on this machine.
///
/// # Errors
///
/// E0723: it is to run in a container. JA010: the setting is another word.
pub fn placed(cx: &Evaluation<'_>, work: Work) -> Result<Work, ActionError> {
    match Launcher::of(cx, &work)? {
        Launcher::Local => Ok(work),
        Launcher::Yarn => {
            let problem = "this executable cannot run programs in containers of YARN; `hpdlc build --full` builds one that can";
            Err(ActionError::failed("E0723", problem))
        }
    }
}

impl Executor for Container {
    fn runs_in(&self) -> RunsIn {
        match *self {}
    }
}
