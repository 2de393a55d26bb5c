//! Validates a document against the tables of [`shape`](super::shape). The recursion is no deeper than the tables.

use std::collections::BTreeMap;

use crate::{
    diagnostics::{Sink, nearest},
    lower::{
        check::{
            is_node_name, unexpected_text::UnexpectedText, unknown_attribute::UnknownAttribute,
        },
        proposal::{
            report,
            shape::{ACTIONS, Holds, ProposalChild, ProposalContent, ProposalShape},
        },
    },
    source::Spanned,
    syntax::xml::{Attribute, Element},
};

/// The namespace of `xsi:schemaLocation` and similar attributes.
const SCHEMA_INSTANCE: &str = "http://www.w3.org/2001/XMLSchema-instance";

/// The names of an action's transitions.
const OUTCOMES: [&str; 2] = ["OK", "ERROR"];

/// Reports everything in `element`, and below it, that its table does not allow.
pub(super) fn check(element: &Element<'_>, shape: &'static ProposalShape, sink: &mut Sink) {
    attributes(element, shape, sink);
    match shape.content {
        ProposalContent::Text => {
            for child in element.elements() {
                report::unknown_element(&child, element, &[], sink);
            }
        }
        ProposalContent::Elements(children) => {
            if let Some(run) = element.stray_text() {
                sink.emit(UnexpectedText {
                    parent: element.name.local.to_owned(),
                    text: run.span(),
                    is_empty: children.is_empty(),
                    is_blank: false,
                });
            }
            elements(element, children, sink);
        }
    }
}

fn attributes(element: &Element<'_>, shape: &'static ProposalShape, sink: &mut Sink) {
    let names = || shape.attributes.iter().map(|attribute| attribute.name);
    let mut meant = Vec::new();
    for attribute in element.attributes() {
        if attribute.name.namespace() == Some(SCHEMA_INSTANCE) {
            continue;
        }
        let rule = shape
            .attributes
            .iter()
            .find(|rule| rule.name == attribute.name.local && attribute.name.namespace().is_none());
        let Some(rule) = rule else {
            let free = names().filter(|name| element.attribute(name).is_none());
            let similar = nearest(attribute.name.local, free)
                .and_then(|similar| names().find(|name| *name == similar));
            meant.extend(similar);
            sink.emit(UnknownAttribute {
                needed: None,
                parent: element.name.local.to_owned(),
                name: Spanned::new(attribute.name.qualified(), attribute.name_span),
                similar,
                allowed: names().collect(),
                owner: None,
            });
            continue;
        };
        value(&attribute, rule.holds, sink);
    }
    for name in names() {
        if element.attribute(name).is_none() && !meant.contains(&name) {
            report::missing_attribute(element, name, sink);
        }
    }
}

/// Names are never evaluated, and those of nodes have the same format as in Oozie.
fn value(attribute: &Attribute<'_>, holds: Holds, sink: &mut Sink) {
    let written = attribute.value.as_str();
    match holds {
        Holds::Text => {}
        Holds::Name | Holds::Node if written.contains("${") => {
            report::expression_in_name(attribute, sink);
        }
        Holds::Name => {}
        Holds::Node => {
            if !is_node_name(written) {
                report::node_name(attribute, sink);
            }
        }
    }
}

fn elements(parent: &Element<'_>, children: &'static [ProposalChild], sink: &mut Sink) {
    let mut found: Vec<Vec<Element<'_>>> = children.iter().map(|_| Vec::new()).collect();
    let mut meant = Vec::new();
    for element in parent.elements() {
        let place = children
            .iter()
            .position(|child| child.name == element.name.local);
        match place {
            Some(place) => {
                found[place].push(element);
                check(&element, children[place].shape, sink);
            }
            None => meant.extend(report::unknown_element(&element, parent, children, sink)),
        }
    }
    for (child, found) in children.iter().zip(&found) {
        if let [first, others @ ..] = found.as_slice()
            && child.most == 1
        {
            for other in others {
                report::repeated_element(first, other, parent, sink);
            }
        }
        if found.len() < child.least && !meant.contains(&child.name) {
            report::missing_element(parent, child, sink);
        }
    }
}

/// The number of names without a transition for which a similar one is searched: each search compares all transitions.
const MOST_SEARCHES: usize = 20;

/// Reports what is wrong with the transitions of a decision or an action as a whole.
pub(super) fn transitions(node: &Element<'_>, sink: &mut Sink) {
    let local = node.name.local;
    let is_decision = local == "decision";
    if !is_decision && !ACTIONS.contains(&local) {
        return;
    }
    let mut seen: BTreeMap<String, Element<'_>> = BTreeMap::new();
    for transition in node.elements_named("transition") {
        let Some(name) = transition.attribute("name") else {
            continue;
        };
        let text = name.value.as_str();
        if let Some(first) = seen.get(text) {
            report::repeated_transition(text, first, &transition, node, sink);
            continue;
        }
        if !is_decision && !OUTCOMES.contains(&text) {
            report::unknown_outcome(&name, sink);
        }
        seen.insert(text.to_owned(), transition);
    }
    if is_decision {
        let wanted = node
            .elements()
            .filter(|child| matches!(child.name.local, "eval" | "default"));
        let mut n_searches = 0;
        for element in wanted {
            if let Some(name) = element.attribute("name")
                && !seen.contains_key(name.value.as_str())
            {
                n_searches += 1;
                let names = seen.keys().map(String::as_str);
                let names = names.take(if n_searches > MOST_SEARCHES {
                    0
                } else {
                    usize::MAX
                });
                report::undefined_transition(&name, &element, names, sink);
            }
        }
        return;
    }
    // A transition with another name is a misspelling of one of these two.
    let n_unknown = seen
        .keys()
        .filter(|name| !OUTCOMES.contains(&name.as_str()))
        .count();
    let missing: Vec<&str> = OUTCOMES
        .into_iter()
        .filter(|name| !seen.contains_key(*name))
        .collect();
    if n_unknown < missing.len() {
        for name in missing {
            report::missing_outcome(node, name, sink);
        }
    }
}
