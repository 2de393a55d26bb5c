//! The `pig` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::pig::{Pig, PigScript},
    syntax::xml::Element,
};

pub(super) fn pig(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Pig {
    Pig {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        script: PigScript::Here(template::of_required_child(body, "script", cx.sink)),
        params: template::of_children(body, "param", cx.sink),
        arguments: template::of_children(body, "argument", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
    }
}
