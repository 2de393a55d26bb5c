//! The command line of `spark-submit`, in Oozie's order (`SparkMain`, `SparkArgsExtractor`).
//!
//! What is only needed for a Spark without its own home is left out: there is a real `SPARK_HOME` here, with its jars, and
//! Spark gets its own tokens. So there is no `spark.yarn.jars` and no `spark.yarn.security...enabled=false`.

use std::collections::BTreeMap;

use super::{
    Spark,
    options::{
        DRIVER_CLASS_PATH, DRIVER_JAVA_OPTIONS, EXECUTOR_CLASS_PATH, EXECUTOR_JAVA_OPTIONS,
        LOG_SETTINGS, SparkOptions,
    },
};

/// The generated properties file, merged from all others.
pub const GENERATED_PROPERTIES: &str = "spark-defaults-oozie-generated.properties";

/// The inputs of a command line besides the action's own texts.
#[derive(Clone, Debug, Default)]
pub struct Surroundings<'a> {
    /// The absolute path of the folder that the action runs in.
    pub folder: &'a str,
    pub configuration: BTreeMap<String, String>,
    /// The tags of applications in YARN.
    pub tags: Option<&'a str>,
    /// The application argument, as Spark finds it.
    pub jar: &'a str,
    /// Files for every container, without the application itself; with a `#name` if the name differs there.
    pub files: Vec<String>,
    pub archives: Vec<String>,
    /// Spark's own defaults, which it reads only if no other file is given.
    pub installed: BTreeMap<String, String>,
    /// The site's properties for this cluster, overridden by those in the folder, and these by the action's `--properties-file`.
    pub given: BTreeMap<String, String>,
}

/// How `spark-submit` is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    pub arguments: Vec<String>,
    /// The content of [`GENERATED_PROPERTIES`]; if empty, there is no such file.
    pub properties: BTreeMap<String, String>,
}

impl Spark {
    /// Whether YARN runs the application and ships its files.
    pub fn is_on_yarn(&self) -> bool {
        let is_mode = matches!(self.mode.as_deref(), Some("client" | "cluster"));
        matches!(self.master.as_str(), "yarn-cluster" | "yarn-client")
            || (self.master == "yarn" && is_mode)
    }

    /// Whether the driver runs on the cluster, too.
    pub fn is_cluster_mode(&self) -> bool {
        self.master == "yarn-cluster" || self.mode.as_deref() == Some("cluster")
    }

    pub fn options(&self) -> SparkOptions {
        SparkOptions::of(&self.options, self.is_on_yarn())
    }

    /// The command line; `options` are the action's.
    pub fn command_line(&self, options: SparkOptions, around: &Surroundings<'_>) -> CommandLine {
        let mut arguments = self.beginning(&around.configuration);
        arguments.extend(options.words.iter().cloned());
        let mut conf = |key: &str, value: String| {
            arguments.push("--conf".to_owned());
            arguments.push(format!("{key}{value}"));
        };
        if self.is_on_yarn() {
            let executor = class_path(&options.executor_class_path, &["$PWD/*"]);
            conf(EXECUTOR_CLASS_PATH, executor);
            let driver = if self.is_cluster_mode() {
                class_path(&options.driver_class_path, &["$PWD/*"])
            } else {
                // The driver runs in the action's own folder, and no shell expands `$PWD` here.
                let jars = format!("{}/*", around.folder);
                class_path(&options.driver_class_path, &[&jars, around.folder])
            };
            conf(DRIVER_CLASS_PATH, driver);
        }
        let tags: Vec<&str> = options
            .tags
            .as_deref()
            .into_iter()
            .chain(around.tags)
            .collect();
        if !tags.is_empty() {
            conf("spark.yarn.tags=", tags.join(","));
        }
        if !options.has_executor_java_options {
            conf(EXECUTOR_JAVA_OPTIONS, LOG_SETTINGS.to_owned());
        }
        if !options.has_driver_java_options {
            conf(DRIVER_JAVA_OPTIONS, LOG_SETTINGS.to_owned());
        }
        let properties = with_properties(&mut arguments, around);
        self.ship(&mut arguments, &options, around);
        if !options.is_verbose {
            arguments.push("--verbose".to_owned());
        }
        arguments.push(around.jar.to_owned());
        arguments.extend(self.args.iter().cloned());
        CommandLine {
            arguments,
            properties,
        }
    }

