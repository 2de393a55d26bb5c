//! The data of an action: the instances of its input and output events.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::coordinator::{
    ActionFacts, Coordinator, DataEvent, EventInstances, EventUris, InstanceError, NominalAction,
    instance_text::{EventInstanceTexts, InstanceText},
    instances::{InstanceScope, NamedInstance},
};

/// The instances of all events of one action, indexed by event.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ActionData {
    pub inputs: Vec<EventInstances>,
    pub outputs: Vec<EventInstances>,
}

impl Coordinator {
    /// The instances that an action at `nominal` reads and writes.
    ///
    /// # Errors
    ///
    /// The event, and why its instances cannot be determined.
    pub fn data_of(&self, nominal: DateTime<Utc>) -> Result<ActionData, (String, InstanceError)> {
        let of_events = |events: &[DataEvent]| {
            events
                .iter()
                .map(|event| {
                    self.instances(event, nominal)
                        .map_err(|error| (event.name.clone(), error))
                })
                .collect::<Result<Vec<_>, _>>()
        };
        Ok(ActionData {
            inputs: of_events(&self.inputs)?,
            outputs: of_events(&self.outputs)?,
        })
    }

    fn instances(
        &self,
        event: &DataEvent,
        nominal: DateTime<Utc>,
    ) -> Result<EventInstances, InstanceError> {
        let scope = InstanceScope {
            dataset: &event.dataset,
            nominal,
            job_zone: self.schedule.zone,
        };
        let mut found = EventInstances::default();
        let named = |text: &InstanceText| match &text.known {
            Some(named) => Ok(named.clone()),
            None => NamedInstance::evaluate(&text.text, &self.job, Some(scope))
                .map(|named| named.unwrap_or(NamedInstance::Nothing)),
        };
        match &event.instances {
            EventInstanceTexts::Each(texts) => {
                for text in texts {
                    scope.add(&named(text)?, &mut found)?;
                }
            }
            EventInstanceTexts::Range { start, end } => {
                scope.add_range(&named(start)?, &named(end)?, &mut found)?;
            }
        }
        Ok(found)
    }

    /// The facts that functions see of an action that has no job yet: URIs only if they do not depend on data.
    pub fn facts_of(&self, action: NominalAction, data: &ActionData) -> ActionFacts {
        let uris =
            |events: &[DataEvent], instances: &[EventInstances]| -> BTreeMap<String, EventUris> {
                events
                    .iter()
                    .zip(instances)
                    .map(|(event, instances)| {
                        (
                            event.name.clone(),
                            EventUris(instances.uris(&event.dataset)),
                        )
                    })
                    .collect()
            };
        ActionFacts {
            id: None,
            name: self.name.clone(),
            nominal: action.time,
            actual: None,
            inputs: uris(&self.inputs, &data.inputs),
            outputs: uris(&self.outputs, &data.outputs),
        }
    }
}
