//! Scripts that are in the application's folder: what they print, and which parameters they use. Only plain lines are
//! understood; what a script computes is unknown.

use crate::{
    analysis::{
        action_types::{self, ScriptLanguage, ScriptParams},
        actions,
        parameters::similar::is_slip,
    },
    diagnostics::Sink,
    lints::{
        hiveconf_parameters::HiveconfParameter, unused_script_parameters::UnusedScriptParameter,
    },
    model::{Action, Script, Template, WorkflowApp},
};

mod printed;
mod variables;

pub(crate) use self::printed::PrintedKey;
use self::variables::ScriptVariables;

/// The script of an action, if it is in the folder.
pub(crate) fn script_of<'a>(app: &'a WorkflowApp, action: &Action) -> Option<&'a Script> {
    let script = action.kind.body()?.script()?;
    app.scripts.get(script.text.as_str())
}

/// The keys that a script prints in plain lines.
pub(crate) fn printed_keys(script: &Script) -> Vec<PrintedKey> {
    printed::keys(&script.text)
}

/// Reports parameters that a script does not use, or reads as something else.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    if app.scripts.is_empty() {
        return;
    }
    for (_, action) in app.actions() {
        let script = script_of(app, action);
        let own = action_types::of(&action.kind);
        let params = own.and_then(|own| own.script_params());
        if let (Some(script), Some(own), Some(params)) = (script, own, params)
            && !params.texts.is_empty()
        {
            let arguments = own.arguments().map_or(&[][..], |list| list.texts);
            parameters(app, action, script, params, arguments, sink);
        }
    }
}

fn parameters(
    app: &WorkflowApp,
    action: &Action,
    script: &Script,
    params: ScriptParams<'_>,
    arguments: &[Template],
    sink: &mut Sink,
) {
    let used = match params.language {
        ScriptLanguage::Pig => ScriptVariables::of_pig(&script.text),
        ScriptLanguage::Hive => ScriptVariables::of_hive(&script.text),
    };
    for param in params.texts {
        let Some((name, _)) = param.text.as_str().split_once('=') else {
            continue;
        };
        if name.is_empty() || name.contains("${") || used.names.contains_key(name) {
            continue;
        }
        let place = param.text.span_of(0..name.len());
        if let Some(line) = used.settings.get(name) {
            let is_set = actions::setting(app, action, name).is_some()
                || action
                    .kind
                    .settings()
                    .is_some_and(|settings| !settings.job_xml.is_empty())
                || arguments.iter().any(|argument| {
                    let text = argument.text.as_str();
                    text.contains("${") || text.contains(&format!("{name}="))
                });
            if !is_set {
                sink.emit(HiveconfParameter {
                    name: name.to_owned(),
                    place,
                    script: script.path.clone(),
                    line: *line,
                });
            }
            continue;
        }
        if !used.runs_others {
            let similar = used.names.keys().find(|used| is_slip(name, used));
            sink.emit(UnusedScriptParameter {
                name: name.to_owned(),
                place,
                script: script.path.clone(),
                similar: similar.cloned(),
            });
        }
    }
}
