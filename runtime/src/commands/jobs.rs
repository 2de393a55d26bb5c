//! `jobs`: all jobs of the state folder, whichever executable they belong to.

use std::collections::BTreeMap;

use clap::Args;

use crate::{
    clock,
    commands::{
        info::{self, columns::Columns},
        print, say, write_out,
    },
    exit::{Exit, RunError},
    owner::Session,
    progress::format_duration,
    secrets::Mask,
    shown,
    store::{JobRow, coordinators, query},
};

#[derive(Debug, Args)]
pub(super) struct Jobs {
    /// A JSON object a line
    #[arg(long)]
    json: bool,
    /// How many jobs, the newest first; 0 for all
    #[arg(short = 'n', long, value_name = "N", default_value_t = 50)]
    limit: u32,
}

impl Jobs {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let limit = (self.limit > 0).then_some(self.limit);
        let jobs = query::jobs(&connection, limit).map_err(|error| session.describe(error))?;
        let statuses =
            coordinators::statuses(&connection).map_err(|error| session.describe(error))?;
        let statuses: BTreeMap<String, String> = statuses.into_iter().collect();
        let status = |job: &JobRow| match statuses.get(&job.id) {
            Some(own) => own.clone(),
            None => job.status.name().to_owned(),
        };
        let mut text = String::new();
        if self.json {
            for job in &jobs {
                let conf = serde_json::from_str(&job.conf).unwrap_or_default();
                let mut shown = info::job_json(job);
                shown["status"] = status(job).into();
                Mask::of(&conf).json(&mut shown);
                text.push_str(&shown::json(&shown));
                text.push('\n');
            }
        } else if jobs.is_empty() {
            text.push_str("no jobs yet\n");
        } else {
            let now = clock::now_millis();
            let mut columns =
                Columns::new(&["JOB", "STATUS", "CREATED", "AGE", "DURATION", "WORKFLOW"]);
            for job in &jobs {
                let mask = Mask::of(&serde_json::from_str(&job.conf).unwrap_or_default());
                let duration = match (job.started, job.ended) {
                    (Some(started), Some(ended)) => format_duration(ended - started),
                    (Some(started), None) => format!("{} so far", format_duration(now - started)),
                    (None, _) => "-".to_owned(),
                };
                columns.row(vec![
                    job.id.clone(),
                    status(job),
                    info::format_local(Some(job.created)),
                    info::format_age(now - job.created),
                    duration,
                    mask.text(&job.app),
                ]);
            }
            text.push_str(&columns.text());
        }
        if self.json {
            write_out(&text)?;
        } else {
            print(&text)?;
        }
        if let Some(limit) = limit {
            let n_jobs = query::job_count(&connection).map_err(|error| session.describe(error))?;
            if n_jobs > i64::from(limit) {
                say(&format!(
                    "the newest {limit} of {n_jobs} jobs; `-n 0` lists all"
                ));
            }
        }
        Ok(Exit::Success)
    }
}
