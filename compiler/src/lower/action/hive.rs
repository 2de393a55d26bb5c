//! The `hive` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::{Hive, HiveSource},
    syntax::xml::Element,
};

pub(super) fn hive(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Hive {
    Hive {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        source: source(cx, body),
        params: template::of_children(body, "param", cx.sink),
        arguments: template::of_children(body, "argument", cx.sink),
        files: template::of_children(body, "file", cx.sink),
        archives: template::of_children(body, "archive", cx.sink),
    }
}

/// The script or, if there is none, the query.
pub(super) fn source(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> HiveSource {
    if body.element("script").is_none()
        && let Some(query) = template::of_child(body, "query", cx.sink)
    {
        return HiveSource::Query(query);
    }
    HiveSource::Script(template::of_required_child(body, "script", cx.sink))
}
