//! Actions of the types of extensions.

use crate::{
    lower::{
        schema::CustomBody,
        template::{self, TextSink},
    },
    model::action::{Custom, CustomElement},
    syntax::xml::Element,
};

pub(super) fn custom(
    body: &Element<'_>,
    known: &'static CustomBody,
    sink: &mut TextSink,
) -> Custom {
    let elements = known.r#type.elements.iter().filter_map(|element| {
        let texts = template::of_children(body, &element.name, sink);
        (!texts.is_empty()).then_some(CustomElement {
            name: &element.name,
            texts,
        })
    });
    Custom {
        type_name: &known.r#type.element,
        function: known.function,
        elements: elements.collect(),
    }
}
