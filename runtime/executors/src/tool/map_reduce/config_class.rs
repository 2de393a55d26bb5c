//! `config-class`: a class of the author that completes the configuration of the job before it is submitted
//! (`MapReduceMain.runConfigClass`, `OozieActionConfigurator`).
//!
//! Oozie's launcher calls it. Here a small class of hpdlc does, in a JVM of its own that the command `hadoop` starts: it
//! reads the job's file, calls the author's class, and rewrites the file. It may be called again after a crash: nothing is
//! submitted before it has ended. The interface that the author's class implements is Oozie's; it is placed after the
//! action's own JARs on the class path, and these need not contain it.

use std::{fs, io, path::Path};

use hpdlc_core::configuration;
use hpdlc_host::comma_list;
use hpdlc_program::failure::ActionError;

use crate::tool::{
    Command, ToolGround,
    client::{self, ToolExit},
    configuration::{CONFIG_CLASS, TAGS},
    failure,
    map_reduce::{JOB_XML, xml},
};

/// The output of our class.
const CONFIGURED_XML: &str = "configured.xml";

/// The folder of our classes.
const FOLDER: &str = "config-class";

const MAIN: &str = "hpdl.Configure";
const CONFIGURATOR: &str = "org.apache.oozie.action.hadoop.OozieActionConfigurator";

/// A class file that is beside its source, in the folder of this module; `compile` there rebuilds them.
macro_rules! class_file {
    ($path:literal) => {
        (
            concat!($path, ".class"),
            include_bytes!(concat!("config_class/", $path, ".class")).as_slice(),
        )
    };
}

/// Our classes: paths and bytes.
const CLASSES: [(&str, &[u8]); 3] = [
    class_file!("hpdl/Configure"),
    class_file!("org/apache/oozie/action/hadoop/OozieActionConfigurator"),
    class_file!("org/apache/oozie/action/hadoop/OozieActionConfiguratorException"),
];

/// The program that calls the class.
pub const HADOOP: Command = Command {
    name: "hadoop",
    system: "Hadoop",
};

/// The class that the action names, if any.
pub fn of(ground: &ToolGround) -> Option<&str> {
    let class = ground.configuration.get(CONFIG_CLASS)?.trim();
    (!class.is_empty()).then_some(class)
}

/// The arguments of [`HADOOP`] for the call that writes the input of [`finish`].
///
/// # Errors
///
/// Our classes cannot be written.
pub fn arguments(class: &str, folder: &Path) -> io::Result<Vec<String>> {
    for (path, bytes) in CLASSES {
        let path = folder.join(FOLDER).join(path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, bytes)?;
    }
    // Created beforehand, so that only this user can read it.
    client::write_files(&[(CONFIGURED_XML.to_owned(), String::new())], folder)?;
    Ok([MAIN, JOB_XML, CONFIGURED_XML, class]
        .map(str::to_owned)
        .into())
}

/// The environment of the call: that of the tool, with our classes after all others on the class path.
pub fn environment(mut environment: Vec<(String, String)>, folder: &Path) -> Vec<(String, String)> {
    const CLASS_PATH: &str = "HADOOP_CLASSPATH";
    let ours = folder.join(FOLDER).display().to_string();
    match environment.iter_mut().find(|(name, _)| name == CLASS_PATH) {
        Some((_, path)) if !path.is_empty() => {
            path.push(':');
            path.push_str(&ours);
        }
        Some((_, path)) => *path = ours,
        None => environment.push((CLASS_PATH.to_owned(), ours)),
    }
    environment
}

/// Uses the job's file as the class has rewritten it. Our tags are added again if the class has removed them, because
/// applications are found by them.
///
/// # Errors
///
/// JA018: it has failed; JA007: its output is no configuration; JA009, transient: the file cannot be read or written.
pub fn finish(
    class: &str,
    end: ToolExit,
    (stdout, stderr): &(String, String),
    ground: &ToolGround,
) -> Result<(), ActionError> {
    if end != ToolExit::Exited(0) {
        let last = failure::most_informative_line(stderr)
            .or_else(|| failure::most_informative_line(stdout));
        return Err(ActionError::error(
            "JA018",
            failed(class, last.unwrap_or("it printed nothing")),
        ));
    }
    let disk = |error: io::Error| {
        let problem = format!("{}: {error}", ground.folder.display());
        ActionError::transient("JA009", problem)
    };
    let mut text = fs::read_to_string(ground.folder.join(CONFIGURED_XML)).map_err(disk)?;
    let job = configuration::parse(&text)
        .map_err(|error| {
            let problem = format!("config-class `{class}`: {CONFIGURED_XML}: {error}");
            ActionError::error("JA007", problem)
        })?
        .to_map();
    let tags = tags(job.get(TAGS).map_or("", String::as_str), ground.tags());
    if let Some(tags) = tags
        && let Some(at) = text.rfind("</configuration>")
    {
        // The last property of a name takes precedence.
        let property = xml(&[(TAGS.to_owned(), tags)].into())?;
        let from = property.find("<property>").unwrap_or_default();
        let to = property.rfind("</configuration>").unwrap_or_default();
        text.insert_str(at, property.get(from..to).unwrap_or_default());
    }
    client::write_files(&[(JOB_XML.to_owned(), text)], &ground.folder).map_err(disk)
}

