//! Of which kind the jobs of an executable are: it is asked once.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use hpdlc_engine::owner::Session;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::query::DefinitionRow;

use crate::serve::{compile::application, program};

const ALL: [JobKind; 3] = [JobKind::Workflow, JobKind::Coordinator, JobKind::Bundle];

/// What executables were found to be, by their hashes.
#[derive(Debug, Default)]
pub(crate) struct Kinds(Mutex<BTreeMap<String, Vec<JobKind>>>);

impl Kinds {
    /// Whether the document of an executable says that its jobs are of other kinds only. One written in Rust, or one that is not embedded,
    /// says nothing.
    pub(crate) fn is_other(
        &self,
        session: &Session,
        definition: &DefinitionRow,
        kind: JobKind,
    ) -> bool {
        let found = self.known(&definition.hash).unwrap_or_else(|| {
            let words = program::words(["definition"]);
            let Ok(document) = program::of_definition(session, definition, &words) else {
                return Vec::new();
            };
            let found = kinds_in(&String::from_utf8_lossy(&document));
            let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            known.insert(definition.hash.clone(), found.clone());
            found
        });
        !found.is_empty() && !found.contains(&kind)
    }

    fn known(&self, hash: &str) -> Option<Vec<JobKind>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(hash).cloned()
    }
}

fn kinds_in(document: &str) -> Vec<JobKind> {
    let has = |kind: &JobKind| document.contains(&format!("<{}-app", application::word(*kind)));
    ALL.into_iter().filter(has).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_says_the_kinds_of_its_jobs() {
        assert_eq!(kinds_in("<workflow-app name='a'>"), [JobKind::Workflow]);
        assert_eq!(
            kinds_in("<bundle-app/>\n<coordinator-app/>"),
            [JobKind::Coordinator, JobKind::Bundle]
        );
        assert_eq!(kinds_in("fn main() {}"), []);
    }
}
