//! The configuration of such an action: what Oozie adds to what the author writes (`JavaActionExecutor`).

use std::{collections::BTreeMap, env, path::Path};

use hpdlc_program::failure::ActionError;

use crate::tool::Tool;

pub use crate::configuration::{
    FILE_SYSTEM, JOB_TRACKER, LOCAL, RESOURCE_MANAGER, USER, refuse_forbidden, to_xml,
};

pub const FRAMEWORK: &str = "mapreduce.framework.name";
/// The class of `config-class`, as a property of Oozie's launcher.
pub const CONFIG_CLASS: &str = "oozie.action.config.class";
pub const TAGS: &str = "mapreduce.job.tags";

/// Options that every JVM reads; it supports quotes.
const JVM_OPTIONS: &str = "JAVA_TOOL_OPTIONS";

/// The complete configuration of node `node` of job `job` for the tool.
pub fn complete(tool: &Tool, job: &str, node: &str, tags: &[&str]) -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    let mut set = |name: &str, value: &str| {
        all.insert(name.to_owned(), value.to_owned());
    };
    set("mapreduce.fileoutputcommitter.marksuccessfuljobs", "true");
    for (name, value) in &tool.configuration {
        set(name, value);
    }
    set(USER, &tool.user);
    if let Some(name_node) = &tool.name_node {
        set(FILE_SYSTEM, name_node);
        set("oozie.name.node", name_node);
    }
    match tool.resource_manager.as_deref() {
        Some(LOCAL) => set(FRAMEWORK, LOCAL),
        Some(resource_manager) => set(RESOURCE_MANAGER, resource_manager),
        None => {}
    }
    // The element overrides the property, which Oozie's launcher reads.
    if let Some(class) = tool.texts.one("config-class") {
        set(CONFIG_CLASS, class);
    }
    set("oozie.job.id", job);
    set("oozie.launcher.job.id", job);
    set("oozie.action.id", &format!("{job}@{node}"));
    if let Ok(file) = env::var("HADOOP_TOKEN_FILE_LOCATION") {
        set("mapreduce.job.credentials.binary", &file);
        // The tokens are the container's, which goes on after a job.
        set("mapreduce.job.complete.cancel.delegation.tokens", "false");
    }
    let own_tags = tool.configuration.get(TAGS).map(|tags| tags.trim());
    let tags: Vec<&str> = own_tags
        .into_iter()
        .filter(|tags| !tags.is_empty())
        .chain(tags.iter().copied())
        .collect();
    all.insert(TAGS.to_owned(), tags.join(","));
    let name = format!(
        "oozie:action:T={}:W={}:A={node}:ID={job}",
        tool.kind.type_name(),
        tool.app_name
    );
    let names = ["mapreduce.job.name", "mapred.job.name"];
    if !names.iter().any(|name| all.contains_key(*name)) {
        all.insert(names[0].to_owned(), name);
    }
    for (name, acl) in acls(tool) {
        all.entry(name.to_owned()).or_insert(acl);
    }
    all
}

/// Who may view and who may end the jobs: from the launcher's settings, else the job's `oozie.job.acl`, else its
/// group.
fn acls(tool: &Tool) -> Vec<(&'static str, String)> {
    let of_job = tool.setting("oozie.job.acl").map(str::to_owned);
    let of_job = of_job.or_else(|| {
        // In Hadoop's format: users, a blank, groups.
        tool.setting("group.name").map(|group| format!(" {group}"))
    });
    [
        ("mapreduce.job.acl-view-job", "oozie.launcher.view.acl"),
        ("mapreduce.job.acl-modify-job", "oozie.launcher.modify.acl"),
    ]
    .into_iter()
    .filter_map(|(name, launcher)| {
        let own = tool.setting(launcher).map(str::to_owned);
        Some((name, own.or_else(|| of_job.clone())?))
    })
    .collect()
}

