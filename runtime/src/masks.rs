//! Masks for a job's output: its own secrets and those of its parents, which its messages may contain.

use std::collections::BTreeMap;

use hpdlc_engine::{job::node_secrets, owner::Session};
use hpdlc_host::{exit::RunError, mask::Mask};
use hpdlc_program::table::Program;
use hpdlc_store::{JobRow, query, sql::Connection};
use serde_json::Value;

/// The masks of a job and of its parents.
#[derive(Debug, Default)]
pub struct Masks {
    masks: Vec<Mask>,
}

impl Masks {
    /// For `job` and its parents, which may have passed secrets to it.
    pub fn of(session: &Session, job: &JobRow) -> Result<Masks, RunError> {
        Masks::on(session, &session.store()?, job)
    }

    /// As [`Masks::of`], by an open connection.
    ///
    /// # Errors
    ///
    /// Exit 5 if the store cannot be read.
    pub fn on(session: &Session, connection: &Connection, job: &JobRow) -> Result<Masks, RunError> {
        let mut listed = ListMasks::of(session.program, connection);
        let mut masks = vec![listed.mask(job)];
        if job.id != job.root_id {
            let tree = query::job_tree(connection, &job.root_id)
                .map_err(|error| session.describe(error))?;
            let above = tree.iter().filter(|row| row.depth < job.depth);
            masks.extend(above.map(|row| listed.mask(row)));
        }
        Ok(Masks { masks })
    }

    /// For the properties of several jobs.
    #[cfg(test)]
    pub fn of_all<'a>(jobs: impl IntoIterator<Item = &'a JobRow>) -> Masks {
        let conf = |job: &JobRow| serde_json::from_str(&job.conf).unwrap_or_default();
        Masks {
            masks: jobs.into_iter().map(|job| Mask::of(&conf(job))).collect(),
        }
    }

    /// For several jobs together.
    pub fn of_tree<'a>(
        session: &Session,
        jobs: impl IntoIterator<Item = &'a JobRow>,
    ) -> Result<Masks, RunError> {
        let connection = session.store()?;
        let mut listed = ListMasks::of(session.program, &connection);
        Ok(Masks {
            masks: jobs.into_iter().map(|job| listed.mask(job)).collect(),
        })
    }

    /// Properties with the secret ones masked.
    pub fn properties(&self, conf: &BTreeMap<String, String>) -> BTreeMap<String, String> {
        self.masks
            .iter()
            .fold(conf.clone(), |conf, mask| mask.properties(&conf))
    }

    /// Masks every string in `value`.
    pub fn json(&self, value: &mut Value) {
        self.masks.iter().for_each(|mask| mask.json(value));
    }

    /// Text without any secret value.
    pub fn text(&self, text: &str) -> String {
        self.masks
            .iter()
            .fold(text.to_owned(), |text, mask| mask.text(&text))
    }
}

/// Masks of several jobs: the recorded secrets of a definition's nodes are read only once.
pub struct ListMasks<'s> {
    connection: &'s Connection,
    recorded: BTreeMap<String, Option<String>>,
}

impl ListMasks<'_> {
    pub fn of<'s>(program: &'static Program, connection: &'s Connection) -> ListMasks<'s> {
        let own = (program.hash.to_owned(), node_secrets::recorded(program));
        ListMasks {
            connection,
            recorded: BTreeMap::from([own]),
        }
    }

    pub fn mask(&mut self, job: &JobRow) -> Mask {
        let conf = serde_json::from_str(&job.conf).unwrap_or_default();
        let connection = self.connection;
        let recorded = self.recorded.entry(job.hash.clone()).or_insert_with(|| {
            // If the definition has recorded none, the job's properties are masked.
            query::secrets_of(connection, &job.hash).unwrap_or_default()
        });
        match recorded {
            Some(recorded) => node_secrets::mask_of_recorded(recorded, &conf),
            None => Mask::of(&conf),
        }
    }
}
