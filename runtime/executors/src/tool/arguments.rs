//! Helpers that the command lines of several tools share.

use std::collections::BTreeMap;

use hpdlc_core::{properties, tools::RefusedOptions};
use hpdlc_program::failure::ActionError;

use super::Tool;
use crate::main_class_args;

/// Refuses options that the launcher itself passes to the tool.
///
/// # Errors
///
/// JA018, as Oozie's main class throws an exception.
pub fn refuse(tool: &Tool, refused: &RefusedOptions) -> Result<(), ActionError> {
    match refused.find(tool.texts.all("argument")) {
        None => Ok(()),
        Some(option) => {
            let problem = format!(
                "the argument {option} is not allowed: {} gets it from the action's other elements",
                refused.tool
            );
            Err(ActionError::error("JA018", problem))
        }
    }
}

/// The `param` elements, each of which is `NAME=VALUE`.
///
/// # Errors
///
/// JA018, as Oozie's main class throws an exception.
pub fn assignments(tool: &Tool) -> Result<Vec<&str>, ActionError> {
    tool.texts
        .all("param")
        .map(|param| match param.find('=') {
            Some(at) if at > 0 => Ok(param),
            Some(_) | None => {
                let problem = format!("the param `{param}` is not NAME=VALUE");
                Err(ActionError::error("JA018", problem))
            }
        })
        .collect()
}

/// The `oozie.` properties that a tool gets on its command line: `^oozie\.(?!launcher|NAME).+`
pub fn handed_on<'a>(
    configuration: &'a BTreeMap<String, String>,
    name: &'a str,
) -> impl Iterator<Item = (&'a str, &'a str)> {
    configuration
        .iter()
        .filter(move |(key, _)| {
            key.strip_prefix("oozie.").is_some_and(|rest| {
                !rest.is_empty() && !rest.starts_with("launcher") && !rest.starts_with(name)
            })
        })
        .map(|(key, value)| (key.as_str(), value.as_str()))
}

/// Parses a properties file.
///
/// # Errors
///
/// JA018: it is not valid.
pub fn properties(bytes: &[u8], name: &str) -> Result<BTreeMap<String, String>, ActionError> {
    match properties::parse(bytes) {
        Ok(properties) => Ok(properties.to_map()),
        Err(errors) => {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            let problem = format!("{name} is no properties file: {first}");
            Err(ActionError::error("JA018", problem))
        }
    }
}

/// The `arg` elements for the main class.
pub fn args(tool: &Tool) -> Vec<String> {
    let args = words(tool.texts.all("arg"));
    main_class_args::for_main_class(args, &|name| tool.setting(name).map(str::to_owned))
}

/// Owned words of a command line.
pub fn words<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    words.into_iter().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::{map, tool};

    #[test]
    fn properties_of_the_launcher_and_the_tool_are_not_handed_on() {
        let configuration = map([
            ("mapred.x", "0"),
            ("oozie.", "0"),
            ("oozie.a", "1"),
            ("oozie.launcher.b", "2"),
            ("oozie.spark.c", "3"),
            ("oozie.d", "4 5"),
        ]);
        let found: Vec<_> = handed_on(&configuration, "spark").collect();
        assert_eq!(found, [("oozie.a", "1"), ("oozie.d", "4 5")]);
    }

    #[test]
    fn an_empty_arg_counts_unless_it_is_said() {
        let mut tool = tool(
            ToolKind::Distcp,
            [("arg", " a "), ("arg", ""), ("arg", "b")],
        );
        assert_eq!(args(&tool), ["a", "", "b"]);
        tool.configuration = map([("oozie.action.null.args.allowed", "false")]);
        assert_eq!(args(&tool), ["a", "b"]);
    }

    #[test]
    fn a_param_has_a_name() {
        let of = |param| {
            let tool = tool(ToolKind::Hive, [("param", param)]);
            assignments(&tool)
                .map(|all| all.join(" "))
                .map_err(|error| error.code)
        };
        assert_eq!(of(" a=b=c "), Ok("a=b=c".to_owned()));
        assert_eq!(of("a="), Ok("a=".to_owned()));
        for wrong in ["=b", "a", ""] {
            assert_eq!(of(wrong), Err("JA018".to_owned()), "{wrong}");
        }
    }
}
