//! From properties to a job: defaults, substitution, and every mistake at once before anything starts.

use std::collections::{BTreeMap, BTreeSet};

use hpdlc_core::{
    el::scope::Origin,
    secrets::{MASK, is_secret_name},
    substitute,
    time::ProcessingZone,
};

use crate::{
    executors::sub_workflow::RESERVED,
    exit::RunError,
    files::Access,
    table::{App, Parameter, Properties},
    view::{JobView, NodeScope},
};

/// The path of the application, as Oozie's clients give it.
pub const APP_PATH_PROPERTY: &str = "oozie.wf.application.path";

/// What stands for the folder of the application's files before they are unpacked anywhere.
pub const UNPACKED: &str = "${wf:appPath()}";

const USER_PROPERTY: &str = "user.name";

/// A job's properties, complete.
#[derive(Clone, Debug)]
pub struct Submission {
    pub conf: BTreeMap<String, String>,
    /// The evaluated `name` of the workflow.
    pub app_name: String,
    pub app_path: String,
}

/// Completes the properties that a job of `app` was given, and checks them.
///
/// # Errors
///
/// Exit 2 with every property that is missing, reserved, or refers to itself.
pub fn complete(
    app: &App,
    given: BTreeMap<String, String>,
    folder: &str,
    user: &str,
) -> Result<Submission, RunError> {
    let (submission, refusal) = examine(app, given, folder, user);
    match refusal {
        None => Ok(submission),
        Some(refusal) => Err(refusal),
    }
}

/// Completes the properties that a job of `app` was given: as far as they go, with why a job of them would be refused.
///
/// What is missing is filled from `config-default.xml`, then from `parameters` (`SubmitXCommand`, `ParameterVerifier`), then
/// properties are substituted into one another. The refusal is exit 2, and names every property that is wrong.
pub fn examine(
    app: &App,
    given: BTreeMap<String, String>,
    folder: &str,
    user: &str,
) -> (Submission, Option<RunError>) {
    let mut problems = Vec::new();
    let mut conf = given;
    for name in RESERVED
        .iter()
        .filter(|name| **name != USER_PROPERTY && conf.contains_key(**name))
    {
        problems.push(format!(
            "property {name} cannot be given: expressions know it as a constant (E0808)"
        ));
    }
    if let Some(other) = conf.get(USER_PROPERTY).filter(|name| *name != user)
        && !is_proxy(&conf)
    {
        problems.push(format!(
            "property user.name is {other}, and you are {user}; hpdl.proxyuser=true makes {other} the user of Hadoop jobs"
        ));
    }
    if !is_proxy(&conf) {
        conf.insert(USER_PROPERTY.to_owned(), user.to_owned());
    }
    conf.entry(APP_PATH_PROPERTY.to_owned())
        .or_insert_with(|| folder.to_owned());
    for parameter in app.parameters {
        if let Some(default) = &parameter.default {
            conf.entry(parameter.name.to_owned())
                .or_insert_with(|| default.text().to_owned());
        }
    }
    for property in Properties::each(app.config_default) {
        let value = property.value().source();
        if !value.is_empty() {
            conf.entry(property.name().to_owned())
                .or_insert_with(|| value.to_owned());
        }
    }
    let missing: Vec<&Parameter> = app
        .parameters
        .iter()
        .filter(|parameter| is_missing(parameter, &conf))
        .collect();
    problems.extend(missing.iter().map(|parameter| describe_missing(parameter)));
    match substitute::resolve_all(&conf) {
        Ok(resolved) => conf = resolved,
        Err(error) => problems.push(error.to_string()),
    }
    for parameter in app.parameters {
        if let Some(value) = conf.get(parameter.name) {
            problems.extend(malformed(parameter, value));
        }
    }
    let app_path = conf.get(APP_PATH_PROPERTY).cloned().unwrap_or_default();
    let app_name = match app_name(app, &conf) {
        Ok(name) => name,
        Err(error) => {
            // What is wrong with a property has been said.
            if problems.is_empty() {
                problems.push(error);
            }
            app.name.source().to_owned()
        }
    };
    let submission = Submission {
        conf,
        app_name,
        app_path,
    };
    if problems.is_empty() {
        return (submission, None);
    }
    let names: BTreeSet<&str> = missing.iter().map(|parameter| parameter.name).collect();
    let error = RunError::usage(problems.join("\n"));
    let refusal = match names.first() {
        Some(name) => error.with_help(format!(
            "give it with -D {name}=VALUE or in a file with -c FILE; `params` lists every property"
        )),
        None => error,
    };
    (submission, Some(refusal))
}

fn is_missing(parameter: &Parameter, conf: &BTreeMap<String, String>) -> bool {
    parameter.default.is_none() && !parameter.is_optional && !conf.contains_key(parameter.name)
}

fn describe_missing(parameter: &Parameter) -> String {
    match parameter.places().next() {
        Some(place) => format!(
            "property {} is not given; it is used at {}:{}:{}",
            parameter.name, place.file, place.line, place.column
        ),
        None => format!(
            "property {} is not given; the workflow declares it (E0738)",
            parameter.name
        ),
    }
}

/// A value that the type, which is inferred from every use, does not take.
fn malformed(parameter: &Parameter, value: &str) -> Option<String> {
    // As expressions see it; nothing at all is 0 for them, and any text that is not `true` is false.
    let value = value.trim();
    let is_good = match parameter.r#type {
        "integer" => value.is_empty() || value.parse::<i64>().is_ok(),
        "number" => value.is_empty() || value.parse::<f64>().is_ok(),
        "date" => is_date(value),
        _ => true,
    };
    (!is_good).then(|| {
        let place = parameter.places().next().map_or_else(String::new, |place| {
            format!(" at {}:{}:{}", place.file, place.line, place.column)
        });
        let shown = if is_secret_name(parameter.name) {
            MASK
        } else {
            value
        };
        format!(
            "property {} is `{shown}`; it is used as {}{place}",
            parameter.name, parameter.r#type
        )
    })
}

/// Whether `user.name` is the user of Hadoop, whoever runs the program.
fn is_proxy(conf: &BTreeMap<String, String>) -> bool {
    let is_set = conf
        .get("hpdl.proxyuser")
        .is_some_and(|value| value == "true");
    is_set && conf.contains_key(USER_PROPERTY)
}

/// A date as Oozie writes it, with an offset instead of `Z` where the processing time zone has one.
fn is_date(value: &str) -> bool {
    let has_offset = value.rsplit_once(['+', '-']).is_some_and(|(date, offset)| {
        date.contains('T') && offset.len() == 4 && offset.bytes().all(|byte| byte.is_ascii_digit())
    });
    has_offset || ProcessingZone::UTC.read(value).is_ok()
}

/// The workflow's name with its expressions evaluated; they may use properties alone.
fn app_name(app: &App, conf: &BTreeMap<String, String>) -> Result<String, String> {
    let view = JobView {
        conf: std::sync::Arc::new(conf.clone()),
        ..JobView::default()
    };
    app.name
        .evaluate(&NodeScope {
            view: &view,
            node: "",
            origin: Origin::default(),
            access: &Access::default(),
        })
        .map_err(|error| format!("the workflow's name has no value: {error}"))
}
