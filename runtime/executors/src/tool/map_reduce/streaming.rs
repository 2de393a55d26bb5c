//! A job of commands that read and write lines (`StreamingMain`).

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use hpdlc_program::failure::ActionError;

use crate::tool::{
    Tool, ToolCall, ToolGround, ToolType,
    map_reduce::{JARS, append, job, submission, submitted_job},
    resources::{self, Resource},
};

pub static TYPE: ToolType = ToolType {
    find_installed: |tool, resources, jars| {
        let jar = jar(tool, resources, jars)?;
        Ok(Some(jar.display().to_string()))
    },
    ..submitted_job(call)
};

/// Prefix of the JAR's name.
const JAR: &str = "hadoop-streaming";
const SETTING: &str = "hpdl.hadoop.streaming.jar";

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    let mut job = job(ground, properties(tool));
    let is_named = |resource: &Resource| resource.name.starts_with(JAR);
    let mut class_path = ground.class_path();
    if let Some(jar) = &ground.found
        && !ground.resources.iter().any(is_named)
    {
        append(&mut job, JARS.0, ',', &resources::file_uri(jar.as_ref()));
        if !class_path.is_empty() {
            class_path.push(':');
        }
        class_path.push_str(jar);
    }
    let inherited = env::var("HADOOP_CLASSPATH")
        .ok()
        .filter(|it| !it.is_empty());
    if let Some(inherited) = inherited {
        class_path = format!("{class_path}:{inherited}");
    }
    let mut call = submission(ground, &job)?;
    call.environment
        .push(("HADOOP_CLASSPATH".to_owned(), class_path));
    Ok(call)
}

