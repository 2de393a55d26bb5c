//! What the application master is told: a file in the archive that the container gets.

use std::{collections::BTreeMap, env};

use hpdlc_core::java_options;
use hpdlc_files::{AccessSettings, Uri};
use hpdlc_host::comma_list;
use hpdlc_launcher::TimeLimit;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use super::call::{CallArgument, ContainerCall};
use crate::{launcher_config::LauncherConfig, tool::cluster};

/// The first argument of an application master.
pub const ARGUMENT: &str = "hpdl-am";
/// The names of its files in the container's folder.
pub const EXECUTABLE: &str = ".hpdl-am";
pub const ARCHIVE: &str = ".hpdl-folder.tar";
pub const ORDER: &str = ".hpdl-order.json";

/// The property with the class path of Hadoop's own classes.
const CLASS_PATH: &str = "yarn.application.classpath";

/// Its default, in the variables that node managers pass on
/// (`YarnConfiguration.DEFAULT_YARN_APPLICATION_CLASSPATH`, `MRJobConfig.DEFAULT_MAPREDUCE_APPLICATION_CLASSPATH`).
const CLASS_PATH_OF_CLUSTER: &str = "$HADOOP_CONF_DIR,\
    $HADOOP_COMMON_HOME/share/hadoop/common/*,$HADOOP_COMMON_HOME/share/hadoop/common/lib/*,\
    $HADOOP_HDFS_HOME/share/hadoop/hdfs/*,$HADOOP_HDFS_HOME/share/hadoop/hdfs/lib/*,\
    $HADOOP_YARN_HOME/share/hadoop/yarn/*,$HADOOP_YARN_HOME/share/hadoop/yarn/lib/*,\
    $HADOOP_MAPRED_HOME/share/hadoop/mapreduce/*,$HADOOP_MAPRED_HOME/share/hadoop/mapreduce/lib/*";

/// The order for one attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContainerOrder {
    pub call: ContainerCall,
    /// The attempt's folder on the machine of the owner, which texts name: the container's folder takes its place.
    pub folder: String,
    pub limit: Option<TimeLimit>,
    /// Names of files of its folder that are brought back.
    pub results: Vec<String>,
    /// More bytes than that of what it prints are not brought back.
    pub max_output: u64,
    /// The addresses of the schedulers of the resource managers.
    pub schedulers: Vec<String>,
    /// The URI of the attempt's staging folder.
    pub staging: String,
    pub access: AccessSettings,
    /// The properties of that folder's name service, as the owner's machine has them.
    #[serde(default)]
    pub name_service: BTreeMap<String, String>,
}

/// A variable of the container.
type Variable<'v> = &'v dyn Fn(&str) -> Option<String>;

impl ContainerOrder {
    /// Uses the owner's properties of the name service on a node whose own files, `installed`, do not know it.
    pub fn supply_name_service(&mut self, installed: &BTreeMap<String, String>) {
        let is_known = |name: &String| installed.contains_key(name);
        if !self.name_service.keys().any(is_known) {
            let own = std::mem::take(&mut self.name_service);
            self.access.properties.extend(own);
        }
    }

    /// A text of the call, in the container whose folder is `here`.
    fn text(&self, text: &str, here: &str) -> String {
        text.replace(&self.folder, here)
    }

    /// The variables of the program, in addition to those of the container, which `inherited` gives.
    pub fn variables(&self, here: &str, inherited: Variable<'_>) -> Vec<(String, String)> {
        let path = inherited("PATH").unwrap_or_else(|| "/bin:/usr/bin".to_owned());
        let mut all = vec![("PATH".to_owned(), format!(".:{path}"))];
        for (name, value) in &self.call.env {
            let mut value = self.text(value, here);
            if name == "LD_LIBRARY_PATH"
                && let Some(path) = inherited(name).filter(|path| !path.is_empty())
            {
                value.push(':');
                value.push_str(&path);
            }
            all.push((name.clone(), value));
        }
        all
    }

