//! The settings of Hadoop-style actions, with `global` merged in as `LiteWorkflowAppParser` does it.

use crate::{
    lower::{LowerCtx, configuration, template},
    model::action::{HadoopSettings, PrepareOperation},
    syntax::xml::Element,
};

/// The settings of a body. Where it specifies no name node or cluster, those of `global` apply.
pub(super) fn settings(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> HadoopSettings {
    let own = without_cluster(cx, body);
    let resource_manager = match configuration::cluster(body) {
        Some(element) => Some(template::of_element(&element, cx.sink)),
        None => cx
            .global
            .as_ref()
            .and_then(|global| global.resource_manager.clone()),
    };
    HadoopSettings {
        resource_manager,
        ..own
    }
}

/// The settings of a body that never needs a cluster: `fs`.
pub(super) fn without_cluster(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> HadoopSettings {
    let own_name_node = template::of_child(body, "name-node", cx.sink);
    let own_job_xml = template::of_children(body, "job-xml", cx.sink);
    let global = cx.global;
    let mut job_xml: Vec<_> = global
        .iter()
        .flat_map(|global| &global.job_xml)
        .filter(|inherited| {
            own_job_xml
                .iter()
                .all(|own| own.text.as_str() != inherited.text.as_str())
        })
        .cloned()
        .collect();
    job_xml.extend(own_job_xml);
    HadoopSettings {
        name_node: own_name_node.or_else(|| global.and_then(|global| global.name_node.clone())),
        resource_manager: None,
        job_xml,
        configuration: configuration::of_action(body, cx.sink),
    }
}

/// The `prepare` block, in document order.
pub(super) fn prepare(cx: &mut LowerCtx<'_>, body: &Element<'_>) -> Vec<PrepareOperation> {
    let Some(prepare) = body.element("prepare") else {
        return Vec::new();
    };
    prepare
        .elements()
        .filter_map(|operation| {
            let path = |cx: &mut LowerCtx<'_>| {
                template::of_required_attribute(&operation, "path", cx.sink)
            };
            match operation.name.local {
                "delete" => Some(PrepareOperation::Delete(path(cx))),
                "mkdir" => Some(PrepareOperation::Mkdir(path(cx))),
                // Already reported.
                _ => None,
            }
        })
        .collect()
}
