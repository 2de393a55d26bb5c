//! The action type used by tests: what it takes to add one.

use crate::{
    lower::template::{self, TextSink},
    model::action::probe::Probe,
    syntax::xml::Element,
};

pub(super) fn probe(body: &Element<'_>, sink: &mut TextSink) -> Probe {
    Probe {
        text: template::of_required_child(body, "text", sink),
    }
}
