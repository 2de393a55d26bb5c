//! The objects that the server and its clients say to each other, with their JSON and its schema: the server writes them, [`crate::client`]
//! reads them, and `openapi.json` describes them.
//!
//! Names of keys are those of Oozie's `JsonTags`. The server always writes all keys, with null where there is nothing; a reader accepts
//! answers without keys that may be null. Dates are texts such as `Wed, 25 Nov 2026 09:51:00 GMT`, in the zone of the parameter `timezone`.

pub(crate) mod admin;
pub(crate) mod bundle;
pub(crate) mod command;
pub(crate) mod configuration;
pub(crate) mod coordinator;
pub(crate) mod hws;
pub(crate) mod job;
pub(crate) mod jobs;
pub(crate) mod level;
pub(crate) mod names;
pub(crate) mod workflow;