    /// The program's own name and its arguments.
    ///
    /// # Errors
    ///
    /// JA018: a quote in the options of the JVM is not closed.
    pub fn argv(
        &self,
        here: &std::path::Path,
        inherited: Variable<'_>,
    ) -> Result<Vec<String>, ActionError> {
        let shown = here.display().to_string();
        let mut argv = Vec::new();
        for argument in &self.call.argv {
            match argument {
                CallArgument::Text(text) => argv.push(self.text(text, &shown)),
                CallArgument::JvmOptions { text, heap } => {
                    let launcher_config = LauncherConfig {
                        variables: self.variables(&shown, inherited),
                        heap: *heap,
                        ..LauncherConfig::default()
                    };
                    argv.extend(launcher_config.jvm_options(text, here)?);
                }
                CallArgument::ClassPath { own, of_cluster } => {
                    let of_cluster = of_cluster.clone().or_else(installed_class_path);
                    let of_cluster = of_cluster.as_deref().unwrap_or(CLASS_PATH_OF_CLUSTER);
                    let of_cluster = comma_list::entries(of_cluster)
                        .filter_map(|entry| expanded(entry, inherited));
                    let all: Vec<String> = own.iter().cloned().chain(of_cluster).collect();
                    argv.push(all.join(":"));
                }
            }
        }
        Ok(argv)
    }
}

