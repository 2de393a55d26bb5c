//! The parameters that actions give to their scripts, and those that the scripts read.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::slips::is_slip;

use super::{script_of, variables::ScriptVariables};
use crate::{
    analysis::{
        action_types::{self, ScriptLanguage, ScriptParams},
        actions,
    },
    diagnostics::Sink,
    lints::{
        hiveconf_parameters::HiveconfParameter, missing_script_parameters::MissingScriptParameter,
        unused_script_parameters::UnusedScriptParameter,
    },
    model::{Action, Script, Template, WorkflowApp},
    source::Span,
};

/// Reports parameters that scripts read and do not get, do not use, or read as something else.
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    if app.scripts.is_empty() {
        return;
    }
    let mut scripts: BTreeMap<(&str, ScriptLanguage), ScriptVariables> = BTreeMap::new();
    let mut unused = UnusedParams::default();
    for (_, action) in app.actions() {
        let own = action_types::of(&action.kind);
        let params = own.and_then(|own| own.script_params());
        let (Some(own), Some(params)) = (own, params) else {
            continue;
        };
        let Some(script) = script_of(app, action) else {
            // It may use whatever it gets.
            unused.used.extend(params.texts.iter().filter_map(name_of));
            continue;
        };
        let used = scripts
            .entry((script.path.as_str(), params.language))
            .or_insert_with(|| match params.language {
                ScriptLanguage::Pig => ScriptVariables::of_pig(&script.text),
                ScriptLanguage::Hive => ScriptVariables::of_hive(&script.text),
            });
        let call = ScriptCall {
            app,
            action,
            script,
            params,
            arguments: own.arguments().map_or(&[][..], |list| list.texts),
            used,
        };
        call.settings(sink);
        if !call.missing(sink) {
            unused.add(&call);
        }
    }
    unused.report(sink);
}

/// The name in `NAME=VALUE`, unless it depends on the job.
fn name_of(param: &Template) -> Option<&str> {
    let (name, _) = param.text.as_str().split_once('=')?;
    let name = name.trim();
    (!name.is_empty() && !name.contains("${")).then_some(name)
}

/// The place of that name.
fn place_of(param: &Template, name: &str) -> Span {
    let start = param.text.as_str().find(name).unwrap_or_default();
    param.text.span_of(start..start + name.len())
}

/// An action with its script.
struct ScriptCall<'a, 'u> {
    app: &'a WorkflowApp,
    action: &'a Action,
    script: &'a Script,
    params: ScriptParams<'a>,
    arguments: &'a [Template],
    used: &'u ScriptVariables,
}

