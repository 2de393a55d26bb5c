//! Properties of Hadoop, YARN and Oozie that are read as numbers or as booleans.
//!
//! Hadoop's `Configuration.getInt` throws if the value is not a number; `getBoolean` silently takes the default for every
//! text that is neither `true` nor `false` (case-insensitive).

use std::sync::Arc;

use hpdlc_core::el::ast::Template as Ast;

use super::Forms;
use crate::{
    analysis::{given::JobProperties, known_values::KnownText, templates},
    lints::{malformed_settings::MalformedSetting, unread_launcher_numbers::UnreadLauncherNumber},
    lookup::AddressLookup,
    model::{Template, WorkflowApp},
    source::Span,
};

/// Read as whole numbers; sorted as [`is_among`] searches.
pub(super) const NUMBERS: [&str; 24] = [
    "vcores",
    "priority",
    "memory.mb",
    "io.sort.mb",
    "max.attempts",
    "mapred.map.tasks",
    "mapreduce.job.maps",
    "mapred.reduce.tasks",
    "mapred.task.timeout",
    "mapreduce.job.reduces",
    "mapreduce.task.timeout",
    "mapred.map.max.attempts",
    "mapreduce.map.memory.mb",
    "mapred.job.map.memory.mb",
    "mapreduce.map.cpu.vcores",
    "mapreduce.map.maxattempts",
    "mapreduce.task.io.sort.mb",
    "mapred.reduce.max.attempts",
    "mapreduce.reduce.memory.mb",
    "mapred.job.reduce.memory.mb",
    "mapreduce.reduce.cpu.vcores",
    "mapreduce.reduce.maxattempts",
    "yarn.app.mapreduce.am.resource.mb",
    "yarn.app.mapreduce.am.resource.cpu-vcores",
];

/// Read as whole numbers that are not negative; sorted as [`is_among`] searches.
pub(super) const COUNTS: [&str; 13] = [
    "hpdl.fs.timeout",
    "hpdl.kill.grace",
    "hpdl.drain.timeout",
    "hpdl.action.timeout",
    "hpdl.local.processes.max",
    "oozie.action.fs.glob.max",
    "oozie.action.retries.max",
    "hpdl.notification.retries",
    "oozie.action.retry.interval",
    "oozie.wf.action.max.retries",
    "oozie.action.max.output.data",
    "oozie.wf.action.retry.interval",
    "hpdl.notification.retry.interval",
];

/// Those of [`NUMBERS`] that are only meaningful after `oozie.launcher.`.
const LAUNCHER_NUMBERS: [&str; 4] = ["max.attempts", "memory.mb", "priority", "vcores"];

/// Read as `true` or `false`; sorted as [`is_among`] searches.
pub(super) const SWITCHES: [&str; 21] = [
    "hpdl.proxyuser",
    "mapred.output.compress",
    "oozie.launcher.override",
    "oozie.use.system.libpath",
    "oozie.wf.rerun.failnodes",
    "mapreduce.job.classloader",
    "mapreduce.map.speculative",
    "mapred.compress.map.output",
    "oozie.wf.validate.ForkJoin",
    "oozie.wf.rerun.disablechild",
    "mapreduce.reduce.speculative",
    "oozie.action.keep.action.dir",
    "mapreduce.job.ubertask.enable",
    "mapreduce.map.output.compress",
    "oozie.action.sqoop.shellsplitter",
    "oozie.action.external.stats.write",
    "mapreduce.job.user.classpath.first",
    "mapred.map.tasks.speculative.execution",
    "mapred.reduce.tasks.speculative.execution",
    "mapreduce.output.fileoutputformat.compress",
    "oozie.wf.subworkflow.classpath.inheritance",
];

