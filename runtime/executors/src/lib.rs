//! Action types: how each is evaluated, started and judged. One file a type.
//!
//! An action's templates are evaluated once an attempt into [`Work`], which is recorded with the intent to start. A started
//! or recovered attempt uses the recorded values, never the templates again.

use std::{collections::BTreeMap, io, iter, path::Path, sync::atomic::AtomicBool};

use hpdlc_core::el::scope::Scope;
use serde::{Deserialize, Serialize};

use hpdlc_files::{Access, GLOB_MAX};
#[cfg(feature = "full")]
use hpdlc_host::home::Home;
use hpdlc_launcher::{Attempt, ExitRecord, Found, StartRequest, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{self, App, Body, Program, Properties, Property, Settings, Template},
};

mod archives;
pub mod callbacks;
pub mod configuration;
pub mod courier;
pub mod email;
pub mod empty_parts;
mod environment;
mod fetch;
pub mod fs;
pub mod git;
pub mod http;
pub mod inherited;
pub mod java;
pub mod pig_host;
pub mod prepare;
pub mod process;
pub mod shell;
pub mod ssh;
pub mod sub_workflow;
#[cfg(feature = "full")]
pub mod tool;
#[cfg(not(feature = "full"))]
#[path = "no_tool.rs"]
pub mod tool;
mod wishes;

use self::courier::{Delivery, Trip, Trouble};

/// What an evaluation has to go by.
pub struct Evaluation<'a> {
    pub program: &'static Program,
    pub app: &'static App,
    pub scope: &'a dyn Scope,
    /// The job's properties.
    pub conf: &'a BTreeMap<String, String>,
    /// Site settings, below the job's properties.
    pub site: &'a BTreeMap<String, String>,
    pub root: sub_workflow::Root<'a>,
    /// The action's node.
    pub node: &'a str,
    /// The job that has started this one, or the action of a coordinator that has.
    pub parent: Option<&'a str>,
    /// Where the application's files are unpacked.
    pub app_folder: &'a Path,
    /// The state folder.
    #[cfg(feature = "full")]
    pub home: &'a Home,
    /// The way to files elsewhere.
    pub access: &'a Access<'a>,
}

impl Evaluation<'_> {
    /// A setting by Oozie's name: the job's property, else the site's.
    pub fn setting(&self, name: &str) -> Option<String> {
        self.conf.get(name).or_else(|| self.site.get(name)).cloned()
    }

    /// A setting of an action with this configuration, which says it before the job and the site do.
    pub fn action_setting(
        &self,
        configuration: &BTreeMap<String, String>,
        name: &str,
    ) -> Option<String> {
        let own = configuration.get(name).cloned();
        own.or_else(|| self.setting(name))
    }

    /// More files than this that match one pattern are an error (`oozie.action.fs.glob.max`).
    pub fn glob_max(&self) -> usize {
        self.setting("oozie.action.fs.glob.max")
            .and_then(|max| max.trim().parse().ok())
            .unwrap_or(GLOB_MAX)
    }

    /// The most bytes of captured output (`oozie.action.max.output.data`; Oozie's default is 2,048).
    pub fn max_output(&self) -> u64 {
        self.setting("oozie.action.max.output.data")
            .and_then(|limit| limit.trim().parse().ok())
            .unwrap_or(process::MAX_OUTPUT)
    }

    pub fn texts(
        &self,
        templates: impl Iterator<Item = Template>,
    ) -> Result<Vec<String>, ActionError> {
        templates
            .map(|text| Ok(text.evaluate(self.scope)?))
            .collect()
    }
}

/// The evaluated body of an action: what an attempt is started with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Work {
    Email(email::Email),
    Fs(fs::Fs),
    Git(git::Git),
    Http(http::Http),
    Java(java::Java),
    Shell(shell::Shell),
    Ssh(ssh::Ssh),
    SubWorkflow(sub_workflow::SubWorkflow),
    Tool(Box<tool::Tool>),
}

impl Work {
    /// Whether starting it may take long: it works on files of any number, or looks for them.
    pub fn is_slow_to_start(&self) -> bool {
        match self {
            Work::Shell(shell) => shell.is_slow_to_set_up(),
            Work::Fs(_) | Work::Git(_) | Work::Java(_) => true,
            Work::SubWorkflow(child) => child.is_elsewhere(),
            Work::Email(_) | Work::Http(_) | Work::Ssh(_) | Work::Tool(_) => false,
        }
    }

