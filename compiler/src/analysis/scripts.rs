//! Scripts that are in the application's folder: what they print, and which parameters they use. Only plain lines are
//! understood; what a script computes is unknown.

use crate::model::{Action, Script, WorkflowApp};

mod given;
mod printed;
mod variables;

pub(crate) use self::{given::check, printed::PrintedKey};

/// The script of an action, if it is in the folder.
pub(crate) fn script_of<'a>(app: &'a WorkflowApp, action: &Action) -> Option<&'a Script> {
    let script = action.kind.body()?.script()?;
    app.scripts.get(script.text.as_str())
}

/// The keys that a script prints in plain lines.
pub(crate) fn printed_keys(script: &Script) -> Vec<PrintedKey> {
    printed::keys(&script.text)
}
