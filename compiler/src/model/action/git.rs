//! The `git` action: clones a repository to a file system.

use hpdlc_core::action;

use crate::model::action::{ActionBody, Parsed};

pub type Git = action::Git<Parsed>;

impl ActionBody for Git {}