    /// Whether a local process does the work: one that the launcher starts and keeps.
    pub fn is_process(&self) -> bool {
        match self {
            Work::Java(_) | Work::Shell(_) => true,
            Work::Fs(_) => false,
            Work::Email(_) | Work::Git(_) | Work::Http(_) | Work::Ssh(_) | Work::Tool(_) => true,
            Work::SubWorkflow(child) => child.is_elsewhere(),
        }
    }

    /// Whether that process is a [`courier`].
    fn is_carried(&self) -> bool {
        match self {
            Work::Email(_) | Work::Git(_) | Work::Http(_) | Work::Ssh(_) | Work::Tool(_) => true,
            Work::SubWorkflow(child) => child.is_elsewhere(),
            Work::Fs(_) | Work::Java(_) | Work::Shell(_) => false,
        }
    }

    /// Whether something runs elsewhere, which neither the end of the local process ends nor another process begins anew.
    pub fn goes_on_elsewhere(&self) -> bool {
        match self {
            Work::Ssh(_) | Work::Tool(_) => true,
            Work::SubWorkflow(child) => child.is_elsewhere(),
            _ => false,
        }
    }

    /// Whether there may be something elsewhere that the end of the local process does not end.
    pub fn may_go_on_elsewhere(&self) -> bool {
        match self {
            Work::Java(java) => java.setting.applications.is_some(),
            Work::Shell(shell) => shell.setting.applications.is_some(),
            _ => self.goes_on_elsewhere(),
        }
    }

    /// What its external id is where it has ended without another one; the number of its process where it is `None`.
    fn name_elsewhere(&self) -> Option<&'static str> {
        match self {
            // `EmailActionExecutor` says so before it does anything.
            Work::Email(_) => Some(email::EXTERNAL_ID),
            _ => None,
        }
    }

    /// What a launcher can make ready before the intent to start is on disk.
    pub fn hold(&self, place: &Place<'_>) -> Option<StartRequest> {
        match self {
            Work::Shell(shell) if !self.is_slow_to_start() => shell.hold(place).ok(),
            _ => None,
        }
    }

    /// Sets up the folder and says what the launcher is to start.
    pub fn start(&self, place: &Place<'_>) -> Result<StartRequest, StartError> {
        match self {
            Work::Shell(shell) => shell.start(place),
            Work::Java(java) => java.start(place),
            Work::Git(git) => git.start(place, self),
            Work::Tool(tool) => tool.start(place, self),
            Work::Email(_) | Work::Http(_) | Work::Ssh(_) | Work::SubWorkflow(_) => {
                process::make_empty_folder(place.attempt.folder())?;
                courier::request(place, self, self.courier_limit())
            }
            Work::Fs(_) => {
                unreachable!("only local processes are started through the launcher")
            }
        }
    }

    /// How long the launcher lets the courier run. One whose work goes on elsewhere sees to its limit itself: that has to be
    /// ended too.
    fn courier_limit(&self) -> Option<TimeLimit> {
        match self {
            Work::Email(email) => email.limit,
            Work::Http(http) => http.limit,
            Work::Git(git) => git.setting.limit,
            Work::Ssh(_) | Work::SubWorkflow(_) | Work::Tool(_) => None,
            // No couriers.
            Work::Fs(_) | Work::Java(_) | Work::Shell(_) => None,
        }
    }

    /// Does the work, if every program can do it. Blocks.
    fn carry(&self, trip: &Trip<'_>) -> Option<Result<Delivery, Trouble>> {
        match self {
            Work::Git(git) => Some(git.carry(trip)),
            Work::Ssh(ssh) => Some(ssh.carry(trip)),
            Work::Tool(tool) => Some(tool.carry(trip)),
            _ => None,
        }
    }

    /// Removes what the work needed elsewhere, after its end is on record.
    fn tidy_up(&self, trip: &Trip<'_>) {
        match self {
            Work::Ssh(ssh) => ssh.tidy_up(trip),
            Work::Tool(tool) => tool.tidy_up(trip),
            _ => {}
        }
    }

    /// Ends what runs elsewhere, where that is no job of another executable. Blocks.
    ///
    /// # Errors
    ///
    /// Why it may go on, for a person.
    pub fn kill_elsewhere(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        match self {
            Work::Java(java) => java.setting.end_applications(job, attempt),
            Work::Shell(shell) => shell.setting.end_applications(job, attempt),
            Work::Ssh(ssh) => ssh.kill(attempt),
            Work::Tool(tool) => tool.kill(job, attempt),
            _ => Ok(()),
        }
    }

    /// Ends what earlier attempts have started of which nobody knows how they ended. Blocks.
    ///
    /// # Errors
    ///
    /// Why some of it may go on, for a person.
    pub fn end_lost(&self, job: &str, attempt: &Attempt) -> Result<(), String> {
        let setting = match self {
            Work::Java(java) => &java.setting,
            Work::Shell(shell) => &shell.setting,
            _ => return Ok(()),
        };
        if setting.applications.is_none() {
            return Ok(());
        }
        iter::successors(attempt.earlier(), Attempt::earlier)
            .filter(|attempt| matches!(attempt.inspect(), Ok(Found::Lost(_))))
            .try_for_each(|attempt| setting.end_applications(job, &attempt))
    }
}

