//! The `pig` action: one script of Pig Latin (`PigMain`).
//!
//! Oozie has Pig print its version and the script with its parameters replaced first; neither is done here, since each would
//! start Pig once more.

use hpdlc_core::{properties, tools};
use hpdlc_program::failure::ActionError;

use super::{
    ClusterMode, Command, Counted, ExitMeaning, Tool, ToolCall, ToolGround, ToolType, arguments,
    configuration::LOCAL, hive::script_name, ids, log4j, map_reduce::send_along_with_tool,
};

pub mod statistics;

const COMMAND: Command = Command {
    name: "pig",
    system: "Pig",
};

pub static TYPE: ToolType = ToolType {
    has_files_here: true,
    scripts: |tool| arguments::words(tool.texts.one("script")),
    sent_script: Some("oozie.pig.script"),
    counters: Counted::Statistics(statistics::of),
    ..ToolType::new(
        |_| ClusterMode::Drives,
        COMMAND,
        call,
        &[ids::HADOOP_JOB, ids::SUBMITTED],
        ExitMeaning::Code { main: "PigMain" },
    )
};

const PROPERTIES: &str = "pig.properties";
const LOG_SETTINGS: &str = "piglog4j.properties";

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    arguments::refuse(tool, &tools::PIG)?;
    let mut line = Vec::new();
    let is_told = |it: &str| matches!(it, "-x" | "-exectype");
    // Without this, Pig would look for a cluster.
    if tool.resource_manager.as_deref() == Some(LOCAL) && !tool.texts.all("argument").any(is_told) {
        line.extend(arguments::words(["-x", "local"]));
    }
    let script = script_name(tool.texts.required("script"));
    line.extend(arguments::words(["-file", script]));
    for param in tool.texts.all("param") {
        line.extend(arguments::words(["-param", param]));
    }
    let log_settings = ground.folder.join(LOG_SETTINGS).display().to_string();
    let log = format!("pig-{}.log", ground.job_id);
    line.extend(arguments::words([
        "-log4jconf",
        &log_settings,
        "-logfile",
        &log,
    ]));
    line.extend(arguments::words(tool.texts.all("argument")));

    let text = log4j::settings(tool, "oozie.pig.log.level", &["org.apache.pig"]);
    let mut files = vec![(LOG_SETTINGS.to_owned(), text)];
    if ground.resource(PROPERTIES).is_none() {
        let mut all = ground.installed_properties(PROPERTIES)?;
        all.extend(ground.configuration.clone());
        let trace = format!("oozie:{}", ground.job_id);
        all.insert("pig.log.trace.id".to_owned(), trace);
        send_along_with_tool(&mut all, ground);
        files.push((PROPERTIES.to_owned(), properties::store(&all)));
    }
    files.extend(ground.installed_file("pig-env.sh"));
    Ok(ToolCall {
        arguments: line,
        // The folder of Pig's properties.
        environment: vec![(
            "PIG_CONF_DIR".to_owned(),
            ground.folder.display().to_string(),
        )],
        files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::{
        call::testing::{self, ground, map, resource, tool},
        resources::ResourceRole,
    };

    #[test]
    fn elements_stand_in_their_order() {
        let tool = tool(
            ToolKind::Pig,
            [
                ("script", "pig/id.pig"),
                ("param", "in=/a b"),
                ("param", "out=/c"),
                ("argument", "-stop_on_failure"),
                ("argument", "-Dx=y"),
            ],
        );
        let call = testing::call(&tool, &ground(&tool));
        assert_eq!(TYPE.command.name, "pig");
        assert_eq!(
            call.arguments,
            [
                "-file",
                "id.pig",
                "-param",
                "in=/a b",
                "-param",
                "out=/c",
                "-log4jconf",
                "/w/piglog4j.properties",
                "-logfile",
                "pig-0-W.log",
                "-stop_on_failure",
                "-Dx=y",
            ]
        );
        assert_eq!(
            call.environment,
            [("PIG_CONF_DIR".to_owned(), "/w".to_owned())]
        );
        let error = TYPE.exit.error(2, None);
        assert_eq!(error.code, "2");
        assert_eq!(
            error.message,
            "Main Class [org.apache.oozie.action.hadoop.PigMain], exit code [2]"
        );
    }

    #[test]
    fn the_properties_are_the_configuration_over_the_installed_ones() {
        let mut tool = tool(ToolKind::Pig, [("script", "id.pig")]);
        tool.configuration = map([("b", "action")]);
        let mut ground = ground(&tool);
        ground.installed = [
            (PROPERTIES.to_owned(), "a=site\nb=site\n".to_owned()),
            ("pig-env.sh".to_owned(), "x=1".to_owned()),
        ]
        .into();
        let call = testing::call(&tool, &ground);
        let text = |name: &str| call.files.iter().find(|(it, _)| it == name).cloned();
        let (_, properties) = text(PROPERTIES).unwrap();
        let properties = properties::parse(properties.as_bytes()).unwrap().to_map();
        for (name, value) in [
            ("a", "site"),
            ("b", "action"),
            ("mapreduce.job.tags", "t1,t2"),
            ("pig.log.trace.id", "oozie:0-W"),
        ] {
            assert_eq!(properties.get(name).map(String::as_str), Some(value));
        }
        assert!(text("pig-env.sh").is_some());
        // The author's own file replaces the installed properties.
        ground.resources = vec![resource(
            "file:///x/pig.properties",
            PROPERTIES,
            ResourceRole::Link,
        )];
        let call = testing::call(&tool, &ground);
        assert!(!call.files.iter().any(|(name, _)| name == PROPERTIES));
    }

    #[test]
    fn tasks_get_the_files_of_the_action() {
        let tool = tool(ToolKind::Pig, [("script", "id.pig")]);
        let mut ground = ground(&tool);
        ground.resources = vec![
            resource("file:///app/words.txt", "names.txt", ResourceRole::Link),
            resource("hdfs://nn/more.zip", "more", ResourceRole::Archive),
            resource("file:///app/lib/udf.jar", "udf.jar", ResourceRole::Jar),
        ];
        let sent = |ground: &ToolGround| {
            let call = testing::call(&tool, ground);
            let (_, text) = call
                .files
                .iter()
                .find(|(name, _)| name == PROPERTIES)
                .unwrap();
            let mut found = properties::parse(text.as_bytes()).unwrap().to_map();
            found.retain(|name, _| name.starts_with("tmp") || name.contains(".cache."));
            found
        };
        let expected = map([
            ("tmpfiles", "file:///app/words.txt#names.txt"),
            ("tmpjars", "file:///app/lib/udf.jar"),
            ("mapreduce.job.cache.archives", "hdfs://nn/more.zip#more"),
        ]);
        assert_eq!(sent(&ground), expected);
        // On this machine they run in the folder itself.
        ground
            .configuration
            .insert("mapreduce.framework.name".to_owned(), LOCAL.to_owned());
        assert_eq!(sent(&ground), map([]));
    }

    #[test]
    fn without_a_cluster_pig_is_its_own() {
        for (argument, n_modes) in [("-v", 1), ("-x", 1), ("-exectype", 0)] {
            let texts = [("script", "a.pig"), ("argument", argument)];
            let mut tool = tool(ToolKind::Pig, texts);
            tool.resource_manager = Some("local".to_owned());
            let call = testing::call(&tool, &ground(&tool));
            let n_found = call.arguments.iter().filter(|word| *word == "-x").count();
            assert_eq!(n_found, n_modes, "{argument}");
        }
    }

    #[test]
    fn options_of_the_launcher_are_refused() {
        for option in tools::PIG.options {
            let tool = tool(ToolKind::Pig, [("script", "a"), ("argument", option)]);
            let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
            assert_eq!(error.code, "JA018");
            assert!(error.message.contains(option), "{error:?}");
        }
    }
}
