//! What a container gets from its cluster: the settings of Oozie's launcher (`LauncherConfigurationInjector`,
//! `JavaActionExecutor`).

use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::launcher_config::{LauncherConfig, text};

/// The default memory in megabytes, and the default number of virtual cores.
const MEMORY: u64 = 2048;
const CORES: u64 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerResources {
    /// In megabytes.
    pub memory: u64,
    pub virtual_cores: u64,
    pub queue: String,
    pub priority: Option<i64>,
    pub node_label: Option<String>,
    /// Who may see the application, and who may end it: users, a blank, groups.
    pub view_acl: Option<String>,
    pub modify_acl: Option<String>,
}

impl ContainerResources {
    /// `setting` gives the settings of the action, else of its job, else of the site.
    ///
    /// # Errors
    ///
    /// JA010, failed: a number is none.
    pub fn of(setting: &dyn Fn(&str) -> Option<String>) -> Result<ContainerResources, ActionError> {
        let default = |name: &str| text(setting, &format!("oozie.launcher.default.{name}"), &[]);
        let number = |what: &str, value: Option<String>| {
            let number = value.map(|value| {
                value.trim().parse::<i64>().map_err(|_| {
                    let problem = format!("the {what} of the launcher is `{value}`, and no number");
                    ActionError::failed("JA010", problem)
                })
            });
            number.transpose()
        };
        let positive = |number: i64| u64::try_from(number).unwrap_or_default();
        let memory = LauncherConfig::of(setting)?.memory;
        let memory = match memory {
            Some(memory) => Some(memory),
            None => number("memory", default("memory.mb"))?.map(positive),
        };
        let cores = text(
            setting,
            "oozie.launcher.vcores",
            &[
                "yarn.app.mapreduce.am.resource.cpu-vcores",
                "mapreduce.map.cpu.vcores",
            ],
        );
        let queue = text(
            setting,
            "oozie.launcher.queue",
            &["mapreduce.job.queuename", "mapred.job.queue.name"],
        );
        // Those of jobs are words, such as `HIGH`.
        let priority = text(setting, "oozie.launcher.priority", &[]);
        let acl = |what: &str| {
            text(
                setting,
                &format!("oozie.launcher.{what}.acl"),
                &[&format!("mapreduce.job.acl-{what}-job")],
            )
        };
        Ok(ContainerResources {
            memory: memory.unwrap_or(MEMORY),
            virtual_cores: number("vcores", cores.or_else(|| default("vcores")))?
                .map_or(CORES, positive),
            queue: queue
                .or_else(|| default("queue"))
                .map_or_else(|| "default".to_owned(), |queue| queue.trim().to_owned()),
            priority: number("priority", priority.or_else(|| default("priority")))?,
            node_label: text(setting, "hpdl.launcher.yarn.node.label", &[]),
            view_acl: acl("view"),
            modify_acl: acl("modify"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(properties: &[(&str, &str)]) -> Result<ContainerResources, ActionError> {
        ContainerResources::of(&|name| {
            let found = properties.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_launcher_of_the_action_comes_first_and_the_sites_defaults_last() {
        let none = of(&[]).unwrap();
        assert_eq!((none.memory, none.virtual_cores), (2048, 1));
        assert_eq!((none.queue.as_str(), none.priority), ("default", None));
        let given = of(&[
            ("oozie.launcher.default.memory.mb", "512"),
            ("oozie.launcher.default.queue", "site"),
            ("oozie.launcher.priority", "3"),
            ("mapreduce.map.cpu.vcores", "2"),
            ("mapreduce.job.queuename", "jobs"),
            ("oozie.launcher.view.acl", "ann etl"),
            ("mapreduce.job.acl-modify-job", "*"),
        ]);
        let given = given.unwrap();
        assert_eq!((given.memory, given.virtual_cores), (512, 2));
        assert_eq!((given.queue.as_str(), given.priority), ("jobs", Some(3)));
        assert_eq!(given.view_acl.as_deref(), Some("ann etl"));
        assert_eq!(given.modify_acl.as_deref(), Some("*"));
        let own = of(&[
            ("oozie.launcher.memory.mb", "128"),
            ("oozie.launcher.queue", " own "),
            ("oozie.launcher.override", "false"),
            ("mapreduce.map.cpu.vcores", "2"),
            ("oozie.launcher.default.queue", "site"),
        ]);
        let own = own.unwrap();
        assert_eq!((own.memory, own.virtual_cores), (128, 1));
        assert_eq!(own.queue, "own");
    }

    #[test]
    fn a_number_that_is_none_fails_the_job() {
        for name in [
            "oozie.launcher.memory.mb",
            "oozie.launcher.vcores",
            "oozie.launcher.priority",
        ] {
            let error = of(&[(name, "much")]).unwrap_err();
            assert_eq!(error.code, "JA010", "{name}");
            assert!(error.message.contains("`much`"), "{}", error.message);
        }
    }
}
