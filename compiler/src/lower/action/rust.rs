//! The `rust` action.

use crate::{
    lower::{
        configuration,
        template::{self, TextSink},
    },
    model::action::{HadoopSettings, Rust},
    syntax::xml::Element,
};

pub(super) fn rust(body: &Element<'_>, sink: &mut TextSink) -> Rust {
    Rust {
        // No file system and no cluster: its function says what it works with.
        settings: HadoopSettings {
            name_node: None,
            resource_manager: None,
            job_xml: Vec::new(),
            configuration: configuration::of_action(body, sink),
        },
        function: template::of_required_child(body, "function", sink),
        arguments: template::of_children(body, "argument", sink),
    }
}