/// The properties that Oozie sets; the action's own configuration overrides them.
fn properties(tool: &Tool) -> BTreeMap<String, String> {
    let mut all: BTreeMap<String, String> = [
        (
            "mapred.mapper.class",
            "org.apache.hadoop.streaming.PipeMapper",
        ),
        (
            "mapred.reducer.class",
            "org.apache.hadoop.streaming.PipeReducer",
        ),
        (
            "mapred.map.runner.class",
            "org.apache.hadoop.streaming.PipeMapRunner",
        ),
        (
            "mapred.input.format.class",
            "org.apache.hadoop.mapred.TextInputFormat",
        ),
        (
            "mapred.output.format.class",
            "org.apache.hadoop.mapred.TextOutputFormat",
        ),
        ("mapred.output.key.class", "org.apache.hadoop.io.Text"),
        ("mapred.output.value.class", "org.apache.hadoop.io.Text"),
        ("mapred.create.symlink", "yes"),
        ("mapred.used.genericoptionsparser", "true"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    let mut set = |name: &str, value: &str| {
        all.insert(name.to_owned(), value.to_owned());
    };
    let texts = &tool.texts;
    for (element, name) in [
        ("streaming/mapper", "stream.map.streamprocessor"),
        ("streaming/reducer", "stream.reduce.streamprocessor"),
        ("streaming/record-reader", "stream.recordreader.class"),
    ] {
        if let Some(text) = texts.one(element) {
            set(name, text);
        }
    }
    for mapping in texts.all("streaming/record-reader-mapping") {
        let (name, value) = mapping.split_once('=').unwrap_or((mapping, ""));
        set(
            &format!("stream.recordreader.{}", name.trim()),
            value.trim(),
        );
    }
    let variables: Vec<&str> = texts.all("streaming/env").collect();
    if !variables.is_empty() {
        set("stream.addenvironment", &variables.join(" "));
    }
    all
}

/// The JAR of Hadoop's streaming: from the setting, else from the action or the sharelib, else the installed one.
///
/// # Errors
///
/// JA018: there is none.
fn jar(tool: &Tool, resources: &[Resource], jars: &[PathBuf]) -> Result<PathBuf, ActionError> {
    if let Some(path) = tool.settings.get(SETTING).map(|path| path.trim()) {
        let path = PathBuf::from(path);
        if path.is_file() {
            return Ok(path);
        }
        let problem = format!(
            "there is no file {}, which the setting {SETTING} names",
            path.display()
        );
        return Err(ActionError::error("JA018", problem));
    }
    let named = resources
        .iter()
        .any(|resource| resource.name.starts_with(JAR));
    let brought = jars.iter().find(|jar| is_streaming(jar)).filter(|_| named);
    if let Some(brought) = brought {
        return Ok(brought.clone());
    }
    installed().ok_or_else(|| {
        let problem = format!(
            "there is no {JAR}-*.jar below HADOOP_HOME, nor beside the program `mapred`; name it by the setting {SETTING}, or bring it in the application's lib"
        );
        ActionError::error("JA018", problem)
    })
}

fn is_streaming(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(JAR)
        && name.ends_with(".jar")
        && !name.contains("sources")
        && !name.contains("test")
}

/// The JAR of Hadoop where Apache and the distributors install it.
fn installed() -> Option<PathBuf> {
    let homes = ["HADOOP_MAPRED_HOME", "HADOOP_HOME"]
        .iter()
        .filter_map(|name| env::var_os(name).map(PathBuf::from));
    let paths = env::var_os("PATH").unwrap_or_default();
    let beside = env::split_paths(&paths)
        .map(|folder| folder.join("mapred"))
        .filter_map(|program| fs::canonicalize(program).ok())
        .filter_map(|program| Some(program.parent()?.parent()?.to_owned()));
    let others = [
        "/usr/lib/hadoop-mapreduce",
        "/usr/hdp/current/hadoop-mapreduce-client",
    ];
    homes
        .chain(beside)
        .chain(others.map(PathBuf::from))
        .flat_map(|home| [home.join("share/hadoop/tools/lib"), home])
        .find_map(|folder| {
            let entries = fs::read_dir(folder).ok()?;
            let mut jars: Vec<PathBuf> = entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .filter(|path| is_streaming(path))
                .collect();
            jars.sort();
            jars.pop()
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{self, ground, map, tool};

    fn job(tool: &Tool) -> BTreeMap<String, String> {
        let mut ground = ground(tool);
        ground.found = Some("/h/hadoop-streaming.jar".to_owned());
        let call = testing::call(tool, &ground);
        let class_path = call
            .environment
            .iter()
            .find(|(name, _)| name == "HADOOP_CLASSPATH");
        assert!(class_path.is_some_and(|(_, path)| path.contains("/h/hadoop-streaming.jar")));
        hpdlc_core::configuration::parse(&call.files[0].1)
            .unwrap()
            .to_map()
    }

    #[test]
    fn every_element_is_a_property() {
        let tool = tool(
            ToolKind::Streaming,
            [
                ("streaming/mapper", " sh map.sh 'a b' "),
                ("streaming/reducer", "/bin/cat"),
                ("streaming/record-reader", "StreamXmlRecordReader"),
                ("streaming/record-reader-mapping", "begin=<page>"),
                ("streaming/record-reader-mapping", "end = </page>"),
                ("streaming/env", "A=1"),
                ("streaming/env", "B=2"),
            ],
        );
        let job = job(&tool);
        for (name, value) in map([
            (
                "mapred.mapper.class",
                "org.apache.hadoop.streaming.PipeMapper",
            ),
            (
                "mapred.map.runner.class",
                "org.apache.hadoop.streaming.PipeMapRunner",
            ),
            ("stream.map.streamprocessor", "sh map.sh 'a b'"),
            ("stream.reduce.streamprocessor", "/bin/cat"),
            ("stream.recordreader.class", "StreamXmlRecordReader"),
            ("stream.recordreader.begin", "<page>"),
            ("stream.recordreader.end", "</page>"),
            ("stream.addenvironment", "A=1 B=2"),
            ("tmpjars", "file:///h/hadoop-streaming.jar"),
        ]) {
            assert_eq!(job.get(&name), Some(&value), "{name}");
        }
    }

    #[test]
    fn classes_of_the_configuration_count_more_than_commands() {
        let mut tool = tool(ToolKind::Streaming, [("streaming/mapper", "cat")]);
        tool.configuration = map([("mapred.mapper.class", "my.Mapper")]);
        let job = job(&tool);
        assert_eq!(job["mapred.mapper.class"], "my.Mapper");
        assert_eq!(job["stream.map.streamprocessor"], "cat");
        assert!(!job.contains_key("stream.reduce.streamprocessor"));
    }

    #[test]
    fn the_jar_that_the_action_brings_is_not_brought_twice() {
        let mut tool = tool(ToolKind::Streaming, [("streaming/mapper", "cat")]);
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("hadoop-streaming-3.jar");
        fs::write(&own, "").unwrap();
        let resource = resources::written("hadoop-streaming-3.jar", false);
        let mut all = Vec::new();
        for written in resource {
            resources::add(&mut all, written, resources::file_uri(&own));
        }
        let jars = [own.clone()];
        assert_eq!(jar(&tool, &all, &jars), Ok(own.clone()));
        let mut ground = ground(&tool);
        ground.resources = all;
        ground.jars = jars.into();
        ground.found = Some(own.display().to_string());
        let call = testing::call(&tool, &ground);
        let job = hpdlc_core::configuration::parse(&call.files[0].1)
            .unwrap()
            .to_map();
        assert_eq!(job["tmpjars"], resources::file_uri(&own));
        let setting = own.display().to_string();
        tool.settings = map([(SETTING, &setting)]);
        assert_eq!(jar(&tool, &[], &[]), Ok(own));
        tool.settings = map([(SETTING, "/none.jar")]);
        assert_eq!(jar(&tool, &[], &[]).unwrap_err().code, "JA018");
    }
}
