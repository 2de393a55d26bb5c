//! The `shell` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::Shell,
    syntax::xml::Element,
};

pub(super) fn shell(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Shell {
    Shell {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        exec: template::of_required_child(body, "exec", cx.sink),
        arguments: template::of_children(body, "argument", cx.sink),
        env_vars: template::of_children(body, "env-var", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
        capture_output: body.element("capture-output").is_some(),
    }
}
