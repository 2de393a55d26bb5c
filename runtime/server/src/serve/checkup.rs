//! The last check of the state folder, which reads every row: pages that are loaded again and readers at the same time share it.

use std::{
    sync::{Arc, Mutex, PoisonError},
    time::{Duration, Instant},
};

use hpdlc_engine::{doctor::DoctorReport, owner::Session};
use hpdlc_host::{clock, exit::RunError};
use hpdlc_runtime::fleet;

/// For so long it is shown as it is.
const FRESH: Duration = Duration::from_secs(60);

/// What was found.
#[derive(Debug)]
pub(crate) struct Checkup {
    pub(crate) report: DoctorReport,
    /// When it ended, in milliseconds since 1970.
    pub(crate) time: i64,
    pub(crate) took: Duration,
    begun: Instant,
}

#[derive(Debug, Default)]
pub(crate) struct Checkups {
    last: Mutex<Option<Arc<Checkup>>>,
}

impl Checkups {
    /// The last check if it is fresh, or began after `asked`; else a new one, for which others wait.
    ///
    /// # Errors
    ///
    /// The store cannot be opened.
    pub(crate) fn get(
        &self,
        session: &Session,
        asked: Option<Instant>,
    ) -> Result<Arc<Checkup>, RunError> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_current = |it: &&Arc<Checkup>| match asked {
            Some(asked) => it.begun >= asked,
            None => it.begun.elapsed() < FRESH,
        };
        if let Some(known) = last.as_ref().filter(is_current) {
            return Ok(Arc::clone(known));
        }
        let begun = Instant::now();
        let report = fleet::doctor_report(session)?;
        let checkup = Arc::new(Checkup {
            report,
            time: clock::now_millis(),
            took: begun.elapsed(),
            begun,
        });
        *last = Some(Arc::clone(&checkup));
        Ok(checkup)
    }
}
