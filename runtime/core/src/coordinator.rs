//! Coordinators, pure: when their actions are, on which instances of which datasets, and what their functions give.
//!
//! [`Definition`] is the document, its texts parsed. [`Definition::resolve`] evaluates once what Oozie evaluates at
//! submission and gives a [`Coordinator`], of which [`Coordinator::actions_from`] lists the actions and
//! [`Coordinator::data_of`] the data of one. Whether data is there is asked through [`Availability`].

mod action;
mod controls;
mod data;
mod dataset;
mod dates;
mod definition;
mod functions;
mod hcat_uri;
mod input_logic;
mod instances;
mod java_date_format;
mod partitions;
mod schedule;
mod search;
mod submission;
#[cfg(test)]
mod tests;
mod uri_template;

pub use self::{
    action::{ActionFacts, EventUris},
    controls::{ControlError, Execution, Limits},
    data::{ActionData, EventInstances},
    dataset::{Dataset, DoneFlag},
    definition::{Controls, DatasetText, Definition, EventText, InstanceTexts},
    functions::JobValues,
    hcat_uri::HcatUri,
    input_logic::{
        Decision, Enough, InputState, Logic, LogicKind, LogicText, LogicTextKind, Searched,
    },
    instances::{InstanceError, MAX_INSTANCES},
    schedule::{Action, Actions, Schedule},
    search::{Availability, Search, SearchState},
    submission::{Coordinator, Event, SubmissionError, SubmissionProblem},
    uri_template::{UriTemplate, UriTemplateError},
};
