//! What the values of a dry run come from.

use std::collections::BTreeMap;

use hpdlc_core::el::scope::Scope;
use hpdlc_program::table::{App, Program};

use crate::commands::GivenPlace;

/// The job that nothing runs of.
#[derive(Clone, Copy)]
pub(super) struct DryrunSources<'a> {
    pub(super) program: &'static Program,
    pub(super) app: &'static App,
    /// The job's own path.
    pub(super) app_path: &'a str,
    pub(super) given: &'a BTreeMap<String, GivenPlace>,
    /// The job's properties.
    pub(super) conf: &'a BTreeMap<String, String>,
    pub(super) scope: &'a dyn Scope,
}
