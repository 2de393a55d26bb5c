use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    source::{Span, Spanned},
};

code!("H0211", unknown_action_type, ["E0723", "E0701"]);

/// An action's body of an unknown type.
pub(crate) struct UnknownActionType {
    pub(crate) name: Spanned<String>,
    pub(crate) prefix: Option<String>,
    /// The end tag, which a correction has to change too.
    pub(crate) end_tag: Option<Span>,
    /// Empty for none.
    pub(crate) namespace: String,
    /// The namespace is not the workflow's.
    pub(crate) is_foreign: bool,
    /// The type that the namespace belongs to.
    pub(crate) of_namespace: Option<&'static str>,
    /// The type with the most similar name, and its newest namespace if it has one of its own.
    pub(crate) similar: Option<(&'static str, Option<String>)>,
}

impl UnknownActionType {
    /// Whether it seems to be a type that a site has added to its Oozie.
    pub(crate) fn is_custom(&self) -> bool {
        self.is_of_nobody() && self.similar.is_none() && !self.namespace.starts_with("uri:oozie:")
    }

    /// Whether it is in a namespace that no known type has.
    pub(crate) fn is_of_nobody(&self) -> bool {
        self.is_foreign && !self.namespace.is_empty() && self.of_namespace.is_none()
    }
}

message!(UnknownActionType, |name,
                             prefix,
                             end_tag,
                             namespace,
                             is_foreign,
                             of_namespace,
                             similar| {
    let diagnostic = Diagnostic::new(
        &CODE,
        name.span,
        format!("unknown action type `{}`", name.value),
    )
    .label(name.span, "Oozie has no action type of this name");
    let renamed = |diagnostic: Diagnostic, message: &str, local: &str| {
        let qualified = match &prefix {
            Some(prefix) => format!("{prefix}:{local}"),
            None => local.to_owned(),
        };
        let mut edits = vec![(name.span, qualified.clone())];
        edits.extend(end_tag.map(|tag| (tag, format!("</{qualified}>"))));
        diagnostic.suggest_edits(message, edits, Applicability::MaybeIncorrect)
    };
    if let Some(local) = of_namespace {
        let message = format!("the action type of `{namespace}` is `{local}`");
        return renamed(diagnostic, &message, local);
    }
    let diagnostic = if is_foreign && !namespace.is_empty() {
        diagnostic.note(format!("unknown namespace `{namespace}`"))
    } else {
        diagnostic
    };
    match similar {
        None => diagnostic,
        Some((local, None)) if !is_foreign => renamed(
            diagnostic,
            "there is an action type with a similar name",
            local,
        ),
        Some((local, None)) => diagnostic.help(format!(
            "there is an action type with a similar name: `{local}`, in the workflow's namespace"
        )),
        Some((local, Some(namespace))) => diagnostic.help_xml(format!(
            "there is an action type with a similar name: `{local}`, in `{namespace}`"
        )),
    }
});
