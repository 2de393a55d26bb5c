//! Actions that run a tool of Hadoop, or of a system on it: `hadoop`, `mapred`, `pig`, `hive`, `beeline`, `spark-submit`,
//! `sqoop`, as installed on this machine (`JavaActionExecutor` and its subclasses).
//!
//! Oozie sends a launcher to the cluster, which runs the tool's main class. Here the worker process does that: it creates the folder
//! that the launcher would have, starts the tool in it, and determines the outcome on the cluster. What a type adds is
//! pure, a function from evaluated texts to a command line ([`ToolType`]). With `hpdl.launcher=yarn` the two halves of a start are on two
//! machines: the action's own files are gathered beside the application ([`Supplies`]), and the tool is found on a node, with what is
//! installed there ([`ReadyTool`]).
//!
//! | code | class | the action |
//! |---|---|---|
//! | `JA001` | transient | finds no such host |
//! | `JA002` | non-transient | has no permission |
//! | `JA003`, `JA004` | non-transient | finds the disk, or its quota, used up |
//! | `JA005` | non-transient | finds the name node in safe mode |
//! | `JA006` | transient | gets no answer |
//! | `JA007` | error | has a configuration that is no XML |
//! | `JA008` | error | names a file that is missing |
//! | `JA009` | transient | has trouble with files or connections |
//! | `JA010` | failed | sets a property that it may not set |
//! | `JA017` | failed | has started an application that the cluster does not know |
//! | `JA018` | error | failed, before or in the tool |
//! | `MR002`, `SQOOP001` | failed | has succeeded with a job that the history server does not know |
//! | a number | error | ended with that exit code |
//! | `HPDL_TIMEOUT` | error | exceeded its time limit |
//!
//! `JA001` to `JA009` are reported only if nothing was started: nothing is done twice.

use std::collections::BTreeMap;

use hpdlc_host::settings::LOST;
use hpdlc_launcher::{Attempt, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{ActionDef, Settings},
};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Evaluation, Executor, RunsIn, ToolKind, empty_parts,
    launcher_choice::Launcher,
    launcher_config::LauncherConfig,
    prepare::Prepare,
    time_limit,
    worker_process::{WorkContext, WorkError, WorkResult},
};

mod applications;
mod arguments;
mod call;
mod client;
pub(crate) mod cluster;
pub(crate) mod cluster_settings;
mod configuration;
mod distcp;
mod failure;
mod hive;
mod hive2;
mod ids;
mod installed;
mod libraries;
mod log4j;
mod map_reduce;
mod pig;
mod ready;
mod resources;
mod run;
mod spark;
mod sqoop;
mod state;
mod supplies;
mod tags;
mod texts;
pub(crate) mod yarn;

pub use self::{
    applications::Applications,
    call::{ClusterMode, Command, Counted, ExitMeaning, ToolCall, ToolGround, ToolType},
    client::{ToolExit, write_files},
    ready::{ReadyTool, ToolMachine},
    resources::{Resource, ResourceRole},
    run::ToolRun,
    supplies::Supplies,
    texts::ElementTexts,
};

#[cfg(test)]
pub(crate) use self::call::testing;
use self::{
    cluster_settings::{ClusterSettings, PROXY},
    tags::Tags,
};

/// Prefixes of the job's and the site's settings that such an action uses.
const SETTINGS: [&str; 19] = [
    "group.name",
    "hpdl.action.timeout",
    "hpdl.hadoop.",
    "hpdl.hive2.",
    "hpdl.kill.grace",
    "hpdl.launcher",
    PROXY,
    "hpdl.sharelib.",
    "hpdl.tool.",
    "hpdl.yarn.",
    "oozie.action.",
    "oozie.job.acl",
    "oozie.hive.script",
    "oozie.launcher.",
    "oozie.libpath",
    "oozie.pig.script",
    "oozie.service.SparkConfigurationService.",
    "oozie.service.WorkflowAppService.system.libpath",
    "oozie.use.system.libpath",
];