/// Evaluates every template of an action.
pub fn evaluate(cx: &Evaluation<'_>, body: &'static Body) -> Result<Work, ActionError> {
    Ok(match body {
        Body::Fs(def) => {
            empty_parts::refuse(cx, empty_parts::of_fs(def.operations))?;
            let mut evaluated = fs::Fs::evaluate(def, cx.scope)?;
            if evaluated.name_node.is_none() {
                let inherited = cx.name_node(&def.settings)?;
                evaluated.name_node = inherited.map(|text| fs::trim(&text).to_owned());
            }
            evaluated.glob_max = cx.glob_max();
            evaluated.access = cx.access.settings.clone();
            evaluated.limit = fs_limit(cx, def)?;
            // Local files have no settings.
            if cfg!(feature = "full") {
                let configuration = cx.effective_configuration(&def.settings)?;
                evaluated.access = evaluated.access.with(&configuration);
            }
            Work::Fs(evaluated)
        }
        Body::Email(def) => Work::Email(email::Email::evaluate(cx, def)?),
        Body::Git(def) => Work::Git(git::Git::evaluate(cx, def)?),
        Body::Http(def) => Work::Http(http::Http::evaluate(cx, def)?),
        Body::Java(def) => Work::Java(java::Java::evaluate(cx, def)?),
        Body::PigHost(def) => Work::Ssh(pig_host::evaluate(cx, def)?),
        Body::Ssh(def) => Work::Ssh(ssh::Ssh::evaluate(cx, def)?),
        Body::Shell(def) => Work::Shell(shell::Shell::evaluate(cx, def)?),
        Body::SubWorkflow(def) => Work::SubWorkflow(sub_workflow::SubWorkflow::evaluate(cx, def)?),
        Body::Tool(def) => Work::Tool(Box::new(tool::Tool::evaluate(cx, def)?)),
        Body::Custom(custom) => {
            let problem = format!(
                "this executable has no executor for the type {}",
                custom.type_name
            );
            return Err(ActionError::failed("E0723", problem));
        }
    })
}

/// How long an `fs` action may take. Of its configuration nothing else has an effect on local files, so that only this is read.
fn fs_limit(cx: &Evaluation<'_>, def: &table::Fs) -> Result<Option<TimeLimit>, ActionError> {
    let own = Properties::each(def.settings.configuration)
        .filter(|property| property.name() == process::TIMEOUT)
        .last();
    let own = match own {
        Some(property) => Some(property.value().evaluate(cx.scope)?),
        None => None,
    };
    process::time_limit(&|name| {
        let own = own.clone().filter(|_| name == process::TIMEOUT);
        own.or_else(|| cx.setting(name))
    })
}

/// Evaluating the body may take long: it reads files.
pub fn is_blocking(app: &App, body: &Body, conf: &BTreeMap<String, String>) -> bool {
    if conf.contains_key(inherited::PROPERTY) {
        // It may name files of properties.
        return true;
    }
    let settings = |settings: &Settings| {
        settings.element("job-xml").is_some() || texts(app, settings).any(|text| text.is_blocking())
    };
    let prepare = |operations: &[table::PrepareOperation]| {
        operations.iter().any(|operation| match operation {
            table::PrepareOperation::Delete(path) | table::PrepareOperation::Mkdir(path) => {
                path.is_blocking()
            }
        })
    };
    match body {
        Body::Email(def) => blocks(def.settings.elements),
        Body::Fs(def) => fs::is_blocking(def),
        Body::Git(def) => settings(&def.settings) || prepare(def.prepare),
        Body::Http(def) => blocks(def.settings.elements),
        // It reads its script.
        Body::PigHost(_) => true,
        Body::Ssh(def) => blocks(def.settings.elements),
        Body::Java(def) => settings(&def.settings) || prepare(def.prepare),
        Body::Shell(def) => settings(&def.settings) || prepare(def.prepare),
        Body::SubWorkflow(def) => settings(&def.settings),
        Body::Tool(def) => settings(&def.settings) || prepare(def.prepare),
        Body::Custom(_) => false,
    }
}

