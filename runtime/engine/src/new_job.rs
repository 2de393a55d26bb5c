//! A job that is to be made.

use std::collections::BTreeMap;

use hpdlc_core::status::JobStatus;
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{JobRow, query::ApplicationOrigin};

use crate::{session::Ownership, sla};

/// How a job of the program's own application is to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewJobOptions<'a> {
    pub origin: ApplicationOrigin,
    /// PREP or RUNNING.
    pub status: JobStatus,
    /// How many times as fast the clock of a coordinator or a bundle is.
    pub speed: Option<u32>,
    /// Where a job of this key has not ended, or has SUCCEEDED, none is made.
    pub key: Option<&'a str>,
}

/// What there is to be driven.
#[derive(Debug)]
pub enum Made {
    /// It belongs to this process.
    New(JobRow, Ownership),
    /// The key's job.
    There(JobRow),
}

/// A job that is to be made.
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
