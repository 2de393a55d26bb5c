//! Secrets that are written in a document are not repeated by the words of diagnostics about it.

use std::collections::BTreeSet;

use hpdlc_core::secrets::Secrets;

use super::Diagnostic;
use crate::source::{FileId, SourceMap};

impl Diagnostic {
    /// The same with the secrets masked that its files contain. The edits of suggestions stay: they are applied to those files.
    pub fn without_secrets(mut self, sources: &SourceMap) -> Diagnostic {
        let files: BTreeSet<FileId> = self.files().collect();
        let written = files.into_iter().map(|file| sources.secrets(file));
        let written: Vec<&Secrets> = written.filter(|secrets| !secrets.is_empty()).collect();
        if written.is_empty() {
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
            for secrets in &written {
                *text = secrets.without_values(text);
            }
        }
        self
    }

    /// Every loaded file that it shows.
    fn files(&self) -> impl Iterator<Item = FileId> {
        self.file()
            .into_iter()
            .chain(self.labels.iter().map(|label| label.span.file))
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        diagnostics::{Applicability, Code, Diagnostic, Level},
        source::{SourceMap, Span},
    };

    static CODE: Code = Code {
        id: "H0000",
        name: "hiding",
        level: Level::Error,
        oozie: &[],
        explanation: "",
    };

    #[test]
    fn words_do_not_repeat_what_the_document_hides() {
        let mut sources = SourceMap::default();
        let text = "<a><password>tiger33</password><b>tiger33</b></a>".to_owned();
        let file = sources.add("a.xml".to_owned(), text);
        let span = Span::new(file, 0, 3);
        let words = "see `tiger33`";
        let edit = (span, "<tiger33>".to_owned());
        let diagnostic = Diagnostic::new(&CODE, span, words)
            .label(span, words)
            .note(words)
            .help(words)
            .suggest_edits(words, vec![edit.clone()], Applicability::MachineApplicable)
            .without_secrets(&sources);
        let suggestion = &diagnostic.suggestions[0];
        let shown = [
            &diagnostic.message,
            &diagnostic.labels[0].text,
            &diagnostic.notes[0],
            &diagnostic.help[0],
            &suggestion.message,
        ];
        assert_eq!(shown, ["see `********`"; 5]);
        assert_eq!(suggestion.edits, [edit]);
    }
}
