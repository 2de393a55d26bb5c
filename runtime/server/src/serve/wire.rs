//! The objects of Oozie's JSON: every key is always there, null where there is nothing.
//!
//! They are those of `WorkflowJobBean`, `CoordinatorJobBean`, `BundleJobBean` and their actions (`JsonTags`).

pub(crate) mod bundle;
pub(crate) mod coordinator;
pub(crate) mod workflow;
