//! `settings`: every setting with its value and origin.

use std::collections::BTreeMap;

use clap::Args;
use hpdlc_core::{
    configuration,
    secrets::{MASK, Secrets, is_secret_value},
};
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    home::store_location,
    settings::{self, KnownSetting, Scope},
};
use hpdlc_program::table::Program;
use serde_json::{Value, json};

use crate::commands::{GivenPlace, PropertySources, find_job, print, print_json};

#[derive(Debug, Args)]
pub struct SettingsReport {
    /// A job: with its properties
    id: Option<String>,
    #[command(flatten)]
    given: PropertySources,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// The origin of a setting's value.
#[derive(Clone, Debug, PartialEq, Eq)]
enum SettingOrigin {
    BuiltIn,
    /// File and line.
    Site(String, usize),
    /// The origin of the job's property, if known.
    Job(Option<String>),
    /// A variable, which overrides the site's file.
    Variable(&'static str),
}

/// One line of the output.
struct SettingRow {
    known: &'static KnownSetting,
    value: String,
    origin: SettingOrigin,
}

/// The job's properties: value and origin.
type JobProperties = BTreeMap<String, (String, Option<String>)>;

impl SettingsReport {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let session = Session::open(program)?;
        let site = Site::read(&session)?;
        let properties = self.job_properties(&session)?;
        let rows: Vec<SettingRow> = settings::all()
            .map(|known| decided(known, &site, &properties))
            .collect();
        let secrets = Secrets::of(
            properties
                .iter()
                .map(|(name, (value, _))| (name.as_str(), value.as_str()))
                .chain(rows.iter().map(|row| (row.known.name, row.value.as_str()))),
        );
        if self.json {
            print_json(&json_of(&rows, &site, &secrets))?;
        } else {
            print(&table(&rows, &site, &secrets))?;
        }
        Ok(Exit::Success)
    }

