//! Candidates from the store: jobs, their nodes, the actions of coordinators.

use std::collections::BTreeMap;

use hpdlc_engine::registry::build;
use hpdlc_host::job_id::{self, JobKind};
use hpdlc_program::table::{NodeKind, Program};
use hpdlc_store::{
    JobRow, coordinators as rows,
    jobs::{self, JobFilter},
    query,
    sql::Connection,
};

use super::{Candidate, CandidateSources};
use crate::{
    commands::{find, info::format_local, short_id},
    masks::ListMasks,
};

/// The maximum number of jobs offered; older ones have to be typed.
const MOST: u64 = 100;

/// The jobs of the store; none if there is no store, or it cannot be read.
pub(super) struct StoredJobs<'k> {
    store: Option<&'k Connection>,
    program: &'static Program,
}

/// An action of a coordinator.
pub(super) struct ActionCandidate {
    pub number: u64,
    pub about: String,
}

impl StoredJobs<'_> {
    pub fn of(known: &CandidateSources) -> StoredJobs<'_> {
        StoredJobs {
            store: known.store.as_ref(),
            program: known.program,
        }
    }

    /// The newest jobs, with their states.
    fn newest(&self) -> Vec<(JobRow, String)> {
        let filter = JobFilter {
            limit: Some(MOST),
            ..JobFilter::default()
        };
        let list = self.store.and_then(|store| jobs::list(store, &filter).ok());
        list.unwrap_or_default()
    }

    fn job(&self, text: &str) -> Option<JobRow> {
        let store = self.store?;
        if let Some(job) = find::named(store, text).ok()? {
            let _ = ListMasks::of(self.program, store).mask(&job);
            return Some(job);
        }
        let (coordinator, number) = job_id::action(text)?;
        let coordinator = find::named(store, coordinator).ok()??;
        let action = rows::action(store, &coordinator.id, number).ok()??;
        query::job(store, &action.workflow_id?).ok()?
    }

    /// References to jobs that the command accepts: number, application name, `last`; the id if a leading zero was typed, and an action
    /// after `8@`.
    pub fn named(&self, command: &str, typed: &str) -> Vec<Candidate> {
        if let Some((coordinator, _)) = typed.rsplit_once('@') {
            let with = |action: ActionCandidate| {
                Candidate::new(format!("{coordinator}@{}", action.number), action.about)
            };
            let actions = self.actions(coordinator, command);
            return actions.into_iter().map(with).collect();
        }
        let Some(store) = self.store else {
            return Vec::new();
        };
        let mut masks = ListMasks::of(self.program, store);
        let newest = self.newest();
        let mut last = None;
        let mut by_number = Vec::new();
        let mut by_app = BTreeMap::new();
        let top = newest.iter().find(|(job, _)| job.parent_id.is_none());
        let top = top.map(|(job, _)| job.id.clone());
        for (job, status) in &newest {
            if !is_taken(command, job, status) {
                continue;
            }
            let app = masks.mask(job).text(&job.app);
            let created = format_local(Some(job.created));
            let created = created.get(..16).unwrap_or(&created);
            let about = format!("{status} {created} {app}");
            if top.as_ref() == Some(&job.id) {
                last = Some(Candidate::new(find::LAST, about.clone()));
            }
            // A leading zero can only start an id.
            let id = if typed.starts_with('0') {
                job.id.as_str()
            } else {
                short_id(&job.id)
            };
            by_number.push(Candidate::new(id, about));
            // The name refers to the newest job of that application, whatever its state.
            if job.parent_id.is_none() && app == job.app {
                let about = format!("{status} {created}");
                by_app.entry(app).or_insert(about);
            }
        }
        let names = by_app
            .into_iter()
            .map(|(app, about)| Candidate::new(app, about));
        last.into_iter().chain(by_number).chain(names).collect()
    }

    pub fn applications(&self) -> Vec<Candidate> {
        let Some(store) = self.store else {
            return Vec::new();
        };
        let mut masks = ListMasks::of(self.program, store);
        let mut names = Vec::new();
        for (job, _) in self.newest() {
            if masks.mask(&job).text(&job.app) == job.app {
                names.push(Candidate::new(job.app, ""));
            }
        }
        names
    }

    /// Actions of a job that have printed something; with `-f`, also those that the job has not reached.
    pub fn nodes(&self, job: Option<&str>, is_followed: bool) -> Vec<Candidate> {
        let Some(job) = job.and_then(|text| self.job(text)) else {
            return Vec::new();
        };
        let reached = self
            .store
            .and_then(|store| query::actions(store, &job.id).ok());
        let reached = reached.unwrap_or_default().into_iter();
        let mut nodes: Vec<Candidate> = reached
            .filter(|row| !row.type_name.starts_with(':') && row.type_name != "switch")
            .map(|row| {
                Candidate::new(
                    &*row.name,
                    format!("{}, {}", row.type_name, row.shown_status()),
                )
            })
            .collect();
        let app = usize::try_from(job.app_index)
            .ok()
            .filter(|_| is_followed && build::of_job(self.program, &job.hash).is_some())
            .and_then(|index| self.program.apps.get(index));
        for (_, def) in app.into_iter().flat_map(|app| app.nodes()) {
            if matches!(def.kind, NodeKind::Action(_)) {
                nodes.push(Candidate::new(def.name, "not reached"));
            }
        }
        nodes
    }

    /// The newest actions of a coordinator that a command can be applied to.
    pub fn actions(&self, coordinator: &str, command: &str) -> Vec<ActionCandidate> {
        let (Some(store), Some(job)) = (self.store, self.job(coordinator)) else {
            return Vec::new();
        };
        let all = jobs::newest_actions(store, &job.id, MOST).unwrap_or_default();
        let with = |(number, status, nominal): (u64, String, i64)| ActionCandidate {
            number,
            about: format!("{status} {}", format_local(Some(nominal))),
        };
        let is_taken = |status: &str| match command {
            "ignore" => matches!(status, "FAILED" | "KILLED" | "TIMEDOUT"),
            "rerun" => is_over(status),
            "kill" => !is_over(status),
            _ => true,
        };
        let all = all.into_iter().filter(|(_, status, _)| is_taken(status));
        all.map(with).collect()
    }
}

fn is_over(status: &str) -> bool {
    matches!(
        status,
        "SUCCEEDED" | "KILLED" | "FAILED" | "DONEWITHERROR" | "TIMEDOUT" | "SKIPPED" | "IGNORED"
    )
}

/// Whether a command applies to a job in this state.
fn is_taken(command: &str, job: &JobRow, status: &str) -> bool {
    let kind = JobKind::of(&job.id);
    match command {
        "actions" | "update" | "ignore" => kind == JobKind::Coordinator,
        "change" => kind != JobKind::Workflow,
        "start" => status.starts_with("PREP"),
        "resume" => status.contains("SUSPENDED"),
        "suspend" => !is_over(status) && !status.contains("SUSPENDED"),
        "kill" | "recover" => !is_over(status),
        "rerun" => is_over(status) || kind != JobKind::Workflow,
        _ => true,
    }
}