/// Such an action with every expression evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    pub kind: ToolKind,
    pub texts: ElementTexts,
    pub prepare: Prepare,
    pub name_node: Option<String>,
    /// `local` for none.
    pub resource_manager: Option<String>,
    /// As written; Oozie's own properties are added when the tool is started.
    pub configuration: BTreeMap<String, String>,
    /// Those that match [`SETTINGS`]; the job's override the site's.
    pub settings: BTreeMap<String, String>,
    /// The application's name.
    pub app_name: String,
    /// The owner of jobs and files on the cluster.
    pub user: String,
    /// Time limit of the action.
    pub limit: Option<TimeLimit>,
    #[serde(default)]
    tags: Tags,
}

impl Tool {
    /// `of_proposal`: by the rules of the proposal of 2009, which lets the configuration name the cluster and the user.
    ///
    /// # Errors
    ///
    /// The first template that has no value, or a configuration that is not allowed.
    pub fn evaluate(
        cx: &Evaluation<'_>,
        kind: ToolKind,
        def: &'static dyn ActionDef,
        of_proposal: bool,
    ) -> Result<Tool, ActionError> {
        let settings = def.settings().unwrap_or(&Settings::EMPTY);
        let operations = def.prepare().unwrap_or_default();
        let mut configuration = cx.effective_configuration(settings)?;
        let mut or_property = |text: Option<String>, property: &str| {
            let of_configuration = of_proposal
                .then(|| configuration.remove(property))
                .flatten();
            let text = text.or(of_configuration);
            let text = text.map(|text| text.trim().to_owned());
            text.filter(|text| !text.is_empty())
        };
        let name_node = or_property(cx.name_node(settings)?, configuration::FILE_SYSTEM);
        let resource_manager =
            or_property(cx.resource_manager(settings)?, configuration::JOB_TRACKER);
        if of_proposal {
            for (value, name) in [
                (&name_node, configuration::FILE_SYSTEM),
                (&resource_manager, configuration::JOB_TRACKER),
            ] {
                if value.is_none() {
                    let problem = format!("{name} is neither in the configuration nor in job-xml");
                    return Err(ActionError::failed("E0701", problem));
                }
            }
        }
        let own_user = of_proposal
            .then(|| configuration.remove(configuration::USER))
            .flatten();
        configuration::refuse_forbidden(&configuration)?;
        let mut texts = ElementTexts::default();
        for (name, elements) in def.elements() {
            for text in cx.texts(elements)? {
                texts.push(name, text);
            }
        }
        let settings: BTreeMap<String, String> = cx
            .site
            .iter()
            .chain(cx.conf)
            .filter(|(name, _)| SETTINGS.iter().any(|start| name.starts_with(start)))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        let limit = time_limit::time_limit(&|name| cx.action_setting(&configuration, name))?;
        empty_parts::refuse(cx, empty_parts::of_prepare(operations))?;
        let mut prepare = Prepare::evaluate(operations, cx.scope)?;
        prepare.glob_max = cx.glob_max();
        prepare.access = cx.access.settings.clone().with(&configuration);
        let job = cx
            .scope
            .job()
            .map_err(|error| ActionError::failed("E0701", error.to_string()))?;
        let user = own_user.or_else(|| prepare.access.user.clone());
        Ok(Tool {
            kind,
            texts,
            prepare: match &name_node {
                Some(name_node) => prepare.on(name_node),
                None => prepare,
            },
            name_node,
            resource_manager,
            configuration,
            settings,
            app_name: job.name.clone(),
            user: user.unwrap_or_else(|| job.user.clone()),
            limit,
            tags: Tags::evaluate(cx)?,
        })
    }

