//! The `pig` action of the proposal of 2009 (section 3.2.3): Pig runs on `pig-host`, by ssh in the background, like an `ssh`
//! action.
//!
//! The script is one of the application's files; `${NAME}` in it is replaced by its parameters here and not by Pig. It and the
//! configuration for the jobs that Pig starts are put into a folder on that host that is removed when Pig has ended.

use std::{collections::BTreeMap, fs};

use hpdlc_program::{
    failure::ActionError,
    table::{self, Template},
};

use crate::{
    Evaluation,
    configuration::{FILE_SYSTEM, JOB_TRACKER, USER},
    empty_parts,
    prepare::Prepare,
    ssh::{Ssh, quoted},
    time_limit,
};

/// Converts the action to an `ssh` action.
pub(crate) fn evaluate(
    cx: &Evaluation<'_>,
    def: &'static table::Pig,
    host: &Template,
    script: &Template,
) -> Result<Ssh, ActionError> {
    let host = host.evaluate(cx.scope)?;
    let path = script.evaluate(cx.scope)?;
    let params = cx.texts(def.params)?;
    let params = parameters(&params)?;
    let script = substituted(&read(cx, path.trim())?, &params).map_err(|name| {
        let problem = format!("pig-script {path}: there is no parameter for ${{{name}}}");
        ActionError::error("JA018", problem)
    })?;
    let mut configuration = cx.effective_configuration(&def.settings)?;
    for (own, name) in [
        (&def.settings.name_node, FILE_SYSTEM),
        (&def.settings.resource_manager, JOB_TRACKER),
    ] {
        if let Some(text) = own {
            configuration.insert(name.to_owned(), text.evaluate(cx.scope)?);
        }
        if !configuration.contains_key(name) {
            let problem = format!("{name} is neither in the configuration nor in job-xml");
            return Err(ActionError::failed("E0701", problem));
        }
    }
    // `hadoop-user` sets it.
    let user = configuration.remove(USER);
    empty_parts::refuse(cx, empty_parts::of_prepare(def.prepare))?;
    let mut prepare = Prepare::evaluate(def.prepare, cx.scope)?.on(&configuration[FILE_SYSTEM]);
    prepare.glob_max = cx.glob_max();
    prepare.access = cx.access.settings.clone().with(&configuration);
    let limit = time_limit::time_limit(&|name| cx.action_setting(&configuration, name))?;
    Ok(Ssh {
        line: line(&script, &configuration, user.as_deref()),
        limit,
        prepare: Some(prepare).filter(|prepare| !prepare.operations.is_empty()),
        ..Ssh::to(cx, &host)?
    })
}

/// The script's text. A path that begins with a slash is relative to the application, too.
fn read(cx: &Evaluation<'_>, path: &str) -> Result<String, ActionError> {
    let file = cx.app_folder.join(path.trim_start_matches('/'));
    fs::read_to_string(&file).map_err(|error| {
        ActionError::error("JA008", format!("pig-script {}: {error}", file.display()))
    })
}

/// Parses `NAME=VALUE` parameters.
fn parameters(list: &[String]) -> Result<BTreeMap<&str, &str>, ActionError> {
    list.iter()
        .map(|param| {
            param.trim().split_once('=').ok_or_else(|| {
                let problem = format!("param `{param}` is not NAME=VALUE");
                ActionError::error("JA018", problem)
            })
        })
        .collect()
}

/// The script with its parameters replaced; the error is the name of one that has no value.
fn substituted(script: &str, params: &BTreeMap<&str, &str>) -> Result<String, String> {
    let mut text = String::with_capacity(script.len());
    let mut rest = script;
    while let Some(at) = rest.find("${") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let Some((name, behind)) = after.split_once('}') else {
            break;
        };
        let value = params
            .get(name.trim())
            .ok_or_else(|| name.trim().to_owned())?;
        text.push_str(before);
        text.push_str(value);
        rest = behind;
    }
    text.push_str(rest);
    Ok(text)
}

/// The command line for the shell on the host.
fn line(script: &str, configuration: &BTreeMap<String, String>, user: Option<&str>) -> String {
    let mut properties = String::new();
    for (name, value) in configuration {
        properties.push_str(&format!("{}={}\n", escaped(name), escaped(value)));
    }
    let mode = match configuration.get(JOB_TRACKER).map(String::as_str) {
        Some("local") => "local",
        Some(_) | None => "mapreduce",
    };
    let user = user.map_or_else(String::new, |user| {
        format!("HADOOP_USER_NAME={} ", quoted(user))
    });
    format!(
        "d=$(mktemp -d) || exit 73\nprintf %s {} > \"$d/script.pig\"\nprintf %s {} > \"$d/pig.properties\"\n\
         {user}pig -x {mode} -P \"$d/pig.properties\" -f \"$d/script.pig\"\nc=$?\nrm -rf \"$d\"\nexit $c",
        quoted(script),
        quoted(&properties),
    )
}

/// Escapes a text for a Java properties file, which is read as Latin-1.
fn escaped(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => line.push_str("\\n"),
            '\r' => line.push_str("\\r"),
            '\t' => line.push_str("\\t"),
            '\\' | '=' | ':' | '#' | '!' | ' ' => {
                line.push('\\');
                line.push(character);
            }
            ' '..='~' => line.push(character),
            _ => {
                let mut units = [0; 2];
                for unit in character.encode_utf16(&mut units) {
                    line.push_str(&format!("\\u{unit:04x}"));
                }
            }
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_put_into_the_script() {
        let list = ["In=/a b".to_owned(), " Out=x=y".to_owned()];
        let params = parameters(&list).unwrap();
        let script = "A = load '${In}';\nstore A into '${ Out }'; -- $0 ${";
        assert_eq!(
            substituted(script, &params).unwrap(),
            "A = load '/a b';\nstore A into 'x=y'; -- $0 ${"
        );
        assert_eq!(substituted("${No}", &params), Err("No".to_owned()));
        assert_eq!(parameters(&["In".to_owned()]).unwrap_err().code, "JA018");
    }

    #[test]
    fn the_jobs_of_pig_are_those_of_the_hadoop_user() {
        let configuration = [(FILE_SYSTEM, "hdfs://nn:9000"), (JOB_TRACKER, "jt:9001")]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        let line = line("it's", &configuration, Some("ann"));
        assert!(
            line.contains("HADOOP_USER_NAME='ann' pig -x mapreduce -P"),
            "{line}"
        );
        assert!(line.contains(r"'it'\''s'"), "{line}");
        assert!(line.contains(r"fs.default.name=hdfs\://nn\:9000"), "{line}");
        assert_eq!(escaped("a b\tü𝄞"), r"a\ b\t\u00fc\ud834\udd1e");
    }
}
