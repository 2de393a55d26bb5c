//! The `parameters` section.
//!
//! Supported in every version that has the element. Oozie itself ignores it in 0.4.5, because `ParameterVerifier` expects
//! versions with two components.

use crate::{lower::template::TextSink, model::Parameter, source::Spanned, syntax::xml::Element};

pub(super) mod unnamed_parameter;

use self::unnamed_parameter::UnnamedParameter;

/// The declared properties, in document order.
pub(super) fn parameters(root: &Element<'_>, sink: &mut TextSink) -> Vec<Parameter> {
    let Some(section) = root.element("parameters") else {
        return Vec::new();
    };
    section
        .elements_named("property")
        .filter_map(|property| parameter(&property, sink))
        .collect()
}

fn parameter(property: &Element<'_>, sink: &mut TextSink) -> Option<Parameter> {
    let name = property.element("name")?;
    let text = name.trimmed_text();
    if text.is_empty() {
        sink.emit(UnnamedParameter {
            name: name.name_span,
        });
        return None;
    }
    Some(Parameter {
        name: Spanned::new(text.as_str().to_owned(), text.span()),
        default: property.element("value").map(|value| {
            let text = value.trimmed_text();
            Spanned::new(text.as_str().to_owned(), text.span())
        }),
        description: property
            .element("description")
            .map(|description| description.trimmed_text().into_string()),
    })
}
