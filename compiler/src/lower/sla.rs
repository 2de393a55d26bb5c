//! SLA blocks of both versions.

use hpdlc_core::sla::SlaTexts;

use crate::{
    lower::{
        check,
        template::{self, TextSink},
    },
    model::Sla,
    source::Spanned,
    syntax::xml::Element,
};

/// The SLA block among the children of a workflow, an action, or the action of a coordinator. Duplicates have been reported.
pub(super) fn block(parent: &Element<'_>, sink: &mut TextSink) -> Option<Box<Sla>> {
    let element = parent.elements().find(|child| check::is_sla(child))?;
    Some(Box::new(sla(&element, sink)))
}

fn sla(element: &Element<'_>, sink: &mut TextSink) -> Sla {
    Sla {
        name: Spanned::new(element.name.qualified(), element.name_span),
        is_version_0_1: check::namespace_of(element).ends_with(":0.1"),
        texts: SlaTexts::of(|name| template::of_child(element, name, sink)),
    }
}
