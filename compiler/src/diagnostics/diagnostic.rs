//! One message about the user's input: [`Diagnostic`] and its parts.

use super::{Level, LintLevel, Rule};
use crate::source::{FileId, SourceMap, Span};

/// The location of a diagnostic. No place is invented: a diagnostic about a whole file names the file only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    Span(Span),
    File(FileId),
    /// A path that is not loaded, as the user gave it.
    Path(String),
}

/// A place with a text beside it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
    /// Whether it is at the place of the diagnostic itself.
    pub primary: bool,
}

/// Whether a tool may apply a suggestion; the terms are rustc's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Applicability {
    /// Certainly what was meant; `--fix` applies it.
    MachineApplicable,
    /// Possibly not what was meant.
    MaybeIncorrect,
    /// Contains a placeholder that the user has to fill in.
    HasPlaceholders,
}

impl Applicability {
    /// As JSON shows it.
    pub fn as_str(self) -> &'static str {
        match self {
            Applicability::MachineApplicable => "MachineApplicable",
            Applicability::MaybeIncorrect => "MaybeIncorrect",
            Applicability::HasPlaceholders => "HasPlaceholders",
        }
    }
}

/// A change that would help: edits that are applied together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suggestion {
    /// A statement, not a question.
    pub message: String,
    /// Raw text for raw spans, escaped as the file needs it. Spans do not overlap.
    pub edits: Vec<(Span, String)>,
    pub applicability: Applicability,
}

/// One message about the user's input.
///
/// Built where the mistake is detected, rendered by [`render`](super::render). One mistake makes one diagnostic.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    pub rule: Rule,
    pub level: Level,
    /// Lowercase, one self-contained phrase.
    pub message: String,
    pub place: Place,
    pub labels: Vec<Label>,
    /// Facts.
    pub notes: Vec<String>,
    /// Proposals.
    pub help: Vec<String>,
    /// Which of them, by index, are in terms of elements and attributes: they mean nothing for a document that was made from
    /// another language.
    pub xml_help: Vec<usize>,
    pub suggestions: Vec<Suggestion>,
}

impl Diagnostic {
    /// A diagnostic at a place in a loaded file. `rule` is a `&CODE` or a `&LINT`.
    pub fn new(rule: impl Into<Rule>, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(rule.into(), Place::Span(span), message.into())
    }

    /// A diagnostic about a whole loaded file.
    pub fn for_file(rule: impl Into<Rule>, file: FileId, message: impl Into<String>) -> Diagnostic {
        Diagnostic::at(rule.into(), Place::File(file), message.into())
    }

    /// A diagnostic about a file or folder that is not loaded, named as the user gave it.
    pub fn for_path(
        rule: impl Into<Rule>,
        path: impl Into<String>,
        message: impl Into<String>,
    ) -> Diagnostic {
        Diagnostic::at(rule.into(), Place::Path(path.into()), message.into())
    }

    fn at(rule: Rule, place: Place, message: String) -> Diagnostic {
        let level = match rule {
            Rule::Code(code) => code.level,
            // An allowed lint has a level too, for when the user enables it; otherwise the sink drops it.
            Rule::Lint(lint) => match lint.default_level {
                LintLevel::Allow | LintLevel::Warn => Level::Warning,
                LintLevel::Deny => Level::Error,
            },
        };
        Diagnostic {
            rule,
            level,
            message,
            place,
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
            xml_help: Vec::new(),
            suggestions: Vec::new(),
        }
    }

