//! The creation of a job.

use std::collections::BTreeMap;

use hpdlc_core::status::JobStatus;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{JobRow, query::ApplicationOrigin};

use crate::{session::Ownership, sla};

/// Options for the creation of a job of the program's own application.
#[derive(Clone, Copy, Debug)]
pub struct NewJobOptions<'a> {
    pub origin: ApplicationOrigin,
    /// PREP or RUNNING.
    pub status: JobStatus,
    /// The speed factor of the clock of a coordinator or a bundle.
    pub speed: Option<u32>,
    /// The idempotency key: if a job with this key has not ended, or has SUCCEEDED, none is created.
    pub key: Option<&'a str>,
}

/// The result of a creation.
#[derive(Debug)]
pub enum JobToDrive {
    /// Created, and owned by this process.
    New(JobRow, Ownership),
    /// The existing job with the key.
    There(JobRow),
}

/// A job to be created.
#[derive(Debug)]
pub struct NewJob {
    pub kind: JobKind,
    pub app: String,
    pub app_path: String,
    pub conf: BTreeMap<String, String>,
    pub status: JobStatus,
    /// The service levels of it and its actions.
    pub slas: Vec<sla::Registration>,
}
