//! The `rust` action.

use crate::{
    lower::template::{self, TextSink},
    model::action::Rust,
    syntax::xml::Element,
};

pub(super) fn rust(body: &Element<'_>, sink: &mut TextSink) -> Rust {
    Rust {
        function: template::of_required_child(body, "function", sink),
        arguments: template::of_children(body, "argument", sink),
    }
}
