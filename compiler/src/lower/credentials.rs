//! The `credentials` section, and the names in `cred`.

use crate::{
    lower::{configuration, template::TextSink},
    model::{Credential, Credentials},
    source::Spanned,
    syntax::xml::Element,
};

/// The section, if there is one.
pub(super) fn credentials(root: &Element<'_>, sink: &mut TextSink) -> Option<Credentials> {
    let section = root.element("credentials")?;
    Some(Credentials {
        span: section.name_span,
        list: section
            .elements_named("credential")
            .map(|element| credential(&element, sink))
            .collect(),
    })
}

fn credential(element: &Element<'_>, sink: &mut TextSink) -> Credential {
    let text = |name: &str| match element.attribute(name) {
        Some(attribute) => Spanned::new(attribute.value.as_str().to_owned(), attribute.value_span),
        // Already reported.
        None => Spanned::new(String::new(), element.name_span),
    };
    Credential {
        name: text("name"),
        r#type: text("type"),
        properties: configuration::properties(element, sink),
    }
}

/// The names in the `cred` attribute of an action. An empty value has none; like Java's `split`, trailing empty names are
/// dropped, while others are kept.
pub(super) fn names(action: &Element<'_>) -> Vec<Spanned<String>> {
    let Some(cred) = action.attribute("cred") else {
        return Vec::new();
    };
    if cred.value.is_blank() {
        return Vec::new();
    }
    let mut names = Vec::new();
    let mut start = 0;
    for name in cred.value.as_str().split(',') {
        let end = start + name.len();
        names.push(Spanned::new(
            name.to_owned(),
            cred.value.span_of(start..end),
        ));
        start = end + 1;
    }
    while names.last().is_some_and(|name| name.value.is_empty()) {
        names.pop();
    }
    names
}
