//! `timeline`: when each node of a job ran, as a picture; of a coordinator, a calendar of its actions.

use std::path::PathBuf;

use clap::Args;

use crate::{
    clock,
    commands::{
        find, find_job,
        graph::write_whole,
        info::scheduled::{Explainer, coordinator_of},
        masks::Masks,
        write_out,
    },
    exit::{Exit, RunError},
    ids::Kind,
    owner::Session,
    store::{JobRow, coordinators as rows, query},
    timeline::{self, Entry, Source},
};

#[derive(Debug, Args)]
pub(super) struct Timeline {
    #[arg(help = find::JOB)]
    id: String,
    /// The SVG file; without it, the picture is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Timeline {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        let text = match Kind::of(&job.id) {
            Kind::Workflow => self.of_workflow(session, &job)?,
            Kind::Coordinator => of_coordinator(session, &job)?,
            Kind::Bundle => {
                return Err(RunError::usage(format!(
                    "job {} is a bundle: its coordinators have a calendar each",
                    job.id
                ))
                .with_help(format!("their ids: info {}", job.id)));
            }
        };
        match &self.output {
            None => write_out(&text)?,
            Some(path) => write_whole(path, text.as_bytes())?,
        }
        Ok(Exit::Success)
    }

    fn of_workflow(&self, session: &Session, job: &JobRow) -> Result<String, RunError> {
        let connection = session.store()?;
        let failed = |error| session.describe(error);
        let tree = query::job_tree(&connection, &job.root_id).map_err(failed)?;
        let masks = Masks::of_tree(session, &tree)?;
        let jobs = below(job, tree);
        let mut actions = std::collections::BTreeMap::new();
        for job in &jobs {
            let rows = query::actions(&connection, &job.id).map_err(failed)?;
            actions.insert(job.id.clone(), rows);
        }
        // The log of the whole tree: a job's own is found in it by its id.
        let log = query::log(&connection, &job.root_id, 0).map_err(failed)?;
        let source = Source {
            jobs,
            actions,
            log: log.into_iter().map(|(_, line)| line).collect(),
            now: clock::now_millis(),
        };
        let timeline = timeline::of(&source, &masks)
            .ok_or_else(|| RunError::usage(format!("job {} no longer exists", job.id)))?;
        Ok(timeline::svg(&timeline))
    }
}

/// The calendar of its actions.
fn of_coordinator(session: &Session, job: &JobRow) -> Result<String, RunError> {
    let connection = session.store()?;
    let describe = |error: rusqlite::Error| session.describe(error);
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let mut entries = Vec::new();
    rows::each_action(&connection, &job.id, |action| {
        entries.push(Entry {
            number: action.record.number,
            nominal: action.record.nominal,
            status: action.record.status,
        });
        Ok::<(), rusqlite::Error>(())
    })
    .map_err(describe)?;
    let notes = match (explainer.current(&row), entries.first(), entries.last()) {
        (Some(coordinator), Some(first), Some(last)) => {
            timeline::notes(coordinator, first.nominal, last.nominal)
        }
        _ => Vec::new(),
    };
    let masks = Masks::of(session, job)?;
    let title = format!("{} {}, {}", job.app, job.id, row.record.status);
    let title = masks.text(&title);
    Ok(timeline::calendar(&title, explainer.zone, entries, &notes))
}

/// `job` first, then the jobs below it in order of creation.
fn below(job: &JobRow, tree: Vec<JobRow>) -> Vec<JobRow> {
    let mut jobs = vec![job.clone()];
    for row in tree {
        let is_below = row
            .parent_id
            .as_ref()
            .is_some_and(|parent| jobs.iter().any(|one| &one.id == parent));
        if is_below {
            jobs.push(row);
        }
    }
    jobs
}
