// Compiled by hpdlc from `hazards/workflow.xml`.

use ::hpdlc_runtime::{Finished, RunError, Runtime};
use ::hpdlc_runtime::table::{Child, Entry, Program};

/// The application of `hazards/workflow.xml`.
mod hazards;
/// The application of `hazards/child/workflow.xml`.
mod golden_hazards;
/// The files of the application.
mod files;

/// The compiled program: graph, expressions and files.
pub static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "0123456789abcdef",
    entry: Entry::Workflow,
    apps: &[&hazards::APP, &golden_hazards::APP],
    coordinators: &[],
    children: &[Child { uri: "${wf:appPath()}/child", app: 1 }],
    files: &files::FILES,
};

/// Runs a new job to its end.
///
/// # Errors
///
/// The job could not be run, or not be followed to its end. A job that was killed or has failed is a result.
pub fn run(runtime: &Runtime, params: Params) -> Result<Finished, RunError> {
    runtime.run(&PROGRAM, params.properties())
}

/// Recovers the jobs whose process has died, and drives them until none of them runs.
///
/// # Errors
///
/// The store or the machine fails.
pub fn recover(runtime: &Runtime) -> Result<Vec<Finished>, RunError> {
    runtime.recover(&PROGRAM)
}

/// Does what the arguments of this process ask for: `run`, `submit`, `info` and the others.
pub fn command_line(runtime: &Runtime) -> ::std::process::ExitCode {
    runtime.command_line(&PROGRAM)
}

/// The properties of a job of `hazards/workflow.xml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Params {
    /// `blank`, by default empty; used in `hazards/workflow.xml:91`.
    pub blank: Option<String>,
    /// `day`, required; used in `hazards/workflow.xml:164` and `hazards/workflow.xml:198`.
    pub day: String,
    /// `flag`, by default `false`; used in `hazards/workflow.xml:45`, `hazards/workflow.xml:47`, `hazards/workflow.xml:103` and 1 more.
    pub flag: Option<bool>,
    /// `größe.in-MB`, by default `10`; used in `hazards/workflow.xml:43`, `hazards/workflow.xml:48`, `hazards/workflow.xml:63` and 1 more.
    pub gr_e_in_mb: Option<f64>,
    /// `input-dir`, by default `a`; used in `hazards/workflow.xml:98`.
    pub input_dir: Option<String>,
    /// `inputDir`, by default `b`; used in `hazards/workflow.xml:97` and `hazards/workflow.xml:98`.
    pub input_dir_2: Option<String>,
    /// `name`, required; used in `hazards/workflow.xml:3`.
    pub name: f64,
    /// `nameNode`, required; used in `hazards/workflow.xml:30`, `hazards/workflow.xml:44`, `hazards/workflow.xml:56` and 3 more.
    pub name_node: String,
    /// `quoted`, by default `"{r#"\"}"`; used in `hazards/workflow.xml:90`.
    pub quoted: Option<String>,
    /// `retries`, required; used in `hazards/workflow.xml:52`.
    pub retries: i64,
    /// `title`, required; used in `hazards/workflow.xml:167`.
    pub title: String,
    /// `type`, required; used in `hazards/workflow.xml:31`, `hazards/workflow.xml:43`, `hazards/workflow.xml:48` and 10 more.
    pub type_: f64,
    /// `wf`, required; used in `hazards/workflow.xml:3`.
    pub wf: f64,
}

impl Params {
    /// The properties that are set, by name.
    pub fn properties(&self) -> Vec<(&'static str, String)> {
        let mut properties = Vec::from([
            ("day", self.day.clone()),
            ("name", self.name.to_string()),
            ("nameNode", self.name_node.clone()),
            ("retries", self.retries.to_string()),
            ("title", self.title.clone()),
            ("type", self.type_.to_string()),
            ("wf", self.wf.to_string()),
        ]);
        if let Some(blank) = &self.blank {
            properties.push(("blank", blank.clone()));
        }
        if let Some(flag) = &self.flag {
            properties.push(("flag", flag.to_string()));
        }
        if let Some(gr_e_in_mb) = &self.gr_e_in_mb {
            properties.push(("größe.in-MB", gr_e_in_mb.to_string()));
        }
        if let Some(input_dir) = &self.input_dir {
            properties.push(("input-dir", input_dir.clone()));
        }
        if let Some(input_dir_2) = &self.input_dir_2 {
            properties.push(("inputDir", input_dir_2.clone()));
        }
        if let Some(quoted) = &self.quoted {
            properties.push(("quoted", quoted.clone()));
        }
        properties
    }
}
