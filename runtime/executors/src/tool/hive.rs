//! The `hive` action: one script or query, run by Hive's own command line (`HiveMain`).

use hpdlc_core::tools;
use hpdlc_program::failure::ActionError;

use super::{
    ClusterMode, Command, ExitMeaning, Tool, ToolCall, ToolGround, ToolType, arguments,
    configuration, ids, log4j, map_reduce::send_along_with_tool,
};
use crate::file_name::base_name;

const COMMAND: Command = Command {
    name: "hive",
    system: "Hive",
};

pub static TYPE: ToolType = ToolType {
    has_files_here: true,
    scripts: |tool| arguments::words(tool.texts.one("script")),
    sent_script: Some("oozie.hive.script"),
    ..ToolType::new(
        |_| ClusterMode::Drives,
        COMMAND,
        call,
        &[ids::ENDED, ids::SUBMITTED],
        ExitMeaning::Code { main: "HiveMain" },
    )
};

/// Its folder is Hive's configuration folder.
const SITE: &str = "hive-site.xml";

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    arguments::refuse(tool, &tools::HIVE)?;
    let beside = |name: &str| ground.folder.join(name).display().to_string();
    let script = Script::of(tool, "hive")?;
    let mut line = Vec::new();
    let mut files = Vec::new();
    for (property, name) in [
        ("hive.log4j.file", "hive-log4j.properties"),
        ("hive.exec.log4j.file", "hive-exec-log4j.properties"),
    ] {
        line.extend([
            "--hiveconf".to_owned(),
            format!("{property}={}", beside(name)),
        ]);
        let loggers = ["org.apache.hadoop.hive", "hive", "SessionState"];
        let text = log4j::settings(tool, "oozie.hive.log.level", &loggers);
        files.push((name.to_owned(), text));
    }
    let trace = format!("hive.log.trace.id=oozie:{}", ground.job_id);
    line.extend(arguments::words(["--hiveconf", &trace, "-f", &script.name]));
    line.extend(variables(tool)?);
    line.extend(arguments::words(tool.texts.all("argument")));
    files.extend(script.file());

    files.extend(ground.installed_file("hive-env.sh"));
    let mut properties = ground.installed_site(SITE)?;
    properties.extend(ground.configuration.clone());
    for (name, value) in [
        ("datanucleus.plugin.pluginRegistryBundleCheck", "LOG"),
        ("hive.exec.mode.local.auto", "false"),
        ("hive.querylog.location", &beside("hivetmp/querylog")),
        ("hive.exec.local.scratchdir", &beside("hivetmp/scratchdir")),
    ] {
        properties.insert(name.to_owned(), value.to_owned());
    }
    // Hive 3 and later passes only this tag on to its jobs.
    if !ground.tags().is_empty() {
        let tags = || ground.tags().to_owned();
        properties
            .entry("hive.query.tag".to_owned())
            .or_insert_with(tags);
    }
    // The name that Oozie sets would be used for every job of the script.
    for name in ["mapred.job.name", "mapreduce.job.name"] {
        if properties
            .get(name)
            .is_some_and(|name| name.starts_with("oozie:action:"))
        {
            properties.remove(name);
        }
    }
    send_along_with_tool(&mut properties, ground);
    files.push((SITE.to_owned(), configuration::to_xml(&properties)?));
    Ok(ToolCall {
        arguments: line,
        environment: vec![(
            "HIVE_CONF_DIR".to_owned(),
            ground.folder.display().to_string(),
        )],
        files,
    })
}

/// The script that Hive runs: a file in the folder.
pub(super) struct Script<'a> {
    pub name: String,
    /// The text to be written; `None` for a `script`, which is already there.
    text: Option<&'a str>,
}

impl<'a> Script<'a> {
    /// The `script`, else the `query`. `kind` is the type's name. Oozie adds a timestamp to the files of queries; here each
    /// has its own folder.
    pub fn of(tool: &'a Tool, kind: &str) -> Result<Script<'a>, ActionError> {
        if let Some(script) = tool.texts.one("script") {
            return Ok(Script {
                name: script_name(script).to_owned(),
                text: None,
            });
        }
        // Verbatim, with its blanks.
        match tool.texts.verbatim("query") {
            Some(query) => Ok(Script {
                name: format!("oozie-{kind}-query-0.hql"),
                text: Some(query),
            }),
            None => {
                let problem = "the action has neither a script nor a query";
                Err(ActionError::error("INVALID_ARGUMENTS", problem))
            }
        }
    }

    /// The file to be written, with a line break at its end.
    pub fn file(self) -> Option<(String, String)> {
        let mut text = self.text?.to_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Some((self.name, text))
    }
}

/// The name of a script in the folder.
pub(super) fn script_name(script: &str) -> &str {
    let name = script.rsplit_once('#').map(|(_, name)| name);
    base_name(name.filter(|name| !name.is_empty()).unwrap_or(script))
}

/// `--hivevar` for each parameter.
pub(super) fn variables(tool: &Tool) -> Result<Vec<String>, ActionError> {
    let params = arguments::assignments(tool)?;
    Ok(params
        .iter()
        .flat_map(|param| ["--hivevar".to_owned(), (*param).to_owned()])
        .collect())
}

#[cfg(test)]
mod tests {
    use hpdlc_core::configuration;

