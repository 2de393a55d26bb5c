//! Secrets that are written in a document are not repeated by the words of diagnostics about it.

use std::collections::BTreeSet;

use hpdlc_core::secrets::Secrets;

use super::{Diagnostic, Place};
use crate::source::{FileId, SourceMap};

impl Diagnostic {
    /// The same with the secrets masked that its files contain. The edits of suggestions stay: they are applied to those files.
    pub fn without_secrets(mut self, sources: &SourceMap) -> Diagnostic {
        let files: BTreeSet<FileId> = self.files().collect();
        let written = files.into_iter().flat_map(|file| sources.secrets(file));
        let secrets = Secrets::of_texts(written);
        if secrets.is_empty() {
            return self;
        }
        let Diagnostic {
            message,
            labels,
            notes,
            help,
            suggestions,
            ..
        } = &mut self;
        let texts = std::iter::once(message)
            .chain(labels.iter_mut().map(|label| &mut label.text))
            .chain(notes)
            .chain(help)
            .chain(suggestions.iter_mut().map(|it| &mut it.message));
        for text in texts {
            *text = secrets.without_values(text);
        }
        self
    }

    /// Every loaded file that it shows.
    fn files(&self) -> impl Iterator<Item = FileId> {
        let place = match &self.place {
            Place::Span(span) => Some(span.file),
            Place::File(file) => Some(*file),
            Place::Path(_) => None,
        };
        place
            .into_iter()
            .chain(self.labels.iter().map(|label| label.span.file))
    }
}
