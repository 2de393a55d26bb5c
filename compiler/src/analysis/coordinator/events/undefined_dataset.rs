use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::Span,
};

code!("H0709", undefined_dataset, ["E0803"]);

/// An event refers to a dataset that does not exist.
pub(super) struct UndefinedDataset {
    pub(super) place: Span,
    pub(super) name: String,
    pub(super) similar: Option<String>,
    /// There is an `async-dataset` with the name.
    pub(super) is_async: bool,
}

message!(UndefinedDataset, |place, name, similar, is_async| {
    let diagnostic = Diagnostic::new(&CODE, place, format!("undefined dataset `{name}`"));
    if is_async {
        return diagnostic.label(place, "an `async-dataset`").note(
            "Oozie passes over `async-dataset` elements, and then does not find the dataset",
        );
    }
    let diagnostic = diagnostic.label(place, "no dataset has this name");
    match similar {
        Some(similar) => diagnostic.suggest(
            place,
            "there is a dataset with a similar name",
            similar,
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic,
    }
});
