//! Secrets that a job's properties only refer to: attempts get them, the store does not.

use hpdlc_core::secrets::references::References;
use hpdlc_executors::{Completion, Work};
use hpdlc_host::{
    secret_values::{hide_in, resolve_in},
    settings::Settings,
};
use hpdlc_program::failure::ActionError;

use crate::engine::Engine;

/// The references that the actions of a job may have in their values.
fn references(settings: Settings<'_>) -> References {
    References::of(settings.conf.values().chain(settings.site.values()))
}

/// The work with the secrets that it refers to; `None` if there are none. A sub-workflow gets the references: its own actions read them.
///
/// # Errors
///
/// One of them cannot be read: whoever looks after the site has to do something first.
pub(super) fn with_secrets(
    work: &Work,
    settings: Settings<'_>,
) -> Result<Option<Work>, ActionError> {
    let references = references(settings);
    if references.is_empty() || work.child().is_some() {
        return Ok(None);
    }
    let odd = |error: serde_json::Error| ActionError::error("E0803", error.to_string());
    let mut values = serde_json::to_value(work).map_err(odd)?;
    let has_some = resolve_in(&mut values, &references).map_err(|secret| {
        let problem = format!("{secret}; set it there, and resume the job");
        ActionError::non_transient("E0803", problem)
    })?;
    if !has_some {
        return Ok(None);
    }
    serde_json::from_value(values).map(Some).map_err(odd)
}

impl Engine {
    /// What an attempt has left, with references in place of the secrets, as the store keeps it.
    pub(super) fn without_secrets(&self, id: &str, mut completion: Completion) -> Completion {
        let Some(settings) = self.settings(id) else {
            return completion;
        };
        let references = references(settings);
        if references.is_empty() {
            return completion;
        }
        let texts = completion
            .data
            .values_mut()
            .chain(&mut completion.warnings)
            .chain(&mut completion.external_id)
            .chain(completion.error.as_mut().map(|error| &mut error.message));
        hide_in(texts, &references);
        completion
    }
}
