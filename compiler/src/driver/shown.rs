//! Sanitizes what is shown of documents and properties: without the given secrets, and without terminal control characters.

use std::{
    borrow::Cow,
    sync::{Mutex, PoisonError},
};

use hpdlc_core::{secrets::Secrets, visible};

use crate::{analysis::GivenProperties, diagnostics::Diagnostic};

/// The secrets among the properties that were given to this process.
static GIVEN: Mutex<Option<Secrets>> = Mutex::new(None);

/// From here on no message shows the secrets among these properties.
pub fn keep_from_all(given: &GivenProperties) {
    let pairs = given.iter();
    let secrets = Secrets::of(pairs.map(|(name, property)| (name.as_str(), &*property.value)));
    let mut all = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    all.get_or_insert_default().extend(&secrets);
}

fn given() -> Option<Secrets> {
    let all = GIVEN.lock().unwrap_or_else(PoisonError::into_inner);
    all.clone().filter(|secrets| !secrets.is_empty())
}

/// Text for a terminal, which may have color codes of hpdlc.
pub fn text(text: &str) -> String {
    let masked = match given() {
        Some(secrets) => secrets.without_values(text),
        None => text.to_owned(),
    };
    visible::colored(&masked).into_owned()
}

/// The diagnostics without the given secrets. The text of suggestions is kept: it is that of the document.
pub fn diagnostics(diagnostics: &[Diagnostic]) -> Cow<'_, [Diagnostic]> {
    match given() {
        Some(secrets) => Cow::Owned(
            diagnostics
                .iter()
                .map(|diagnostic| masked(diagnostic, &secrets))
                .collect(),
        ),
        None => Cow::Borrowed(diagnostics),
    }
}

fn masked(diagnostic: &Diagnostic, secrets: &Secrets) -> Diagnostic {
    let mut diagnostic = diagnostic.clone();
    let mask = |text: &mut String| *text = secrets.masked(text);
    mask(&mut diagnostic.message);
    diagnostic.notes.iter_mut().for_each(mask);
    diagnostic.help.iter_mut().for_each(mask);
    for label in &mut diagnostic.labels {
        mask(&mut label.text);
    }
    for suggestion in &mut diagnostic.suggestions {
        mask(&mut suggestion.message);
    }
    diagnostic
}
