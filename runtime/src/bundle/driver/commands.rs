//! Carrying out what other terminals ask of a bundle.

use hpdlc_core::{
    bundle::{self as machine, BundleChange, Effect, Event},
    coordinator::machine::{Refusal, Scope},
    time::ProcessingZone,
};

use super::Driver;
use crate::{
    bundle::request::{Request, RerunRequest},
    clock,
    coordinator::{
        request::{self, Selection},
        submission,
    },
    exit::RunError,
    store::{CommandRow, commands::Handled, coordinators as rows},
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
        let Some(request) = Request::parse(text) else {
            return Err(format!("unknown command `{text}`"));
        };
        let zone =
            submission::processing_zone(&self.session.site).map_err(|error| error.to_string())?;
        let event = match request {
            Request::Start => {
                if self.is_started() {
                    return Err(format!(
                        "bundle {} is {} and was started before; only a PREP one can be started (E0801)",
                        self.row.id, self.state.record.status
                    ));
                }
                self.begin();
                Event::Tick
            }
            Request::Suspend => Event::Suspend,
            Request::Resume => Event::Resume,
            Request::Kill => Event::Kill,
            Request::Change(text) => Event::Change(
                BundleChange::parse(&text, zone).map_err(|refusal| self.words(&refusal))?,
            ),
            Request::Rerun(request) => return self.rerun(request, zone),
        };
        match self.apply(event) {
            Some(refusal) => Err(self.words(&refusal)),
            None => Ok(()),
        }
    }

    fn words(&self, refusal: &Refusal) -> String {
        format!(
            "bundle {}: {} ({})",
            self.row.id, refusal.message, refusal.code
        )
    }

    fn rerun(&mut self, request: RerunRequest, zone: ProcessingZone) -> Result<(), String> {
        let times = match &request.dates {
            Some(dates) => Some(Scope::times(dates, zone).map_err(|error| error.to_string())?),
            None => None,
        };
        let named = !request.coordinators.is_empty();
        let chosen = named.then(|| request.coordinators.iter().cloned().collect());
        let before = self.state.record.status;
        let now = self.submitted.clock.now();
        let event = Event::Rerun {
            coordinators: chosen,
            times,
        };
        let step = machine::step(&mut self.state, now, event);
        if let Some(refusal) = step.refusal {
            return Err(self.words(&refusal));
        }
        self.begin();
        self.is_dirty = true;
        let status = self.state.record.status;
        if status != before {
            self.journal.state(None, status.name(), None);
        }
        for effect in step.effects {
            if let Effect::Rerun { name, .. } = effect {
                let dates = match (&request.dates, self.job_of(&name)) {
                    (Some(dates), _) => dates.clone(),
                    (None, Some(job)) => {
                        let row = rows::coordinator(self.writer.connection(), &job)
                            .map_err(|error| error.to_string())?;
                        row.map_or_else(String::new, |row| {
                            let end = row.record.end;
                            format!("{}::{}", zone.write(row.start), zone.write(end))
                        })
                    }
                    (None, None) => continue,
                };
                let rerun = request::RerunRequest {
                    selection: Selection::Dates(dates),
                    refresh: request.refresh,
                    nocleanup: request.nocleanup,
                    failed: false,
                };
                self.ask(&name, &request::Request::Rerun(rerun));
            }
        }
        Ok(())
    }
}
