use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::check::unknown_element::listed,
    source::Spanned,
};

code!("H0215", unknown_attribute, ["E0701"]);

/// An attribute that the element does not have in any version.
pub(crate) struct UnknownAttribute {
    pub(crate) parent: String,
    pub(crate) name: Spanned<String>,
    pub(crate) similar: Option<&'static str>,
    /// The required attribute that is missing, if it is the only one.
    pub(crate) needed: Option<&'static str>,
    pub(crate) allowed: Vec<&'static str>,
    /// An element that has an attribute of that name.
    pub(crate) owner: Option<&'static str>,
}

message!(UnknownAttribute, |parent,
                            name,
                            similar,
                            needed,
                            allowed,
                            owner| {
    let diagnostic = Diagnostic::new(
        &CODE,
        name.span,
        format!(
            "unknown attribute `{}` on the `{parent}` element",
            name.value
        ),
    )
    .label(name.span, "the element has no such attribute");
    let diagnostic = match owner {
        Some(owner) => diagnostic.help_xml(format!(
            "`{}` is an attribute of the `{owner}` element",
            name.value
        )),
        None => diagnostic,
    };
    match (similar, needed, allowed.as_slice()) {
        (Some(similar), _, _) => diagnostic.suggest(
            name.span,
            "there is an attribute with a similar name",
            similar,
            Applicability::MaybeIncorrect,
        ),
        (None, Some(needed), _) => diagnostic.suggest(
            name.span,
            format!("the `{parent}` element needs `{needed}`"),
            needed,
            Applicability::MaybeIncorrect,
        ),
        (None, None, []) => diagnostic.note(format!("the `{parent}` element has no attributes")),
        (None, None, allowed) => {
            diagnostic.note(format!("the `{parent}` element has {}", listed(allowed)))
        }
    }
});
