//! The `spark` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::Spark,
    syntax::xml::Element,
};

pub(super) fn spark(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Spark {
    Spark {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        master: template::of_required_child(body, "master", cx.sink),
        mode: template::of_child(body, "mode", cx.sink),
        name: template::of_required_child(body, "name", cx.sink),
        class: template::of_child(body, "class", cx.sink),
        jar: template::of_required_child(body, "jar", cx.sink),
        spark_opts: template::of_child(body, "spark-opts", cx.sink),
        args: template::of_children(body, "arg", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
    }
}
