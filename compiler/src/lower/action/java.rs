//! The `java` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::{Java, java::JavaOpts},
    syntax::xml::Element,
};

pub(super) fn java(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Java {
    Java {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        main_class: template::of_required_child(body, "main-class", cx.sink),
        java_opts: java_opts(cx, body),
        args: template::of_children(body, "arg", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
        capture_output: body.element("capture-output").is_some(),
    }
}

fn java_opts(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> JavaOpts {
    if let Some(text) = template::of_child(body, "java-opts", cx.sink) {
        return JavaOpts::Text(text);
    }
    let list = template::of_children(body, "java-opt", cx.sink);
    match list.is_empty() {
        true => JavaOpts::None,
        false => JavaOpts::List(list),
    }
}
