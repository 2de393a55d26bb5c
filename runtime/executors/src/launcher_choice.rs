//! Where the program of an action runs: the setting `hpdl.launcher`.

use hpdlc_program::failure::ActionError;

use crate::{
    Evaluation, Work,
    configuration::{LOCAL, RESOURCE_MANAGER},
};

/// The setting, of the action, its job or the site.
const LAUNCHER: &str = "hpdl.launcher";

/// Its value for containers.
const YARN: &str = "yarn";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launcher {
    /// On this machine.
    Local,
    /// In a container of a cluster.
    Yarn,
}

impl Launcher {
    /// For work that is evaluated: programs of authors and clients of tools run in containers, and only where the action's cluster is one.
    ///
    /// # Errors
    ///
    /// JA010, failed: the setting is another word.
    pub fn of(cx: &Evaluation<'_>, work: &Work) -> Result<Launcher, ActionError> {
        let Some(setting) = work.program_setting() else {
            return Ok(Launcher::Local);
        };
        let configuration = &setting.configuration;
        let word = cx.action_setting(configuration, LAUNCHER);
        match word.as_deref().map_or("", str::trim) {
            "" | "local" => Ok(Launcher::Local),
            YARN if configuration.get(RESOURCE_MANAGER).map(String::as_str) == Some(LOCAL) => {
                Ok(Launcher::Local)
            }
            YARN => Ok(Launcher::Yarn),
            other => {
                let problem = format!("{LAUNCHER} is `{other}`; it is `local` or `{YARN}`");
                Err(ActionError::failed("JA010", problem))
            }
        }
    }
}
