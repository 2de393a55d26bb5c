//! Coordinators, pure: when their actions are, on which instances of which datasets, and what their functions give.
//!
//! [`Definition`] is the document, its texts parsed. [`Definition::resolve`] evaluates once what Oozie evaluates at
//! submission and gives a [`Coordinator`], of which [`Coordinator::actions_from`] lists the actions and
//! [`Coordinator::data_of`] the data of one. Whether data is there is asked through [`Availability`].

mod action;
mod aggregation;
mod arguments;
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
    control_settings::{ControlSettings, MalformedSetting, THROTTLE_SETTINGS, TIMEOUT_SETTING},
    controls::{Capped, ControlError, Execution, Limits},
    data::ActionData,
    dataset::{Dataset, DoneFlag},
    definition::{
        Controls, DatasetText, Definition, EventText, InstanceTexts, LogicText, LogicTextKind,
        SlaText,
    },
    functions::JobValues,
    input_logic::{Decision, Enough, InputState, Logic, LogicKind, Searched},
    instances::{EventInstances, InstanceError, MAX_INSTANCES},
    policy::MOST_READY,
    schedule::{Action, Actions, Schedule},
    search::{Availability, Search, SearchState},
    sla::{Alerted, SlaError},
    status::{CoordinatorActionStatus, CoordinatorStatus},
    submission::{Coordinator, Event, SubmissionError, SubmissionProblem},
    uri_template::{UriTemplate, UriTemplateError},
};
