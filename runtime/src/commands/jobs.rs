//! `jobs`: all jobs of the state folder, whichever executable they belong to.

use clap::Args;

use crate::{
    commands::{info, print},
    exit::{Exit, RunError},
    owner::Session,
    progress::format_duration,
    secrets::Mask,
    store::query,
};

#[derive(Debug, Args)]
pub(super) struct Jobs {
    /// A JSON object a line
    #[arg(long)]
    json: bool,
}

impl Jobs {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let jobs = query::jobs(&connection).map_err(|error| session.describe(error))?;
        let mut text = String::new();
        if self.json {
            for job in &jobs {
                let conf = serde_json::from_str(&job.conf).unwrap_or_default();
                let mut shown = info::job_json(job);
                Mask::of(&conf).json(&mut shown);
                text.push_str(&format!("{shown}\n"));
            }
        } else if jobs.is_empty() {
            text.push_str("no jobs yet\n");
        } else {
            text.push_str(&format!(
                "{:<36} {:<10} {:<20} {:<20} {}\n",
                "JOB", "STATUS", "CREATED", "DURATION", "WORKFLOW"
            ));
            for job in &jobs {
                let duration = match (job.started, job.ended) {
                    (Some(started), Some(ended)) => format_duration(ended - started),
                    (_, _) => "-".to_owned(),
                };
                text.push_str(&format!(
                    "{:<36} {:<10} {:<20} {:<20} {}\n",
                    job.id,
                    job.status,
                    info::format_local(Some(job.created)),
                    duration,
                    job.app
                ));
            }
        }
        print(&text)?;
        Ok(Exit::Success)
    }
}
