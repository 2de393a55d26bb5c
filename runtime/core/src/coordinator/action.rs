//! One action as the functions of its workflow's configuration see it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};

use crate::{
    coordinator::partitions,
    el::{error::ElError, value::Value},
};

/// The facts about an action that functions can ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionFacts {
    /// `JOB@NUMBER`, if there is a job.
    pub id: Option<String>,
    /// The name of the coordinator, evaluated.
    pub name: String,
    pub nominal: DateTime<Utc>,
    /// When the action was materialized.
    pub actual: Option<DateTime<Utc>>,
    /// By the names of events and of elements of the input logic.
    pub inputs: BTreeMap<String, EventUris>,
    pub outputs: BTreeMap<String, EventUris>,
}

/// The URIs of an event, without done flags; `None` while they depend on data that does not exist yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventUris(pub Option<Vec<String>>);

impl ActionFacts {
    /// The value of a function whose first argument names an event; `None` if there is no such function.
    pub(super) fn of_event(
        &self,
        function: &str,
        event: &str,
        args: &[String],
    ) -> Option<Result<Value, ElError>> {
        let is_of_outputs = function.contains("Out");
        let (events, element) = if is_of_outputs {
            (&self.outputs, "data-out")
        } else {
            (&self.inputs, "data-in")
        };
        let is_uris = matches!(function, "dataIn" | "dataOut");
        if !is_uris && partitions::n_arguments(function).is_none() {
            return None;
        }
        let full_name = format!("coord:{function}");
        let Some(EventUris(uris)) = events.get(event) else {
            return Some(Err(ElError::function(
                &full_name,
                format_args!("there is no `{element}` of the name `{event}`"),
            )));
        };
        let Some(uris) = uris else {
            return Some(Err(ElError::needs_job(format_args!(
                "function `{full_name}`, as `{event}` depends on the data that is there, and so it"
            ))));
        };
        if is_uris {
            return Some(Ok(Value::Text(uris.join(","))));
        }
        partitions::value(function, uris, args)
    }
}
