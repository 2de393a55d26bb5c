//! The `git` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::Git,
    syntax::xml::Element,
};

pub(super) fn git(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Git {
    Git {
        settings: settings::settings(cx, body),
        prepare: settings::prepare(cx, body),
        git_uri: template::of_required_child(body, "git-uri", cx.sink),
        branch: template::of_child(body, "branch", cx.sink),
        key_path: template::of_child(body, "key-path", cx.sink),
        destination_uri: template::of_required_child(body, "destination-uri", cx.sink),
    }
}
