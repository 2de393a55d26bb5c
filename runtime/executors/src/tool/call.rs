//! The description of an action type, and the command line that it makes of its texts: pure, so that each is tested as a table.

use std::{collections::BTreeMap, path::PathBuf};

use hpdlc_program::failure::ActionError;

use crate::{
    AttemptPlace,
    tool::{
        Tool, arguments,
        ids::IdPattern,
        resources::{Resource, ResourceRole},
        yarn::Counters,
    },
};

/// The path or the URI of a file that a type needs, if it needs one.
type FoundFile = Result<Option<String>, ActionError>;

/// A type of action. Most start from [`ToolType::new`].
#[derive(Clone, Copy, Debug)]
pub struct ToolType {
    /// How the tool works with the cluster.
    pub way: fn(&Tool) -> ClusterMode,
    pub command: Command,
    /// Builds the command line. Fails with JA018 if the texts are invalid.
    pub call: fn(&Tool, &ToolGround) -> Result<ToolCall, ActionError>,
    /// Patterns of lines in which the tool prints the ids of its applications.
    pub ids: &'static [IdPattern],
    pub exit: ExitMeaning,
    /// Locates the one file that the type needs, on the machine of the application; the action's resources are known. The result becomes
    /// [`ToolGround::found`].
    pub find: fn(&Tool, &AttemptPlace<'_>, &[Resource]) -> FoundFile,
    /// The same for a file that is installed with the tool, if [`ToolType::find`] finds none: on the machine of the tool, with the
    /// action's resources and JARs.
    pub find_installed: fn(&Tool, &[Resource], &[PathBuf]) -> FoundFile,
    /// What the site has for the tool, in files of the machine of the application.
    pub site_properties: fn(&Tool) -> Result<BTreeMap<String, String>, ActionError>,
    /// Whether the tool needs its files in its folder. Otherwise Hadoop copies them to the tasks, and only JARs are needed there.
    pub has_files_here: bool,
    /// Files that elements other than `file` name, as written: they are put into the folder under their own names.
    pub scripts: fn(&Tool) -> Vec<String>,
    /// The property of the job with the text of the script, where that was submitted with the job: the script is no file then
    /// (`ScriptLanguageActionExecutor.addScriptToCache`).
    pub sent_script: Option<&'static str>,
    /// Whether the action is one MapReduce job, whose id is its external id; others use that of their first application.
    pub is_job: bool,
    pub counters: Counted,
}

impl ToolType {
    /// A type without files, scripts and counters of its own.
    pub const fn new(
        way: fn(&Tool) -> ClusterMode,
        command: Command,
        call: fn(&Tool, &ToolGround) -> Result<ToolCall, ActionError>,
        ids: &'static [IdPattern],
        exit: ExitMeaning,
    ) -> ToolType {
        ToolType {
            way,
            command,
            call,
            ids,
            exit,
            find: |_, _, _| Ok(None),
            find_installed: |_, _, _| Ok(None),
            site_properties: |_| Ok(BTreeMap::new()),
            has_files_here: false,
            scripts: |_| Vec::new(),
            sent_script: None,
            is_job: false,
            counters: Counted::No,
        }
    }
}

/// What is stored for `hadoop:counters`.
#[derive(Clone, Copy, Debug)]
pub enum Counted {
    No,
    /// The sum of the counters of all jobs. A job that the history server does not know fails the action with this code.
    Sums {
        unknown: &'static str,
    },
    /// If the author asks for statistics: those made of the tool's output and the counters of its jobs.
    Statistics(fn(&str, &[(String, Counters)]) -> String),
}

/// How a tool works with the cluster, and so whether the work survives the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClusterMode {
    /// It submits one job and exits; the worker process waits for the job.
    Submits,
    /// It submits one job and waits for it; the job continues without it.
    Waits,
    /// It submits several jobs in sequence; without it, no more are submitted.
    Drives,
    /// It does the work itself.
    Alone,
}

impl ClusterMode {
    /// Whether applications may exist on the cluster.
    pub fn has_applications(self) -> bool {
        self != ClusterMode::Alone
    }

    /// Whether the work continues without the tool.
    pub fn outlives_tool(self) -> bool {
        matches!(self, ClusterMode::Submits | ClusterMode::Waits)
    }
}

/// The input of a type when its tool is to be started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolGround {
    /// The tool's working folder.
    pub folder: PathBuf,
    pub job_id: String,
    pub node: String,
    /// The action's configuration with Oozie's own properties; it is written to `action.xml` in the folder.
    pub configuration: BTreeMap<String, String>,
    /// `file`, `archive`, the application's `lib`, libraries: each name once.
    pub resources: Vec<Resource>,
    /// The JARs among them on this machine, in the order of the class path.
    pub jars: Vec<PathBuf>,
    /// The properties of Hadoop's own files, without those of the action.
    pub site: BTreeMap<String, String>,
    /// The result of the type's [`ToolType::find`], else of its [`ToolType::find_installed`].
    pub found: Option<String>,
    /// The result of the type's [`ToolType::site_properties`].
    pub site_properties: BTreeMap<String, String>,
    /// The tool's installed configuration files: texts by name.
    pub installed: BTreeMap<String, String>,
}

