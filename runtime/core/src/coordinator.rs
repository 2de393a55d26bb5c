//! Coordinators as pure functions: when their actions are due, on which dataset instances, and the values of their EL functions.
//!
//! [`CoordinatorDefinition`] is the document with its texts parsed. [`CoordinatorDefinition::resolve`] evaluates once what Oozie evaluates at
//! submission and returns a [`Coordinator`]. [`Coordinator::actions_from`] lists the actions and [`Coordinator::data_of`] the
//! data of one. [`DataAvailability`] answers whether data exists.

mod action;
mod aggregation;
mod arguments;
mod constants;
mod control_settings;
mod controls;
mod data;
mod dataset;
pub mod dataset_file;
mod dates;
mod definition;
mod functions;
mod input_logic;
mod instance_text;
mod instances;
mod java_date_format;
pub mod machine;
mod partitions;
mod policy;
mod schedule;
mod search;
pub mod simulate;
mod sla;
mod status;
mod submission;
#[cfg(test)]
mod tests;
mod uri_template;

pub use self::{
    action::{ActionFacts, EventUris},
    aggregation::{ActionCounts, AggregationProgress, aggregated},
    constants::{RefusedConstant, check_constants, returns_date},
    control_settings::{ControlSettings, MalformedSetting, THROTTLE_SETTINGS, TIMEOUT_SETTING},
    controls::{CappedControls, ControlError, EffectiveControls, Execution},
    data::ActionData,
    dataset::{Dataset, DoneFlag},
    definition::{
        Controls, CoordinatorDefinition, DatasetText, EventText, InstanceTexts, LogicText,
        LogicTextKind,
    },
    functions::JobValues,
    input_logic::{InputState, InputThreshold, Logic, LogicDecision, LogicKind, Searched},
    instances::{EventInstances, InstanceError, MAX_INSTANCES},
    policy::MOST_READY,
    schedule::{NominalAction, NominalActions, Schedule},
    search::{DataAvailability, Search, SearchState},
    sla::{Alerted, SlaError},
    status::{CoordinatorActionStatus, CoordinatorStatus},
    submission::{
        Coordinator, DataEvent, DatasetPart, SubmissionError, SubmissionPlace, SubmissionProblem,
    },
    uri_template::{UriTemplate, UriTemplateError},
};
