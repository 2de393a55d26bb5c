//! The `map-reduce` action, and `hadoop` of the proposal of 2009: one job, described by a configuration
//! (`MapReduceActionExecutor`, `MapReduceMain`, `StreamingMain`, `PipesMain`).
//!
//! Like Oozie's launcher, `mapred job -submit` submits the job and exits; the worker process waits for the job. Files of
//! this machine are named by the properties that Hadoop's own options `-files`, `-libjars` and `-archives` set to copy them to
//! the cluster.

pub mod classes;
pub mod config_class;
pub mod pipes;
pub mod streaming;

use std::{collections::BTreeMap, path::Path};

use hpdlc_core::configuration::write;
use hpdlc_program::failure::ActionError;

use crate::tool::{
    ClusterMode, Command, Counted, ExitMeaning, Tool, ToolCall, ToolGround, ToolType,
    configuration::{FRAMEWORK, LOCAL},
    ids::{CREATED, IdPattern, SUBMITTED},
    resources::{self, Resource, ResourceRole},
};

/// The file with the configuration of the job.
pub const JOB_XML: &str = "job.xml";

const IDS: &[IdPattern] = &[CREATED, SUBMITTED];

const MAPRED: Command = Command {
    name: "mapred",
    system: "Hadoop",
};

/// The properties behind Hadoop's options: for files of this machine, and for files on the cluster's file system.
const FILES: (&str, &str) = ("tmpfiles", "mapreduce.job.cache.files");
const ARCHIVES: (&str, &str) = ("tmparchives", "mapreduce.job.cache.archives");
const JARS: (&str, &str) = ("tmpjars", "mapreduce.job.classpath.files");

/// A type whose actions are one MapReduce job each.
const fn one_job(
    way: fn(&Tool) -> ClusterMode,
    call: fn(&Tool, &ToolGround) -> Result<ToolCall, ActionError>,
    ids: &'static [IdPattern],
    exit: ExitMeaning,
) -> ToolType {
    ToolType {
        is_job: true,
        counters: Counted::Sums { unknown: "MR002" },
        ..ToolType::new(way, MAPRED, call, ids, exit)
    }
}

/// A type whose job is submitted by `mapred job -submit`.
const fn submitted_job(call: fn(&Tool, &ToolGround) -> Result<ToolCall, ActionError>) -> ToolType {
    let exit = ExitMeaning::Exception {
        message: "`mapred job -submit` ended with exit code {code}",
    };
    one_job(|_| ClusterMode::Submits, call, IDS, exit)
}

/// `mapred job -submit job.xml`
fn submission(
    ground: &ToolGround,
    job: &BTreeMap<String, String>,
) -> Result<ToolCall, ActionError> {
    let framework = job.get(FRAMEWORK).or_else(|| ground.site.get(FRAMEWORK));
    if framework.is_some_and(|framework| framework == LOCAL) {
        let problem = format!(
            "a job of Java classes or of streaming runs on YARN alone: `mapred job -submit` does not wait for one of this machine ({FRAMEWORK} is {LOCAL})"
        );
        return Err(ActionError::error("JA018", problem));
    }
    Ok(ToolCall {
        arguments: ["job", "-submit", JOB_XML].map(str::to_owned).into(),
        environment: Vec::new(),
        files: vec![(JOB_XML.to_owned(), xml(job)?)],
    })
}

fn xml(job: &BTreeMap<String, String>) -> Result<String, ActionError> {
    write(job).map_err(|error| {
        let problem = format!("the job cannot be written as XML: {error}");
        ActionError::error("JA007", problem)
    })
}

/// The job's properties: those of `own`, overridden by the action's, and the shipped files.
fn job(ground: &ToolGround, own: BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut job = own;
    job.extend(ground.configuration.clone());
    send_along(&mut job, ground.resources.iter());
    job
}

/// Adds these files to the working folders of a job's tasks.
pub fn send_along<'a>(
    job: &mut BTreeMap<String, String>,
    resources: impl Iterator<Item = &'a Resource>,
) {
    for resource in resources {
        let (here, there) = match resource.role {
            ResourceRole::Link => FILES,
            ResourceRole::Archive => ARCHIVES,
            ResourceRole::Jar => JARS,
        };
        match resource.local() {
            Some(file) => append(job, here, ',', &local(resource, &file)),
            None => {
                if resource.role == ResourceRole::Jar {
                    append(job, there, ',', &resource.uri.replace(' ', "%20"));
                    append(job, FILES.1, ',', &resource.uri_with_name());
                } else {
                    append(job, there, ',', &resource.uri_with_name());
                }
            }
        }
    }
}

/// Adds the action's files to the tasks of all jobs that a tool submits, as in Oozie's configuration of the action.
/// On this machine the tasks run in the folder of the files.
pub fn send_along_with_tool(job: &mut BTreeMap<String, String>, ground: &ToolGround) {
    if job.get(FRAMEWORK).is_none_or(|it| it != LOCAL) {
        send_along(job, ground.resources.iter().filter(|it| !it.is_of_tool));
    }
}

/// A file of this machine, in the format of Hadoop's options. Without a `#name`, the link has the file's own name.
fn local(resource: &Resource, file: &Path) -> String {
    let uri = resources::file_uri(file).replace(' ', "%20");
    let own = file.file_name().map(|name| name.to_string_lossy());
    if own.is_some_and(|own| own == resource.name) {
        uri
    } else {
        format!("{uri}#{}", resource.name)
    }
}

/// Appends to a list of values.
fn append(job: &mut BTreeMap<String, String>, name: &str, separator: char, value: &str) {
    let list = job.entry(name.to_owned()).or_default();
    if !list.is_empty() {
        list.push(separator);
    }
    list.push_str(value);
}
