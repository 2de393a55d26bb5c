//! The form that starts a job: a field for each property that the application reads, with its type, default and places of use.

use std::collections::BTreeMap;

use hpdlc_core::secrets::is_secret_name;
use serde_json::{Value, json};

use crate::{api::hws::ApplicationParameter, serve::query::Parameters};

/// Fields of parameters have this before their names: a property may be called like another field.
const PREFIX: &str = "p.";
/// Places of use that are listed.
const MOST_PLACES: usize = 3;

/// What was sent, and what became of it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Form {
    /// The values of fields, as they were sent.
    pub(crate) values: BTreeMap<String, String>,
    /// Further properties, `NAME=VALUE` a line.
    pub(crate) more: String,
    /// What is wrong with a parameter, by its name.
    pub(crate) errors: BTreeMap<String, String>,
    /// What the dry run printed.
    pub(crate) tried: Option<Value>,
    /// The same for the command line.
    pub(crate) line: Option<String>,
    /// Whether the job can be started.
    pub(crate) is_ready: bool,
    /// A secret was given; it is not sent back.
    pub(crate) has_secrets: bool,
}

impl Form {
    /// What was sent, and the properties in it; a text that says what is wrong with a line of the further ones.
    pub(crate) fn read(sent: &Parameters) -> (Form, Result<BTreeMap<String, String>, String>) {
        let more = sent.get("more").unwrap_or_default();
        let mut form = Form {
            more: without_secrets(more),
            ..Form::default()
        };
        let mut properties = BTreeMap::new();
        for (field, value) in sent.iter() {
            let Some(name) = field.strip_prefix(PREFIX) else {
                continue;
            };
            form.values.insert(name.to_owned(), value.to_owned());
            // An empty field is not given: the default is used.
            if !value.is_empty() {
                properties.insert(name.to_owned(), value.to_owned());
            }
        }
        let lines = more.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
            match line
                .split_once('=')
                .map(|(name, value)| (name.trim(), value))
            {
                Some((name, value)) if !name.is_empty() => {
                    properties.insert(name.to_owned(), value.trim().to_owned());
                }
                Some(_) | None => {
                    let problem = "further properties are NAME=VALUE, one a line";
                    return (form, Err(problem.to_owned()));
                }
            }
        }
        form.has_secrets = properties.keys().any(|name| is_secret_name(name));
        (form, Ok(properties))
    }

    /// Puts errors beside the parameters that they are about; returns the others.
    pub(crate) fn place_errors(&mut self, errors: &[String]) -> Vec<String> {
        let mut others = Vec::new();
        for error in errors {
            let name = error.strip_prefix("property ").and_then(|rest| {
                let (name, _) = rest.split_once(" is not given")?;
                Some(name)
            });
            match name {
                Some(name) => drop(self.errors.insert(name.to_owned(), error.clone())),
                None => others.push(error.clone()),
            }
        }
        others
    }
}

/// Further properties without the values of secrets, which are not sent back.
fn without_secrets(more: &str) -> String {
    let lines = more.lines().map(|line| match line.split_once('=') {
        Some((name, _)) if is_secret_name(name.trim()) => format!("{name}="),
        Some(_) | None => line.to_owned(),
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// The command line that does the same; values of secrets are left to its reader.
pub(crate) fn line(name: &str, properties: &BTreeMap<String, String>) -> String {
    let mut line = format!("hpdl run {}", quoted(name));
    for (name, value) in properties {
        let value = match is_secret_name(name) {
            true => "...",
            false => value,
        };
        line.push_str(&format!(" -D {}", quoted(&format!("{name}={value}"))));
    }
    line
}

/// A word for a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=@,+%".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

/// The fields of a form.
pub(crate) fn fields(parameters: &[ApplicationParameter], form: &Form) -> Vec<Value> {
    let all = parameters.iter().enumerate();
    all.map(|(number, parameter)| field(number, parameter, form))
        .collect()
}

fn field(number: usize, parameter: &ApplicationParameter, form: &Form) -> Value {
    let name = parameter.name.as_str();
    let is_secret = is_secret_name(name);
    let given = form.values.get(name).map_or("", String::as_str);
    let places: Vec<String> = parameter
        .uses
        .iter()
        .take(MOST_PLACES)
        .map(|place| format!("{}:{}", place.file, place.line))
        .collect();
    let words = ["", "true", "false"];
    let is_choice = parameter.type_name == "boolean" && words.contains(&given);
    let options: Vec<Value> = words
        .iter()
        .filter(|_| is_choice)
        .map(|word| {
            json!({
                "value": word,
                "name": if word.is_empty() { "not given" } else { word },
                "chosen": *word == given,
            })
        })
        .collect();
    json!({
        "id": format!("parameter-{number}"),
        "field": format!("{PREFIX}{name}"),
        "name": name,
        "type": parameter.type_name,
        "is_required": parameter.required,
        "is_number": matches!(parameter.type_name.as_str(), "integer" | "number"),
        "is_secret": is_secret,
        "default": parameter.default,
        "description": parameter.description,
        "places": places.join(", "),
        "n_more": parameter.uses.len().saturating_sub(MOST_PLACES),
        "value": if is_secret { "" } else { given },
        "options": options,
        "error": form.errors.get(name),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_fields_are_not_given_and_further_lines_are_read() {
        let sent = Parameters::parse(Some(
            "p.day=1&p.limit=&p.do=x&do=start&more=%23+note%0D%0Aa%3D+b%3Dc%0D%0AdbPassword%3Dhunter22",
        ));
        let (form, properties) = Form::read(&sent);
        let properties = properties.unwrap();
        let expected = [
            ("a", "b=c"),
            ("day", "1"),
            ("dbPassword", "hunter22"),
            ("do", "x"),
        ];
        let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned()));
        assert_eq!(properties, BTreeMap::from(expected));
        assert!(
            form.has_secrets && !form.more.contains("hunter22"),
            "{form:?}"
        );
        let line = line("a b", &properties);
        assert_eq!(
            line,
            "hpdl run 'a b' -D a=b=c -D day=1 -D dbPassword=... -D do=x"
        );
        let wrong = Parameters::parse(Some("more=%3Dx"));
        assert!(Form::read(&wrong).1.is_err());
    }

    #[test]
    fn an_error_stands_beside_its_field() {
        let mut form = Form::default();
        let errors = [
            "property mode is not given; it is used at workflow.xml:19:103".to_owned(),
            "the file system fails".to_owned(),
        ];
        assert_eq!(form.place_errors(&errors), ["the file system fails"]);
        let parameter = ApplicationParameter {
            name: "mode".to_owned(),
            required: true,
            type_name: "string".to_owned(),
            ..ApplicationParameter::default()
        };
        let field = &fields(&[parameter], &form)[0];
        assert_eq!(field["error"], errors[0]);
    }

    #[test]
    fn a_shell_takes_a_quoted_word_for_one() {
        for (word, expected) in [
            ("day=2026-11-28", "day=2026-11-28"),
            ("a b", "'a b'"),
            ("it's $(x)", "'it'\\''s $(x)'"),
            ("", "''"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
