//! The `distcp` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::Distcp,
    syntax::xml::Element,
};

pub(super) fn distcp(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Distcp {
    Distcp {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        java_opts: template::of_child(body, "java-opts", cx.sink),
        args: template::of_children(body, "arg", cx.sink),
    }
}
