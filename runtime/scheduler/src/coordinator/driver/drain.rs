//! Waiting for the workflows that run here before the coordinator is let go of, where they would end with this process.

use std::time::Duration;

use hpdlc_engine::engine::Asked;
use hpdlc_host::{
    drain::{self, Drain},
    exit::RunError,
};
use hpdlc_store::{JobRow, query};
use tokio::sync::mpsc::UnboundedReceiver;

use super::Driver;
use crate::coordinator::incoming::Incoming;

/// How much longer than its workflows the coordinator waits.
const MARGIN: Duration = Duration::from_secs(5);

/// How often owners elsewhere are looked at.
const LOOK_AGAIN: Duration = Duration::from_millis(50);

impl Driver {
    /// The drain that a signal asks for, where this process runs.
    pub(super) fn drain_asked(&self, asked: &Asked) -> Option<Drain> {
        match asked {
            Asked::Kill => None,
            Asked::Drain(drain) => Some(drain.clone()),
            Asked::HandOver(name) => Drain::wanted(name, self.settings()?),
        }
    }

    /// Makes and starts nothing more. What becomes of the workflows meanwhile is seen by the next owner.
    pub(super) async fn drain(
        mut self,
        drain: Drain,
        mut inbox: UnboundedReceiver<Incoming>,
    ) -> RunError {
        let running = self.names_of_running();
        let words = drain.announcement(&running);
        self.journal.note(None, "DRAIN", Some(words));
        if let Err(error) = self.commit() {
            return error;
        }
        self.journal.tell();
        let others = self.tell_others();
        self.drain.send_replace(Some(drain.clone()));
        let mut problems = Vec::new();
        let over = tokio::time::Instant::from(drain.deadline) + MARGIN;
        while self.is_any_here()
            || others
                .iter()
                .any(|row| drain::owner_process(&row.id, row.owner_pid).is_some())
        {
            tokio::select! {
                Some(incoming) = inbox.recv() => {
                    let Incoming::Driven(number, result) = incoming else {
                        continue;
                    };
                    if let Some(workflow) = self.workflows.get_mut(&number) {
                        workflow.left();
                    }
                    if let Err(error) = *result && drain.is_late() {
                        problems.push(format!("action {number}: {}", error.message));
                    }
                }
                () = tokio::time::sleep(LOOK_AGAIN) => {}
                () = tokio::time::sleep_until(over) => break,
            }
        }
        let words = if self.is_any_here() {
            drain.failure(&self.names_of_running())
        } else if problems.is_empty() {
            format!(
                "{}: stopped managing coordinator {}; none of its actions is running",
                drain.signal,
                self.id()
            )
        } else {
            problems.join("\n")
        };
        self.recoverable(RunError::machine(words))
    }

    fn is_any_here(&self) -> bool {
        self.workflows.values().any(super::Workflow::is_here)
    }

    fn names_of_running(&self) -> String {
        let here = self.workflows.iter().filter(|(_, it)| it.is_here());
        let names: Vec<String> = here
            .map(|(number, workflow)| format!("{} of action {number}", workflow.id))
            .collect();
        if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        }
    }

    /// Has the owners of workflows that other executables drive let go of them.
    fn tell_others(&self) -> Vec<JobRow> {
        let elsewhere = self.workflows.values().filter(|it| !it.is_here());
        let rows = elsewhere
            .filter_map(|workflow| query::job(self.writer.connection(), &workflow.id).ok()?);
        rows.filter(|row| drain::pass_on(&row.id, row.owner_pid).is_some())
            .collect()
    }
}
