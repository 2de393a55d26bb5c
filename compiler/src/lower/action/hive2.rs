//! The `hive2` action.

use crate::{
    lower::{
        LowerCtx,
        action::{hive, settings},
        template,
    },
    model::action::Hive2,
    syntax::xml::Element,
};

pub(super) fn hive2(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Hive2 {
    Hive2 {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        jdbc_url: template::of_required_child(body, "jdbc-url", cx.sink),
        password: template::of_child(body, "password", cx.sink),
        source: hive::source(cx, body),
        params: template::of_children(body, "param", cx.sink),
        arguments: template::of_children(body, "argument", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
    }
}