impl<'a> ScriptCall<'a, '_> {
    /// The names that it gives, with their places.
    fn names(&self) -> impl Iterator<Item = (&'a str, Span)> {
        let params = self.params.texts.iter();
        params.filter_map(|param| name_of(param).map(|name| (name, place_of(param, name))))
    }

    /// Those that the script does not use.
    fn unused(&self) -> Vec<(&'a str, Span)> {
        if self.used.runs_others {
            return Vec::new();
        }
        let is_used = |name: &str| {
            self.used.names.contains_key(name) || self.used.settings.contains_key(name)
        };
        self.names().filter(|(name, _)| !is_used(name)).collect()
    }

    /// Reports parameters that the script reads as settings.
    fn settings(&self, sink: &mut Sink) {
        for (name, place) in self.names() {
            let Some(line) = self.used.settings.get(name) else {
                continue;
            };
            if self.used.names.contains_key(name) {
                continue;
            }
            let settings = self.action.kind.settings();
            let is_set = actions::setting(self.app, self.action, name).is_some()
                || settings.is_some_and(|settings| !settings.job_xml.is_empty())
                || self.arguments.iter().any(|argument| {
                    let text = argument.text.as_str();
                    text.contains("${") || text.contains(&format!("{name}="))
                });
            if !is_set {
                sink.emit(HiveconfParameter {
                    name: name.to_owned(),
                    place,
                    script: self.script.path.clone(),
                    line: *line,
                });
            }
        }
    }

    /// Whether the script may get parameters that are not known: by a name with an expression, from a file.
    fn may_get_more(&self) -> bool {
        const FILES: [&str; 6] = [
            "-param_file",
            "-m",
            "-i",
            "-init",
            "--init",
            "--property-file",
        ];
        let is_file = |text: &str| FILES.iter().any(|option| text.starts_with(option));
        self.params
            .texts
            .iter()
            .any(|param| name_of(param).is_none())
            || self.arguments.iter().any(|argument| {
                let text = argument.text.as_str();
                is_file(text)
                    || text
                        .split('=')
                        .next()
                        .is_some_and(|name| name.contains("${"))
            })
    }

    /// Reports parameters that the script reads and nothing gives.
    fn missing(&self, sink: &mut Sink) -> bool {
        let given: BTreeSet<&str> = self
            .names()
            .map(|(name, _)| name)
            .chain(self.arguments.iter().filter_map(|argument| {
                let name = name_of(argument)?.split_whitespace().next_back()?;
                Some(name.trim_start_matches("-hivevar").trim_start_matches("-p"))
            }))
            .collect();
        let wanted = self.used.wanted().filter(|(name, _)| !given.contains(name));
        let mut missing: Vec<(String, usize)> =
            wanted.map(|(name, line)| (name.to_owned(), line)).collect();
        let script = self.action.kind.body().and_then(|body| body.script());
        let (Some(script), false) = (script, missing.is_empty() || self.may_get_more()) else {
            return false;
        };
        missing.sort_by_key(|(_, line)| *line);
        let unused = self.unused();
        let mut pairs = unused.iter().flat_map(|(name, place)| {
            let missing = missing.iter().enumerate();
            missing.map(move |(at, (wanted, _))| (name, *place, at, wanted))
        });
        let misspelt = match (unused.as_slice(), missing.as_slice()) {
            ([(_, place)], [_]) => Some((*place, 0)),
            _ => pairs
                .find(|(name, _, _, wanted)| is_slip(name, wanted))
                .map(|(_, place, at, _)| (place, at)),
        };
        if let Some((_, at)) = misspelt {
            missing[..=at].rotate_right(1);
        }
        sink.emit(MissingScriptParameter {
            place: script.span,
            script: self.script.path.clone(),
            missing,
            unused: unused
                .into_iter()
                .map(|(name, place)| (name.to_owned(), place))
                .collect(),
            misspelt: misspelt.map(|(place, _)| place),
            is_pig: self.params.language == ScriptLanguage::Pig,
        });
        true
    }
}

/// Parameters that some script does not use. Often one block of parameters is given to every script: then one that any of them uses
/// is no mistake, and the others are hardly one: they are reported once.
#[derive(Default)]
struct UnusedParams<'a> {
    used: BTreeSet<&'a str>,
    /// By name: the first place, and its script.
    unused: BTreeMap<&'a str, (Span, &'a Script)>,
}

impl<'a> UnusedParams<'a> {
    fn add(&mut self, call: &ScriptCall<'a, '_>) {
        let unused = call.unused();
        let names: BTreeSet<&str> = unused.iter().map(|(name, _)| *name).collect();
        let used = call.names().map(|(name, _)| name);
        self.used.extend(used.filter(|name| !names.contains(name)));
        for (name, place) in unused {
            self.unused.entry(name).or_insert((place, call.script));
        }
    }

    fn report(self, sink: &mut Sink) {
        let mut unused: Vec<(Span, &str, &Script)> = self
            .unused
            .into_iter()
            .filter(|(name, _)| !self.used.contains(name))
            .map(|(name, (place, script))| (place, name, script))
            .collect();
        unused.sort_by_key(|(place, _, _)| *place);
        if let Some((place, _, script)) = unused.first() {
            sink.emit(UnusedScriptParameter {
                place: *place,
                script: script.path.clone(),
                params: unused
                    .iter()
                    .map(|(place, name, _)| ((*name).to_owned(), *place))
                    .collect(),
            });
        }
    }
}