    use super::*;
    use crate::ToolKind;
    use crate::tool::{
        call::testing::{self, ground, map, resource, tool},
        resources::{Resource, ResourceRole},
    };

    #[test]
    fn elements_stand_in_their_order() {
        let tool = tool(
            ToolKind::Hive,
            [
                ("script", "hdfs://nn/apps/daily.q#other"),
                ("param", "a=b c"),
                ("param", "d="),
                ("argument", "-v"),
            ],
        );
        let call = testing::call(&tool, &ground(&tool));
        assert_eq!(TYPE.command.name, "hive");
        assert_eq!(
            call.arguments,
            [
                "--hiveconf",
                "hive.log4j.file=/w/hive-log4j.properties",
                "--hiveconf",
                "hive.exec.log4j.file=/w/hive-exec-log4j.properties",
                "--hiveconf",
                "hive.log.trace.id=oozie:0-W",
                "-f",
                "other",
                "--hivevar",
                "a=b c",
                "--hivevar",
                "d=",
                "-v",
            ]
        );
        assert_eq!(
            call.environment,
            [("HIVE_CONF_DIR".to_owned(), "/w".to_owned())]
        );
        let names: Vec<_> = call.files.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "hive-log4j.properties",
                "hive-exec-log4j.properties",
                "hive-site.xml",
            ]
        );
    }

    #[test]
    fn the_site_is_the_installed_one_below_the_action_below_what_must_be() {
        let mut tool = tool(ToolKind::Hive, [("query", "show tables")]);
        tool.configuration = map([("b", "action"), ("hive.exec.mode.local.auto", "true")]);
        let mut ground = ground(&tool);
        let installed = configuration::write(&map([("a", "site"), ("b", "site")])).unwrap();
        ground.installed = [
            (SITE.to_owned(), installed),
            ("hive-env.sh".to_owned(), "x=1".to_owned()),
        ]
        .into();
        let call = testing::call(&tool, &ground);
        let text = |name: &str| &call.files.iter().find(|(it, _)| it == name).unwrap().1;
        let site = configuration::parse(text(SITE)).unwrap().to_map();
        for (name, value) in [
            ("a", "site"),
            ("b", "action"),
            ("datanucleus.plugin.pluginRegistryBundleCheck", "LOG"),
            ("hive.exec.local.scratchdir", "/w/hivetmp/scratchdir"),
            ("hive.exec.mode.local.auto", "false"),
            ("hive.querylog.location", "/w/hivetmp/querylog"),
            ("hive.query.tag", "t1,t2"),
            ("mapreduce.job.tags", "t1,t2"),
        ] {
            assert_eq!(site.get(name).map(String::as_str), Some(value), "{name}");
        }
        // Each job of the script has a name of its own.
        assert_eq!(site.get("mapreduce.job.name"), None);
        assert_eq!(text("hive-env.sh"), "x=1");
        assert!(call.files.iter().any(|(_, text)| text == "show tables\n"));
    }

    #[test]
    fn tasks_get_the_files_of_the_action() {
        let tool = tool(ToolKind::Hive, [("query", "show tables")]);
        let mut ground = ground(&tool);
        let of_hive = resource(
            "file:///share/hive/hive-exec.jar",
            "hive-exec.jar",
            ResourceRole::Jar,
        );
        ground.resources = vec![
            resource("file:///app/map.sh", "map.sh", ResourceRole::Link),
            resource("file:///app/data.zip", "data", ResourceRole::Archive),
            resource("hdfs://nn/lib/udf.jar", "udf.jar", ResourceRole::Jar),
            Resource {
                is_of_tool: true,
                ..of_hive
            },
        ];
        let call = testing::call(&tool, &ground);
        let (_, site) = call.files.iter().find(|(name, _)| name == SITE).unwrap();
        let mut found = configuration::parse(site).unwrap().to_map();
        found.retain(|name, _| name.starts_with("tmp") || name.starts_with("mapreduce.job.c"));
        let expected = map([
            ("tmpfiles", "file:///app/map.sh"),
            ("tmparchives", "file:///app/data.zip#data"),
            ("mapreduce.job.cache.files", "hdfs://nn/lib/udf.jar#udf.jar"),
            ("mapreduce.job.classpath.files", "hdfs://nn/lib/udf.jar"),
        ]);
        assert_eq!(found, expected);
    }

    #[test]
    fn a_name_of_the_authors_stays_that_of_the_jobs() {
        let mut tool = tool(ToolKind::Hive, [("query", "show tables")]);
        tool.configuration = map([("mapred.job.name", "mine")]);
        let call = testing::call(&tool, &ground(&tool));
        let (_, site) = call.files.iter().find(|(name, _)| name == SITE).unwrap();
        assert!(site.contains("<value>mine</value>"), "{site}");
    }

    #[test]
    fn what_is_wrong_has_a_code() {
        for (texts, code) in [
            ([("script", "a"), ("argument", "--hivevar")], "JA018"),
            ([("script", "a"), ("param", "=b")], "JA018"),
            ([("param", "a=b"), ("argument", "-v")], "INVALID_ARGUMENTS"),
        ] {
            let tool = tool(ToolKind::Hive, texts);
            let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
            assert_eq!(error.code, code, "{error:?}");
        }
        let error = TYPE.exit.error(64, None);
        assert_eq!(error.code, "64");
        assert!(
            error.message.contains("HiveMain], exit code [64]"),
            "{error:?}"
        );
    }
}