    /// The description of the type.
    pub fn r#type(&self) -> &'static ToolType {
        Tool::type_of(self.kind)
    }

    fn type_of(kind: ToolKind) -> &'static ToolType {
        match kind {
            ToolKind::Distcp => &distcp::TYPE,
            ToolKind::MapReduce => &map_reduce::classes::TYPE,
            ToolKind::Streaming => &map_reduce::streaming::TYPE,
            ToolKind::Pipes => &map_reduce::pipes::TYPE,
            ToolKind::Hive => &hive::TYPE,
            ToolKind::Hive2 => &hive2::TYPE,
            ToolKind::Pig => &pig::TYPE,
            ToolKind::Spark => &spark::TYPE,
            ToolKind::Sqoop => &sqoop::TYPE,
        }
    }

    /// The applications that a text of the tool names.
    pub fn applications_in(kind: ToolKind, text: &str) -> Vec<String> {
        let jobs = ids::jobs_in(text, Tool::type_of(kind).ids);
        jobs.iter().map(|job| ids::application(job)).collect()
    }

    /// Its cluster and the tags of its applications; `None` if no cluster is known.
    pub fn applications(&self) -> Option<Applications> {
        let manager = self.resource_manager.as_deref();
        Applications::of(self.tags.clone(), manager, self.settings.iter())
    }

    /// Oozie's tag of the action, and the one of the attempt.
    pub fn both_tags(&self, place: &AttemptPlace<'_>) -> [String; 2] {
        let of_oozie = self.tags.of_oozie(place.job_id, place.node);
        [of_oozie, self.tags.own(place.job_id, place.attempt)]
    }

    /// The script with its text, if that was submitted with the job.
    fn sent_scripts(&self) -> Vec<(String, String)> {
        let r#type = self.r#type();
        let text = r#type.sent_script.and_then(|name| self.settings.get(name));
        let Some(text) = text.filter(|text| !text.trim().is_empty()) else {
            return Vec::new();
        };
        let scripts = (r#type.scripts)(self).into_iter();
        scripts
            .map(|script| {
                let name = hive::script_name(&script).to_owned();
                (name, format!("{text}\n"))
            })
            .collect()
    }

    fn said(&self) -> ClusterSettings<'_> {
        ClusterSettings {
            configuration: &self.configuration,
            settings: &self.settings,
            resource_manager: self.resource_manager.as_deref(),
            user: &self.user,
        }
    }

    /// A setting of the action, else of the job, else of the site.
    pub fn setting(&self, name: &str) -> Option<&str> {
        self.said().setting(name)
    }

    /// Whether a setting is `true`.
    pub fn is_set(&self, name: &str) -> bool {
        self.setting(name)
            .is_some_and(|value| value.eq_ignore_ascii_case("true"))
    }

    /// The settings for Oozie's launcher.
    ///
    /// # Errors
    ///
    /// As [`LauncherConfig::of`].
    pub fn launcher_config(&self) -> Result<LauncherConfig, ActionError> {
        LauncherConfig::of(&|name| self.setting(name).map(str::to_owned))
    }
}

impl Executor for Tool {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Worker
    }

    fn when_lost(&self) -> Option<&str> {
        self.configuration.get(LOST).map(String::as_str)
    }

    fn goes_on_elsewhere(&self) -> bool {
        true
    }

    /// Starts the tool, or finds the job that it has started, and waits for the end.
    fn carry(&self, context: &WorkContext<'_>) -> Option<Result<WorkResult, WorkError>> {
        Some(ToolRun::new(self, context, Launcher::Local).and_then(ToolRun::carry))
    }

    /// Removes what the action put on the cluster's file system.
    fn tidy_up(&self, context: &WorkContext<'_>) {
        if !self.is_set("oozie.action.keep.action.dir") {
            resources::remove_action_folder(self, &context.place);
        }
    }

    /// Ends the applications of an attempt.
    fn kill_elsewhere(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        cluster::Cluster::of(self)
            .map_err(|error| error.message)?
            .kill(self, &self.tags.own(job, attempt), attempt)
    }
}
