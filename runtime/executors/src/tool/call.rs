//! What a type of action is, and the command line that it makes of its texts: pure, so that each is tested as a table.

use std::{collections::BTreeMap, path::PathBuf};

use hpdlc_program::failure::ActionError;

use crate::{
    tool::{
        Tool, arguments,
        ids::Pattern,
        resources::{Resource, Role},
        yarn::Counters,
    },
    worker_process::WorkContext,
};

/// A type of action. Most begin as [`Type::new`] has it.
#[derive(Clone, Copy, Debug)]
pub struct Type {
    /// How the tool works with the cluster.
    pub way: fn(&Tool) -> ClusterMode,
    /// The command line. Fails with JA018 where the texts make none.
    pub call: fn(&Tool, &Ground) -> Result<Call, ActionError>,
    /// The lines in which the tool names what it has started.
    pub ids: &'static [Pattern],
    /// What the call needs besides and is not pure: where the one file lies that the type is about. It becomes
    /// [`Ground::found`].
    pub find: fn(&Tool, &WorkContext<'_>, &Ground) -> Result<Option<String>, ActionError>,
    /// Whether the tool wants its files in its folder. Otherwise Hadoop brings them to the tasks, and only JARs are there.
    pub has_files_here: bool,
    /// The files that elements besides `file` name, as written: they come into the folder under their own names.
    pub scripts: fn(&Tool) -> Vec<String>,
    /// Whether the action is one job of MapReduce, whose name it has; others have that of their first application.
    pub is_job: bool,
    pub counters: Counted,
}

impl Type {
    /// A type without files, scripts and counters of its own.
    pub const fn new(
        way: fn(&Tool) -> ClusterMode,
        call: fn(&Tool, &Ground) -> Result<Call, ActionError>,
        ids: &'static [Pattern],
    ) -> Type {
        Type {
            way,
            call,
            ids,
            find: |_, _, _| Ok(None),
            has_files_here: false,
            scripts: |_| Vec::new(),
            is_job: false,
            counters: Counted::No,
        }
    }
}

/// What is kept for `hadoop:counters`.
#[derive(Clone, Copy, Debug)]
pub enum Counted {
    No,
    /// The counters of all jobs, added up. A job that the history does not know fails the action with this code.
    Sums {
        unknown: &'static str,
    },
    /// Where the author wants statistics, what the tool's words and the counters of its jobs make.
    Statistics(fn(&str, &[(String, Counters)]) -> String),
}

/// How a tool works with the cluster, and so what becomes of the work when the tool is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterMode {
    /// It gives one job to the cluster and ends; the job is waited for here.
    Submits,
    /// It gives one job to the cluster and waits for it; the job goes on without it.
    Waits,
    /// It gives jobs to the cluster, one after the other; without it, no more are given.
    Drives,
    /// It does the work itself.
    Alone,
}

impl ClusterMode {
    /// Whether there may be applications on the cluster.
    pub fn has_applications(self) -> bool {
        self != ClusterMode::Alone
    }

    /// Whether the work goes on without the tool.
    pub fn outlives_tool(self) -> bool {
        matches!(self, ClusterMode::Submits | ClusterMode::Waits)
    }
}

/// What a type finds when its tool is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ground {
    /// The tool's folder, where it is started.
    pub folder: PathBuf,
    /// Where the application's files are unpacked.
    pub app_folder: PathBuf,
    pub job_id: String,
    pub node: String,
    /// The action's configuration with what Oozie adds; it is in `action.xml` of the folder.
    pub configuration: BTreeMap<String, String>,
    /// `file`, `archive`, the application's `lib`, libraries: each name once.
    pub resources: Vec<Resource>,
    /// The JARs among them, in the order of the class path, on this machine.
    pub jars: Vec<PathBuf>,
    /// What Hadoop's own files say, without what the action says.
    pub site: BTreeMap<String, String>,
    /// What the type's [`Type::find`] has found.
    pub found: Option<String>,
    /// The tool's own files of configuration as they are installed here: texts by name.
    pub installed: BTreeMap<String, String>,
}

impl Ground {
    /// The tags that every application is to have, separated by commas.
    pub fn tags(&self) -> &str {
        self.configuration
            .get("mapreduce.job.tags")
            .map_or("", String::as_str)
    }

    /// The file of the action's configuration.
    pub fn action_xml(&self) -> PathBuf {
        self.folder.join("action.xml")
    }

    /// The JARs as a class path; empty for none.
    pub fn class_path(&self) -> String {
        let paths: Vec<_> = self
            .jars
            .iter()
            .map(|jar| jar.display().to_string())
            .collect();
        paths.join(":")
    }

    pub fn resource(&self, name: &str) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.name == name)
    }

    /// An installed file as one of the folder.
    pub fn installed_file(&self, name: &str) -> Option<(String, String)> {
        let text = self.installed.get(name)?;
        Some((name.to_owned(), text.clone()))
    }

    /// What an installed file of Hadoop properties says; nothing where there is none.
    ///
    /// # Errors
    ///
    /// JA007: it is no such file.
    pub fn installed_site(&self, name: &str) -> Result<BTreeMap<String, String>, ActionError> {
        let Some(text) = self.installed.get(name) else {
            return Ok(BTreeMap::new());
        };
        hpdlc_core::configuration::parse(text)
            .map(|configuration| configuration.to_map())
            .map_err(|error| {
                let problem = format!("the installed {name} is no configuration: {error}");
                ActionError::error("JA007", problem)
            })
    }

    /// What an installed file of Java properties says; nothing where there is none.
    ///
    /// # Errors
    ///
    /// JA018: it is no such file.
    pub fn installed_properties(
        &self,
        name: &str,
    ) -> Result<BTreeMap<String, String>, ActionError> {
        match self.installed.get(name) {
            Some(text) => arguments::properties(text.as_bytes(), &format!("the installed {name}")),
            None => Ok(BTreeMap::new()),
        }
    }

    /// URIs of what has this role, each with the name of its link.
    pub fn uris(&self, role: Role) -> impl Iterator<Item = String> {
        self.resources
            .iter()
            .filter(move |resource| resource.role == role)
            .map(Resource::uri_with_name)
    }
}

