//! Secrets that a job's properties only refer to: attempts get them, the store does not.

use std::sync::Arc;

use hpdlc_core::secrets::references::{References, UnreadSecret};
use hpdlc_executors::{Completion, Work};
use hpdlc_host::settings::Settings;
use hpdlc_program::failure::ActionError;

use crate::engine::Engine;

/// The references that the actions of a job may have in their values.
fn references(settings: Settings<'_>) -> References {
    References::of(settings.conf.values().chain(settings.site.values()))
}

/// Whether `work` refers to a secret.
pub(super) fn occur_in(work: &Work, settings: Settings<'_>) -> bool {
    let references = references(settings);
    !references.is_empty()
        && serde_json::to_string(work).is_ok_and(|text| references.occur_in(&text))
}

/// The work with the secrets that it refers to. A sub-workflow gets the references: its own actions read them.
///
/// # Errors
///
/// One of them cannot be read.
pub(super) fn with_secrets(
    work: Arc<Work>,
    settings: Settings<'_>,
) -> Result<Arc<Work>, UnreadSecret> {
    let references = references(settings);
    if references.is_empty() || work.child().is_some() {
        return Ok(work);
    }
    let mut values = serde_json::to_value(&*work)
        .expect("evaluated bodies are strings, numbers and maps of strings");
    references.resolve(&mut values)?;
    let work = serde_json::from_value(values).expect("other strings do not change the shape");
    Ok(Arc::new(work))
}

/// The failure of an action whose secret cannot be read: whoever looks after the site has to do something first.
pub(super) fn unread(secret: &UnreadSecret) -> ActionError {
    let problem = format!("{secret}; set it there, and resume the job");
    ActionError::non_transient("E0803", problem)
}

impl Engine {
    /// Why `work` cannot be started: a secret that it refers to cannot be read.
    pub(super) fn unread_secret(&self, id: &str, work: &Work) -> Option<ActionError> {
        let settings = self.settings(id)?;
        if !occur_in(work, settings) {
            return None;
        }
        let read = with_secrets(Arc::new(work.clone()), settings);
        read.err().map(|secret| unread(&secret))
    }

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
        for text in texts {
            *text = references.hidden(text);
        }
        completion
    }
}
