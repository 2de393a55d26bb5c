//! The `sqoop` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::{Sqoop, sqoop::SqoopCommand},
    syntax::xml::Element,
};

pub(super) fn sqoop(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Sqoop {
    Sqoop {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        command: match template::of_child(body, "command", cx.sink) {
            Some(text) => SqoopCommand::Text(text),
            None => SqoopCommand::Args(template::of_children(body, "arg", cx.sink)),
        },
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
    }
}
