//! Workflows of one action that the server writes for `jobtype=pig`, `hive`, `sqoop` and `mapreduce`: what `oozie pig` and its relatives
//! submit (`SubmitHttpXCommand` and its subclasses, `XOozieClient`).

use hpdlc_host::comma_list;

use crate::{
    api::configuration::xml,
    serve::{failure::Failure, given::Properties},
};

const CLUSTER: &str = "yarn.resourcemanager.address";
const FILE_SYSTEM: &str = "fs.default.name";
const LIBRARIES: &str = "oozie.libpath";
const FILES: &str = "oozie.files";
const ARCHIVES: &str = "oozie.archives";
const IS_PROXY: &str = "oozie.proxysubmission";
/// Names of the same addresses: those of Oozie 4 and of Hadoop 1.
const CLUSTER_ALIASES: [&str; 2] = ["mapreduce.jobtracker.address", "mapred.job.tracker"];
const FILE_SYSTEM_ALIAS: &str = "fs.defaultFS";
/// What is no configuration of a map-reduce job (`SubmitMRXCommand`).
const NOT_OF_THE_JOB: [&str; 8] = [
    CLUSTER,
    FILE_SYSTEM,
    LIBRARIES,
    FILES,
    ARCHIVES,
    "user.name",
    FILE_SYSTEM_ALIAS,
    "mapreduce.job.user.name",
];
const WORKFLOW: &str = "uri:oozie:workflow:0.2";

/// What such a job runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobType {
    Pig,
    Hive,
    Sqoop,
    MapReduce,
}

impl JobType {
    /// # Errors
    ///
    /// E0303 for another word.
    pub(crate) fn parse(word: &str) -> Result<JobType, Failure> {
        Ok(match word {
            "pig" => JobType::Pig,
            "hive" => JobType::Hive,
            "sqoop" => JobType::Sqoop,
            "mapreduce" => JobType::MapReduce,
            other => return Err(Failure::value("jobtype", other)),
        })
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            JobType::Pig => "pig",
            JobType::Hive => "hive",
            JobType::Sqoop => "sqoop",
            JobType::MapReduce => "mapreduce",
        }
    }

    fn element(self) -> (&'static str, &'static str) {
        match self {
            JobType::Pig => ("pig", WORKFLOW),
            JobType::Hive => ("hive", "uri:oozie:hive-action:0.5"),
            JobType::Sqoop => ("sqoop", "uri:oozie:sqoop-action:0.4"),
            JobType::MapReduce => ("map-reduce", WORKFLOW),
        }
    }
}

/// The path of the application of a proxy submission: the first library. `None` if this is none.
///
/// # Errors
///
/// E0405 if it names no libraries.
pub(crate) fn application_path(properties: &Properties) -> Result<Option<String>, Failure> {
    let is_proxy = properties
        .get(IS_PROXY)
        .is_some_and(|value| value.eq_ignore_ascii_case("true"));
    if !is_proxy {
        return Ok(None);
    }
    let libraries = properties.get(LIBRARIES).map(String::as_str);
    let first = comma_list::entries(libraries.unwrap_or_default()).next();
    match first {
        Some(path) => Ok(Some(path.to_owned())),
        None => Err(Failure::coded(
            "E0405",
            "Submission request doesn't have any application or lib path",
        )),
    }
}

/// The document of a job: the same text for the same properties.
///
/// # Errors
///
/// E0803 for a missing property, as Oozie answers.
pub(crate) fn document(job: JobType, properties: &Properties) -> Result<String, Failure> {
    let word = job.word();
    let action = action(job, properties)?;
    let mut text = format!("<workflow-app xmlns=\"{WORKFLOW}\" name=\"oozie-{word}\">\r\n");
    text.push_str(&format!("  <start to=\"{word}1\" />\r\n"));
    text.push_str(&format!("  <action name=\"{word}1\">\r\n"));
    text.push_str(&action);
    text.push_str("    <ok to=\"end\" />\r\n    <error to=\"fail\" />\r\n  </action>\r\n");
    text.push_str(&format!(
        "  <kill name=\"fail\">\r\n    <message>{word} failed, error message[${{wf:errorMessage(wf:lastErrorNode())}}]</message>\r\n  </kill>\r\n"
    ));
    text.push_str("  <end name=\"end\" />\r\n</workflow-app>\r\n");
    Ok(text)
}

