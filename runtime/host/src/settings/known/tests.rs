use super::*;

#[test]
fn the_list_is_in_order_and_explains_each() {
    assert!(all().map(|known| known.name).is_sorted());
    assert!(all().all(|known| !known.meaning.is_empty()));
}

/// Names in the code that are not settings: values passed to actions and jobs, and parts of names.
const NO_SETTINGS: &[&str] = &[
    // Files.
    "hpdl.service",
    "hpdl.toml",
    "hpdl.yaml",
    // Properties of jobs.
    "oozie.sla.disable.alerts",
    "oozie.sla.enable.alerts",
    // The user's settings of these are read from the job's properties.
    "oozie.action.yarn.tag",
    "oozie.action.conf.xml",
    "oozie.action.config.class",
    "oozie.action.error.properties",
    "oozie.action.externalChildIDs",
    "oozie.action.id",
    "oozie.action.newId",
    "oozie.action.output.properties",
    "oozie.action.stats.properties",
    "oozie.child.mapreduce.job.tags",
    "oozie.bundle.application.path",
    "oozie.coord.action.nominal_time",
    "oozie.coord.application.path",
    "oozie.job.id",
    "oozie.job.launch.time",
    "oozie.launcher.action.main.class",
    "oozie.launcher.env",
    "oozie.launcher.javaopts",
    "oozie.launcher.mapreduce.job.user.classpath.first",
    "oozie.launcher.mapreduce.user.classpath.first",
    "oozie.launcher.max.attempts",
    "oozie.launcher.memory.mb",
    "oozie.launcher.modify.acl",
    "oozie.launcher.oozie.libpath",
    "oozie.launcher.override",
    "oozie.launcher.priority",
    "oozie.launcher.queue",
    "oozie.launcher.sharelib",
    "oozie.launcher.vcores",
    "oozie.launcher.view.acl",
    "oozie.mapreduce.uber.jar",
    "oozie.name.node",
    "oozie.launcher.job.id",
    "oozie.service.LiteWorkflowStoreService.user.retry",
    "oozie.wf.application.path",
    // Values that a parent passes to its child.
    "hpdl.wf.global",
    "oozie.action.subworkflow.depth",
    "oozie.wf.external.id",
    "oozie.wf.parent.id",
    "oozie.wf.superparent.id",
    // What `hpdl serve` says of itself.
    "oozie.base.url",
    "oozie.home.dir",
    // Read from the job's properties.
    "oozie.wf.log.token",
    // A class name of ours.
    "hpdl.Configure",
];

fn names_in(text: &str, names: &mut std::collections::BTreeSet<String>) {
    for quoted in text.split('"').skip(1) {
        let is_name = ["oozie.", "hpdl.", "hws."]
            .iter()
            .any(|start| quoted.starts_with(start))
            && quoted
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || c == '.' || c == '-');
        if is_name {
            names.insert(quoted.to_owned());
        }
    }
}

fn collect(folder: &std::path::Path, names: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, names);
        } else if path.extension().is_some_and(|ending| ending == "rs")
            && !path
                .parent()
                .is_some_and(|folder| folder.ends_with("settings/known"))
            && !path.ends_with("settings/others.rs")
            && !path.ends_with("tests.rs")
        {
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            names_in(code, names);
        }
    }
}

#[test]
fn every_setting_that_the_code_reads_is_listed() {
    let runtime = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut names = std::collections::BTreeSet::new();
    for room in std::fs::read_dir(&runtime).unwrap() {
        let room = room.unwrap().path();
        let source = match room.file_name().and_then(|name| name.to_str()) {
            // Its names are found in the code that calls it.
            Some("core" | "graph" | "target") => continue,
            Some("src") => room,
            _ => room.join("src"),
        };
        if source.is_dir() {
            collect(&source, &mut names);
        }
    }
    for name in NO_SETTINGS {
        names.remove(*name);
    }
    names.retain(|name| !name.ends_with('.'));
    let unlisted: Vec<&String> = names
        .iter()
        .filter(|name| !all().any(|known| known.name == name.as_str()))
        .collect();
    assert!(unlisted.is_empty(), "not listed: {unlisted:?}");
}
