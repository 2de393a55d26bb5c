//! An action type for tests, which returns its text; a minimal example of a type.

use std::{collections::BTreeMap, sync::atomic::AtomicBool};

use hpdlc_launcher::Attempt;
use hpdlc_program::{failure::ActionError, table};
use serde::{Deserialize, Serialize};

use crate::{Completion, Evaluate, Evaluation, Executor, RunsIn, Work};

/// A probe with its expressions evaluated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    text: String,
}

impl Evaluate for table::Probe {
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError> {
        let text = self.text.evaluate(cx.scope)?;
        Ok(Work::Probe(Probe { text }))
    }
}

impl Executor for Probe {
    fn runs_in(&self) -> RunsIn {
        RunsIn::Engine
    }

    fn run(&self, _: &Attempt, _: &AtomicBool) -> Option<Result<Completion, String>> {
        Some(Ok(Completion {
            data: BTreeMap::from([("text".to_owned(), self.text.clone())]),
            ..Completion::ok("OK")
        }))
    }
}
