//! What of a job nobody is shown: its own secrets and those of the jobs above it, which its messages may hold.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::{
    exit::RunError,
    ids::Kind,
    owner::Session,
    secrets::Mask,
    store::{JobRow, query},
    table::Program,
};

/// The masks of a job and of its parents.
#[derive(Debug, Default)]
pub struct Masks {
    masks: Vec<Mask>,
}

impl Masks {
    /// Of `job` and whatever of its tree may have handed it something.
    pub(super) fn of(session: &Session, job: &JobRow) -> Result<Masks, RunError> {
        let mut masks = vec![mask(session.program, job)];
        if job.id != job.root_id {
            let connection = session.store()?;
            let tree = query::job_tree(&connection, &job.root_id)
                .map_err(|error| session.describe(error))?;
            let above = tree.iter().filter(|row| row.depth < job.depth);
            masks.extend(above.map(|row| mask(session.program, row)));
        }
        Ok(Masks { masks })
    }

    /// Of the properties of several jobs.
    #[cfg(test)]
    pub fn of_all<'a>(jobs: impl IntoIterator<Item = &'a JobRow>) -> Masks {
        let conf = |job: &JobRow| serde_json::from_str(&job.conf).unwrap_or_default();
        Masks {
            masks: jobs.into_iter().map(|job| Mask::of(&conf(job))).collect(),
        }
    }

    /// Of several jobs together.
    pub fn of_tree<'a>(
        program: &'static Program,
        jobs: impl IntoIterator<Item = &'a JobRow>,
    ) -> Masks {
        Masks {
            masks: jobs.into_iter().map(|job| mask(program, job)).collect(),
        }
    }

    /// Properties with the secret ones masked.
    pub(super) fn properties(&self, conf: &BTreeMap<String, String>) -> BTreeMap<String, String> {
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

/// Of a job of this program with what its nodes make secret; of another, only its own copy knows these.
fn mask(program: &'static Program, job: &JobRow) -> Mask {
    let conf = serde_json::from_str(&job.conf).unwrap_or_default();
    let index = usize::try_from(job.app_index).ok();
    let app = index.and_then(|index| program.apps.get(index).copied());
    match app.filter(|_| job.hash == program.hash && Kind::of(&job.id) == Kind::Workflow) {
        Some(app) => Mask::of_job(app, &conf),
        None => Mask::of(&conf),
    }
}
