//! `settings`: every setting with its value, and who said so.

use std::collections::BTreeMap;

use clap::Args;
use hpdlc_core::{configuration, secrets::Secrets};
use serde_json::{Value, json};

use crate::{
    commands::{Given, GivenPlace, find_job, print, print_json},
    exit::{Exit, RunError},
    owner::Session,
    settings::{self, KNOWN, Known, Scope},
    table::Program,
};

#[derive(Debug, Args)]
pub(super) struct Settings {
    /// A job: with its properties
    id: Option<String>,
    #[command(flatten)]
    given: Given,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Who decides a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Origin {
    BuiltIn,
    /// File and line.
    Site(String, usize),
    /// Where among the job's properties, if that is known.
    Job(Option<String>),
}

/// One line of what is shown.
struct Row {
    known: &'static Known,
    value: String,
    origin: Origin,
}

/// The job's properties: value and place.
type JobProperties = BTreeMap<String, (String, Option<String>)>;

impl Settings {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let session = Session::open(program)?;
        let site = Site::read(&session)?;
        let properties = self.job_properties(&session)?;
        let rows: Vec<Row> = KNOWN
            .iter()
            .map(|known| decided(known, &site, &properties))
            .collect();
        let secrets = Secrets::of(
            properties
                .iter()
                .map(|(name, (value, _))| (name.as_str(), value.as_str()))
                .chain(rows.iter().map(|row| (row.known.name, row.value.as_str()))),
        );
        if self.json {
            let all: Value = rows.iter().map(|row| row.json(&secrets)).collect();
            print_json(&all)?;
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

/// The site's file.
struct Site {
    path: Option<String>,
    properties: BTreeMap<String, (String, usize)>,
}

impl Site {
    fn read(session: &Session) -> Result<Site, RunError> {
        let Some(path) = settings::site_path(&session.home) else {
            return Ok(Site {
                path: None,
                properties: BTreeMap::new(),
            });
        };
        let shown = path.display().to_string();
        let text = std::fs::read_to_string(&path)
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
        })
    }
}

fn decided(known: &'static Known, site: &Site, job: &JobProperties) -> Row {
    let of_job = match known.scope {
        Scope::Job | Scope::JobOnly => job.get(known.name),
        Scope::SiteOnly => None,
    };
    let of_site = match known.scope {
        Scope::Job | Scope::SiteOnly => site.properties.get(known.name),
        Scope::JobOnly => None,
    };
    let (value, origin) = match (of_job, of_site) {
        (Some((value, place)), _) => (value.clone(), Origin::Job(place.clone())),
        (None, Some((value, line))) => (
            value.clone(),
            Origin::Site(site.path.clone().unwrap_or_default(), *line),
        ),
        (None, None) => (known.built_in.to_owned(), Origin::BuiltIn),
    };
    Row {
        known,
        value: value.trim().to_owned(),
        origin,
    }
}

impl Row {
    fn json(&self, secrets: &Secrets) -> Value {
        let (origin, place) = match &self.origin {
            Origin::BuiltIn => ("built-in", None),
            Origin::Site(file, line) => ("site", Some(format!("{file}:{line}"))),
            Origin::Job(place) => ("job", place.clone()),
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

fn scope_name(scope: Scope) -> &'static str {
    match scope {
        Scope::Job => "job",
        Scope::JobOnly => "job only",
        Scope::SiteOnly => "site only",
    }
}

fn table(rows: &[Row], site: &Site, secrets: &Secrets) -> String {
    let mut text = match &site.path {
        Some(path) => format!("site settings: {path}\n"),
        None => {
            "no site settings: neither HPDL_SITE nor hpdl-site.xml in the state folder\n".to_owned()
        }
    };
    for row in rows {
        let origin = match &row.origin {
            Origin::BuiltIn => "built-in".to_owned(),
            Origin::Site(_, line) => format!("site, line {line}"),
            Origin::Job(Some(place)) => format!("job, {place}"),
            Origin::Job(None) => "job".to_owned(),
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
    let is_known = |name: &String| KNOWN.iter().any(|known| known.name == name);
    let n_others = site
        .properties
        .keys()
        .filter(|name| !is_known(name))
        .count();
    if n_others > 0 {
        let properties = match n_others {
            1 => "1 property".to_owned(),
            more => format!("{more} properties"),
        };
        text.push_str(&format!(
            "\n{properties} of the site's file have no meaning here\n"
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(name: &str) -> &'static Known {
        KNOWN.iter().find(|known| known.name == name).unwrap()
    }

    #[test]
    fn a_jobs_property_is_above_the_sites_and_that_above_the_built_in() {
        let site = Site {
            path: Some("/etc/site.xml".to_owned()),
            properties: BTreeMap::from([
                ("hpdl.kill.grace".to_owned(), ("5".to_owned(), 3)),
                ("hpdl.proxyuser".to_owned(), ("true".to_owned(), 9)),
            ]),
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
        let of_site = Origin::Site("/etc/site.xml".to_owned(), 3);
        assert_eq!(of("hpdl.kill.grace", &none), ("5".to_owned(), of_site));
        let of_job = Origin::Job(Some("job.properties:2".to_owned()));
        assert_eq!(of("hpdl.kill.grace", &job), ("1".to_owned(), of_job));
        assert_eq!(
            of("hpdl.proxyuser", &none),
            ("false".to_owned(), Origin::BuiltIn),
            "the site's file is not asked for it"
        );
    }
}
