//! The creation of a bundle job: its properties, and those that each of its coordinators gets.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    app_uri::{self, APP_PATH},
    bundle::{BundleRecord, BundleState},
    coordinator::{CoordinatorStatus, machine::ActionFault},
    el::{scope::NoJob, text::TextValue},
    empty_parts::{Lost, overlay},
    status::JobStatus,
};
use hpdlc_engine::{
    job::submission::{DeclaredProperties, examine_properties},
    owner::NewJob,
};
use hpdlc_host::{exit::RunError, job_id::JobKind};
use hpdlc_program::table::{
    self, Template,
    applications::{COORDINATOR_PATH, user_of},
};
use hpdlc_store::{
    JobRow,
    coordinators::{self as rows, BundleRow},
    sql::{self, Connection},
};
use serde::{Deserialize, Serialize};

use crate::{clock::Clock, coordinator::submission};

/// The path of the application, as Oozie's clients give it.
const APP_PATH_PROPERTY: &str = "oozie.bundle.application.path";

/// The state of a bundle that the store keeps in addition to its columns.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SubmittedBundle {
    pub clock: Clock,
    #[serde(default)]
    is_suspended: bool,
    /// Oozie's code and the message.
    #[serde(default)]
    error: Option<(String, String)>,
    /// In the order of the document, those that are enabled.
    pub coordinators: Vec<SubmittedCoordinator>,
}

/// A coordinator of a bundle.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SubmittedCoordinator {
    pub name: String,
    pub app_path: String,
    /// The properties that override those of the bundle.
    pub configuration: BTreeMap<String, String>,
    /// Its job, once there is one.
    pub job: Option<String>,
    /// The state last seen by the bundle.
    status: Option<String>,
}

/// An evaluated bundle.
pub struct NewBundle {
    name: String,
    app_path: String,
    conf: BTreeMap<String, String>,
    kick_off: Option<DateTime<Utc>>,
    submitted: SubmittedBundle,
}

impl SubmittedBundle {
    /// The state of the state machine.
    pub fn state(&self, row: &BundleRow) -> BundleState {
        let coordinators = self.coordinators.iter().map(|coordinator| {
            let status = coordinator.status.as_deref();
            (
                coordinator.name.clone(),
                status.and_then(CoordinatorStatus::from_name),
            )
        });
        BundleState {
            record: BundleRecord {
                status: row.status,
                kick_off: row.kick_off,
                pause_time: row.pause_time,
                is_suspended: self.is_suspended,
                error: self
                    .error
                    .clone()
                    .map(|(code, message)| ActionFault { code, message }),
            },
            coordinators: coordinators.collect(),
        }
    }

    /// Takes over the changes of the state machine; returns the row.
    pub fn row(&mut self, job: &str, state: &BundleState) -> BundleRow {
        let record = &state.record;
        self.is_suspended = record.is_suspended;
        let error = record.error.as_ref();
        self.error = error.map(|error| (error.code.clone(), error.message.clone()));
        for coordinator in &mut self.coordinators {
            let status = state.coordinators.get(&coordinator.name).copied().flatten();
            coordinator.status = status.map(|status| status.name().to_owned());
        }
        BundleRow {
            job_id: job.to_owned(),
            status: record.status,
            kick_off: record.kick_off,
            pause_time: record.pause_time,
            state: serde_json::to_string(self).expect("texts are JSON"),
        }
    }

    /// The job of a submitted coordinator.
    pub fn job_of(&self, name: &str) -> Option<String> {
        let mut coordinators = self.coordinators.iter();
        coordinators
            .find(|coordinator| coordinator.name == name)?
            .job
            .clone()
    }

    /// Why the bundle failed, if it did.
    pub fn error(&self) -> Option<&(String, String)> {
        self.error.as_ref()
    }
}