    /// `--master` to `--class`, and the action's properties of Oozie.
    fn beginning(&self, configuration: &BTreeMap<String, String>) -> Vec<String> {
        let mut arguments = vec!["--master".to_owned(), self.master.clone()];
        let mut option = |name: &str, value: &Option<String>| {
            if let Some(value) = value {
                arguments.extend([name.to_owned(), value.clone()]);
            }
        };
        option("--deploy-mode", &self.mode);
        option("--name", &Some(self.name.clone()));
        option("--class", &self.class);
        for (key, value) in configuration {
            if is_handed_on(key) {
                arguments.extend(["--conf".to_owned(), format!("spark.{key}={value}")]);
            }
        }
        arguments
    }

    /// `--files` and `--archives`.
    fn ship(&self, arguments: &mut Vec<String>, options: &SparkOptions, around: &Surroundings<'_>) {
        let (files, archives): (&[String], &[String]) = if self.is_on_yarn() {
            (&around.files, &around.archives)
        } else {
            (&[], &[])
        };
        for (option, own, all) in [
            ("--files", &options.files, files),
            ("--archives", &options.archives, archives),
        ] {
            let own = own.iter().flat_map(|list| list.split(','));
            let list = distinct(
                all.iter().map(String::as_str).chain(own),
                options.keytab.as_deref(),
            );
            if !list.is_empty() {
                arguments.extend([option.to_owned(), list.join(",")]);
            }
        }
    }
}

/// `^oozie\.(?!launcher|spark).+`
fn is_handed_on(key: &str) -> bool {
    key.strip_prefix("oozie.").is_some_and(|rest| {
        !rest.is_empty() && !rest.starts_with("launcher") && !rest.starts_with("spark")
    })
}

fn class_path(own: &[String], more: &[&str]) -> String {
    let entries: Vec<&str> = own
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    entries.join(":")
}

/// Without duplicates by the name in a container, and without the keytab, which Spark ships itself.
fn distinct<'a>(items: impl Iterator<Item = &'a str>, keytab: Option<&str>) -> Vec<&'a str> {
    let mut names: Vec<&str> = keytab.map(name_in_container).into_iter().collect();
    let mut list = Vec::new();
    for item in items.map(str::trim).filter(|item| !item.is_empty()) {
        let name = name_in_container(item);
        if !names.contains(&name) {
            names.push(name);
            list.push(item);
        }
    }
    list
}

/// The name after the `#`, else the last part of the path.
fn name_in_container(item: &str) -> &str {
    let name = item.rsplit_once('#').map_or(item, |(_, name)| name);
    name.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(name)
}

/// Adds `--properties-file` if there are more properties than those of Spark's own file, and merges the property of a key that
/// `--conf` sets too into that option.
fn with_properties(
    arguments: &mut Vec<String>,
    around: &Surroundings<'_>,
) -> BTreeMap<String, String> {
    let mut properties = around.installed.clone();
    properties.extend(around.given.clone());
    for (key, separator) in [
        (EXECUTOR_CLASS_PATH, ':'),
        (DRIVER_CLASS_PATH, ':'),
        (EXECUTOR_JAVA_OPTIONS, ' '),
        (DRIVER_JAVA_OPTIONS, ' '),
    ] {
        let Some(defaults) = properties.get(key.trim_end_matches('=')) else {
            continue;
        };
        for argument in arguments.iter_mut() {
            if let Some(value) = argument.strip_prefix(key) {
                *argument = format!("{key}{defaults}{separator}{value}");
            }
        }
    }
    if around.given.is_empty() {
        return BTreeMap::new();
    }
    arguments.extend([
        "--properties-file".to_owned(),
        GENERATED_PROPERTIES.to_owned(),
    ]);
    properties
}
