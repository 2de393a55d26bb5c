//! Holds a document against the tables of [`schema`](super::schema).
//!
//! One walk over the elements, before anything is lowered; it finds whatever Oozie's schema validation (E0701) would
//! find, in words of its own. Lowering then takes what is there and says nothing about what is missing. The walk goes no
//! deeper than the tables do.

use std::{borrow::Cow, collections::BTreeSet};

use crate::{
    diagnostics::{Sink, nearest},
    lower::schema::{
        Accepts, Content, Extension, Group, Member, SLA_PREFIX, Shape, Value, Version,
    },
    source::Spanned,
    syntax::xml::Element,
};

pub(super) mod attribute_not_in_version;
mod attributes;
pub(crate) mod body;
pub(super) mod conflicting_elements;
pub(super) mod element_not_in_version;
pub(super) mod expression_in_name;
pub(super) mod features_missing_from_schema;
pub(super) mod invalid_node_name;
pub(super) mod invalid_value;
pub(super) mod misplaced_element;
pub(super) mod missing_attribute;
pub(super) mod missing_element;
mod order;
pub(super) mod repeated_element;
pub(super) mod several_action_bodies;
pub(super) mod unexpected_text;
pub(super) mod unknown_action_type;
pub(super) mod unknown_attribute;
pub(super) mod unknown_element;
pub(super) mod unknown_retry_policies;
mod value;
pub(super) mod wrong_action_namespace;
pub(super) mod wrong_element_namespace;

use self::{
    body::Body, conflicting_elements::ConflictingElements,
    element_not_in_version::ElementNotInVersion,
    features_missing_from_schema::FeatureMissingFromSchema, missing_element::MissingElement,
    repeated_element::RepeatedElement, several_action_bodies::SeveralActionBodies,
    unexpected_text::UnexpectedText, unknown_element::UnknownElement,
    wrong_element_namespace::WrongElementNamespace,
};

pub(crate) use self::{unknown_element::listed, value::is_node_name};

/// The schema that governs an element: its namespace, and what the tables know about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'n> {
    /// As it is written in the document; empty for none. That it is a wrong one has been reported.
    pub(crate) namespace: &'n str,
    /// The known namespace without its version.
    pub(crate) prefix: &'static str,
    /// The version to measure by; the newest where the document's is unknown.
    pub(crate) version: Version,
}

impl Scope<'_> {
    /// The namespace to speak of: the one whose rules are applied.
    fn known_namespace(self) -> String {
        format!("{}{}", self.prefix, self.version)
    }

    pub(crate) fn owns(self, element: &Element<'_>) -> bool {
        let namespace = namespace_of(element);
        // The reader keeps each namespace once, so that equal ones are nearly always the same.
        std::ptr::eq(namespace, self.namespace) || namespace == self.namespace
    }
}

/// The namespace of an element; empty for none.
pub(crate) fn namespace_of<'a>(element: &Element<'a>) -> &'a str {
    element.name.namespace().unwrap_or("")
}

/// Whether it stands for an SLA block.
pub(crate) fn is_sla(element: &Element<'_>) -> bool {
    namespace_of(element).starts_with(SLA_PREFIX)
}

/// Reports everything in `element`, and below it, that its table does not allow.
pub(crate) fn check(element: &Element<'_>, shape: &Shape, scope: Scope<'_>, sink: &mut Sink) {
    if matches!(shape.content, Content::Unchecked) {
        return;
    }
    attributes::check(element, shape, scope, sink);
    match shape.content {
        Content::Unchecked => {}
        Content::Text(value) => {
            for child in element.elements() {
                report_unknown(&child, element, &[], scope, sink);
            }
            if value != Value::Any {
                let text = element.trimmed_text();
                let subject = value::Subject::Element(element.name.local);
                value::check(value, subject, &text, text.span(), sink);
            }
        }
        Content::Elements(groups) => {
            if let Some(run) = element.stray_text() {
                sink.emit(UnexpectedText {
                    parent: element.name.local.to_owned(),
                    text: run.span(),
                    is_empty: groups.is_empty(),
                });
            }
            check_children(element, groups, scope, sink);
        }
    }
}

/// A child that has found its place.
#[derive(Clone, Copy)]
struct Placed<'a> {
    element: Element<'a>,
    group: usize,
    member: &'static Member,
}

