//! The `spark` action: one application for `spark-submit` (`SparkMain`).
//!
//! Oozie's Spark is a set of jars in a container. Here an installed Spark with its own home is used, so three things are not
//! needed that Oozie does for its own: jars for YARN (`spark.yarn.jars`), Spark's zipped Python in the action's folder, and
//! switching off Spark's own tokens.

use std::env;

use hpdlc_core::{properties, substitute};
use hpdlc_program::failure::ActionError;

use super::{
    ClusterMode, Command, ExitMeaning, Tool, ToolCall, ToolGround, ToolType, arguments,
    configuration, ids, log4j,
    resources::{self, Resource, ResourceRole},
};
use crate::{AttemptPlace, hadoop_folder};

mod command_line;
mod defaults;
mod options;
#[cfg(test)]
mod tests;

use self::command_line::{CommandLine, GENERATED_PROPERTIES, Surroundings};

const COMMAND: Command = Command {
    name: "spark-submit",
    system: "Spark",
};

pub static TYPE: ToolType = ToolType {
    find: |tool, place, resources| application(tool, place, resources).map(Some),
    site_properties: defaults::of_site,
    has_files_here: true,
    ..ToolType::new(
        way,
        COMMAND,
        call,
        &[ids::SUBMITTED],
        ExitMeaning::CodeOrException { main: "SparkMain" },
    )
};

/// The log settings for every JVM of the application.
const LOG_SETTINGS: &str = "spark-log4j.properties";

const SITE: &str = "hive-site.xml";

const CLASS_PATH: &str = "SPARK_DIST_CLASSPATH";

/// Whether Spark also finds the action's properties in Hadoop's own files (`SparkMain.prepareHadoopConfig`).
const HADOOP_FOLDER_WISHED: &str = "oozie.action.spark.setup.hadoop.conf.dir";

/// The placeholder for an application that is part of Spark.
const INTERNAL: &str = "spark-internal";

/// The elements of the action.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Spark {
    master: String,
    mode: Option<String>,
    name: String,
    class: Option<String>,
    jar: String,
    /// As written, in one text.
    options: String,
    args: Vec<String>,
}

impl Spark {
    fn of(tool: &Tool) -> Spark {
        let optional = |name| tool.texts.one(name).map(str::to_owned);
        Spark {
            master: tool.texts.required("master").to_owned(),
            mode: optional("mode"),
            name: tool.texts.required("name").to_owned(),
            class: optional("class"),
            jar: tool.texts.required("jar").to_owned(),
            options: optional("spark-opts").unwrap_or_default(),
            args: arguments::args(tool),
        }
    }
}

/// In cluster mode the application continues without `spark-submit`.
fn way(tool: &Tool) -> ClusterMode {
    let spark = Spark::of(tool);
    match (spark.is_on_yarn(), spark.is_cluster_mode()) {
        (true, true) => ClusterMode::Waits,
        (true, false) => ClusterMode::Drives,
        (false, _) if spark.master == "yarn" => ClusterMode::Drives,
        (false, _) => ClusterMode::Alone,
    }
}

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    let spark = Spark::of(tool);
    let options = spark.options();
    let jar = ground.found.as_deref().unwrap_or(&spark.jar);
    let given = defaults::given(ground, options.properties_file.as_deref())?;
    let folder = ground.folder.display().to_string();
    let around = Surroundings {
        folder: &folder,
        configuration: ground.configuration.clone(),
        tags: Some(ground.tags()).filter(|tags| !tags.is_empty()),
        files: shipped(ground, jar),
        archives: ground.uris(ResourceRole::Archive).collect(),
        jar,
        installed: ground.installed_properties(defaults::FILE)?,
        given,
    };
    let CommandLine {
        arguments,
        properties,
    } = spark.command_line(options, &around);
    let log = log4j::settings(tool, "oozie.spark.log.level", &["org.apache.spark"]);
    let mut files = vec![(LOG_SETTINGS.to_owned(), log)];
    if ground.resource(SITE).is_none() {
        let mut site = ground.installed_site(SITE)?;
        site.extend(ground.configuration.clone());
        files.push((SITE.to_owned(), configuration::to_xml(&site)?));
    }
    if !properties.is_empty() {
        files.push((
            GENERATED_PROPERTIES.to_owned(),
            properties::store(&properties),
        ));
    }
    let mut environment = environment(tool, ground)?;
    if tool.is_set(HADOOP_FOLDER_WISHED) {
        let (of_hadoop, variables) = hadoops_files(ground)?;
        files.extend(of_hadoop);
        environment.extend(variables);
    }
    Ok(ToolCall {
        arguments,
        environment,
        files,
    })
}