impl Forms<'_, '_> {
    /// Reports settings whose values are read as something else than they say.
    pub(super) fn settings(&mut self, app: &WorkflowApp, given: &JobProperties) {
        // Equal names share their trees, and most actions have the same properties.
        let mut types: AddressLookup<*const Ast, Option<SettingType>> = AddressLookup::default();
        for property in templates::properties(app) {
            let Some(name) = property.name.literal().map(str::trim) else {
                continue;
            };
            let tree = Arc::as_ptr(&property.name.ast);
            let Some(kind) = *types.get_or_insert_with(tree, || SettingType::of(name)) else {
                continue;
            };
            if let Some(element) = name.strip_prefix("oozie.launcher.") {
                self.launcher_number(element, &property.value);
            }
            let Some(text) = self.known.text(&property.value) else {
                continue;
            };
            if !kind.takes(&text.value) {
                self.report(kind, name, &text, property.value.span);
            }
        }
        for (name, property) in &given.properties {
            if let (Some(kind), Some(place)) = (SettingType::of(name), property.span)
                && let Some((value, _)) = self.known.property(name)
                && !kind.takes(value)
            {
                let text = KnownText {
                    value: value.into(),
                    properties: Vec::new(),
                    is_certain: true,
                };
                self.report(kind, name, &text, place);
            }
        }
    }

    /// Reports a number of a `launcher` that `Integer.parseInt` of Java refuses.
    fn launcher_number(&mut self, element: &str, value: &Template) {
        let Some(written) = value.literal() else {
            return;
        };
        let is_number = written.trim().parse::<u64>().is_ok();
        if matches!(element, "memory.mb" | "vcores") && is_number && written.parse::<i32>().is_err()
        {
            self.emit(UnreadLauncherNumber {
                name: element.to_owned(),
                written: written.to_owned(),
                place: value.span,
            });
        }
    }

    fn report(&mut self, kind: SettingType, name: &str, text: &KnownText<'_>, place: Span) {
        self.emit(MalformedSetting {
            name: name.to_owned(),
            value: text.value.trim().to_owned(),
            is_number: matches!(kind, SettingType::Number | SettingType::Count),
            place,
            origin: text.origin(),
        });
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SettingType {
    Number,
    Count,
    Switch,
}

/// Whether `name` is one of `names`, which are sorted by length first: most names are excluded without comparing bytes.
fn is_among(names: &[&str], name: &str) -> bool {
    names
        .binary_search_by_key(&(name.len(), name), |name| (name.len(), name))
        .is_ok()
}

impl SettingType {
    fn of(name: &str) -> Option<SettingType> {
        let of_launcher = name.strip_prefix("oozie.launcher.");
        let bare = of_launcher.unwrap_or(name);
        if is_among(&NUMBERS, bare) && (of_launcher.is_some() || !LAUNCHER_NUMBERS.contains(&bare))
        {
            return Some(SettingType::Number);
        }
        if is_among(&COUNTS, name) {
            return Some(SettingType::Count);
        }
        (is_among(&SWITCHES, name) || (of_launcher.is_some() && is_among(&SWITCHES, bare)))
            .then_some(SettingType::Switch)
    }

    /// Whether the value is read as what it says. An empty text is not a value.
    fn takes(self, value: &str) -> bool {
        let value = value.trim();
        if value.is_empty() {
            return true;
        }
        match self {
            SettingType::Number => {
                let unsigned = value.strip_prefix('-').unwrap_or(value);
                let hexadecimal = unsigned
                    .strip_prefix("0x")
                    .or_else(|| unsigned.strip_prefix("0X"));
                match hexadecimal {
                    Some(digits) => i64::from_str_radix(digits, 16).is_ok(),
                    None => value.parse::<i64>().is_ok(),
                }
            }
            SettingType::Count => value.parse::<u64>().is_ok(),
            SettingType::Switch => ["true", "false"]
                .iter()
                .any(|word| value.eq_ignore_ascii_case(word)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COUNTS, NUMBERS, SWITCHES};

    #[test]
    fn names_are_sorted_for_the_search() {
        assert!(COUNTS.is_sorted_by_key(|name| (name.len(), *name)));
        assert!(NUMBERS.is_sorted_by_key(|name| (name.len(), *name)));
        assert!(SWITCHES.is_sorted_by_key(|name| (name.len(), *name)));
    }
}
