//! `apps show`: one application.

use clap::Args;
use hpdlc_engine::{owner::Session, registry::kept};
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_runtime::fleet::{self, short_id};
use hpdlc_store::{
    applications::ApplicationSummary,
    definitions,
    jobs::{self, JobFilter},
};

use crate::{application, apps::list};

/// How many of its jobs are shown.
const N_JOBS: u64 = 5;

#[derive(Debug, Args)]
pub(super) struct Show {
    /// The application's name
    #[arg(value_name = "APPLICATION")]
    name: String,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl Show {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let application = application::find(session, &self.name)?;
        let connection = session.store()?;
        let describe = |error| session.describe(error);
        let uris = definitions::registrations(&connection).map_err(describe)?;
        if self.json {
            fleet::print_json(&list::to_json(&application, &uris))?;
            return Ok(Exit::Success);
        }
        let mut text = facts(session, &application, &uris);
        let filter = JobFilter {
            app: Some(escaped(&self.name)),
            limit: Some(N_JOBS),
            ..JobFilter::default()
        };
        let newest = jobs::list(&connection, &filter).map_err(describe)?;
        for (job, status) in &newest {
            let created = fleet::format_local(Some(job.created));
            text.push_str(&format!(
                "Job          {} {status}, created {created}\n",
                short_id(&job.id)
            ));
        }
        if application.n_jobs > N_JOBS {
            text.push_str(&format!("all of them: hpdl jobs --app {}\n", self.name));
        }
        fleet::print(&text)?;
        Ok(Exit::Success)
    }
}

fn facts(session: &Session, application: &ApplicationSummary, uris: &[(String, String)]) -> String {
    let definition = &application.definition;
    let copy = kept::look(&session.home, &definition.hash);
    let copy = match copy {
        Ok(copy) if copy.can_run() => "whole",
        Ok(kept::KeptCopy::Missing) => "missing: its jobs cannot be continued",
        Ok(_) => "damaged: its jobs cannot be continued",
        Err(_) => "not readable",
    };
    let mut text = format!("Application  {}\n", definition.app);
    match &application.deployed {
        Some(deployed) => text.push_str(&format!(
            "Status       {} since {}\nDeployed     {}\n",
            deployed.status,
            fleet::format_local(Some(deployed.changed)),
            fleet::format_local(Some(deployed.deployed)),
        )),
        None => text.push_str("Status       -, not deployed: it accepts jobs\n"),
    }
    text.push_str(&format!(
        "Definition   {} by hpdlc {}, {} in all\nExecutable   {}\nCopy         {copy}\n",
        definition.hash, definition.hpdlc_version, application.n_definitions, definition.program,
    ));
    for uri in list::uris_of(&definition.hash, uris) {
        text.push_str(&format!("URI          {uri}\n"));
    }
    text.push_str(&format!(
        "Jobs         {}, {} of them not ended\n",
        application.n_jobs, application.n_unfinished
    ));
    text
}

/// A name as a pattern that only it matches.
fn escaped(name: &str) -> String {
    let mut pattern = String::new();
    for c in name.chars() {
        match c {
            '*' | '?' | '[' => {
                pattern.push('[');
                pattern.push(c);
                pattern.push(']');
            }
            _ => pattern.push(c),
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn a_name_matches_itself_alone() {
        assert_eq!(escaped("load-all"), "load-all");
        assert_eq!(escaped("a*b?[c"), "a[*]b[?][[]c");
    }
}