/// Names with their texts.
type NamedTexts = Vec<(String, String)>;

/// Hadoop's files with the action's properties overriding the installed ones, and the variables that name their folder.
fn hadoops_files(ground: &ToolGround) -> Result<(NamedTexts, NamedTexts), ActionError> {
    let mut all = substitute::resolve_all(&ground.site).unwrap_or_else(|_| ground.site.clone());
    all.extend(ground.configuration.clone());
    let text = configuration::to_xml(&all)?;
    // A separate folder: Spark ships everything that is in the folder of these files.
    let name = hadoop_folder::NAME;
    let files = hadoop_folder::FILES
        .iter()
        .map(|file| (format!("{name}/{file}"), text.clone()))
        .collect();
    let variables = hadoop_folder::variables(&ground.folder.join(name));
    Ok((files, variables.into()))
}

/// For the JVM of `spark-submit`, which is the driver's if that runs here: the options of the launcher's JVM, and the action's
/// JARs.
fn environment(tool: &Tool, ground: &ToolGround) -> Result<Vec<(String, String)>, ActionError> {
    let launcher_config = tool.launcher_config()?;
    let options = launcher_config.options_in(&launcher_config.java_options, &ground.folder)?;
    let options: Vec<String> = options.iter().map(|option| quoted(option)).collect();
    let options = Some(options.join(" ")).filter(|options| !options.is_empty());
    let class_path = ground.class_path();
    // Some installations use it to find Hadoop.
    let inherited = env::var(CLASS_PATH).ok().filter(|path| !path.is_empty());
    let class_path = (!class_path.is_empty()).then(|| match inherited {
        Some(inherited) => format!("{class_path}:{inherited}"),
        None => class_path,
    });
    let all = [("SPARK_SUBMIT_OPTS", options), (CLASS_PATH, class_path)];
    Ok(all
        .into_iter()
        .filter_map(|(name, value)| Some((name.to_owned(), value?)))
        .collect())
}

/// Quotes an option for a variable whose reader supports quotes and backslashes, as `spark-class` does.
fn quoted(option: &str) -> String {
    let is_plain = !option.is_empty()
        && !option.contains(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\'));
    if is_plain {
        return option.to_owned();
    }
    format!("\"{}\"", option.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The application argument of `spark-submit`: the name in the folder of one of the action's files, else a URI.
///
/// # Errors
///
/// JA008: it is relative, and the application has no such file.
pub fn application(
    tool: &Tool,
    place: &AttemptPlace<'_>,
    resources: &[Resource],
) -> Result<String, ActionError> {
    let jar = tool.texts.required("jar");
    let is_file = |resource: &&Resource| resource.role != ResourceRole::Archive;
    let mut files = resources.iter().filter(is_file);
    if jar == INTERNAL || files.clone().any(|file| file.name == jar) {
        return Ok(jar.to_owned());
    }
    let uri = resources::locate(tool, place, jar)?;
    Ok(match files.find(|file| file.uri == uri) {
        Some(file) => file.name.clone(),
        None => uri,
    })
}

/// The files for every container, with explicit names: Spark resolves links, and would use the name of the target.
fn shipped(ground: &ToolGround, jar: &str) -> Vec<String> {
    let own = [LOG_SETTINGS, SITE];
    let others = ground
        .resources
        .iter()
        .filter(|resource| resource.role != ResourceRole::Archive && resource.name != jar)
        .filter(|resource| !own.contains(&resource.name.as_str()))
        .map(Resource::uri_with_name);
    own.into_iter().map(str::to_owned).chain(others).collect()
}