impl NewBundle {
    /// Completes the properties of a job of `bundle`, and evaluates its texts (`BundleSubmitXCommand`).
    ///
    /// # Errors
    ///
    /// Exit 2 with every property that is missing or wrong, and what Oozie refuses.
    pub fn new(
        bundle: &'static table::Bundle,
        given: BTreeMap<String, String>,
        around: submission::SubmissionContext<'_>,
        speed: Option<u32>,
    ) -> Result<NewBundle, RunError> {
        let zone = submission::processing_zone(around.site)?;
        let declared = DeclaredProperties {
            parameters: bundle.parameters,
            config_default: bundle.config_default,
            path_property: APP_PATH_PROPERTY,
            language: "bundle",
            zone: Some(zone),
        };
        let (conf, refusal) = examine_properties(&declared, given, around.folder, around.user);
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let texts = Texts {
            source: bundle.source,
            scope: NoJob::new(&conf, DateTime::UNIX_EPOCH),
        };
        let kick_off = match &bundle.kick_off_time {
            Some(text) => {
                let text = texts.value("the kick-off time", text)?;
                match text.as_str() {
                    "" => None,
                    text => Some(zone.read(text).map(|read| read.instant).map_err(|error| {
                        RunError::usage(format!(
                            "{}: the kick-off time `{text}`: {error} (E1301)",
                            bundle.source
                        ))
                    })?),
                }
            }
            None => None,
        };
        let mut coordinators: Vec<SubmittedCoordinator> = Vec::new();
        let lost_of_job = Lost::of_job(&conf);
        for coordinator in bundle.coordinators {
            let enabled = match &coordinator.enabled {
                // `BundleStartXCommand.isEnabled` does not trim it.
                Some(enabled) => texts.untrimmed("`enabled`", enabled)?,
                None => "true".to_owned(),
            };
            if !enabled.eq_ignore_ascii_case("true") {
                continue;
            }
            let name = texts.value("the name of a coordinator", &coordinator.name)?;
            if coordinators.iter().any(|other| other.name == name) {
                return Err(RunError::usage(format!(
                    "{}: two coordinators are called `{name}` (E1304)",
                    bundle.source
                )));
            }
            let mut configuration = BTreeMap::new();
            let mut lost = Lost::default();
            for property in coordinator.configuration.iter() {
                let template = property.value();
                let value = texts.value(&property.name(), &template)?;
                let is_lost = template.is_lost(&texts.scope, &lost_of_job);
                lost.set(&property.name(), is_lost);
                configuration.insert(property.name().into_owned(), value);
            }
            lost.keep(&mut configuration);
            coordinators.push(SubmittedCoordinator {
                app_path: texts.value("the path of a coordinator", &coordinator.app_path)?,
                name,
                configuration,
                job: None,
                status: None,
            });
        }
        if coordinators.is_empty() {
            return Err(RunError::usage(format!(
                "{}: no coordinator of the bundle is enabled (E1318)",
                bundle.source
            )));
        }
        let name = texts.value("the name of the bundle", &bundle.name)?;
        let app_path = conf.get(APP_PATH_PROPERTY).cloned().unwrap_or_default();
        let new = NewBundle {
            name,
            app_path,
            conf,
            kick_off,
            submitted: SubmittedBundle {
                coordinators,
                ..SubmittedBundle::default()
            },
        };
        new.checked(around, speed)
    }

    /// Evaluates every coordinator that is compiled in, so that mistakes are reported before any starts, and sets the clock that starts
    /// with the first of them.
    fn checked(
        mut self,
        around: submission::SubmissionContext<'_>,
        speed: Option<u32>,
    ) -> Result<NewBundle, RunError> {
        let mut starts = Vec::new();
        for coordinator in &self.submitted.coordinators {
            let Some(table) = coordinator_of(around.program, &self.conf, &coordinator.app_path)
            else {
                return Err(RunError::usage(format!(
                    "coordinator `{}` at `{}` is not compiled into this executable (E1310)",
                    coordinator.name, coordinator.app_path
                ))
                .with_help("name its folder when you build: --map URI=DIR, and -c FILE for the properties in its path"));
            };
            let around = submission::SubmissionContext {
                name: Some(&coordinator.name),
                ..around
            };
            let given = given(&self.conf, coordinator);
            let revision = submission::complete(table.1, given, around)
                .map_err(|error| error.about(&format!("coordinator `{}`", coordinator.name)))?;
            starts.push(revision.coordinator.schedule.start);
        }
        if let (Some(speed), Some(start)) = (speed, starts.into_iter().min()) {
            let start = self.kick_off.map_or(start, |kick_off| kick_off.min(start));
            self.submitted.clock = Clock::scaled(speed, start);
        }
        Ok(self)
    }

