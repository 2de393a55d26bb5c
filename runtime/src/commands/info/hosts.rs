//! On which host of a database each action runs, or ran.

use std::collections::BTreeMap;

use hpdlc_core::status::ActionStatus;
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::RunError;
use hpdlc_store::{ActionRow, hosts};
use serde_json::Value;

/// The machines of the hosts of some actions, by the hosts' ids; empty for a store in a file.
pub(super) struct Machines(BTreeMap<String, String>);

impl Machines {
    /// # Errors
    ///
    /// Exit 5 if the store cannot be read.
    pub(super) fn of(session: &Session, actions: &[ActionRow]) -> Result<Machines, RunError> {
        let mut machines = BTreeMap::new();
        let mut connection = None;
        for id in actions.iter().filter_map(host) {
            if machines.contains_key(id) {
                continue;
            }
            let open = match connection.take() {
                Some(open) => open,
                None => session.store()?,
            };
            let place = hosts::place_of(&open, id).map_err(|error| session.describe(error))?;
            machines.insert(id.to_owned(), place.machine);
            connection = Some(open);
        }
        Ok(Machines(machines))
    }

    fn machine(&self, action: &ActionRow) -> Option<&str> {
        self.0.get(host(action)?).map(String::as_str)
    }

    /// Adds the machine to the JSON of an action.
    pub(super) fn to_json(&self, action: &ActionRow, mut value: Value) -> Value {
        if let Some(machine) = self.machine(action) {
            value["host"] = machine.into();
        }
        value
    }

    /// The words for an action that runs.
    pub(super) fn note(&self, action: &ActionRow) -> Option<String> {
        let is_running = action.status == ActionStatus::Running && !action.is_queued();
        let machine = self.machine(action).filter(|_| is_running)?;
        Some(format!("on host {machine}"))
    }
}

fn host(action: &ActionRow) -> Option<&str> {
    hosts::host_of(action.boot_id.as_deref()?)
}
