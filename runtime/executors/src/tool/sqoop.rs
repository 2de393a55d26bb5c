//! The `sqoop` action: one command of Sqoop (`SqoopMain`).

use hpdlc_core::tools::{self, Unbalanced};
use hpdlc_program::failure::ActionError;

use super::{
    ClusterMode, Command, Counted, ExitMeaning, Tool, ToolCall, ToolGround, ToolType, arguments,
    configuration, ids, log4j, map_reduce::send_along, resources::ResourceRole,
};

const COMMAND: Command = Command {
    name: "sqoop",
    system: "Sqoop",
};

pub static TYPE: ToolType = ToolType {
    has_files_here: true,
    counters: Counted::Sums {
        unknown: "SQOOP001",
    },
    ..ToolType::new(
        |_| ClusterMode::Drives,
        COMMAND,
        call,
        &[ids::COMPLETED, ids::HAS_COMPLETED, ids::SUBMITTED],
        ExitMeaning::Code { main: "SqoopMain" },
    )
};

const SITE: &str = "sqoop-site.xml";

/// Whether `command` is split as a shell does.
const LIKE_A_SHELL: &str = "oozie.action.sqoop.shellsplitter";

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    let log = log4j::settings(tool, "oozie.sqoop.log.level", &["org.apache.sqoop"]);
    let mut site = ground.installed_site(SITE)?;
    site.extend(ground.configuration.clone());
    // Sqoop ships JARs of drivers itself.
    let files = ground
        .resources
        .iter()
        .filter(|it| it.role != ResourceRole::Jar);
    send_along(&mut site, files);
    let mut files = vec![
        (SITE.to_owned(), configuration::to_xml(&site)?),
        ("sqoop-log4j.properties".to_owned(), log),
    ];
    files.extend(ground.installed_file("sqoop-env.sh"));
    Ok(ToolCall {
        arguments: words(tool)?,
        environment: vec![(
            "SQOOP_CONF_DIR".to_owned(),
            ground.folder.display().to_string(),
        )],
        files,
    })
}

/// The arguments of Sqoop.
fn words(tool: &Tool) -> Result<Vec<String>, ActionError> {
    let Some(text) = tool.texts.one("command") else {
        let mut args: Vec<&str> = tool.texts.all("arg").collect();
        // Authors often repeat the program's name, as in a shell.
        if let [first, second, ..] = args[..]
            && first.eq_ignore_ascii_case("sqoop")
            && !second.starts_with('-')
        {
            args.remove(0);
        }
        return Ok(arguments::words(args));
    };
    if !tool.is_set(LIKE_A_SHELL) {
        return Ok(tools::split_at_blanks(text));
    }
    tools::split_like_a_shell(text).map_err(|Unbalanced| {
        let problem = "the command has a quote that is not closed, or ends with a backslash; write each of its words in an `arg` element of its own";
        ActionError::error("SQOOP002", problem)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{self, ground, map, resource, tool};

    #[track_caller]
    fn check<const N: usize>(texts: [(&str, &str); N], settings: &[(&str, &str)], words: &[&str]) {
        let mut tool = tool(ToolKind::Sqoop, texts);
        for (name, value) in settings {
            tool.configuration
                .insert((*name).to_owned(), (*value).to_owned());
        }
        let call = testing::call(&tool, &ground(&tool));
        assert_eq!(TYPE.command.name, "sqoop");
        assert_eq!(call.arguments, words);
    }

    #[test]
    fn a_command_is_split_at_blanks() {
        let command = ("command", " import --query 'a b'  -m 1 ");
        check(
            [command],
            &[],
            &["import", "--query", "'a", "b'", "-m", "1"],
        );
        let shell = [(LIKE_A_SHELL, "true")];
        check([command], &shell, &["import", "--query", "a b", "-m", "1"]);
        check(
            [("command", "sqoop list-tables")],
            &[],
            &["sqoop", "list-tables"],
        );
    }

    #[test]
    fn each_arg_is_a_word() {
        let args = [
            ("arg", "import"),
            ("arg", "--query"),
            ("arg", "a b"),
            ("arg", ""),
        ];
        check(args, &[], &["import", "--query", "a b", ""]);
        check([("arg", "SQOOP"), ("arg", "import")], &[], &["import"]);
        check([("arg", "sqoop"), ("arg", "-v")], &[], &["sqoop", "-v"]);
        check([("arg", "sqoop")], &[], &["sqoop"]);
    }

    #[test]
    fn quotes_that_are_not_closed_have_a_code() {
        let mut tool = tool(ToolKind::Sqoop, [("command", "import --query 'a")]);
        tool.configuration = map([(LIKE_A_SHELL, "true")]);
        let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
        assert_eq!(error.code, "SQOOP002");
    }

    #[test]
    fn tasks_get_the_files_of_the_action() {
        let tool = tool(ToolKind::Sqoop, [("command", "version")]);
        let mut ground = ground(&tool);
        ground.resources = vec![
            resource("file:///app/db.script", "db.script", ResourceRole::Link),
            resource("hdfs://nn/more.zip", "more", ResourceRole::Archive),
            resource(
                "file:///app/lib/driver.jar",
                "driver.jar",
                ResourceRole::Jar,
            ),
        ];
        let call = testing::call(&tool, &ground);
        let site = hpdlc_core::configuration::parse(&call.files[0].1).unwrap();
        let mut found = site.to_map();
        found.retain(|name, _| name.starts_with("tmp") || name.contains(".cache."));
        let expected = map([
            ("tmpfiles", "file:///app/db.script"),
            ("mapreduce.job.cache.archives", "hdfs://nn/more.zip#more"),
        ]);
        assert_eq!(found, expected);
    }

    #[test]
    fn the_configuration_is_in_the_folder() {
        let tool = tool(ToolKind::Sqoop, [("command", "version")]);
        let call = testing::call(&tool, &ground(&tool));
        let (name, site) = &call.files[0];
        assert_eq!(name, SITE);
        assert!(site.contains("<name>mapreduce.job.tags</name>"), "{site}");
        assert_eq!(
            call.environment,
            [("SQOOP_CONF_DIR".to_owned(), "/w".to_owned())]
        );
        assert_eq!(TYPE.exit.error(1, None).code, "1");
    }
}