    /// Adds a text at a place. A label at the place of the diagnostic itself becomes primary.
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        let primary = self.span() == Some(span);
        self.labels.push(Label {
            span,
            text: text.into(),
            primary,
        });
        self
    }

    /// Adds a fact.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a proposal in words.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }

    /// Adds a proposal in words that names elements or attributes.
    pub fn help_xml(mut self, text: impl Into<String>) -> Diagnostic {
        self.xml_help.push(self.help.len());
        self.help(text)
    }

    /// The proposals for a document that was made from another language.
    pub fn help_without_xml(&self) -> impl Iterator<Item = &String> {
        let help = self.help.iter().enumerate();
        help.filter(|(n, _)| !self.xml_help.contains(n))
            .map(|(_, help)| help)
    }

    /// Adds a proposal as a change of one place.
    pub fn suggest(
        self,
        span: Span,
        message: impl Into<String>,
        replacement: impl Into<String>,
        applicability: Applicability,
    ) -> Diagnostic {
        self.suggest_edits(message, vec![(span, replacement.into())], applicability)
    }

    /// Adds a proposal as a change of several places at once.
    pub fn suggest_edits(
        mut self,
        message: impl Into<String>,
        edits: Vec<(Span, String)>,
        applicability: Applicability,
    ) -> Diagnostic {
        self.suggestions.push(Suggestion {
            message: message.into(),
            edits,
            applicability,
        });
        self
    }

    /// The same with long texts truncated: a name in a document may have megabytes, and ten thousand diagnostics may quote
    /// it.
    pub(super) fn shortened(mut self) -> Diagnostic {
        const MOST: usize = 4096;
        let labels = self.labels.iter_mut().map(|label| &mut label.text);
        let suggestions = self.suggestions.iter_mut().map(|it| &mut it.message);
        let texts = std::iter::once(&mut self.message)
            .chain(labels)
            .chain(suggestions)
            .chain(&mut self.notes)
            .chain(&mut self.help);
        for text in texts.filter(|text| text.len() > MOST) {
            text.truncate(text.floor_char_boundary(MOST));
            text.push('…');
            text.shrink_to_fit();
        }
        self
    }

    /// The same with file ids mapped to new ones.
    pub fn map_files(mut self, new_id: impl Fn(FileId) -> FileId) -> Diagnostic {
        let moved = |span: Span| Span {
            file: new_id(span.file),
            ..span
        };
        self.place = match self.place {
            Place::Span(span) => Place::Span(moved(span)),
            Place::File(file) => Place::File(new_id(file)),
            Place::Path(path) => Place::Path(path),
        };
        for label in &mut self.labels {
            label.span = moved(label.span);
        }
        for (span, _) in self.suggestions.iter_mut().flat_map(|it| &mut it.edits) {
            *span = moved(*span);
        }
        self
    }

    /// The same about the source that its document was made from, if it was made from one. Proposals in terms of the document
    /// are left out.
    pub fn at_origins(mut self, sources: &SourceMap) -> Diagnostic {
        let Some(origins) = self.file().and_then(|file| sources.origins(file)) else {
            return self;
        };
        self.help = self.help_without_xml().cloned().collect();
        self.xml_help.clear();
        self.suggestions.clear();
        self.place = match self.place {
            Place::Span(span) => Place::Span(sources.origin(span)),
            Place::File(_) => Place::File(origins.file()),
            Place::Path(path) => Place::Path(path),
        };
        for label in &mut self.labels {
            label.span = sources.origin(label.span);
        }
        self
    }

    /// The span in a loaded file, if it has one.
    pub fn span(&self) -> Option<Span> {
        match &self.place {
            Place::Span(span) => Some(*span),
            Place::File(_) | Place::Path(_) => None,
        }
    }

    /// The loaded file that it is about, if any.
    pub fn file(&self) -> Option<FileId> {
        match &self.place {
            Place::Span(span) => Some(span.file),
            Place::File(file) => Some(*file),
            Place::Path(_) => None,
        }
    }
}

/// A mistake that can be converted to a diagnostic. Each is a struct in a file of its own, most by `message!`.
pub trait IntoDiagnostic {
    fn into_diagnostic(self) -> Diagnostic;
}

impl IntoDiagnostic for Diagnostic {
    fn into_diagnostic(self) -> Diagnostic {
        self
    }
}
