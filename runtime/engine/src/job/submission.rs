//! Completes the properties of a job: defaults, substitution, and all mistakes at once before anything starts.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
};

use hpdlc_core::{
    configuration,
    el::scope::Origin,
    empty_parts,
    secrets::{MASK, is_secret_name},
    slips::is_slip,
    time::ProcessingZone,
    visible,
};
use hpdlc_executors::sub_workflow::RESERVED;
use hpdlc_files::{self as files, Access};
use hpdlc_host::{comma_list, exit::RunError, settings};
use hpdlc_program::table::{App, Parameter, Property};

use crate::{
    job::scope::{JobScope, NodeScope},
    sla::{self, Registration},
};

/// The path of the application, as Oozie's clients give it.
pub const APP_PATH_PROPERTY: &str = "oozie.wf.application.path";

/// The placeholder for the folder of the application's files before they are unpacked.
pub const UNPACKED: &str = "${wf:appPath()}";

const USER_PROPERTY: &str = "user.name";

/// The completed properties of a job.
#[derive(Clone, Debug)]
pub struct Submission {
    pub conf: BTreeMap<String, String>,
    /// The evaluated `name` of the workflow.
    pub app_name: String,
    pub app_path: String,
    /// The service levels of the job and its actions.
    pub slas: Vec<Registration>,
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

/// What a document declares of the properties of its jobs.
pub struct DeclaredProperties<'a> {
    pub parameters: &'a [Parameter],
    pub config_default: &'static [Property],
    /// The property with the path of the application.
    pub path_property: &'a str,
    /// The kind of document, as shown to the user.
    pub language: &'a str,
    /// The time zone in which its dates are parsed, if known.
    pub zone: Option<ProcessingZone>,
}

/// Completes the properties of a job of `app` as far as possible, and returns why such a job would be refused.
///
/// The refusal is exit 2, and names every property that is wrong.
pub fn examine(
    app: &App,
    given: BTreeMap<String, String>,
    folder: &str,
    user: &str,
) -> (Submission, Option<RunError>) {
    let declared = DeclaredProperties {
        parameters: app.parameters,
        config_default: app.config_default,
        path_property: APP_PATH_PROPERTY,
        language: "workflow",
        zone: None,
    };
    let (conf, mut refusal) = examine_properties(&declared, given, folder, user);
    let app_path = conf.get(APP_PATH_PROPERTY).cloned().unwrap_or_default();
    let app_name = match app_name(app, &conf) {
        Ok(name) => name,
        Err(error) => {
            // A mistake in a property has been reported already.
            refusal = refusal.or_else(|| Some(RunError::usage(error)));
            app.name.source().into_owned()
        }
    };
    let slas = match sla::evaluate(app, &conf) {
        Ok(slas) => slas,
        Err(problems) => {
            refusal = refusal.or_else(|| Some(RunError::usage(problems.join("\n"))));
            Vec::new()
        }
    };
    let submission = Submission {
        conf,
        app_name,
        app_path,
        slas,
    };
    (submission, refusal)
}

/// The refusal if `user.name` names another user than the one that runs the program.
pub fn other_user(conf: &BTreeMap<String, String>, user: &str) -> Option<String> {
    let other = conf.get(USER_PROPERTY).filter(|name| *name != user)?;
    (!is_proxy(conf)).then(|| {
        format!(
            "property user.name is {other}, and you are {user}; hpdl.proxyuser=true makes {other} the user of Hadoop jobs"
        )
    })
}