fn check_children(
    element: &Element<'_>,
    groups: &'static [Group],
    scope: Scope<'_>,
    sink: &mut Sink,
) {
    let children = element.elements();
    // Most elements have few children, and there are very many of them: one allocation is enough.
    let mut placed = Vec::with_capacity(8);
    let mut meant = BTreeSet::new();
    let mut expected = 0;
    for child in children {
        match find(groups, expected, element, &child, scope) {
            Some((group, member)) => {
                expected = group;
                placed.push(Placed {
                    element: child,
                    group,
                    member,
                });
                check_member(&child, member, scope, sink);
            }
            None => meant.extend(report_unknown(&child, element, groups, scope, sink)),
        }
    }
    order::check(&placed, sink);
    let by_group = by_group(&placed);
    let mut rest = by_group.as_ref();
    for (index, group) in groups.iter().enumerate() {
        let n_here = rest
            .iter()
            .take_while(|placed| placed.group == index)
            .count();
        let (here, later) = rest.split_at(n_here);
        rest = later;
        check_excess(element, group, here, scope, sink);
        let is_meant = || {
            let mut members = group.members().iter();
            members.any(|member| member.name().is_some_and(|name| meant.contains(name)))
        };
        if group.required.contain(scope.version) && here.len() < group.least && !is_meant() {
            let mut earlier = placed.iter().filter(|placed| placed.group <= index);
            sink.emit(MissingElement {
                parent: Spanned::new(element.name.local.to_owned(), element.name_span),
                wanted: group,
                scope,
                n_found: here.len(),
                insertion: match earlier.next_back() {
                    Some(placed) => Some(placed.element.span().at_end()),
                    None => element
                        .end_tag_span()
                        .map(|_| element.start_tag_span().at_end()),
                },
            });
        }
    }
}

/// The children of each place together, those of one place in the order of the document.
fn by_group<'p, 'a>(placed: &'p [Placed<'a>]) -> Cow<'p, [Placed<'a>]> {
    if placed.is_sorted_by_key(|child| child.group) {
        return Cow::Borrowed(placed);
    }
    let mut sorted = placed.to_vec();
    sorted.sort_by_key(|child| child.group);
    Cow::Owned(sorted)
}

/// The place that `child` may stand at in `parent`, if this version of the schema has one. `expected` is the place to try
/// first, as children mostly stand in order; no table has a name twice, so it does not matter for the answer.
fn find(
    groups: &'static [Group],
    expected: usize,
    parent: &Element<'_>,
    child: &Element<'_>,
    scope: Scope<'_>,
) -> Option<(usize, &'static Member)> {
    let local = child.name.local;
    let is_own = scope.owns(child);
    if is_own {
        for index in (expected..groups.len()).chain(0..expected) {
            for member in groups[index].members() {
                if member.name() == Some(local) && is_available(member, scope.version) {
                    return Some((index, member));
                }
            }
        }
    }
    if is_sla(child) {
        return members(groups).find(|(_, member)| {
            member.accepts == Accepts::Sla && is_available(member, scope.version)
        });
    }
    let extension = members(groups).find(|(_, member)| member.accepts == Accepts::Extension)?;
    let (body_group, _) = extension;
    let group_of = |name: &str| {
        members(groups).find_map(|(group, member)| (member.name() == Some(name)).then_some(group))
    };
    if Extension::of_element(local).is_some() {
        return Some(extension);
    }
    let is_body = match group_of(local) {
        // A core type in another namespace, or in another version of its own.
        Some(group) => group == body_group && !is_own,
        // Oozie takes whatever else stands in an action for its body; a misspelled `ok` should not become one.
        None => {
            let names = members(groups).filter_map(|(_, member)| member.name());
            let is_like_another = nearest(local, names)
                .and_then(group_of)
                .is_some_and(|group| group != body_group);
            !is_like_another && !has_known_body(&groups[body_group], parent)
        }
    };
    is_body.then_some(extension)
}

/// Whether a child of the action has the name of an action type.
fn has_known_body(bodies: &Group, action: &Element<'_>) -> bool {
    action.elements().any(|child| {
        let local = child.name.local;
        Extension::of_element(local).is_some()
            || bodies
                .members()
                .iter()
                .any(|member| member.name() == Some(local))
    })
}