    fn job_properties(&self, session: &Session) -> Result<JobProperties, RunError> {
        let mut all = JobProperties::new();
        if let Some(id) = &self.id {
            let job = find_job(session, id)?;
            let conf: BTreeMap<String, String> =
                serde_json::from_str(&job.conf).unwrap_or_default();
            all.extend(
                conf.into_iter()
                    .map(|(name, value)| (name, (value, Some(job.id.clone())))),
            );
        }
        let mut given = self.given.read_with_places()?;
        for (name, value) in given.values {
            let place = match given.places.remove(&name) {
                Some(GivenPlace::File(file, line)) => Some(format!("{file}:{line}")),
                Some(GivenPlace::CommandLine) => Some(format!("-D {name}")),
                None => None,
            };
            all.insert(name, (value, place));
        }
        Ok(all)
    }
}

/// All settings of a site, as `settings --json` prints them: without those of a job.
///
/// # Errors
///
/// The site's file cannot be read.
pub fn to_json(session: &Session) -> Result<Value, RunError> {
    let site = Site::read(session)?;
    let none = JobProperties::new();
    let rows: Vec<SettingRow> = settings::all()
        .map(|known| decided(known, &site, &none))
        .collect();
    let values = rows.iter().map(|row| (row.known.name, row.value.as_str()));
    let secrets = Secrets::of(values);
    Ok(json_of(&rows, &site, &secrets))
}

fn json_of(rows: &[SettingRow], site: &Site, secrets: &Secrets) -> Value {
    let path = site.path.clone().unwrap_or_default();
    let others = site.properties.iter().filter_map(|(name, (value, line))| {
        other_json(name, value, format!("{path}:{line}"), secrets)
    });
    rows.iter()
        .map(|row| row.json(secrets))
        .chain(others)
        .collect()
}

/// The site's settings file.
struct Site {
    path: Option<String>,
    properties: BTreeMap<String, (String, usize)>,
    /// The database of the store, without its password.
    database: Option<String>,
}

impl Site {
    fn read(session: &Session) -> Result<Site, RunError> {
        let store = session.home.store_location();
        let database = (!store.is_file()).then(|| store.to_string());
        let Some(path) = settings::site_path(&session.home) else {
            return Ok(Site {
                path: None,
                properties: BTreeMap::new(),
                database,
            });
        };
        let shown = path.display().to_string();
        let text = hpdlc_host::named_file::read_text(&path)
            .map_err(|error| RunError::usage(format!("cannot read settings {shown}: {error}")))?;
        let parsed = configuration::parse(&text)
            .map_err(|error| RunError::usage(format!("settings {shown}: {error}")))?;
        let properties = parsed
            .properties
            .into_iter()
            .map(|property| (property.name, (property.value, property.line)))
            .collect();
        Ok(Site {
            path: Some(shown),
            properties,
            database,
        })
    }
}

fn decided(known: &'static KnownSetting, site: &Site, job: &JobProperties) -> SettingRow {
    let of_job = match known.scope {
        Scope::Job | Scope::JobOnly => job.get(known.name),
        Scope::SiteOnly => None,
    };
    let of_site = match known.scope {
        Scope::Job | Scope::SiteOnly => site.properties.get(known.name),
        Scope::JobOnly => None,
    };
    let (mut value, mut origin) = match (of_job, of_site) {
        (Some((value, place)), _) => (value.clone(), SettingOrigin::Job(place.clone())),
        (None, Some((value, line))) => (
            value.clone(),
            SettingOrigin::Site(site.path.clone().unwrap_or_default(), *line),
        ),
        (None, None) => (known.built_in.to_owned(), SettingOrigin::BuiltIn),
    };
    if known.name == store_location::URL
        && let Some(database) = &site.database
    {
        value = database.clone();
        if store_location::of_variable().is_some() {
            origin = SettingOrigin::Variable(store_location::VARIABLE);
        }
    }
    SettingRow {
        known,
        value: value.trim().to_owned(),
        origin,
    }
}

impl SettingRow {
    fn json(&self, secrets: &Secrets) -> Value {
        let (origin, place) = match &self.origin {
            SettingOrigin::BuiltIn => ("built-in", None),
            SettingOrigin::Site(file, line) => ("site", Some(format!("{file}:{line}"))),
            SettingOrigin::Job(place) => ("job", place.clone()),
            SettingOrigin::Variable(name) => ("variable", Some((*name).to_owned())),
        };
        json!({
            "name": self.known.name,
            "value": secrets.masked(&self.value),
            "origin": origin,
            "place": place,
            "built_in": self.known.built_in,
            "scope": scope_name(self.known.scope),
            "meaning": self.known.meaning,
        })
    }
}

/// A property of the site's file that has no effect.
enum Other {
    /// A setting of Oozie, and why it has no effect.
    Setting(&'static str),
    /// A misspelt setting of hpdlc, and the suggestion.
    Unknown(String),
    /// Another program's property.
    Foreign,
}

/// `None` for a property that is used.
fn other(name: &str) -> Option<Other> {
    if let Some(known) = settings::all().find(|known| known.name == name) {
        let is_read = known.scope != Scope::JobOnly;
        return (!is_read).then_some(Other::Setting(
            "it is read from a job's properties alone: give it with -c or -D",
        ));
    }
    // Names with a variable part.
    let families = ["hpdl.sharelib.", "oozie.action.sharelib.for."];
    if families.iter().any(|family| name.starts_with(family)) {
        return None;
    }
    if let Some(why) = settings::without_meaning(name) {
        return Some(Other::Setting(why));
    }
    if !name.starts_with("hpdl.") {
        return Some(Other::Foreign);
    }
    let near = settings::all()
        .map(|known| (strsim::levenshtein(name, known.name), known.name))
        .min()
        .filter(|(distance, _)| *distance <= 3);
    Some(Other::Unknown(
        near.map_or_else(String::new, |(_, near)| format!("; did you mean {near}?")),
    ))
}

/// A property of the site's file without effect, as JSON.
fn other_json(name: &str, value: &str, place: String, secrets: &Secrets) -> Option<Value> {
    let meaning = match other(name)? {
        Other::Setting(why) => format!("no meaning here: {why}"),
        Other::Unknown(near) => format!("there is no such setting{near}"),
        Other::Foreign => "no setting of Oozie".to_owned(),
    };
    let value = if is_secret_value(name, value) {
        MASK.to_owned()
    } else {
        secrets.masked(value)
    };
    Some(json!({
        "name": name,
        "value": value,
        "origin": "site",
        "place": place,
        "built_in": "",
        "scope": "none",
        "meaning": meaning,
    }))
}

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Job => "job",
        Scope::JobOnly => "job only",
        Scope::SiteOnly => "site only",
    }
}

