//! Waiting for the coordinators that run here before the bundle is let go of, where they would end with this process.

use std::time::Duration;

use hpdlc_engine::engine::Asked;
use hpdlc_host::{drain::Drain, exit::RunError, settings::Settings};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{Driven, Driver};

/// How much longer than the workflows of its coordinators the bundle waits.
const MARGIN: Duration = Duration::from_secs(10);

impl Driver {
    /// The drain that a signal asks for, where this process runs.
    pub(super) fn drain_asked(&self, asked: &Asked) -> Option<Drain> {
        let settings = Settings {
            conf: &self.conf,
            site: &self.session.site,
        };
        match asked {
            Asked::Kill => None,
            Asked::Drain(drain) => Some(drain.clone()),
            Asked::HandOver(name) => Drain::wanted(name, settings),
        }
    }

    /// Makes and starts nothing more. What becomes of the coordinators meanwhile is seen by the next owner.
    pub(super) async fn drain(
        mut self,
        drain: Drain,
        mut inbox: UnboundedReceiver<Driven>,
    ) -> RunError {
        let words = drain.announcement(&self.names_of_running());
        self.journal.note(None, "DRAIN", Some(words));
        if let Err(error) = self.commit() {
            return error;
        }
        self.journal.tell();
        self.drain.send_replace(Some(drain.clone()));
        let mut problems = Vec::new();
        let over = tokio::time::Instant::from(drain.deadline) + MARGIN;
        while !self.here.is_empty() {
            tokio::select! {
                Some((name, result)) = inbox.recv() => {
                    self.here.remove(&name);
                    if let Err(error) = result && drain.is_late() {
                        problems.push(format!("coordinator {name}: {}", error.message));
                    }
                }
                () = tokio::time::sleep_until(over) => break,
            }
        }
        let words = if !self.here.is_empty() {
            drain.failure(&self.names_of_running())
        } else if problems.is_empty() {
            let id = &self.row.id;
            format!(
                "{}: stopped managing bundle {id}; none of its actions is running",
                drain.signal
            )
        } else {
            problems.join("\n")
        };
        RunError::machine(words).and_recover(&self.row.id)
    }

    fn names_of_running(&self) -> String {
        let names: Vec<&str> = self.here.iter().map(String::as_str).collect();
        if names.is_empty() {
            "nothing".to_owned()
        } else {
            names.join(", ")
        }
    }
}
