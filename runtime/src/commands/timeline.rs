//! `timeline`: when each node of a job ran, as a picture.

use std::path::PathBuf;

use clap::Args;

use crate::{
    clock,
    commands::{find_job, graph::write_whole, masks::Masks, print},
    exit::{Exit, RunError},
    owner::Session,
    store::{JobRow, query},
    timeline::{self, Source},
};

#[derive(Debug, Args)]
pub(super) struct Timeline {
    /// The job
    id: String,
    /// The SVG file; without it, the picture is printed
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Timeline {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        let connection = session.store()?;
        let failed = |error| session.describe(error);
        let tree = query::job_tree(&connection, &job.root_id).map_err(failed)?;
        let masks = Masks::of_all(&tree);
        let jobs = below(&job, tree);
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
            .ok_or_else(|| RunError::usage(format!("job {} has gone meanwhile", self.id)))?;
        let text = timeline::svg(&timeline);
        match &self.output {
            None => print(&text)?,
            Some(path) => write_whole(path, text.as_bytes())?,
        }
        Ok(Exit::Success)
    }
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
