//! Names of settings, for properties that are nearly called like one.

use std::collections::BTreeSet;

use hpdlc_core::slips::is_slip;

use super::{
    Forms,
    settings::{COUNTS, NUMBERS, SWITCHES},
};
use crate::{
    analysis::{given::JobProperties, templates},
    lints::misspelt_settings::MisspeltSetting,
    model::WorkflowApp,
    source::Span,
};

/// Settings that are read as texts. Those that are numbers and booleans have lists of their own.
const TEXTS: [&str; 74] = [
    "dfs.replication",
    "fs.default.name",
    "fs.defaultFS",
    "hive.exec.dynamic.partition",
    "hive.exec.dynamic.partition.mode",
    "hive.exec.parallel",
    "hive.execution.engine",
    "hive.metastore.uris",
    "mapred.cache.archives",
    "mapred.cache.files",
    "mapred.child.java.opts",
    "mapred.combiner.class",
    "mapred.input.dir",
    "mapred.input.format.class",
    "mapred.job.name",
    "mapred.job.queue.name",
    "mapred.job.tracker",
    "mapred.map.child.java.opts",
    "mapred.mapoutput.key.class",
    "mapred.mapoutput.value.class",
    "mapred.mapper.class",
    "mapred.mapper.new-api",
    "mapred.output.compression.codec",
    "mapred.output.compression.type",
    "mapred.output.dir",
    "mapred.output.format.class",
    "mapred.output.key.class",
    "mapred.output.value.class",
    "mapred.partitioner.class",
    "mapred.reduce.child.java.opts",
    "mapred.reducer.class",
    "mapred.reducer.new-api",
    "mapreduce.input.fileinputformat.inputdir",
    "mapreduce.inputformat.class",
    "mapreduce.job.cache.archives",
    "mapreduce.job.cache.files",
    "mapreduce.job.combine.class",
    "mapreduce.job.inputformat.class",
    "mapreduce.job.jar",
    "mapreduce.job.map.class",
    "mapreduce.job.name",
    "mapreduce.job.output.key.class",
    "mapreduce.job.output.value.class",
    "mapreduce.job.outputformat.class",
    "mapreduce.job.partitioner.class",
    "mapreduce.job.queuename",
    "mapreduce.job.reduce.class",
    "mapreduce.job.tags",
    "mapreduce.map.class",
    "mapreduce.map.java.opts",
    "mapreduce.map.output.compress.codec",
    "mapreduce.map.output.key.class",
    "mapreduce.map.output.value.class",
    "mapreduce.output.fileoutputformat.compress.codec",
    "mapreduce.output.fileoutputformat.compress.type",
    "mapreduce.output.fileoutputformat.outputdir",
    "mapreduce.outputformat.class",
    "mapreduce.reduce.class",
    "mapreduce.reduce.java.opts",
    "oozie.action.sharelib.for.hive",
    "oozie.action.sharelib.for.hive2",
    "oozie.action.sharelib.for.pig",
    "oozie.action.sharelib.for.spark",
    "oozie.action.sharelib.for.sqoop",
    "oozie.bundle.application.path",
    "oozie.coord.application.path",
    "oozie.launcher.action.main.class",
    "oozie.libpath",
    "oozie.wf.action.notification.url",
    "oozie.wf.application.path",
    "oozie.wf.rerun.skip.nodes",
    "oozie.wf.workflow.notification.url",
    "tez.queue.name",
    "yarn.resourcemanager.address",
];

/// The beginnings of names that settings have.
const FAMILIES: [&str; 8] = [
    "dfs.", "fs.", "hive.", "hpdl.", "mapred", "oozie.", "tez.", "yarn.",
];

impl Forms<'_, '_> {
    /// Reports properties that are nearly called like a setting.
    pub(super) fn setting_names(&mut self, app: &WorkflowApp, given: &JobProperties) {
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut found: Vec<(String, Span, String)> = Vec::new();
        let written = templates::properties(app).filter_map(|property| {
            let name = property.name.literal()?.trim();
            Some((name, property.name.span))
        });
        let of_job = given
            .properties
            .iter()
            .filter(|(name, _)| name.starts_with("oozie.") || name.starts_with("hpdl."))
            .filter_map(|(name, property)| Some((name.as_str(), property.span?)));
        for (name, place) in written.chain(of_job) {
            if may_be_of_family(name)
                && seen.insert(name)
                && let Some(meant) = meant(name)
            {
                found.push((name.to_owned(), place, meant));
            }
        }
        for (name, place, meant) in found {
            self.emit(MisspeltSetting { name, place, meant });
        }
    }
}

/// Whether the first letter is that of a family: most properties of large workflows are told from settings by it.
fn may_be_of_family(name: &str) -> bool {
    let first = name.bytes().next().map(|byte| byte.to_ascii_lowercase());
    FAMILIES.iter().any(|family| family.bytes().next() == first)
}

/// The setting that a name is nearly that of; `None` for settings and other names.
fn meant(name: &str) -> Option<String> {
    let lists = || {
        TEXTS
            .iter()
            .chain(&NUMBERS)
            .chain(&COUNTS)
            .chain(&SWITCHES)
            .copied()
    };
    let is_known = |name: &str| lists().any(|known| known == name);
    let lower = name.to_ascii_lowercase();
    // Without a dot it is a property of one's own, named after a setting.
    if !name.contains('.')
        || !FAMILIES.iter().any(|family| lower.starts_with(family))
        || is_known(name)
    {
        return None;
    }
    if let Some(bare) = name.strip_prefix("oozie.launcher.") {
        if is_known(bare) {
            return None;
        }
        let meant = lists().find(|known| is_slip(bare, known));
        if let Some(meant) = meant {
            return Some(format!("oozie.launcher.{meant}"));
        }
    }
    // The short names are settings behind `oozie.launcher.` only.
    let mut known = lists().filter(|known| known.contains('.'));
    known.find(|known| is_slip(name, known)).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::meant;

    #[test]
    fn names_of_settings_are_told_from_others() {
        for (name, expected) in [
            ("mapreduce.job.queue.name", Some("mapreduce.job.queuename")),
            ("mapred.job.queuename", Some("mapred.job.queue.name")),
            ("mapred.output.dirs", Some("mapred.output.dir")),
            ("Mapred.input.dir", Some("mapred.input.dir")),
            (
                "oozie.use.system.lib.path",
                Some("oozie.use.system.libpath"),
            ),
            (
                "oozie.launcher.mapreduce.map.memroy.mb",
                Some("oozie.launcher.mapreduce.map.memory.mb"),
            ),
            ("oozie.launcher.mapreduce.map.memory.mb", None),
            ("mapred.job.queue.name", None),
            ("mapred.map.tasks", None),
            ("mapreduce.job.maps", None),
            ("my.output.dir", None),
            ("mapred.my.own", None),
            ("queue", None),
            ("mapredChildJavaOpts", None),
        ] {
            assert_eq!(meant(name).as_deref(), expected, "{name}");
        }
    }
}