/// The tags of the job with those of `ours` added; `None` if it has all of them.
fn tags(its: &str, ours: &str) -> Option<String> {
    let mut all: Vec<&str> = comma_list::entries(its).collect();
    let n_its = all.len();
    for tag in ours.split(',') {
        if !all.contains(&tag) {
            all.push(tag);
        }
    }
    (all.len() > n_its).then(|| all.join(","))
}

/// The failure, as a message for the user.
fn failed(class: &str, last: &str) -> String {
    let is_of = |exception: &str| last.contains(exception) && last.contains(class);
    if is_of("ClassNotFoundException") {
        return format!(
            "there is no class `{class}`, which config-class names, in the JARs of the action: its application's lib, its `file` elements, oozie.libpath, the sharelib"
        );
    }
    if is_of("ClassCastException") {
        return format!("config-class `{class}` does not have the interface {CONFIGURATOR}");
    }
    format!("config-class `{class}` failed: {last}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{ground, map, tool};

    #[test]
    fn the_class_may_stand_in_the_element_or_in_the_configuration() {
        let mut action = tool(ToolKind::MapReduce, [("config-class", " a.B ")]);
        assert_eq!(of(&ground(&action)), Some("a.B"));
        action.configuration = map([(CONFIG_CLASS, "other.C")]);
        assert_eq!(of(&ground(&action)), Some("a.B"));
        let mut action = tool(ToolKind::Streaming, []);
        assert_eq!(of(&ground(&action)), None);
        action.configuration = map([(CONFIG_CLASS, "other.C")]);
        assert_eq!(of(&ground(&action)), Some("other.C"));
    }

    #[test]
    fn our_tags_stay_whatever_the_class_does() {
        assert_eq!(tags("mine,t1, t2", "t1,t2"), None);
        assert_eq!(tags("mine", "t1,t2").as_deref(), Some("mine,t1,t2"));
        assert_eq!(tags("", "t1,t2").as_deref(), Some("t1,t2"));
    }

    #[test]
    fn our_classes_come_behind_those_of_the_action() {
        let folder = Path::new("/w");
        let with = |value: Option<&str>| {
            let given = value.map(|value| ("HADOOP_CLASSPATH".to_owned(), value.to_owned()));
            environment(given.into_iter().collect(), folder).remove(0).1
        };
        assert_eq!(with(None), "/w/config-class");
        assert_eq!(with(Some("")), "/w/config-class");
        assert_eq!(with(Some("/w/a.jar")), "/w/a.jar:/w/config-class");
    }

    #[test]
    fn a_class_that_is_missing_or_wrong_is_named() {
        for (line, expected) in [
            (
                "Caused by: java.lang.ClassNotFoundException: a.B",
                "there is no class `a.B`",
            ),
            (
                "Exception in thread \"main\" java.lang.ClassCastException: class a.B cannot be cast to class x",
                "config-class `a.B` does not have the interface org.apache.oozie.action.hadoop.OozieActionConfigurator",
            ),
            (
                "Caused by: java.lang.ClassNotFoundException: c.D",
                "config-class `a.B` failed: Caused by: java.lang.ClassNotFoundException: c.D",
            ),
        ] {
            let found = failed("a.B", line);
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn what_the_class_has_written_is_the_job() {
        let folder = tempfile::tempdir().unwrap();
        let action = tool(ToolKind::MapReduce, [("config-class", "a.B")]);
        let mut ground = ground(&action);
        ground.folder = folder.path().to_owned();
        let words = (String::new(), "Exception: told\n\tat x".to_owned());
        let finish = |text: &str, code: i32| {
            fs::write(folder.path().join(CONFIGURED_XML), text).unwrap();
            super::finish("a.B", ToolExit::Exited(code), &words, &ground)
        };
        let text =
            "<configuration><property><name>empty</name><value></value></property></configuration>";
        finish(text, 0).unwrap();
        let job = fs::read_to_string(folder.path().join(JOB_XML)).unwrap();
        assert!(job.contains("<name>empty</name>"), "{job}");
        let job = configuration::parse(&job).unwrap().to_map();
        assert_eq!(job, map([(TAGS, "t1,t2")]));
        assert_eq!(finish("<configuration>", 0).unwrap_err().code, "JA007");
        let error = finish(text, 1).unwrap_err();
        assert_eq!(error.code, "JA018");
        assert_eq!(error.message, "config-class `a.B` failed: Exception: told");
    }
}
