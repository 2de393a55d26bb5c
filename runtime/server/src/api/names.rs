//! Schemas of texts that are one of some names, made from the enums of the engine.

use hpdlc_core::{
    coordinator::{CoordinatorActionStatus, CoordinatorStatus},
    status::{ActionStatus, JobStatus},
};
use utoipa::openapi::{ObjectBuilder, schema::Type};

/// A text that is one of these.
pub(crate) fn one_of(
    names: impl IntoIterator<Item = &'static str>,
) -> utoipa::openapi::schema::Object {
    let names: Vec<&str> = names.into_iter().collect();
    ObjectBuilder::new()
        .schema_type(Type::String)
        .enum_values(Some(names))
        .build()
}

/// States of a workflow job.
pub(crate) fn workflow_status() -> utoipa::openapi::schema::Object {
    one_of(JobStatus::ALL.map(JobStatus::name))
}

/// States of a workflow action.
pub(crate) fn action_status() -> utoipa::openapi::schema::Object {
    one_of(ActionStatus::ALL.map(ActionStatus::name))
}

/// States of a coordinator or a bundle.
pub(crate) fn coordinator_status() -> utoipa::openapi::schema::Object {
    one_of(CoordinatorStatus::ALL.map(CoordinatorStatus::name))
}

/// States of an action of a coordinator.
pub(crate) fn coordinator_action_status() -> utoipa::openapi::schema::Object {
    one_of(CoordinatorActionStatus::ALL.map(CoordinatorActionStatus::name))
}
