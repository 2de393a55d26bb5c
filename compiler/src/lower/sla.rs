//! SLA blocks of both versions.

use crate::{
    lower::{
        check,
        template::{self, TextSink},
    },
    model::{Sla, Template},
    source::Spanned,
    syntax::xml::Element,
};

/// The SLA block among the children of a workflow, an action, or the action of a coordinator. Duplicates have been reported.
pub(super) fn block(parent: &Element<'_>, sink: &mut TextSink) -> Option<Box<Sla>> {
    let element = parent.elements().find(|child| check::is_sla(child))?;
    Some(Box::new(sla(&element, sink)))
}

fn sla(element: &Element<'_>, sink: &mut TextSink) -> Sla {
    let is_version_0_1 = check::namespace_of(element).ends_with(":0.1");
    Sla {
        name: Spanned::new(element.name.qualified(), element.name_span),
        is_version_0_1,
        nominal_time: template::of_child(element, "nominal-time", sink),
        should_start: template::of_child(element, "should-start", sink),
        should_end: template::of_child(element, "should-end", sink),
        max_duration: template::of_child(element, "max-duration", sink),
        alert_events: template::of_child(element, "alert-events", sink),
        alert_contact: template::of_child(element, "alert-contact", sink),
        notification_message: template::of_child(element, "notification-msg", sink),
        upstream_apps: template::of_child(element, "upstream-apps", sink),
        of_version_0_1: if is_version_0_1 {
            of_version_0_1(element, sink)
        } else {
            Vec::new()
        },
    }
}

fn of_version_0_1(element: &Element<'_>, sink: &mut TextSink) -> Vec<(String, Template)> {
    const TEXTS: [&str; 8] = [
        "app-name",
        "parent-client-id",
        "parent-sla-id",
        "dev-contact",
        "qa-contact",
        "se-contact",
        "alert-frequency",
        "alert-percentage",
    ];
    element
        .elements()
        .filter(|child| TEXTS.contains(&child.name.local))
        .map(|child| {
            let text = template::of_element(&child, sink);
            (child.name.local.to_owned(), text)
        })
        .collect()
}