impl ToolGround {
    /// The tags of every application, separated by commas.
    pub fn tags(&self) -> &str {
        self.configuration
            .get("mapreduce.job.tags")
            .map_or("", String::as_str)
    }

    /// The path of the action's configuration.
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

    /// An installed file, to be written into the folder.
    pub fn installed_file(&self, name: &str) -> Option<(String, String)> {
        let text = self.installed.get(name)?;
        Some((name.to_owned(), text.clone()))
    }

    /// The properties of an installed Hadoop configuration file; empty if it does not exist.
    ///
    /// # Errors
    ///
    /// JA007: it is not valid.
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

    /// The properties of an installed Java properties file; empty if it does not exist.
    ///
    /// # Errors
    ///
    /// JA018: it is not valid.
    pub fn installed_properties(
        &self,
        name: &str,
    ) -> Result<BTreeMap<String, String>, ActionError> {
        match self.installed.get(name) {
            Some(text) => arguments::properties(text.as_bytes(), &format!("the installed {name}")),
            None => Ok(BTreeMap::new()),
        }
    }

    /// URIs of the resources with this role, each with the name of its link.
    pub fn uris(&self, role: ResourceRole) -> impl Iterator<Item = String> {
        self.resources
            .iter()
            .filter(move |resource| resource.role == role)
            .map(Resource::uri_with_name)
    }
}

/// The program of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Searched in `PATH`, then in `bin` below `NAME_HOME` or the system's home; the setting `hpdl.tool.NAME` overrides it.
    pub name: &'static str,
    /// The system that it is part of, for messages.
    pub system: &'static str,
}

/// How the type's command is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ToolCall {
    pub arguments: Vec<String>,
    /// In addition to what every tool gets.
    pub environment: Vec<(String, String)>,
    /// Files in the folder besides `action.xml`: name and text. Only this user can read them.
    pub files: Vec<(String, String)>,
}

/// The meaning of an exit code other than 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitMeaning {
    /// Oozie's main class of that name exits with the code, which becomes the action's error code.
    Code { main: &'static str },
    /// Oozie's main class throws an exception: JA018. `{code}` is the exit code.
    Exception { message: &'static str },
    /// Oozie's main class rethrows what the program throws, JA018, and exits with the code that the program chooses. The
    /// program's runtime reports an exception with exit code 1.
    CodeOrException { main: &'static str },
}

impl ExitMeaning {
    /// Whether it was an exception, by the tool's output.
    pub fn judged(self, code: i32, words: &str) -> ExitMeaning {
        const REPORTS: [&str; 2] = [
            "Exception in thread \"main\" ",
            "Traceback (most recent call last)",
        ];
        let is_exception = code == 1 && REPORTS.iter().any(|report| words.contains(report));
        match self {
            ExitMeaning::CodeOrException { .. } if is_exception => ExitMeaning::Exception {
                message: "the application threw an exception",
            },
            ExitMeaning::CodeOrException { main } => ExitMeaning::Code { main },
            ExitMeaning::Code { .. } | ExitMeaning::Exception { .. } => self,
        }
    }

    /// The error of an exit code; `last` is the last line of the tool's output.
    pub fn error(&self, code: i32, last: Option<&str>) -> ActionError {
        let (number, mut message) = match self {
            ExitMeaning::Code { main } => {
                let class = format!("org.apache.oozie.action.hadoop.{main}");
                (
                    code.to_string(),
                    format!("Main Class [{class}], exit code [{code}]"),
                )
            }
            ExitMeaning::Exception { message } => (
                "JA018".to_owned(),
                message.replace("{code}", &code.to_string()),
            ),
            ExitMeaning::CodeOrException { main } => {
                return ExitMeaning::Code { main }.error(code, last);
            }
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
    use crate::ToolKind;

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
    use crate::ToolKind;
    use crate::{
        prepare::Prepare,
        tool::{configuration, tags::Tags},
    };

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

    /// The input of the tool's type: node `act` of job `0-W`, in the folder `/w`.
    pub fn ground(tool: &Tool) -> ToolGround {
        ToolGround {
            folder: PathBuf::from("/w"),
            job_id: "0-W".to_owned(),
            node: "act".to_owned(),
            configuration: configuration::complete(tool, "0-W", "act", &["t1", "t2"]),
            resources: Vec::new(),
            jars: Vec::new(),
            site: BTreeMap::new(),
            found: None,
            site_properties: BTreeMap::new(),
            installed: BTreeMap::new(),
        }
    }

    /// A resource of the action.
    pub fn resource(uri: &str, name: &str, role: ResourceRole) -> Resource {
        Resource {
            uri: uri.to_owned(),
            name: name.to_owned(),
            role,
            is_of_tool: false,
        }
    }

    /// The call that the type makes.
    #[track_caller]
    pub fn call(tool: &Tool, ground: &ToolGround) -> ToolCall {
        (tool.r#type().call)(tool, ground).expect("a command line")
    }
}