/// Completes the properties of a job as far as possible, and returns why such a job would be refused.
///
/// Missing ones are taken from the file of defaults, then from `parameters` (`SubmitXCommand`, `ParameterVerifier`), then properties are
/// substituted into one another.
pub fn examine_properties(
    declared: &DeclaredProperties<'_>,
    given: BTreeMap<String, String>,
    folder: &str,
    user: &str,
) -> (BTreeMap<String, String>, Option<RunError>) {
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
    problems.extend(other_user(&conf, user));
    if !is_proxy(&conf) {
        conf.insert(USER_PROPERTY.to_owned(), user.to_owned());
    }
    conf.entry(declared.path_property.to_owned())
        .or_insert_with(|| folder.to_owned());
    let mut unread = Vec::new();
    match defaults_of_files(&conf) {
        Ok(defaults) => {
            for (name, value) in defaults {
                conf.entry(name).or_insert(value);
            }
        }
        Err(problem) => unread.push(problem),
    }
    for parameter in declared.parameters {
        if let Some(default) = &parameter.default {
            conf.entry(parameter.name.to_owned())
                .or_insert_with(|| default.text().to_owned());
        }
    }
    for property in declared.config_default {
        let value = property.value().source();
        if !value.is_empty() {
            conf.entry(property.name().into_owned())
                .or_insert_with(|| value.into_owned());
        }
    }
    let missing: Vec<&Parameter> = declared
        .parameters
        .iter()
        .filter(|parameter| is_missing(parameter, &conf))
        .collect();
    let mut others = unread;
    match empty_parts::resolve(&mut conf) {
        Ok(lost) => lost.keep(&mut conf),
        Err(error) => others.push(error.to_string()),
    }
    for parameter in declared.parameters {
        if let Some(value) = conf.get(parameter.name) {
            others.extend(malformed(parameter, value, declared.zone));
        }
    }
    others.extend(malformed_settings(&conf));
    others.extend(settings::wrong_words(&conf));
    let unread = conf.keys().map(String::as_str).filter(|name| {
        let mut declared = declared.parameters.iter();
        !declared.any(|parameter| parameter.name == *name)
    });
    let misspelt = misspelt(&missing, unread);
    let refusal = refuse_missing(&missing, declared.language, misspelt, (problems, others));
    (conf, refusal)
}

/// Properties of the files that `oozie.default.configuration.path` names; the first occurrence of a name counts.
fn defaults_of_files(conf: &BTreeMap<String, String>) -> Result<Vec<(String, String)>, String> {
    const SETTING: &str = "oozie.default.configuration.path";
    let paths = conf.get(SETTING).map_or("", String::as_str);
    let mut defaults = Vec::new();
    for path in comma_list::entries(paths) {
        let wrong = |problem: String| {
            format!(
                "property {SETTING}: {}: {problem}; a copy on a local disk can be given with -c, before other files",
                visible::line(path)
            )
        };
        let local = files::local_path(path).map_err(|error| wrong(error.to_string()))?;
        let text = fs::read_to_string(&local).map_err(|error| wrong(error.to_string()))?;
        let parsed = configuration::parse(&text).map_err(|error| wrong(error.to_string()))?;
        defaults.extend(parsed.to_map());
    }
    Ok(defaults)
}

/// A given property that nothing reads, and the missing one that has nearly its name.
pub fn misspelt<'a>(
    missing: &[&Parameter],
    unread: impl Iterator<Item = &'a str>,
) -> Option<(&'a str, &'static str)> {
    let mut slips = unread.filter_map(|name| {
        let mut missing = missing.iter();
        let meant = missing.find(|parameter| is_slip(name, parameter.name))?;
        Some((name, meant.name))
    });
    slips.next()
}

/// The refusal of a job that lacks properties, with the other problems before and after them; `None` if there are no problems.
pub fn refuse_missing(
    missing: &[&Parameter],
    language: &str,
    misspelt: Option<(&str, &str)>,
    (before, after): (Vec<String>, Vec<String>),
) -> Option<RunError> {
    let missing_words = missing
        .iter()
        .map(|parameter| describe_missing(parameter, language));
    let problems: Vec<String> = before
        .into_iter()
        .chain(missing_words)
        .chain(after)
        .collect();
    if problems.is_empty() {
        return None;
    }
    let names: BTreeSet<&str> = missing.iter().map(|parameter| parameter.name).collect();
    let error = RunError::usage(problems.join("\n"));
    if let Some((given, meant)) = misspelt {
        return Some(error.with_help(format!(
            "{given} is given, and nothing reads it: is it {meant}? `params` lists every property"
        )));
    }
    Some(match names.first() {
        Some(name) => error.with_help(format!(
            "give it with -D {name}=VALUE or in a file with -c FILE; `params` lists every property"
        )),
        None => error,
    })
}