/// The environment variables by which a tool on this machine gets the launcher's settings and `java-opts`.
pub fn launcher_environment(
    tool: &Tool,
    java_options: &str,
    folder: &Path,
) -> Result<Vec<(String, String)>, ActionError> {
    let launcher_config = tool.launcher_config()?;
    let mut environment = Vec::new();
    // The action's own options take precedence over the launcher's.
    let text: &str = if java_options.trim().is_empty() {
        &launcher_config.java_options
    } else {
        java_options
    };
    // Hadoop's scripts split at blanks without supporting quotes; the JVM itself supports them.
    let options = launcher_config.options_in(text, folder)?;
    let (for_jvm, plain): (Vec<String>, Vec<String>) = options
        .into_iter()
        .partition(|option| option.is_empty() || option.contains(char::is_whitespace));
    if !plain.is_empty() {
        environment.push(("HADOOP_CLIENT_OPTS".to_owned(), plain.join(" ")));
    }
    if !for_jvm.is_empty() {
        let inherited = env::var(JVM_OPTIONS).ok();
        let quoted = for_jvm
            .iter()
            .map(|option| format!("\"{}\"", option.replace('"', "\"'\"'\"")));
        let all: Vec<String> = inherited.into_iter().chain(quoted).collect();
        environment.push((JVM_OPTIONS.to_owned(), all.join(" ")));
    }
    if let Some(megabytes) = launcher_config.heap {
        environment.push(("HADOOP_HEAPSIZE".to_owned(), megabytes.to_string()));
    }
    environment.extend(launcher_config.variables);
    Ok(environment)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::{
        launcher_choice::Launcher,
        launcher_config,
        tool::call::testing::{map, tool},
    };

    #[test]
    fn oozie_adds_the_cluster_and_the_names() {
        let mut tool = tool(ToolKind::Distcp, []);
        tool.configuration = map([("a", "b"), ("mapreduce.job.tags", "own")]);
        let all = complete(&tool, "0-W", "copy", &["t1", "t2"]);
        let expected = map([
            ("a", "b"),
            ("fs.default.name", "hdfs://nn:8020"),
            ("mapreduce.fileoutputcommitter.marksuccessfuljobs", "true"),
            (
                "mapreduce.job.name",
                "oozie:action:T=distcp:W=daily:A=copy:ID=0-W",
            ),
            ("mapreduce.job.tags", "own,t1,t2"),
            ("oozie.action.id", "0-W@copy"),
            ("oozie.job.id", "0-W"),
            ("oozie.launcher.job.id", "0-W"),
            ("oozie.name.node", "hdfs://nn:8020"),
            ("user.name", "ann"),
            ("yarn.resourcemanager.address", "rm:8032"),
        ]);
        assert_eq!(all, expected);
    }

    #[test]
    fn the_author_names_jobs_and_there_may_be_no_cluster() {
        let mut tool = tool(ToolKind::Distcp, []);
        tool.configuration = map([("mapred.job.name", "mine")]);
        tool.resource_manager = Some("local".to_owned());
        let all = complete(&tool, "0-W", "copy", &["t"]);
        assert!(!all.contains_key("mapreduce.job.name"));
        assert_eq!(all.get(FRAMEWORK).map(String::as_str), Some("local"));
        assert!(!all.contains_key(RESOURCE_MANAGER));
    }

    #[test]
    fn acls_come_from_the_launcher_the_job_and_its_group() {
        let view = "mapreduce.job.acl-view-job";
        let modify = "mapreduce.job.acl-modify-job";
        let of = |settings: BTreeMap<String, String>, configuration: BTreeMap<String, String>| {
            let mut tool = tool(ToolKind::Distcp, []);
            tool.settings = settings;
            tool.configuration = configuration;
            let all = complete(&tool, "0-W", "copy", &[]);
            [view, modify].map(|name| all.get(name).cloned().unwrap_or_default())
        };
        assert_eq!(of(map([]), map([])), ["", ""]);
        assert_eq!(of(map([("group.name", "g,h")]), map([])), [" g,h", " g,h"]);
        let job = map([("group.name", "g"), ("oozie.job.acl", "u v")]);
        assert_eq!(of(job.clone(), map([])), ["u v", "u v"]);
        let own = map([("oozie.launcher.view.acl", "*"), (modify, "me")]);
        assert_eq!(of(job, own), ["*", "me"]);
    }

    #[test]
    fn the_launcher_is_this_machine() {
        let mut tool = tool(ToolKind::Distcp, []);
        tool.configuration = map([
            ("oozie.launcher.javaopts", "-Dx=1"),
            ("oozie.launcher.memory.mb", "1000"),
            ("oozie.launcher.env", "A=1:B=2=3"),
            ("oozie.launcher.vcores", "2"),
            ("oozie.launcher.action.main.class", "own.Main"),
        ]);
        let pairs = |list: &[(&str, &str)]| -> Vec<(String, String)> {
            list.iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let rest = [("HADOOP_HEAPSIZE", "800"), ("A", "1"), ("B", "2=3")];
        let expected = [&[("HADOOP_CLIENT_OPTS", "-Dx=1")][..], &rest].concat();
        assert_eq!(
            launcher_environment(&tool, "", Path::new("/work")),
            Ok(pairs(&expected))
        );
        let expected = [&[("HADOOP_CLIENT_OPTS", "-Dy=2")][..], &rest].concat();
        assert_eq!(
            launcher_environment(&tool, "-Dy=2", Path::new("/work")),
            Ok(pairs(&expected))
        );
        let quoted = launcher_environment(&tool, "-Da='b c' -Dp=$PWD", Path::new("/work"));
        let own = [
            ("HADOOP_CLIENT_OPTS", "-Dp=/work"),
            (JVM_OPTIONS, "\"-Da=b c\""),
        ];
        assert_eq!(quoted, Ok(pairs(&[&own[..], &rest].concat())));
        for (launcher, n_without) in [(Launcher::Local, 2), (Launcher::Yarn, 1)] {
            let found = launcher_config::without_effect("tool", launcher, &tool.configuration);
            assert_eq!(found.len(), n_without, "{found:?}");
        }
        tool.configuration = map([("oozie.launcher.env", "A")]);
        assert!(launcher_environment(&tool, "", Path::new("/work")).is_err());
        tool.configuration = map([("oozie.launcher.memory.mb", "much")]);
        assert!(launcher_environment(&tool, "", Path::new("/work")).is_err());
    }
}
