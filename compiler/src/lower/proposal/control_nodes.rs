//! Control nodes of the dialect.

use std::collections::BTreeMap;

use crate::{
    lower::{
        control_nodes::target,
        template::{self, TextSink},
    },
    model::{Case, Decision, Fork, ForkPath, Join, Kill, Start},
    source::Spanned,
    syntax::xml::Element,
};

pub(super) fn start(element: &Element<'_>) -> Start {
    Start {
        to: target(element, "to"),
    }
}

/// Lowered as a kill node, after which the job is FAILED.
pub(super) fn fail(element: &Element<'_>, sink: &mut TextSink) -> Kill {
    Kill {
        message: template::of_required_child(element, "message", sink),
        fails_job: true,
    }
}

pub(super) fn fork(element: &Element<'_>) -> Fork {
    Fork {
        paths: element
            .elements_named("transition")
            .map(|transition| ForkPath {
                start: target(&transition, "to"),
            })
            .collect(),
    }
}

pub(super) fn join(element: &Element<'_>) -> Join {
    Join {
        to: match element.element("transition") {
            Some(transition) => target(&transition, "to"),
            None => Spanned::new(String::new(), element.name_span),
        },
    }
}

/// An `eval` refers to a transition, which refers to the node.
pub(super) fn decision(element: &Element<'_>, sink: &mut TextSink) -> Decision {
    let mut targets: BTreeMap<String, Spanned<String>> = BTreeMap::new();
    for transition in element.elements_named("transition") {
        if let Some(name) = transition.attribute("name") {
            // The first one is used; duplicates have been reported.
            targets
                .entry(name.value.as_str().to_owned())
                .or_insert_with(|| target(&transition, "to"));
        }
    }
    let to = |chooser: &Element<'_>| {
        let name = chooser.attribute("name");
        let found = name.and_then(|name| targets.get(name.value.as_str()));
        // Already reported.
        found.map_or_else(
            || Spanned::new(String::new(), chooser.name_span),
            Clone::clone,
        )
    };
    Decision {
        cases: element
            .elements_named("eval")
            .map(|eval| Case {
                predicate: template::of_element(&eval, sink),
                to: to(&eval),
            })
            .collect(),
        default: element.element("default").map(|default| to(&default)),
    }
}

/// The target of an action's transition of that name; empty if there is none, which has been reported.
pub(super) fn transition(node: &Element<'_>, name: &str) -> Spanned<String> {
    let mut transitions = node.elements_named("transition");
    let found = transitions.find(|transition| {
        transition
            .attribute("name")
            .is_some_and(|attribute| attribute.value.as_str() == name)
    });
    match found {
        Some(transition) => target(&transition, "to"),
        None => Spanned::new(String::new(), node.name_span),
    }
}
