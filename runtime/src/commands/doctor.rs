//! `doctor`: checks the state folder, and says how to repair it; `--migrate` for a store of an older format.

use clap::Args;
use hpdlc_engine::{
    doctor::{self, DoctorReport, FindingLevel},
    owner::Session,
};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_scheduler::bundle;
use hpdlc_store::{self as store, FORMAT_ENCRYPTED, FORMAT_MAJOR, FORMAT_MINOR, query};

use crate::commands::{backup, print, print_json, say, steps::Steps};

#[derive(Debug, Args)]
pub struct Doctor {
    /// Migrate a store of an older format to the current one; a backup is made first
    #[arg(long)]
    migrate: bool,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Doctor {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if self.migrate {
            return migrate(session);
        }
        let steps = std::cell::RefCell::new(None::<(&str, Steps)>);
        let report = doctor::examine(session, &[bundle::ROWS], &|what, n, n_all| {
            let mut steps = steps.borrow_mut();
            if steps.as_ref().is_none_or(|(part, _)| *part != what) {
                *steps = None;
                *steps = Some((what, Steps::new(what, n_all)));
            }
            if let Some((_, steps)) = steps.as_ref() {
                steps.at(n);
            }
        })?;
        drop(steps);
        if self.json {
            print_json(&report.to_json())?;
        } else {
            print(&text(session, &report))?;
        }
        Ok(if report.is_sound() {
            Exit::Success
        } else {
            // Exit 1 does not mean a killed job here, but that problems were found.
            Exit::Killed
        })
    }
}

/// What is found, without telling how far it is.
///
/// # Errors
///
/// The state folder cannot be read at all.
pub fn report(session: &Session) -> Result<DoctorReport, RunError> {
    doctor::examine(session, &[bundle::ROWS], &|_, _, _| {})
}

fn text(session: &Session, report: &DoctorReport) -> String {
    let mut text = String::new();
    for level in [FindingLevel::Problem, FindingLevel::Note] {
        let word = match level {
            FindingLevel::Problem => "problem",
            FindingLevel::Note => "note",
        };
        for finding in report
            .findings
            .iter()
            .filter(|finding| finding.level == level)
        {
            text.push_str(&format!(
                "{word}: {}: {}\n    {}\n",
                finding.about, finding.problem, finding.remedy
            ));
        }
    }
    let format = report
        .format
        .map(|(major, minor)| format!(", format {major}.{minor}"))
        .unwrap_or_default();
    let n_problems = report
        .findings
        .iter()
        .filter(|finding| finding.level == FindingLevel::Problem)
        .count();
    let verdict = match n_problems {
        0 => "sound".to_owned(),
        1 => "1 problem".to_owned(),
        more => format!("{more} problems"),
    };
    text.push_str(&format!(
        "{}{format}: {} jobs, {} nodes: {verdict}\n",
        session.home.store_location(),
        report.n_jobs,
        report.n_actions,
    ));
    text
}

/// Migrates the store to the current format.
///
/// Within a major version, every executable adds what a store lacks when it opens it; there is no major version older than
/// the current one. So all that is left is to report that, and to refuse what cannot be migrated.
fn migrate(session: &Session) -> Result<Exit, RunError> {
    let store_location = session.home.store_location();
    if !store_location.may_exist() {
        say("there is no job store yet; the first job creates one in the current format");
        return Ok(Exit::Success);
    }
    let (major, minor) = store::format(&session.home)?;
    if major > FORMAT_ENCRYPTED {
        return Err(RunError::usage(format!(
            "the job store {store_location} has format {major}.{minor}, and this executable knows formats up to {FORMAT_ENCRYPTED}.{FORMAT_MINOR}"
        ))
        .with_help("use an executable that a newer version of hpdlc built"));
    }
    if major < FORMAT_MAJOR {
        return Err(RunError::usage(format!(
            "the job store {store_location} says that it has format {major}.{minor}: there is no such format, the first is {FORMAT_MAJOR}.0"
        ))
        .with_help("restore a backup"));
    }
    if minor >= FORMAT_MINOR {
        say(&format!(
            "the job store has format {major}.{minor}; this executable writes {major}.{FORMAT_MINOR}: nothing to migrate"
        ));
        return Ok(Exit::Success);
    }
    if let Some(owned) = owned_job(session)? {
        return Err(RunError::usage(format!("job {owned} has an owner"))
            .with_help("wait until it ends, or send SIGTERM to its process, and try again"));
    }
    if store_location.is_file() {
        let name = format!(
            "jobs-{major}.{minor}-{}.db",
            clock::now().format("%Y%m%d%H%M%S")
        );
        let copy = session.home.root().join(name);
        backup::write(session, &copy)?;
        say(&format!("backup {}", copy.display()));
    }
    // Opening it adds what is missing.
    drop(session.store()?);
    let (major, minor) = store::format(&session.home)?;
    say(&format!("migrated the job store to format {major}.{minor}"));
    Ok(Exit::Success)
}

/// A job that a living process drives.
fn owned_job(session: &Session) -> Result<Option<String>, RunError> {
    let connection = store::look(&session.home)?;
    let roots = query::unfinished_ids(&connection).map_err(|error| session.describe(error))?;
    Ok(roots.into_iter().find(|id| session.has_owner(id)))
}
