//! `actions`: every action of a coordinator, and why each waits.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
    shown,
};
use hpdlc_store::{JobRow, coordinators as rows};

use crate::{
    commands::{
        find_job,
        info::{
            columns::Columns,
            scheduled::{Explainer, add_row, coordinator_of},
        },
        print, write_out,
    },
    masks::Masks,
};

/// Actions printed per batch.
const AT_ONCE: usize = 500;

#[derive(Debug, Args)]
pub struct Actions {
    /// The coordinator
    id: String,
    /// A JSON object a line
    #[arg(long)]
    json: bool,
}

impl Actions {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let job = find_job(session, &self.id)?;
        if JobKind::of(&job.id) != JobKind::Coordinator {
            return Err(RunError::usage(format!(
                "job {} is not a coordinator: it has no actions",
                job.id
            ))
            .with_help(format!("type: info {}", job.id)));
        }
        let connection = session.store()?;
        let row = coordinator_of(session, &connection, &job)?;
        let explainer = Explainer::new(session, &connection, &job, &row)?;
        let masks = Masks::of(session, &job)?;
        let describe = |error: hpdlc_store::sql::Error| session.describe(error);
        if !self.json {
            let mut columns =
                Columns::new(&["ACTION", "NOMINAL TIME", "STATUS", "WORKFLOW"]).states(2);
            rows::each_action(&connection, &job.id, |action| {
                add_row(&mut columns, &explainer, &action)
            })
            .map_err(describe)?;
            let text = if row.record.last_number == 0 {
                "no actions yet\n".to_owned()
            } else {
                columns.text()
            };
            print(&masks.text(&text))?;
            return Ok(Exit::Success);
        }
        let mut lines = String::new();
        let mut n_lines = 0;
        let mut failure = None;
        rows::each_action(&connection, &job.id, |action| {
            let mut value = explainer.json(&action)?;
            masks.json(&mut value);
            lines.push_str(&shown::json(&value));
            lines.push('\n');
            n_lines += 1;
            if n_lines % AT_ONCE == 0 {
                failure = failure.take().or(write_out(&lines).err());
                lines.clear();
            }
            Ok::<(), hpdlc_store::sql::Error>(())
        })
        .map_err(describe)?;
        failure.map_or(Ok(()), Err)?;
        write_out(&lines)?;
        Ok(Exit::Success)
    }
}

/// The number of an action, and the data that it waits for: the name of the `data-in`, and the URI.
pub type MissingData = (u64, Vec<(String, String)>);

/// What each of these actions of a coordinator waits for.
///
/// # Errors
///
/// Exit 5 if the store cannot be read.
pub fn missing_data(
    session: &Session,
    job: &JobRow,
    numbers: &[u64],
) -> Result<Vec<MissingData>, RunError> {
    let connection = session.store()?;
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let mut found = Vec::new();
    for number in numbers {
        let action = rows::action(&connection, &job.id, *number);
        let Some(action) = action.map_err(|error| session.describe(error))? else {
            continue;
        };
        let missing = explainer.missing(&action.record).into_iter();
        let missing = missing.map(|missing| (missing.event, missing.uri));
        found.push((*number, missing.collect()));
    }
    Ok(found)
}
