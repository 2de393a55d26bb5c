use crate::{
    diagnostics::{Applicability, Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, undefined_node_references);

/// A function refers to a node that the workflow does not define.
pub(crate) struct UndefinedNodeReference {
    /// With its prefix.
    pub(crate) function: String,
    pub(crate) name: String,
    /// The argument, with its quotes.
    pub(crate) place: Span,
    pub(crate) similar: Option<String>,
}

message!(UndefinedNodeReference, |function, name, place, similar| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("`{function}` asks about undefined node `{name}`"),
    )
    .label(
        place,
        match function.as_str() {
            "hadoop:counters" => {
                "no node has this name, so the expression fails, and the job with it"
            }
            _ => "no node has this name, so the answer is always empty",
        },
    );
    match similar {
        Some(similar) => diagnostic.suggest(
            place,
            "there is a node with a similar name",
            format!("'{similar}'"),
            Applicability::MaybeIncorrect,
        ),
        None => diagnostic,
    }
});
