use crate::{
    diagnostics::{Diagnostic, lint, message},
    source::Span,
};

lint!(Warn, undefined_listed_nodes);

/// A property of the job lists a node that the workflow does not define.
pub(crate) struct UndefinedListedNode {
    pub(crate) property: &'static str,
    pub(crate) name: String,
    pub(crate) place: Span,
    pub(crate) similar: Option<String>,
}

message!(UndefinedListedNode, |property, name, place, similar| {
    let diagnostic = Diagnostic::new(
        &LINT,
        place,
        format!("`{property}` names node `{name}`, which the workflow does not have"),
    )
    .label(place, "the name has no effect");
    match similar {
        Some(similar) => {
            diagnostic.help(format!("there is a node with a similar name: `{similar}`"))
        }
        None => diagnostic,
    }
});
