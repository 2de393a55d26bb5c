//! The `distcp` action: a copy between file systems as a Hadoop job.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Distcp = action::Distcp<Parsed>;

impl ActionBody for Distcp {}
