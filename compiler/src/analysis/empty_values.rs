//! Configuration properties without a value, which Oozie drops.

use crate::{
    analysis::templates, diagnostics::Sink, lints::empty_property_values::EmptyPropertyValue,
    model::WorkflowApp,
};

/// Reports every property whose literal value is empty (`XConfiguration` treats it as absent).
pub(crate) fn check(app: &WorkflowApp, sink: &mut Sink) {
    for property in templates::properties(app) {
        if property.value.literal() == Some("") && !property.name.text.is_empty() {
            sink.emit(EmptyPropertyValue {
                name: property.name.text.as_str().to_owned(),
                place: property.name.span,
            });
        }
    }
}
