use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, similar_properties);

/// A property that nothing defines, and one with nearly the same name.
pub(crate) struct SimilarProperty {
    pub(crate) name: String,
    /// The first read.
    pub(crate) first: Span,
    pub(crate) others: Vec<Span>,
    pub(crate) similar: String,
    /// Where the other one is defined or read.
    pub(crate) similar_place: Option<Span>,
    pub(crate) evidence: SimilarEvidence,
    /// The function that reads the other one, if that is no variable: it has dots or hyphens.
    pub(crate) conf: Option<&'static str>,
}

/// What is known of the other property.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum SimilarEvidence {
    Defined,
    /// It is only read, more often.
    Read,
    /// What is started reads it; `name` is passed, and not read.
    ReadByStarted,
    /// It keeps its default, and `name` is given.
    Given,
    /// Its name is parsed as a subtraction; the function that reads a property of any name.
    Subtracted(&'static str),
}

message!(SimilarProperty, |name,
                           first,
                           others,
                           similar,
                           similar_place,
                           evidence,
                           conf| {
    if let SimilarEvidence::Subtracted(conf) = evidence {
        let diagnostic = Diagnostic::new(
            &LINT,
            first,
            format!("property `{similar}` cannot be read as a variable"),
        )
        .label(
            first,
            format!("subtracts, and nothing defines property `{name}`"),
        );
        let diagnostic = match similar_place {
            Some(place) => diagnostic.label(place, "defined here"),
            None => diagnostic,
        };
        return diagnostic.suggest(
            first,
            format!("property `{similar}` is written `{conf}('{similar}')`"),
            format!("{conf}('{similar}')"),
            Applicability::MaybeIncorrect,
        );
    }
    let (label, other_label, note) = match evidence {
        SimilarEvidence::Given => {
            let mut diagnostic = Diagnostic::new(
                &LINT,
                first,
                format!("property `{name}` is given, and nothing reads it"),
            )
            .label(first, format!("`{similar}` keeps its default"));
            let help = format!("if the same property is meant, give `{similar}`");
            if let Some(place) = similar_place {
                diagnostic = diagnostic.label(place, "given here");
                return diagnostic.suggest(place, help, similar, Applicability::MaybeIncorrect);
            }
            return diagnostic.help(help);
        }
        SimilarEvidence::Read => (
            format!("elsewhere it is `{similar}`"),
            "read here",
            "each job needs a value for it, or it is empty",
        ),
        SimilarEvidence::ReadByStarted => (
            format!("passed here, and what is started reads `{similar}`"),
            "read here",
            "what is started does not read it, and gets no other value from here",
        ),
        SimilarEvidence::Defined | SimilarEvidence::Subtracted(_) => (
            format!("nothing defines it, but there is `{similar}`"),
            "defined here",
            "each job needs a value for it otherwise, or it is empty",
        ),
    };
    let mut diagnostic = Diagnostic::new(
        &LINT,
        first,
        format!("property `{name}` is another one than `{similar}`"),
    )
    .label(first, label);
    if let Some(place) = similar_place {
        diagnostic = diagnostic.label(place, other_label);
    }
    if let Some(conf) = conf {
        let help = format!("if the same property is meant, read it with `{conf}('{similar}')`");
        return diagnostic.help(help).note(note);
    }
    let edits = [first].into_iter().chain(others);
    diagnostic
        .suggest_edits(
            format!("if the same property is meant, write `{similar}`"),
            edits.map(|place| (place, similar.clone())).collect(),
            Applicability::MaybeIncorrect,
        )
        .note(note)
});