fn is_missing(parameter: &Parameter, conf: &BTreeMap<String, String>) -> bool {
    parameter.default.is_none() && !parameter.is_optional && !conf.contains_key(parameter.name)
}

fn describe_missing(parameter: &Parameter, language: &str) -> String {
    match parameter.places().next() {
        Some(place) => {
            // Oozie runs a workflow until it needs the value.
            let code = if language == "workflow" {
                ""
            } else {
                " (E1004)"
            };
            format!(
                "property {} is not given; it is used at {}:{}:{}{code}",
                parameter.name, place.file, place.line, place.column
            )
        }
        None => format!(
            "property {} is not given; the {language} declares it (E0738)",
            parameter.name
        ),
    }
}

/// The problem if a value does not fit the type, which is inferred from every use.
fn malformed(parameter: &Parameter, value: &str, zone: Option<ProcessingZone>) -> Option<String> {
    // As expressions see it; an empty value is 0 for them, and any text that is not `true` is false.
    let value = value.trim();
    let is_good = match parameter.r#type {
        "integer" => value.is_empty() || value.parse::<i64>().is_ok(),
        "number" => value.is_empty() || value.parse::<f64>().is_ok(),
        "date" => is_date(value, zone),
        _ => true,
    };
    (!is_good).then(|| {
        let place = parameter.places().next().map_or_else(String::new, |place| {
            format!(" at {}:{}:{}", place.file, place.line, place.column)
        });
        let shown = if is_secret_name(parameter.name) {
            MASK.into()
        } else {
            visible::line(value)
        };
        format!(
            "property {} is `{shown}`; it is used as {}{place}{}",
            parameter.name,
            parameter.r#type,
            other_zone(value, parameter, zone)
        )
    })
}

/// Problems of our own settings that must be numbers and are not. Settings of Oozie's are treated as in Oozie: a malformed number counts as
/// not set.
fn malformed_settings(conf: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    settings::all().filter_map(|known| {
        let is_number = known.name.starts_with("hpdl.") && known.built_in.parse::<u64>().is_ok();
        let value = conf.get(known.name).filter(|_| is_number)?.trim();
        let is_good = value.is_empty() || value.parse::<u64>().is_ok();
        (!is_good).then(|| {
            format!(
                "property {} is `{}`; it is a whole number: {}",
                known.name,
                visible::line(value),
                known.meaning
            )
        })
    })
}

/// Whether `user.name` is the Hadoop user, whatever user runs the program.
fn is_proxy(conf: &BTreeMap<String, String>) -> bool {
    let is_set = conf
        .get("hpdl.proxyuser")
        .is_some_and(|value| value == "true");
    is_set && conf.contains_key(USER_PROPERTY)
}

/// The hint for a date that is valid only in another time zone.
fn other_zone(value: &str, parameter: &Parameter, zone: Option<ProcessingZone>) -> &'static str {
    match zone {
        Some(_) if parameter.r#type == "date" && is_date(value, None) => {
            ", in the processing time zone, which the setting oozie.processing.timezone names (E1003)"
        }
        _ => "",
    }
}

/// Whether it is a date as Oozie writes it in the zone. If that is unknown, an offset instead of `Z` is valid too.
fn is_date(value: &str, zone: Option<ProcessingZone>) -> bool {
    if let Some(zone) = zone {
        return zone.read(value).is_ok();
    }
    let has_offset = value.rsplit_once(['+', '-']).is_some_and(|(date, offset)| {
        date.contains('T') && offset.len() == 4 && offset.bytes().all(|byte| byte.is_ascii_digit())
    });
    has_offset || ProcessingZone::UTC.read(value).is_ok()
}

/// The workflow's name with its expressions evaluated; they may use only properties.
fn app_name(app: &App, conf: &BTreeMap<String, String>) -> Result<String, String> {
    let view = JobScope {
        conf: std::sync::Arc::new(conf.clone()),
        ..JobScope::default()
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