/// The body of an `action` element: the first child that is none of its other parts.
pub(crate) fn action_body<'a>(action: &Element<'a>, scope: Scope<'_>) -> Option<Element<'a>> {
    let groups = body::action_shape().groups();
    action.elements().find(|child| {
        find(groups, 0, action, child, scope)
            .is_some_and(|(group, _)| groups[group].is_action_body())
    })
}

fn members(groups: &'static [Group]) -> impl Iterator<Item = (usize, &'static Member)> {
    groups
        .iter()
        .enumerate()
        .flat_map(|(index, group)| group.members().iter().map(move |member| (index, member)))
}

fn is_available(member: &Member, version: Version) -> bool {
    member.availability.allowed.contain(version) || member.availability.tolerated.contain(version)
}

fn check_member(child: &Element<'_>, member: &'static Member, scope: Scope<'_>, sink: &mut Sink) {
    match member.accepts {
        Accepts::Named(name) => {
            if !member.availability.allowed.contain(scope.version) {
                sink.emit(FeatureMissingFromSchema {
                    what: format!("the `{name}` element"),
                    place: child.name_span,
                    version: scope.known_namespace(),
                    available: member.availability.allowed.describe(scope.prefix),
                });
            }
            check(child, member.shape, scope, sink);
        }
        Accepts::Sla => check(child, member.shape, scope, sink),
        Accepts::Extension => match body::resolve(child, scope) {
            Body::Known { shape, scope } => check(child, shape, scope, sink),
            Body::WrongNamespace {
                shape,
                scope,
                mistake,
            } => {
                sink.emit(mistake);
                check(child, shape, scope, sink);
            }
            Body::Unknown(mistake) => sink.emit(mistake),
        },
    }
}

/// Reports elements that stand too often at their place, or beside one that they exclude.
fn check_excess(
    parent: &Element<'_>,
    group: &'static Group,
    here: &[Placed<'_>],
    scope: Scope<'_>,
    sink: &mut Sink,
) {
    let Some((first, others)) = here.split_first() else {
        return;
    };
    if group.repeated.contain(scope.version) {
        return;
    }
    for other in others {
        let first_name = Spanned::new(first.element.name.qualified(), first.element.name_span);
        let other_name = Spanned::new(other.element.name.qualified(), other.element.name_span);
        if group.is_action_body() {
            sink.emit(SeveralActionBodies {
                first: first_name,
                second: other_name,
            });
        } else if !std::ptr::eq(first.member, other.member) {
            sink.emit(ConflictingElements {
                parent: parent.name.local.to_owned(),
                first: first_name,
                second: other_name,
            });
        } else if !first.member.is_repeated {
            sink.emit(RepeatedElement {
                parent: parent.name.local.to_owned(),
                first: first_name.span,
                second: other_name,
                whole: other.element.span(),
                repeated: group.repeated,
                prefix: scope.prefix,
            });
        }
    }
}

/// Reports a child that has no place here. The answer is the name that was probably meant.
fn report_unknown(
    child: &Element<'_>,
    parent: &Element<'_>,
    groups: &'static [Group],
    scope: Scope<'_>,
    sink: &mut Sink,
) -> Option<&'static str> {
    let local = child.name.local;
    let named = members(groups).find_map(|(_, member)| {
        let is_sla_block = member.accepts == Accepts::Sla && is_sla(child);
        (member.name() == Some(local) || is_sla_block).then_some(member)
    });
    if let Some(member) = named {
        if is_available(member, scope.version) {
            sink.emit(WrongElementNamespace::new(child, scope));
        } else {
            sink.emit(ElementNotInVersion {
                name: Spanned::new(child.name.qualified(), child.name_span),
                version: scope.known_namespace(),
                available: member.availability.allowed.describe(scope.prefix),
            });
        }
        return member.name();
    }
    let allowed: Vec<&'static str> = members(groups)
        .filter(|(_, member)| member.availability.allowed.contain(scope.version))
        .filter_map(|(_, member)| member.name())
        .collect();
    let similar = nearest(local, allowed.iter().copied());
    let similar = similar.and_then(|name| allowed.iter().copied().find(|other| *other == name));
    sink.emit(UnknownElement {
        name: Spanned::new(child.name.qualified(), child.name_span),
        end_tag: child.end_tag_span(),
        prefix: child.name.prefix().map(str::to_owned),
        local: local.to_owned(),
        parent: parent.name.local.to_owned(),
        similar,
        allowed,
    });
    similar
}