fn table(rows: &[SettingRow], site: &Site, secrets: &Secrets) -> String {
    let mut text = match &site.path {
        Some(path) => format!("site settings: {path}\n"),
        None => {
            "no site settings: neither HPDL_SITE nor hpdl-site.xml in the state folder\n".to_owned()
        }
    };
    for row in rows {
        let origin = match &row.origin {
            SettingOrigin::BuiltIn => "built-in".to_owned(),
            SettingOrigin::Site(_, line) => format!("site, line {line}"),
            SettingOrigin::Job(Some(place)) => format!("job, {place}"),
            SettingOrigin::Job(None) => "job".to_owned(),
            SettingOrigin::Variable(name) => format!("variable {name}"),
        };
        let value = match row.value.as_str() {
            "" => "(none)".to_owned(),
            value => secrets.masked(value),
        };
        let mark = match row.known.scope {
            Scope::Job => "",
            Scope::JobOnly => " (job only)",
            Scope::SiteOnly => " (site only)",
        };
        text.push_str(&format!(
            "\n{} = {value}\n    {origin}; {}{mark}\n",
            row.known.name, row.known.meaning
        ));
    }
    let mut n_others = 0;
    for (name, (_, line)) in &site.properties {
        match other(name) {
            Some(Other::Setting(why)) => {
                text.push_str(&format!(
                    "\n{name}\n    site, line {line}; no meaning here: {why}\n"
                ));
            }
            Some(Other::Unknown(near)) => {
                text.push_str(&format!(
                    "\n{name}\n    site, line {line}; there is no such setting{near}\n"
                ));
            }
            Some(Other::Foreign) => n_others += 1,
            None => {}
        }
    }
    if n_others > 0 {
        let properties = match n_others {
            1 => "1 property".to_owned(),
            more => format!("{more} properties"),
        };
        text.push_str(&format!(
            "\n{properties} of the site's file are no settings of Oozie and have no meaning here\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> &'static KnownSetting {
        settings::all().find(|known| known.name == name).unwrap()
    }

    #[test]
    fn what_is_not_honoured_is_told_with_its_reason() {
        let told = |name: &str| match other(name) {
            Some(Other::Setting(why)) => format!("no meaning: {why}"),
            Some(Other::Unknown(near)) => format!("unknown{near}"),
            Some(Other::Foreign) => "foreign".to_owned(),
            None => "honoured".to_owned(),
        };
        assert_eq!(told("hpdl.kill.grace"), "honoured");
        assert_eq!(told("oozie.wf.action.notification.url"), "honoured");
        assert_eq!(told("hpdl.sharelib.hive"), "honoured");
        assert_eq!(told("oozie.action.sharelib.for.pig"), "honoured");
        assert_eq!(
            told("hpdl.on.failures"),
            "unknown; did you mean hpdl.on.failure?"
        );
        assert_eq!(told("hpdl.quite.another"), "unknown");
        assert_eq!(told("fs.defaultFS"), "foreign");
        assert!(told("oozie.suspend.on.nodes").contains("a job's properties alone"));
        assert!(told("oozie.service.JPAService.jdbc.url").contains("store"));
    }

    #[test]
    fn a_jobs_property_is_above_the_sites_and_that_above_the_built_in() {
        let site = Site {
            path: Some("/etc/site.xml".to_owned()),
            properties: BTreeMap::from([
                ("hpdl.kill.grace".to_owned(), ("5".to_owned(), 3)),
                ("hpdl.proxyuser".to_owned(), ("true".to_owned(), 9)),
            ]),
            database: None,
        };
        let none = JobProperties::new();
        let job = JobProperties::from([(
            "hpdl.kill.grace".to_owned(),
            ("1".to_owned(), Some("job.properties:2".to_owned())),
        )]);
        let of = |name: &str, job: &JobProperties| {
            let row = decided(known(name), &site, job);
            (row.value, row.origin)
        };
        let of_site = SettingOrigin::Site("/etc/site.xml".to_owned(), 3);
        assert_eq!(of("hpdl.kill.grace", &none), ("5".to_owned(), of_site));
        let of_job = SettingOrigin::Job(Some("job.properties:2".to_owned()));
        assert_eq!(of("hpdl.kill.grace", &job), ("1".to_owned(), of_job));
        assert_eq!(
            of("hpdl.proxyuser", &none),
            ("false".to_owned(), SettingOrigin::BuiltIn),
            "the site's file is not asked for it"
        );
    }
}