/// A tool, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Looked for below `HADOOP_HOME`, then in `PATH`; the setting `hpdl.tool.NAME` has another file.
    pub name: &'static str,
    /// Whose it is, for people.
    pub system: &'static str,
}

/// What is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub command: Command,
    pub arguments: Vec<String>,
    /// On top of what every tool gets.
    pub environment: Vec<(String, String)>,
    /// Files of the folder, besides `action.xml`: name and text. They are for this user alone.
    pub files: Vec<(String, String)>,
    pub exit: Exit,
}

/// What an exit code other than 0 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Oozie's main class of that name ends with the code, which is the action's error code.
    Code { main: &'static str },
    /// Oozie's main class throws an exception: JA018. `{code}` is the exit code.
    Exception { message: &'static str },
    /// Oozie's main class throws what the program throws, JA018, and ends with the code that the program chooses. The
    /// program's runtime makes exit code 1 of an exception.
    CodeOrException { main: &'static str },
}

impl Exit {
    /// Whether it was an exception, by what the tool has said.
    pub fn judged(self, code: i32, words: &str) -> Exit {
        const REPORTS: [&str; 2] = [
            "Exception in thread \"main\" ",
            "Traceback (most recent call last)",
        ];
        let is_exception = code == 1 && REPORTS.iter().any(|report| words.contains(report));
        match self {
            Exit::CodeOrException { .. } if is_exception => Exit::Exception {
                message: "the application threw an exception",
            },
            Exit::CodeOrException { main } => Exit::Code { main },
            Exit::Code { .. } | Exit::Exception { .. } => self,
        }
    }

    /// The error of an exit code; `last` is what the tool said last.
    pub fn error(&self, code: i32, last: Option<&str>) -> ActionError {
        let (number, mut message) = match self {
            Exit::Code { main } => {
                let class = format!("org.apache.oozie.action.hadoop.{main}");
                (
                    code.to_string(),
                    format!("Main Class [{class}], exit code [{code}]"),
                )
            }
            Exit::Exception { message } => (
                "JA018".to_owned(),
                message.replace("{code}", &code.to_string()),
            ),
            Exit::CodeOrException { main } => return Exit::Code { main }.error(code, last),
        };
        if let Some(last) = last {
            message.push_str(": ");
            message.push_str(last);
        }
        ActionError::error(number, message)
    }
}

#[cfg(test)]
mod tests {
    use super::testing::{ground, tool};
    use hpdlc_program::table::ToolKind;

    #[test]
    fn an_installed_site_that_is_none_is_ja007() {
        let mut ground = ground(&tool(ToolKind::Hive, []));
        assert_eq!(ground.installed_site("hive-site.xml"), Ok([].into()));
        let text = "<configuration>".to_owned();
        ground.installed = [("hive-site.xml".to_owned(), text)].into();
        let error = ground.installed_site("hive-site.xml").unwrap_err();
        assert_eq!(error.code, "JA007");
    }
}

#[cfg(test)]
pub mod testing {
    //! Actions and folders for the tests of types.

    use super::*;
    use crate::{
        prepare::Prepare,
        tool::{configuration, tags::Tags},
    };
    use hpdlc_program::table::ToolKind;

    pub fn map<const N: usize>(list: [(&str, &str); N]) -> BTreeMap<String, String> {
        list.map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into()
    }

    /// An action with these elements, of user `ann` in application `daily`.
    pub fn tool<const N: usize>(kind: ToolKind, texts: [(&str, &str); N]) -> Tool {
        Tool {
            kind,
            texts: texts.into(),
            prepare: Prepare::default(),
            name_node: Some("hdfs://nn:8020".to_owned()),
            resource_manager: Some("rm:8032".to_owned()),
            configuration: BTreeMap::new(),
            settings: BTreeMap::new(),
            app_name: "daily".to_owned(),
            user: "ann".to_owned(),
            limit: None,
            tags: Tags::default(),
        }
    }

    /// What the tool's type finds: node `act` of job `0-W`, in the folder `/w`.
    pub fn ground(tool: &Tool) -> Ground {
        Ground {
            folder: PathBuf::from("/w"),
            app_folder: PathBuf::from("/app"),
            job_id: "0-W".to_owned(),
            node: "act".to_owned(),
            configuration: configuration::complete(tool, "0-W", "act", &["t1", "t2"]),
            resources: Vec::new(),
            jars: Vec::new(),
            site: BTreeMap::new(),
            found: None,
            installed: BTreeMap::new(),
        }
    }

    /// A file of the action.
    pub fn resource(uri: &str, name: &str, role: Role) -> Resource {
        Resource {
            uri: uri.to_owned(),
            name: name.to_owned(),
            role,
            is_of_tool: false,
        }
    }

    /// The call that the type makes.
    #[track_caller]
    pub fn call(tool: &Tool, ground: &Ground) -> Call {
        (tool.r#type().call)(tool, ground).expect("a command line")
    }
}
