//! The settings for Oozie's launcher, as they apply to a process on this machine (`LauncherConfigurationInjector`).
//!
//! For what `launcher` does not set, the older properties apply, whether written for the launcher alone
//! (`oozie.launcher.mapreduce.map.memory.mb`, Oozie 4) or for all jobs of the action (`mapreduce.map.memory.mb`, Oozie 5).

use std::{collections::BTreeMap, env, path::Path};

use hpdlc_core::{java_options, tools::Unbalanced};
use hpdlc_program::failure::ActionError;

use crate::launcher_choice::Launcher;

/// `false`: the properties of the jobs do not apply to the launcher.
const OVERRIDE: &str = "oozie.launcher.override";

const PREFIX: &str = "oozie.launcher.";

const JAVA_OPTIONS: [&str; 3] = [
    "yarn.app.mapreduce.am.command-opts",
    "mapreduce.map.java.opts",
    "mapred.child.java.opts",
];
/// Precede all other options.
const FIRST_JAVA_OPTIONS: &str = "yarn.app.mapreduce.am.admin-command-opts";
const MEMORY: [&str; 3] = [
    "yarn.app.mapreduce.am.resource.mb",
    "mapreduce.map.memory.mb",
    "mapred.job.map.memory.mb",
];
/// Only if written for the launcher: those of the jobs name folders of the cluster's machines.
const ENVIRONMENT: [&str; 3] = [
    "yarn.app.mapreduce.am.env",
    "mapreduce.map.env",
    "mapred.child.env",
];

/// The effective settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LauncherConfig {
    /// Options of the JVM, in one text; may be empty.
    pub java_options: String,
    /// The memory of the launcher's container, in megabytes.
    pub memory: Option<u64>,
    /// Heap in megabytes: as in Oozie, four fifths of the memory.
    pub heap: Option<u64>,
    pub variables: Vec<(String, String)>,
}

/// A setting for the launcher: its own property, else the first of the `older` ones that is written for the launcher, else for all jobs.
pub fn text(setting: &dyn Fn(&str) -> Option<String>, own: &str, older: &[&str]) -> Option<String> {
    let given = |name: &str| setting(name).filter(|value| !value.trim().is_empty());
    let for_launcher = |name: &&str| given(&format!("{PREFIX}{name}"));
    let for_all = |name: &&str| given(name).filter(|_| counts_jobs(setting));
    given(own)
        .or_else(|| older.iter().find_map(for_launcher))
        .or_else(|| older.iter().find_map(for_all))
}

/// Whether the properties of the jobs apply to the launcher.
fn counts_jobs(setting: &dyn Fn(&str) -> Option<String>) -> bool {
    setting(OVERRIDE).is_none_or(|value| value.trim() != "false")
}

impl LauncherConfig {
    /// `setting` gives the properties of the action.
    ///
    /// # Errors
    ///
    /// JA010, failed: the memory is not a number. IllegalArgumentException: a variable is not an assignment.
    pub fn of(setting: &dyn Fn(&str) -> Option<String>) -> Result<LauncherConfig, ActionError> {
        let own = |name: &str| setting(name).filter(|value| !value.trim().is_empty());
        let for_launcher = |name: &&str| own(&format!("{PREFIX}{name}"));
        let options = text(setting, "oozie.launcher.javaopts", &JAVA_OPTIONS);
        let first = own(FIRST_JAVA_OPTIONS).filter(|_| counts_jobs(setting));
        let java_options: Vec<String> = first.into_iter().chain(options).collect();
        let memory = text(setting, "oozie.launcher.memory.mb", &MEMORY);
        let memory = memory.map(|text| {
            text.trim().parse::<u64>().map_err(|_| {
                let problem =
                    format!("the memory of the launcher is `{text}`, and no number of megabytes");
                ActionError::failed("JA010", problem)
            })
        });
        let memory = memory.transpose()?;
        let variables = match own("oozie.launcher.env") {
            Some(text) => variables(&text, ':')?,
            // Hadoop separates them by commas, and the parts of paths by colons.
            None => match ENVIRONMENT.iter().find_map(for_launcher) {
                Some(text) => variables(&text, ',')?,
                None => Vec::new(),
            },
        };
        Ok(LauncherConfig {
            java_options: java_options.join(" ").trim().to_owned(),
            memory,
            heap: memory.map(|megabytes| megabytes.saturating_mul(4) / 5),
            variables,
        })
    }
}

impl LauncherConfig {
    /// The JVM options in a text, and the heap size if they set none.
    ///
    /// # Errors
    ///
    /// As [`LauncherConfig::options_in`].
    pub fn jvm_options(&self, text: &str, folder: &Path) -> Result<Vec<String>, ActionError> {
        let mut all = self.options_in(text, folder)?;
        if let Some(megabytes) = self.heap
            && !all.iter().any(|option| option.starts_with("-Xmx"))
        {
            all.push(format!("-Xmx{megabytes}m"));
        }
        Ok(all)
    }

    /// The JVM options in a text, split as the shells of a cluster split it; `folder` is the value of `PWD`.
    ///
    /// # Errors
    ///
    /// JA018: a quote is not closed.
    pub fn options_in(&self, text: &str, folder: &Path) -> Result<Vec<String>, ActionError> {
        let variable = |name: &str| match name {
            "PWD" | "LOG_DIR" | "LOG_DIRS" => Some(folder.display().to_string()),
            name => {
                let mut own = self.variables.iter().rev();
                let own = own.find(|(known, _)| known == name);
                own.map(|(_, value)| value.clone())
                    .or_else(|| env::var(name).ok())
            }
        };
        java_options::split(text, &variable).map_err(|Unbalanced| {
            let problem = format!(
                "the options of the JVM cannot be taken apart: a quote is not closed, or a backslash is at the end of `{text}`"
            );
            ActionError::error("JA018", problem)
        })
    }
}

