//! What of a job nobody is shown: its own secrets and those of the jobs above it, which its messages may hold.

use crate::{
    exit::RunError,
    owner::Session,
    secrets::Mask,
    store::{JobRow, query},
};

/// The masks of a job and of its parents.
#[derive(Debug, Default)]
pub struct Masks {
    masks: Vec<Mask>,
}

impl Masks {
    /// Of `job` and whatever of its tree may have handed it something.
    pub(super) fn of(session: &Session, job: &JobRow) -> Result<Masks, RunError> {
        let mut masks = vec![mask(job)];
        if job.id != job.root_id {
            let connection = session.store()?;
            let tree = query::job_tree(&connection, &job.root_id)
                .map_err(|error| session.describe(error))?;
            let above = tree.iter().filter(|row| row.depth < job.depth);
            masks.extend(above.map(mask));
        }
        Ok(Masks { masks })
    }

    /// Of several jobs together.
    pub fn of_all<'a>(jobs: impl IntoIterator<Item = &'a JobRow>) -> Masks {
        Masks {
            masks: jobs.into_iter().map(mask).collect(),
        }
    }

    /// Text without any secret value.
    pub fn text(&self, text: &str) -> String {
        self.masks
            .iter()
            .fold(text.to_owned(), |text, mask| mask.text(&text))
    }
}

fn mask(job: &JobRow) -> Mask {
    Mask::of(&serde_json::from_str(&job.conf).unwrap_or_default())
}
