use crate::{
    diagnostics::{Applicability, Diagnostic, code, message},
    lower::schema::{namespaces_with, parents_of},
    source::{Span, Spanned},
};

code!("H0204", unknown_element, ["E0701", "E0703"]);

/// An element in a parent that does not allow one of this name in any version.
pub(crate) struct UnknownElement {
    /// As written, at its start tag.
    pub(crate) name: Spanned<String>,
    pub(crate) local: String,
    pub(crate) prefix: Option<String>,
    /// The end tag, which a correction has to change too.
    pub(crate) end_tag: Option<Span>,
    pub(crate) parent: String,
    pub(crate) similar: Option<&'static str>,
    /// The elements that are allowed there, in the schema's order.
    pub(crate) allowed: Vec<&'static str>,
}

message!(UnknownElement, |name,
                          local,
                          prefix,
                          end_tag,
                          parent,
                          similar,
                          allowed| {
    let parents = parents_of(&local);
    let (message, label) = if parents.is_empty() {
        (
            format!("unknown element `{}` in the `{parent}` element", name.value),
            "no schema has this element".to_owned(),
        )
    } else {
        (
            format!(
                "the `{}` element is not allowed in the `{parent}` element",
                name.value
            ),
            if parents.contains(&parent.as_str()) {
                // An element of the same name in another namespace.
                let namespaces = namespaces_with(&local, &parent);
                let namespaces: Vec<&str> = namespaces.iter().map(String::as_str).collect();
                format!("the `{parent}` element of {} has it", listed(&namespaces))
            } else {
                format!("belongs in {}", listed(&parents))
            },
        )
    };
    let diagnostic = Diagnostic::new(&CODE, name.span, message).label(name.span, label);
    if let Some(similar) = similar {
        let qualified = match prefix {
            Some(prefix) => format!("{prefix}:{similar}"),
            None => similar.to_owned(),
        };
        let mut edits = vec![(name.span, qualified.clone())];
        edits.extend(end_tag.map(|tag| (tag, format!("</{qualified}>"))));
        return diagnostic.suggest_edits(
            "there is an element with a similar name",
            edits,
            Applicability::MaybeIncorrect,
        );
    }
    match allowed.as_slice() {
        [] => diagnostic.note(format!("the `{parent}` element holds no other elements")),
        allowed => diagnostic.note(format!("the `{parent}` element holds {}", listed(allowed))),
    }
});

/// Names in backticks, with commas and "and"; at most twelve.
pub(crate) fn listed(names: &[&str]) -> String {
    const MOST: usize = 12;
    let quoted: Vec<String> = names
        .iter()
        .take(MOST)
        .map(|name| format!("`{name}`"))
        .collect();
    match (names.len().saturating_sub(MOST), quoted.as_slice()) {
        (0, []) => "nothing".to_owned(),
        (0, [only]) => only.clone(),
        (0, [first, second]) => format!("{first} and {second}"),
        (0, [init @ .., last]) => format!("{}, and {last}", init.join(", ")),
        (more, shown) => format!("{}, and {more} more", shown.join(", ")),
    }
}