/// Warnings about launcher settings that have no effect where `what`, a tool or a program, runs.
pub fn without_effect(
    what: &str,
    launcher: Launcher,
    configuration: &BTreeMap<String, String>,
) -> Vec<String> {
    // Those of a container have one.
    let of_process = [
        ("oozie.launcher.vcores", "it takes the cores that it needs"),
        (
            "oozie.launcher.queue",
            "it runs in no queue; mapreduce.job.queuename is that of its jobs",
        ),
        (
            "oozie.launcher.priority",
            "it has no priority; mapreduce.job.priority is that of its jobs",
        ),
    ];
    let of_any = [
        (
            "oozie.launcher.action.main.class",
            format!("the {what} of the action itself is started"),
        ),
        (
            "oozie.launcher.max.attempts",
            "the retry-max of the action says how often it is tried".to_owned(),
        ),
    ];
    let of_process = of_process
        .iter()
        .filter(|_| launcher == Launcher::Local)
        .map(|(name, reason)| {
            let reason =
                format!("the {what} runs on this machine and not in a container, and {reason}");
            (*name, reason)
        });
    of_any
        .into_iter()
        .chain(of_process)
        .filter(|(name, _)| configuration.contains_key(*name))
        .map(|(name, reason)| format!("{name} has no effect: {reason}"))
        .collect()
}

fn variables(text: &str, separator: char) -> Result<Vec<(String, String)>, ActionError> {
    text.split(separator)
        .map(str::trim)
        .filter(|entry| !entry.is_empty())
        .map(|entry| match entry.split_once('=') {
            Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
            Some(_) | None => {
                let problem = format!("the launcher's variables: `{entry}` is not NAME=VALUE");
                Err(ActionError::error("IllegalArgumentException", problem))
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(properties: &[(&str, &str)]) -> Result<LauncherConfig, String> {
        let setting = |name: &str| {
            let found = properties.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        };
        LauncherConfig::of(&setting).map_err(|error| error.code)
    }

    #[test]
    fn options_know_the_folder_and_the_launchers_variables() {
        let launcher_config = of(&[("oozie.launcher.env", "A=1:B=x y:A=2")]).unwrap();
        let text = "-Da=$A '-Db=$B' -Dp=$PWD -Dc='c d'";
        let options = launcher_config
            .options_in(text, Path::new("/work"))
            .unwrap();
        assert_eq!(options, ["-Da=2", "-Db=x y", "-Dp=/work", "-Dc=c d"]);
        let error = launcher_config
            .options_in("-Da='b", Path::new("/work"))
            .unwrap_err();
        assert_eq!(error.code, "JA018");
        assert!(error.message.contains("`-Da='b`"), "{}", error.message);
    }

    fn options(properties: &[(&str, &str)]) -> String {
        of(properties).unwrap().java_options
    }

    #[test]
    fn the_launchers_own_element_counts_first() {
        let own = ("oozie.launcher.javaopts", "-Da=1");
        let launcher = ("oozie.launcher.mapred.child.java.opts", "-Da=2");
        let job = ("mapreduce.map.java.opts", "-Da=3");
        let first = ("yarn.app.mapreduce.am.admin-command-opts", "-Db=1");
        assert_eq!(options(&[]), "");
        assert_eq!(options(&[job, launcher, own]), "-Da=1");
        assert_eq!(options(&[job, launcher]), "-Da=2");
        assert_eq!(options(&[job, first]), "-Db=1 -Da=3");
        let off = ("oozie.launcher.override", "false");
        assert_eq!(options(&[job, first, off]), "");
    }

    #[test]
    fn four_fifths_of_the_memory_are_the_heap() {
        let heap = |name| of(&[(name, " 1000 ")]).unwrap().heap;
        assert_eq!(heap("oozie.launcher.memory.mb"), Some(800));
        assert_eq!(heap("oozie.launcher.mapreduce.map.memory.mb"), Some(800));
        assert_eq!(heap("yarn.app.mapreduce.am.resource.mb"), Some(800));
        assert_eq!(heap("mapreduce.reduce.memory.mb"), None);
        let wrong = of(&[("oozie.launcher.memory.mb", "much")]);
        assert_eq!(wrong, Err("JA010".to_owned()));
    }

    #[test]
    fn variables_are_assignments() {
        let of = |name, value| {
            let launcher_config = of(&[(name, value)])?;
            let all = launcher_config
                .variables
                .iter()
                .map(|(name, value)| format!("{name}>{value}"));
            Ok::<_, String>(all.collect::<Vec<_>>().join(" "))
        };
        assert_eq!(
            of("oozie.launcher.env", "A=1:B=2=3"),
            Ok("A>1 B>2=3".to_owned())
        );
        let older = "oozie.launcher.mapred.child.env";
        assert_eq!(of(older, "A=/a:/b, B=2"), Ok("A>/a:/b B>2".to_owned()));
        assert_eq!(of("mapred.child.env", "A=/x"), Ok(String::new()));
        let wrong = Err("IllegalArgumentException".to_owned());
        assert_eq!(of("oozie.launcher.env", "A=1:B"), wrong);
        assert_eq!(of("oozie.launcher.env", "=B"), wrong);
    }
}
