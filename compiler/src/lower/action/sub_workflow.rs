//! The `sub-workflow` action.

use crate::{
    lower::{LowerCtx, action::settings, template},
    model::action::SubWorkflow,
    syntax::xml::Element,
};

pub(super) fn sub_workflow(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> SubWorkflow {
    SubWorkflow {
        settings: settings::settings(cx, body),
        app_path: template::of_required_child(body, "app-path", cx.sink),
        propagate_configuration: body.element("propagate-configuration").is_some(),
        host_url: None,
    }
}
