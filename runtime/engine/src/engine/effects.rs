//! The effects of the step machine: settled before the transaction, or performed after it.

use hpdlc_core::step::{Effect, Event};
use hpdlc_executors::RunsIn;
use hpdlc_host::exit::RunError;
use hpdlc_store::SkipMark;

use crate::engine::Engine;

impl Engine {
    /// Settles what changes only the state; external effects are performed after the transaction.
    pub(super) fn settle_all(&mut self) -> Result<(), RunError> {
        while let Some((job, effect)) = self.internal.pop_front() {
            self.settle(&job, effect)?;
        }
        Ok(())
    }

    fn settle(&mut self, id: &str, effect: Effect) -> Result<(), RunError> {
        let begins = matches!(
            effect,
            Effect::Choose { .. } | Effect::Prepare { .. } | Effect::Launch { .. }
        );
        if begins && self.is_draining() {
            // It is outstanding in the store: the next owner does it.
            return Ok(());
        }
        match effect {
            Effect::Choose { node } => self.choose(id, node),
            Effect::Prepare { node, attempt } => self.prepare(id, node, attempt),
            Effect::Launch { node, attempt } => {
                // It starts, or is found again, when the job is resumed.
                if !self.is_to_run(id, node, attempt) || !self.is_running_job(id) {
                    self.let_go(&(id.to_owned(), node, attempt));
                    return Ok(());
                }
                self.begins_after_all(id, node);
                let work = self.jobs.get(id).and_then(|job| job.work(node));
                // If the recorded values are gone, the attempt is evaluated again.
                let Some(work) = work else {
                    self.prepare(id, node, attempt);
                    return Ok(());
                };
                let is_begun = match work.child() {
                    Some(child) => self.start_child(id, node, attempt, child)?,
                    None => true,
                };
                if is_begun {
                    if work.is_process() {
                        self.slots.insert((id.to_owned(), node, attempt));
                    }
                    self.external.push((id.to_owned(), effect));
                }
            }
            Effect::Cancel { node, attempt } => {
                let work = self.jobs.get(id).and_then(|job| job.work(node));
                if work.is_some_and(|work| work.executor().runs_in() == RunsIn::Child) {
                    self.kill_child(id, node, attempt);
                    self.apply(id, Event::Canceled { node });
                } else {
                    self.external.push((id.to_owned(), effect));
                }
            }
            Effect::Wait { node, delay } => {
                let now = self.now();
                if let (Some(delay), Some(job)) = (delay, self.jobs.get_mut(id)) {
                    let millis = i64::try_from(delay.as_millis()).unwrap_or(i64::MAX);
                    let row = job.row_of(node);
                    row.due = Some(now.saturating_add(millis));
                    row.retry_wait = Some(millis);
                    self.dirty_nodes.insert((id.to_owned(), node));
                }
                self.external.push((id.to_owned(), effect));
            }
            Effect::Message { node } => self.kill_message(id, node),
            Effect::StrandEnded { node } => {
                if let Some(job) = self.jobs.get_mut(id) {
                    let note = "reached by more than one execution path; it runs once, and the later path ends here";
                    job.row_of(node).note = Some(note.to_owned());
                    self.dirty_nodes.insert((id.to_owned(), node));
                    self.note(id, Some(node), "NOTE", note);
                }
            }
            Effect::Skipped { node } => {
                if let Some(job) = self.jobs.get_mut(id) {
                    let row = job.row_of(node);
                    row.skip = Some(SkipMark::Taken);
                    let why = format!(
                        "{} in run {}; not run again",
                        row.status,
                        row.run.unwrap_or_default()
                    );
                    self.dirty_nodes.insert((id.to_owned(), node));
                    self.note(id, Some(node), "SKIPPED", &why);
                }
            }
            Effect::Suspended => self.suspend_parents(id),
            Effect::Finished(status) => self.job_finished(id, status),
        }
        Ok(())
    }

    /// Performs an external effect after its transaction.
    pub(super) fn perform(&mut self, id: &str, effect: Effect) {
        match effect {
            Effect::Launch { node, attempt } => {
                let look_first = self.inherited.contains(&(id.to_owned(), node, attempt));
                self.launch(id, node, attempt, look_first);
            }
            Effect::Cancel { node, attempt } => self.cancel(id, node, attempt),
            Effect::Wait { node, .. } => self.wait(id, node),
            Effect::Choose { .. }
            | Effect::Prepare { .. }
            | Effect::Message { .. }
            | Effect::StrandEnded { .. }
            | Effect::Skipped { .. }
            | Effect::Suspended
            | Effect::Finished(_) => {}
        }
    }
}
