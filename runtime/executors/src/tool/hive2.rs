//! The `hive2` action: one script or query, run by HiveServer2 through `beeline` (`Hive2Main`).
//!
//! The password is read from a private file. Oozie passes it on the command line, where every user of the machine can see it.

use hpdlc_core::tools;
use hpdlc_program::failure::ActionError;

use super::{
    ClusterMode, Command, ExitMeaning, Tool, ToolCall, ToolGround, ToolType, arguments,
    hive::{Script, variables},
    ids,
};

const COMMAND: Command = Command {
    name: "beeline",
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
        &[
            ids::ENDED,
            ids::SUBMITTED,
            ids::RUNNING_WITH,
            ids::EXECUTING_ON,
        ],
        ExitMeaning::Exception {
            message: "Beeline exited with status: {code}",
        },
    )
};

const DRIVER: &str = "org.apache.hive.jdbc.HiveDriver";
const PASSWORD_FILE: &str = "oozie-hive2-password";
/// The placeholder for a missing password.
const NO_PASSWORD: &str = "DUMMY";

/// `false` for a server that forbids setting `hive.query.tag`.
const HAS_QUERY_TAG: &str = "hpdl.hive2.query.tag";

fn call(tool: &Tool, ground: &ToolGround) -> Result<ToolCall, ActionError> {
    arguments::refuse(tool, &tools::HIVE2)?;
    let script = Script::of(tool, "hive2")?;
    let mut files = Vec::new();
    let url = tool.texts.required("jdbc-url");
    let mut line = arguments::words(["-u", url, "-n", &tool.user]);
    match tool.texts.one("password") {
        Some(password) => {
            files.push((PASSWORD_FILE.to_owned(), password.to_owned()));
            let file = ground.folder.join(PASSWORD_FILE).display().to_string();
            line.extend(arguments::words(["-w", &file]));
        }
        None => line.extend(arguments::words(["-p", NO_PASSWORD])),
    }
    line.extend(arguments::words(["-d", DRIVER, "-f", &script.name]));
    files.extend(script.file());
    line.extend(variables(tool)?);
    line.extend(arguments::words(["-a", "delegationToken"]));
    line.extend(arguments::words(tool.texts.all("argument")));
    if !ground.tags().is_empty() {
        let tags = format!("mapreduce.job.tags={}", ground.tags());
        line.extend(["--hiveconf".to_owned(), tags]);
        // Hive 3 and later passes only this tag on to its jobs.
        if tool.setting(HAS_QUERY_TAG) != Some("false") {
            let tags = format!("hive.query.tag={}", ground.tags());
            line.extend(["--hiveconf".to_owned(), tags]);
        }
    }
    for (key, value) in arguments::handed_on(&ground.configuration, "hive2") {
        line.extend(["--hiveconf".to_owned(), format!("{key}={value}")]);
    }
    Ok(ToolCall {
        arguments: line,
        environment: Vec::new(),
        files,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{self, ground, map, tool};

    const URL: (&str, &str) = ("jdbc-url", "jdbc:hive2://h:10000/default;ssl=true");

    #[track_caller]
    fn check(call: &ToolCall, expected: &[&str]) {
        assert_eq!(TYPE.command.name, "beeline");
        assert_eq!(call.arguments, expected);
    }

    #[test]
    fn elements_stand_in_their_order() {
        let mut tool = tool(
            ToolKind::Hive2,
            [
                URL,
                ("script", "sql/daily.hql"),
                ("param", "day=2026-11-20"),
                ("param", "where=a = b"),
                ("argument", "--silent=true"),
                ("argument", ""),
            ],
        );
        tool.configuration = map([
            ("hive.x", "0"),
            ("oozie.launcher.a", "1"),
            ("oozie.hive2.b", "2"),
            ("oozie.c", "3"),
        ]);
        let call = testing::call(&tool, &ground(&tool));
        check(
            &call,
            &[
                "-u",
                "jdbc:hive2://h:10000/default;ssl=true",
                "-n",
                "ann",
                "-p",
                "DUMMY",
                "-d",
                "org.apache.hive.jdbc.HiveDriver",
                "-f",
                "daily.hql",
                "--hivevar",
                "day=2026-11-20",
                "--hivevar",
                "where=a = b",
                "-a",
                "delegationToken",
                "--silent=true",
                "",
                "--hiveconf",
                "mapreduce.job.tags=t1,t2",
                "--hiveconf",
                "hive.query.tag=t1,t2",
                "--hiveconf",
                "oozie.action.id=0-W@act",
                "--hiveconf",
                "oozie.c=3",
                "--hiveconf",
                "oozie.job.id=0-W",
                "--hiveconf",
                "oozie.name.node=hdfs://nn:8020",
            ],
        );
        assert_eq!(call.files, []);
    }

    #[test]
    fn a_password_is_on_no_command_line() {
        let texts = [URL, ("password", "hunter22"), ("query", "select 1;")];
        let tool = tool(ToolKind::Hive2, texts);
        let call = testing::call(&tool, &ground(&tool));
        assert_eq!(
            call.arguments[4..6],
            ["-w", "/w/oozie-hive2-password"].map(str::to_owned)
        );
        assert!(!call.arguments.iter().any(|word| word.contains("hunter22")));
        assert_eq!(call.files[0].1, "hunter22");
    }

    #[test]
    fn a_query_is_a_file_that_ends_its_last_line() {
        for (query, text) in [
            (" select 1;\n ", " select 1;\n \n"),
            ("select 1;\n", "select 1;\n"),
        ] {
            let tool = tool(ToolKind::Hive2, [URL, ("query", query)]);
            let call = testing::call(&tool, &ground(&tool));
            let (name, written) = &call.files[0];
            assert!(
                name.starts_with("oozie-hive2-query-") && name.ends_with(".hql"),
                "{name}"
            );
            assert_eq!(call.arguments[9], *name);
            assert_eq!(written, text);
        }
    }

    #[test]
    fn the_tag_of_queries_can_be_left_out() {
        let mut tool = tool(ToolKind::Hive2, [URL, ("query", "")]);
        tool.settings = map([(HAS_QUERY_TAG, "false")]);
        let call = testing::call(&tool, &ground(&tool));
        let is_tag = |word: &String| word.starts_with("hive.query.tag");
        assert!(!call.arguments.iter().any(is_tag), "{call:?}");
    }

    #[test]
    fn what_is_wrong_has_a_code() {
        for (texts, code, words) in [
            ([URL, ("script", "a"), ("argument", "-p")], "JA018", "-p"),
            ([URL, ("script", "a"), ("argument", "-e")], "JA018", "-e"),
            ([URL, ("script", "a"), ("param", "b")], "JA018", "`b`"),
            (
                [URL, ("param", "a=b"), ("argument", "-x")],
                "INVALID_ARGUMENTS",
                "neither",
            ),
        ] {
            let tool = tool(ToolKind::Hive2, texts);
            let error = (TYPE.call)(&tool, &ground(&tool)).unwrap_err();
            assert_eq!(error.code, code);
            assert!(error.message.contains(words), "{error:?}");
        }
        let error = TYPE.exit.error(2, None);
        assert_eq!(
            (error.code.as_str(), error.message.as_str()),
            ("JA018", "Beeline exited with status: 2")
        );
    }
}
