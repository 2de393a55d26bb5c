//! Checks the consistency of a state folder: the store's file, the invariants of every job in it, and the files beside it.
//!
//! Jobs may run meanwhile. The store is read in one transaction; the files are read a moment later, and the checks allow for the
//! difference.

mod encryption;
mod files;
mod jobs;
mod rows;
mod store;

pub use self::rows::{RowReader, json};

use std::collections::BTreeSet;

use hpdlc_host::exit::RunError;
use hpdlc_store::definitions;
use serde_json::{Value, json};

use crate::{job_command::coordinator_request::CoordinatorRequest, session::Session};

/// Something that the user should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub level: FindingLevel,
    /// What it is about: a job, a file.
    pub about: String,
    pub problem: String,
    /// What to do about it.
    pub remedy: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindingLevel {
    /// An invariant is broken, or will be.
    Problem,
    /// Nothing is broken, but it wastes space or needs a decision by the user.
    Note,
}

/// What was checked, and the findings.
#[derive(Debug, Default)]
pub struct DoctorReport {
    pub findings: Vec<Finding>,
    /// Major and minor version of the store.
    pub format: Option<(i64, i64)>,
    pub n_jobs: usize,
    pub n_actions: usize,
}

impl DoctorReport {
    /// No invariant is broken.
    pub fn is_sound(&self) -> bool {
        self.findings
            .iter()
            .all(|finding| finding.level == FindingLevel::Note)
    }

    fn problem(&mut self, about: impl Into<String>, problem: impl Into<String>, remedy: &str) {
        self.add(FindingLevel::Problem, about.into(), problem.into(), remedy);
    }

    fn note(&mut self, about: impl Into<String>, problem: impl Into<String>, remedy: &str) {
        self.add(FindingLevel::Note, about.into(), problem.into(), remedy);
    }

    fn add(&mut self, level: FindingLevel, about: String, problem: String, remedy: &str) {
        self.findings.push(Finding {
            level,
            about,
            problem,
            remedy: remedy.to_owned(),
        });
    }

    pub fn to_json(&self) -> Value {
        let findings: Value = self
            .findings
            .iter()
            .map(|finding| {
                json!({
                    "level": match finding.level {
                        FindingLevel::Problem => "problem",
                        FindingLevel::Note => "note",
                    },
                    "about": finding.about,
                    "problem": finding.problem,
                    "remedy": finding.remedy,
                })
            })
            .collect();
        json!({
            "sound": self.is_sound(),
            "format": self.format.map(|(major, minor)| format!("{major}.{minor}")),
            "jobs": self.n_jobs,
            "actions": self.n_actions,
            "findings": findings,
        })
    }
}

/// Is called with the progress: what is checked, how many of them are done, and of how many.
pub type DoctorProgress<'p> = &'p dyn Fn(&'static str, usize, usize);

/// Checks everything; `readers` read the rows of further tables.
///
/// # Errors
///
/// The state folder cannot be read at all.
pub fn examine(
    session: &Session,
    readers: &[RowReader],
    progress: DoctorProgress<'_>,
) -> Result<DoctorReport, RunError> {
    progress("doctor: the store's file", 0, 1);
    let mut report = DoctorReport::default();
    files::permissions(session, &mut report);
    let location = session.home.store_location();
    if !location.may_exist() {
        report.note(
            location.to_string(),
            "there is no job store yet",
            "nothing to do: the first job creates it",
        );
        return Ok(report);
    }
    let Some(connection) = store::open(&session.home, &mut report) else {
        return Ok(report);
    };
    encryption::examine(&connection, location, &mut report);
    let transaction = match connection.read_transaction() {
        Ok(transaction) => transaction,
        Err(error) => {
            store::unreadable(location, &error, &mut report);
            return Ok(report);
        }
    };
    let is_readable = store::examine(&transaction, location, &mut report);
    if is_readable {
        let jobs = rows::examine(&transaction, readers, progress, &mut report)
            .and_then(|()| jobs::examine(&transaction, session, progress, &mut report))
            .and_then(|jobs| {
                Ok((
                    jobs,
                    definitions::used(
                        &transaction,
                        &BTreeSet::new(),
                        CoordinatorRequest::definition,
                    )?,
                ))
            });
        match jobs {
            Ok((jobs, used)) => files::examine(session, &jobs, &used, progress, &mut report),
            // For example, a text column that is not UTF-8.
            Err(_) if !report.is_sound() => {}
            Err(error) => store::unreadable(location, &error, &mut report),
        }
    }
    Ok(report)
}

#[cfg(test)]
mod tests;