/// Whether the values of a body are the same whenever it is evaluated. Only of `shell` is it asked.
pub fn is_constant(app: &App, body: &Body) -> bool {
    match body {
        Body::Shell(def) => texts(app, &def.settings).all(|text| text.is_constant()),
        _ => false,
    }
}

/// The texts of an action, and those that it inherits.
fn texts(app: &App, settings: &Settings) -> impl Iterator<Item = Template> {
    let layers = [
        settings.elements,
        app.config_default,
        app.global,
        settings.configuration,
    ];
    layers.into_iter().flat_map(templates)
}

fn templates(layer: &'static [Properties]) -> impl Iterator<Item = Template> {
    Properties::each(layer).flat_map(Property::templates)
}

fn blocks(layer: &'static [Properties]) -> bool {
    templates(layer).any(|template| template.is_blocking())
}

/// Where an attempt of an action happens.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub job_id: &'a str,
    pub node: &'a str,
    pub attempt: &'a Attempt,
    /// Where the application's files are unpacked.
    pub app_folder: &'a Path,
    /// `wf:appPath()` of the job.
    pub app_path: &'a str,
    /// The state folder.
    pub home: &'a Path,
    /// Set when the job is killed: long work stops.
    pub is_canceled: &'a AtomicBool,
}

impl Place<'_> {
    /// What the launcher is to start.
    fn request(
        &self,
        program: &Path,
        argv: Vec<String>,
        env: Vec<(String, Option<String>)>,
        action_xml: Option<String>,
        limit: Option<TimeLimit>,
    ) -> Result<StartRequest, StartError> {
        let text = |path: &Path| {
            path.to_str().map(str::to_owned).ok_or_else(|| {
                let problem = format!("{} is not valid UTF-8", path.display());
                StartError::from(ActionError::error("JA009", problem))
            })
        };
        Ok(StartRequest {
            attempt: text(self.attempt.folder())?,
            program: text(program)?,
            argv,
            env,
            action_xml,
            limit,
        })
    }
}

/// Why an attempt was not started.
#[derive(Debug)]
pub enum StartError {
    /// The action's own failure.
    Action(ActionError),
    /// The machine failed us: the attempt is as good as not begun.
    Machine(String),
}

impl StartError {
    fn machine(path: &Path, error: &io::Error) -> StartError {
        StartError::Machine(format!("{}: {error}", path.display()))
    }
}

impl From<ActionError> for StartError {
    fn from(error: ActionError) -> StartError {
        StartError::Action(error)
    }
}

/// How the work of an attempt ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    pub error: Option<ActionError>,
    /// By which the work is known elsewhere; `None` leaves what is known.
    pub external_id: Option<String>,
    pub external_status: String,
    /// What `wf:actionData` gives.
    pub data: BTreeMap<String, String>,
    /// For the job's log.
    pub warnings: Vec<String>,
}

impl Completion {
    pub fn ok(external_status: &str) -> Completion {
        Completion {
            error: None,
            external_id: None,
            external_status: external_status.to_owned(),
            data: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }

    pub fn failed(error: ActionError, external_status: &str) -> Completion {
        Completion {
            error: Some(error),
            external_id: None,
            external_status: external_status.to_owned(),
            data: BTreeMap::new(),
            warnings: Vec::new(),
        }
    }
}

/// What became of a local process that has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    Completed(Completion),
    /// Nobody can say whether it has done its work.
    Lost(String),
}

/// Judges a local process that has ended.
pub fn finish(
    work: &Work,
    job: &str,
    attempt: &Attempt,
    record: &ExitRecord,
) -> io::Result<Ending> {
    match work {
        Work::Java(java) => {
            let completion = java.finish(attempt, record)?;
            let completion = java.setting.warned(completion, job, attempt, record);
            Ok(Ending::Completed(completion))
        }
        Work::Shell(shell) => {
            let completion = shell.finish(attempt, record)?;
            let completion = shell.setting.warned(completion, job, attempt, record);
            Ok(Ending::Completed(completion))
        }
        Work::Email(_)
        | Work::Git(_)
        | Work::Http(_)
        | Work::Ssh(_)
        | Work::SubWorkflow(_)
        | Work::Tool(_) => courier::ending(attempt, record),
        Work::Fs(_) => Ok(Ending::Completed(Completion::ok("OK"))),
    }
}

/// What an attempt has left whose process nobody saw ending.
pub fn left(work: &Work, attempt: &Attempt) -> io::Result<Option<Ending>> {
    if work.is_carried() {
        courier::left(attempt)
    } else {
        Ok(None)
    }
}
