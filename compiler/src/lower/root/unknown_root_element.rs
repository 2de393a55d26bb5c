use crate::{
    diagnostics::{Applicability, Diagnostic, code, message, nearest},
    lower::schema::Vocabulary,
    source::{Span, Spanned},
};

code!("H0201", unknown_root_element, ["E0701"]);

/// A root element that Oozie does not define.
pub(crate) struct UnknownRootElement {
    pub(crate) name: Spanned<String>,
    pub(crate) prefix: Option<String>,
    pub(crate) end_tag: Option<Span>,
    /// The language of its namespace.
    pub(crate) language: Option<&'static Vocabulary>,
}

message!(UnknownRootElement, |name, prefix, end_tag, language| {
    let expected = language.map_or("workflow-app", |language| language.element);
    let kind = language.map_or("workflow", Vocabulary::kind);
    let diagnostic = Diagnostic::new(
        &CODE,
        name.span,
        format!("unknown root element `{}`", name.value),
    )
    .label(name.span, format!("expected `{expected}`"));
    if language.is_some() || nearest(&name.value, [expected]).is_some() {
        let qualified = match prefix {
            Some(prefix) => format!("{prefix}:{expected}"),
            None => expected.to_owned(),
        };
        let mut edits = vec![(name.span, qualified.clone())];
        edits.extend(end_tag.map(|tag| (tag, format!("</{qualified}>"))));
        diagnostic.suggest_edits(
            format!("the root element of a {kind} is `{expected}`"),
            edits,
            Applicability::MaybeIncorrect,
        )
    } else {
        diagnostic.note(format!("the root element of a {kind} is `{expected}`"))
    }
});
