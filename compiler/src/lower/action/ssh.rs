//! The `ssh` action.

use crate::{
    lower::template::{self, TextSink},
    model::action::{Ssh, ssh::SshArguments},
    syntax::xml::Element,
};

pub(super) fn ssh(body: &Element<'_>, sink: &mut TextSink) -> Ssh {
    let flattened = template::of_children(body, "args", sink);
    Ssh {
        host: template::of_required_child(body, "host", sink),
        command: template::of_required_child(body, "command", sink),
        arguments: if flattened.is_empty() {
            SshArguments::Preserved(template::of_children(body, "arg", sink))
        } else {
            SshArguments::Flattened(flattened)
        },
        capture_output: body.element("capture-output").is_some(),
    }
}
