//! Carrying out what other terminals ask of a bundle.

use hpdlc_core::bundle as machine;
use hpdlc_engine::control::bundle_request::BundleRequest;
use hpdlc_host::{clock, exit::RunError};
use hpdlc_store::{CommandRow, commands::Handled};

use super::Driver;
use crate::{
    bundle::{
        passed::{self, Passed},
        stored::{event, started_before, words},
    },
    coordinator::submission,
};

impl Driver {
    pub(super) fn take_commands(&mut self) -> Result<(), RunError> {
        let commands = self
            .writer
            .commands()
            .map_err(|error| self.store_failure(&error))?;
        for CommandRow { id, verb, .. } in commands {
            // By what the coordinators are now.
            self.look(false)?;
            let refusal = self.obey(&verb).err();
            self.handled.push(Handled {
                id,
                time: clock::now_millis(),
                refusal,
            });
            self.commit()?;
        }
        Ok(())
    }

    fn obey(&mut self, text: &str) -> Result<(), String> {
        let Some(request) = BundleRequest::parse(text) else {
            return Err(format!("unknown command `{text}`"));
        };
        let zone =
            submission::processing_zone(&self.session.site).map_err(|error| error.to_string())?;
        if request == BundleRequest::Start {
            if self.is_started() {
                return Err(started_before(&self.row.id, self.state.record.status));
            }
            self.begin();
        }
        let event = event(&self.row.id, &request, zone)?;
        // What the coordinators would refuse is refused as a whole, before anything is changed.
        let mut foreseen = self.state.clone();
        let step = machine::step(&mut foreseen, self.submitted.clock.now(), event.clone());
        let passed = passed::on(
            &self.session,
            self.writer.connection(),
            &self.submitted,
            &step.effects,
            &request,
            zone,
        );
        let passed = match step.refusal {
            Some(refusal) => return Err(words(&self.row.id, &refusal)),
            None => passed.map_err(|problem| format!("bundle {}: {problem}", self.row.id))?,
        };
        if let Some(refusal) = self.apply(event) {
            return Err(words(&self.row.id, &refusal));
        }
        if matches!(request, BundleRequest::Rerun(_)) {
            self.begin();
        }
        for Passed { name, request, .. } in passed {
            self.ask(&name, &request);
        }
        Ok(())
    }
}