/// The element of the action, indented.
fn action(job: JobType, properties: &Properties) -> Result<String, Failure> {
    let mut content = Content::default();
    let cluster = required(properties, CLUSTER, &CLUSTER_ALIASES)?;
    let missing = match job {
        JobType::MapReduce => "fs.default.name or fs.defaultFS",
        _ => FILE_SYSTEM,
    };
    let file_system = [FILE_SYSTEM_ALIAS, FILE_SYSTEM]
        .iter()
        .find_map(|name| properties.get(*name))
        .ok_or_else(|| not_specified(missing))?;
    required(properties, LIBRARIES, &[])?;
    content.element("job-tracker", cluster);
    content.element("name-node", file_system);
    match job {
        JobType::Pig | JobType::Hive => {
            let word = job.word();
            let options = list(properties, &format!("oozie.{word}.options"))?;
            let (settings, arguments): (Vec<&str>, Vec<&str>) =
                options.into_iter().partition(|it| it.starts_with("-D"));
            content.configuration(settings.into_iter().map(setting));
            content.element("script", &format!("dummy.{word}"));
            for param in list(properties, &format!("oozie.{word}.script.params"))? {
                content.element("param", param);
            }
            for argument in arguments {
                content.element("argument", argument);
            }
        }
        JobType::Sqoop => {
            let options = list(properties, "oozie.sqoop.options")?;
            let settings = options.into_iter().filter(|it| it.starts_with("-D"));
            content.configuration(settings.map(setting));
            let command = required(properties, "oozie.sqoop.command", &[])?;
            for argument in command.trim_end_matches('\n').split('\n') {
                content.element("arg", argument);
            }
        }
        JobType::MapReduce => {
            let own = properties.iter();
            let own = own.filter(|(name, _)| !NOT_OF_THE_JOB.contains(&name.as_str()));
            content.configuration(own.map(|(name, value)| (name.as_str(), value.as_str())));
        }
    }
    for (property, element) in [(FILES, "file"), (ARCHIVES, "archive")] {
        let paths = properties.get(property).map(String::as_str);
        for path in paths.unwrap_or_default().split(',').map(str::trim) {
            if !path.is_empty() {
                content.element(element, &with_name(path));
            }
        }
    }
    let (element, namespace) = job.element();
    let namespace = match namespace {
        WORKFLOW => String::new(),
        other => format!(" xmlns=\"{other}\""),
    };
    Ok(format!(
        "    <{element}{namespace}>\r\n{}    </{element}>\r\n",
        content.0
    ))
}

/// Elements within the action, a line each.
#[derive(Default)]
struct Content(String);

impl Content {
    fn element(&mut self, name: &str, text: &str) {
        self.0
            .push_str(&format!("      {}\r\n", element(name, text)));
    }

    /// None without properties.
    fn configuration<'p>(&mut self, properties: impl Iterator<Item = (&'p str, &'p str)>) {
        let mut properties = properties.peekable();
        if properties.peek().is_none() {
            return;
        }
        self.0.push_str("      <configuration>\r\n");
        for (name, value) in properties {
            self.0.push_str(&format!(
                "        <property>\r\n          {}\r\n          {}\r\n        </property>\r\n",
                element("name", name),
                element("value", value)
            ));
        }
        self.0.push_str("      </configuration>\r\n");
    }
}

/// `<name>text</name>` as Oozie prints it: without blanks around the text.
fn element(name: &str, text: &str) -> String {
    match text.trim() {
        "" => format!("<{name} />"),
        text => format!("<{name}>{}</{name}>", xml(text)),
    }
}

fn required<'p>(
    properties: &'p Properties,
    name: &str,
    aliases: &[&str],
) -> Result<&'p str, Failure> {
    let names = std::iter::once(&name).chain(aliases);
    let mut found = names.filter_map(|name| properties.get(*name));
    let found = found.next().ok_or_else(|| not_specified(name))?;
    Ok(found)
}

fn not_specified(name: &str) -> Failure {
    input_error(&format!("{name} is not specified"))
}

fn input_error(problem: &str) -> Failure {
    Failure::coded("E0803", format!("IO error, {problem}"))
}

/// `name.size`, and the values `name.0` on (`ActionUtils.getStrings`).
fn list<'p>(properties: &'p Properties, name: &str) -> Result<Vec<&'p str>, Failure> {
    let Some(size) = properties.get(&format!("{name}.size")) else {
        return Ok(Vec::new());
    };
    let size: i32 = size
        .parse()
        .map_err(|_| input_error(&format!("For input string: \"{size}\"")))?;
    // A size beyond the properties ends at the first one that is missing.
    (0..size)
        .map(|at| required(properties, &format!("{name}.{at}"), &[]))
        .collect()
}

/// `-Dname=value`
fn setting(option: &str) -> (&str, &str) {
    let option = option.strip_prefix("-D").unwrap_or(option);
    option.split_once('=').unwrap_or((option, ""))
}

/// A path with the name of its link: its last part.
fn with_name(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or_default();
    match path.contains('#') || name.is_empty() {
        true => path.to_owned(),
        false => format!("{path}#{name}"),
    }
}

#[cfg(test)]
mod tests;