/// The properties of a file system's name service, such as the addresses of its name nodes; none if `system` names a single one.
pub fn name_service(
    system: &str,
    properties: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let service = Uri::parse(system).authority.unwrap_or_default();
    if !properties.contains_key(&format!("dfs.ha.namenodes.{service}")) {
        return BTreeMap::new();
    }
    let (end, middle) = (format!(".{service}"), format!(".{service}."));
    let is_own = |name: &str| {
        name == "dfs.nameservices"
            || (name.starts_with("dfs.") && (name.ends_with(&end) || name.contains(&middle)))
    };
    let all = properties.iter().filter(|(name, _)| is_own(name));
    all.map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// What the `yarn-site.xml` of the node says, as that of Oozie's server does.
fn installed_class_path() -> Option<String> {
    let mut site = cluster::installed_site().ok()?;
    site.remove(CLASS_PATH)
        .filter(|entries| !entries.trim().is_empty())
}

/// An entry of a class path with its variables replaced (`$NAME`, `{{NAME}}`); `None` if the container has one of them not.
fn expanded(entry: &str, variable: Variable<'_>) -> Option<String> {
    let entry = entry.replace("{{", "${").replace("}}", "}");
    let is_missing = std::cell::Cell::new(false);
    let value = |name: &str| {
        let value = variable(name).filter(|value| !value.is_empty());
        is_missing.set(is_missing.get() || value.is_none());
        value
    };
    let words = java_options::split(&entry, &value).ok()?;
    (!is_missing.get()).then(|| words.join(" "))
}

/// The variables of this process.
pub fn of_this_process(name: &str) -> Option<String> {
    env::var(name).ok()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::container::call::ContainerProgram;

    fn order(argv: Vec<CallArgument>, env: &[(&str, &str)]) -> ContainerOrder {
        let env = env.iter();
        ContainerOrder {
            call: ContainerCall {
                program: ContainerProgram::Java,
                argv,
                env: env
                    .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                    .collect(),
            },
            folder: "/home/a/work/0-W/n/1".to_owned(),
            limit: None,
            results: Vec::new(),
            max_output: 0,
            schedulers: Vec::new(),
            staging: String::new(),
            access: AccessSettings::default(),
            name_service: BTreeMap::new(),
        }
    }

    #[test]
    fn a_name_service_that_the_node_does_not_know_is_the_owners() {
        let map = |list: &[(&str, &str)]| -> BTreeMap<String, String> {
            let list = list.iter();
            list.map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let properties = map(&[
            ("dfs.nameservices", "prod,other"),
            ("dfs.ha.namenodes.prod", "a,b"),
            ("dfs.namenode.rpc-address.prod.a", "x:1"),
            ("dfs.namenode.rpc-address.other.a", "y:1"),
            ("dfs.replication", "1"),
        ]);
        assert!(name_service("hdfs://x:8020", &properties).is_empty());
        let of_prod = name_service("hdfs://prod", &properties);
        let names: Vec<&str> = of_prod.keys().map(String::as_str).collect();
        let expected = [
            "dfs.ha.namenodes.prod",
            "dfs.namenode.rpc-address.prod.a",
            "dfs.nameservices",
        ];
        assert_eq!(names, expected);
        for (installed, is_supplied) in [
            (map(&[("dfs.replication", "3")]), true),
            (map(&[("dfs.ha.namenodes.prod", "a,b")]), false),
        ] {
            let mut order = order(Vec::new(), &[]);
            order.name_service.clone_from(&of_prod);
            order.supply_name_service(&installed);
            assert_eq!(order.access.properties.is_empty(), !is_supplied);
        }
    }

    fn inherited(name: &str) -> Option<String> {
        let value = match name {
            "PATH" => "/usr/bin",
            "LD_LIBRARY_PATH" => "/opt/lib",
            "HADOOP_CONF_DIR" => "/etc/hadoop",
            "HADOOP_COMMON_HOME" => "/opt/h",
            _ => return None,
        };
        Some(value.to_owned())
    }

    #[test]
    fn the_folder_of_the_container_takes_the_place_of_the_attempts() {
        let text = CallArgument::Text("-Dx=/home/a/work/0-W/n/1/action.xml".to_owned());
        let order = order(
            vec![text],
            &[
                ("LD_LIBRARY_PATH", "/home/a/work/0-W/n/1"),
                ("A", "b"),
                ("PATH", "/own"),
            ],
        );
        let argv = order.argv(Path::new("/c"), &inherited).unwrap();
        assert_eq!(argv, ["-Dx=/c/action.xml"]);
        let variables = order.variables("/c", &inherited);
        let shown: Vec<String> = variables
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let expected = [
            "PATH=.:/usr/bin",
            "LD_LIBRARY_PATH=/c:/opt/lib",
            "A=b",
            "PATH=/own",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn options_are_split_with_the_variables_of_the_container() {
        let options = CallArgument::JvmOptions {
            text: "-Da=$A -Dp=$PWD -Dh=$HADOOP_COMMON_HOME '-Dx=y z'".to_owned(),
            heap: Some(800),
        };
        let order = order(vec![options], &[("A", "1")]);
        let argv = order.argv(Path::new("/c"), &|name| match name {
            "HADOOP_COMMON_HOME" => inherited(name),
            _ => None,
        });
        let argv = argv.unwrap();
        assert_eq!(argv[..2], ["-Da=1", "-Dp=/c"]);
        assert_eq!(argv[3..], ["-Dx=y z", "-Xmx800m"]);
    }

    #[test]
    fn what_the_container_has_not_is_left_out_of_the_class_path() {
        let class_path = |of_cluster: Option<&str>| {
            let argument = CallArgument::ClassPath {
                own: vec![".".to_owned(), "a.jar".to_owned()],
                of_cluster: of_cluster.map(str::to_owned),
            };
            let order = order(vec![argument], &[]);
            order.argv(Path::new("/c"), &inherited).unwrap().remove(0)
        };
        assert_eq!(
            class_path(None),
            ".:a.jar:/etc/hadoop:/opt/h/share/hadoop/common/*:/opt/h/share/hadoop/common/lib/*"
        );
        assert_eq!(
            class_path(Some("{{HADOOP_CONF_DIR}}, /x/*, $NONE/y")),
            ".:a.jar:/etc/hadoop:/x/*"
        );
    }
}