    /// When the coordinators start; `None` means immediately.
    pub fn kick_off(&self) -> Option<DateTime<Utc>> {
        self.kick_off
    }

    /// The coordinators that would start: their names, tables and properties.
    pub fn coordinators(
        &self,
        program: &'static table::Program,
    ) -> Vec<(
        String,
        &'static table::Coordinator,
        BTreeMap<String, String>,
    )> {
        let coordinators = self.submitted.coordinators.iter();
        coordinators
            .filter_map(|coordinator| {
                let (_, table) = coordinator_of(program, &self.conf, &coordinator.app_path)?;
                let given = given(&self.conf, coordinator);
                Some((coordinator.name.clone(), table, given))
            })
            .collect()
    }

    pub fn job(&self, status: JobStatus) -> NewJob {
        NewJob {
            kind: JobKind::Bundle,
            app: self.name.clone(),
            app_path: self.app_path.clone(),
            conf: self.conf.clone(),
            status,
            slas: Vec::new(),
        }
    }

    /// Writes everything but the row of `jobs`, which has been written.
    pub fn write(&self, connection: &Connection, job: &JobRow) -> sql::Result<()> {
        let names = self.submitted.coordinators.iter();
        let names = names.map(|coordinator| coordinator.name.clone());
        let state = BundleState::new(self.kick_off, names);
        let row = self.submitted.clone().row(&job.id, &state);
        rows::write_bundle(connection, &row)
    }
}

/// The properties of a coordinator.
pub(super) fn given(
    conf: &BTreeMap<String, String>,
    coordinator: &SubmittedCoordinator,
) -> BTreeMap<String, String> {
    let mut given = conf.clone();
    overlay(&mut given, coordinator.configuration.clone());
    given.insert(COORDINATOR_PATH.to_owned(), coordinator.app_path.clone());
    given
}

/// The coordinator that a path refers to in a bundle with the properties `conf`, and its index in the table.
pub(super) fn coordinator_of(
    program: &'static table::Program,
    conf: &BTreeMap<String, String>,
    app_path: &str,
) -> Option<(usize, &'static table::Coordinator)> {
    let table::Entry::Bundle(bundle) = program.entry else {
        return None;
    };
    let children = bundle.children.iter();
    let known = app_uri::for_user(children.map(|child| (child.uri, child.app)), user_of(conf));
    let own_path = conf.get(APP_PATH_PROPERTY).map_or("", String::as_str);
    let place = app_uri::find_from(&known, &[APP_PATH], own_path, app_path)?;
    let coordinator = *program.coordinators.get(place)?;
    Some((place, coordinator))
}

/// Evaluates the texts of a bundle, which see only properties.
struct Texts {
    source: &'static str,
    scope: NoJob,
}

impl Texts {
    /// The value without blanks around it.
    fn value(&self, what: &str, template: &Template) -> Result<String, RunError> {
        self.untrimmed(what, template)
            .map(|value| value.trim().to_owned())
    }

    fn untrimmed(&self, what: &str, template: &Template) -> Result<String, RunError> {
        let text = template.source();
        let refused = |error: String| {
            RunError::usage(format!(
                "{}: {what}: `{text}`: {error} (E1004)",
                self.source
            ))
        };
        let value: &dyn TextValue = template;
        let value = value.value(&self.scope);
        value.map_err(|error| refused(error.to_string()))
    }
}
