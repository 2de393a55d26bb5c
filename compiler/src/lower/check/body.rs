//! Determines the action type of an element in an `action`.

use std::cell::OnceCell;

use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, nearest},
    lower::{
        check::{
            Scope, is_sla,
            leaves::{Leaf, leaves},
            namespace_of,
            unknown_action_type::UnknownActionType,
            wrong_action_namespace::WrongActionNamespace,
            wrong_element_namespace::WrongElementNamespace,
        },
        schema::{
            ACTION, Accepts, Alternative, ChildGroup, EXTENSIONS, ElementShape, Member, Vocabulary,
        },
    },
    source::Spanned,
    syntax::xml::Element,
};

/// The meaning of an element in an `action`, other than `ok`, `error` and SLA.
pub(crate) enum CheckedBody<'n> {
    /// A known type in its namespace.
    Known {
        shape: &'static ElementShape,
        scope: Scope<'n>,
    },
    /// A known type in a namespace that does not define it. The shape is that of the newest version.
    WrongNamespace {
        shape: &'static ElementShape,
        scope: Scope<'n>,
        mistake: Diagnostic,
    },
    Unknown(UnknownActionType),
}

/// The type of `element` in an action of `scope`.
pub(crate) fn resolve<'n>(element: &Element<'n>, scope: Scope<'n>) -> CheckedBody<'n> {
    let local = element.name.local;
    let namespace = namespace_of(element);
    if scope.owns(element)
        && let Some(shape) = core_shape(local, scope)
    {
        return CheckedBody::Known { shape, scope };
    }
    // Oozie's schemas are one: the types of all versions of the workflow's are known in each.
    if let Some((workflow, version)) = Vocabulary::of_namespace(namespace)
        && workflow.prefix == scope.prefix
    {
        let scope = Scope {
            namespace,
            version,
            ..scope
        };
        if let Some(shape) = core_shape(local, scope) {
            return CheckedBody::Known { shape, scope };
        }
    }
    if let Some(extension) = vocabulary_of(local, scope) {
        let shape = extension.shape;
        let version = extension.version(namespace);
        let scope = Scope {
            namespace,
            prefix: extension.prefix,
            version: version.unwrap_or(extension.newest()),
            ..scope
        };
        return match version {
            Some(_) => CheckedBody::Known { shape, scope },
            None => CheckedBody::WrongNamespace {
                shape,
                scope,
                mistake: WrongActionNamespace::new(element, extension).into_diagnostic(),
            },
        };
    }
    if let Some(shape) = core_shape(local, scope) {
        let inner = Scope { namespace, ..scope };
        let mistake = WrongElementNamespace::new(element, scope.namespace).into_diagnostic();
        return CheckedBody::WrongNamespace {
            shape,
            scope: inner,
            mistake,
        };
    }
    let mut vocabularies = vocabularies(scope);
    let of_namespace = vocabularies
        .find(|extension| namespace.starts_with(extension.prefix))
        .map(|extension| extension.element);
    let similar = nearest(local, type_names(scope))
        .and_then(|name| type_names(scope).find(|other| *other == name));
    CheckedBody::Unknown(UnknownActionType {
        name: Spanned::new(element.name.qualified(), element.name_span),
        prefix: element.name.prefix().map(str::to_owned),
        end_tag: element.end_tag_span(),
        namespace: namespace.to_owned(),
        is_foreign: !scope.owns(element),
        of_namespace,
        similar: similar.map(|local| {
            let extension = vocabulary_of(local, scope);
            let newest = |it: &Vocabulary| format!("{}{}", it.prefix, it.newest());
            (local, extension.map(newest))
        }),
    })
}

fn core_shape(local: &str, scope: Scope<'_>) -> Option<&'static ElementShape> {
    core_types(scope)
        .find(|(name, _)| *name == local)
        .map(|(_, shape)| shape)
}

/// The body of an `action` element: the first child that is none of its other parts.
pub(crate) fn action_body<'a>(action: &Element<'a>, scope: Scope<'_>) -> Option<Element<'a>> {
    let groups = ACTION.groups();
    let first = action.elements().next()?;
    let is_core = scope.owns(&first) && core_shape(first.name.local, scope).is_some();
    if is_core || vocabulary_of(first.name.local, scope).is_some() {
        return Some(first);
    }
    let leaves = leaves(groups);
    let has_known_body = OnceCell::new();
    action.elements().find(|child| {
        let is_own = scope.owns(child);
        let direct = leaves.iter().find(|leaf| {
            is_own
                && leaf.member.name() == Some(child.name.local)
                && leaf.member.is_allowed(scope.version)
        });
        match direct {
            Some(leaf) => groups[leaf.group].is_action_body(),
            None => {
                !is_sla(child) && is_body(&leaves, groups, action, child, scope, &has_known_body)
            }
        }
    })
}

/// Whether `child`, which is unknown in `parent`, is meant as an action's body. `has_known` caches whether one of the
/// children has the name of a type, since there may be any number of them.
pub(super) fn is_body(
    leaves: &[Leaf],
    groups: &'static [ChildGroup],
    parent: &Element<'_>,
    child: &Element<'_>,
    scope: Scope<'_>,
    has_known: &OnceCell<bool>,
) -> bool {
    let extension = |leaf: &&Leaf| leaf.member.accepts == Accepts::Extension;
    let Some(body_group) = leaves.iter().find(extension).map(|leaf| leaf.group) else {
        return false;
    };
    let local = child.name.local;
    let group_of = |name: &str| {
        let mut leaves = leaves.iter();
        leaves.find_map(|leaf| (leaf.member.name() == Some(name)).then_some(leaf.group))
    };
    if vocabulary_of(local, scope).is_some() {
        return true;
    }
    match group_of(local) {
        // A core type in another namespace, or in another version of its own.
        Some(group) => group == body_group && !scope.owns(child),
        // Oozie treats any other element in an action as its body; a misspelled `ok` should not become one.
        None => {
            let names = leaves.iter().filter_map(|leaf| leaf.member.name());
            let is_like_another = nearest(local, names)
                .and_then(group_of)
                .is_some_and(|group| group != body_group);
            !is_like_another
                && !has_known.get_or_init(|| has_known_body(&groups[body_group], parent, scope))
        }
    }
}

/// Whether a child of the action has the name of an action type.
fn has_known_body(bodies: &'static ChildGroup, action: &Element<'_>, scope: Scope<'_>) -> bool {
    action.elements().any(|child| {
        let local = child.name.local;
        vocabulary_of(local, scope).is_some()
            || alternatives(bodies).any(|member| member.name() == Some(local))
    })
}

fn alternatives(group: &'static ChildGroup) -> impl Iterator<Item = &'static Member> {
    group
        .alternatives()
        .iter()
        .filter_map(|alternative| match alternative {
            Alternative::Element(member) => Some(member),
            Alternative::Sequence(_) => None,
        })
}

/// The types that the workflow's own schema defines.
fn core_types(scope: Scope<'_>) -> impl Iterator<Item = (&'static str, &'static ElementShape)> {
    ACTION
        .groups()
        .iter()
        .filter(|group| group.is_action_body())
        .flat_map(alternatives)
        .filter(move |member| member.is_allowed(scope.version))
        .filter_map(|member| Some((member.name()?, member.shape)))
}

fn type_names(scope: Scope<'_>) -> impl Iterator<Item = &'static str> {
    core_types(scope)
        .map(|(name, _)| name)
        .chain(vocabularies(scope).map(|extension| extension.element))
}

/// The types with schemas of their own: those of the tables, and those of extensions.
fn vocabularies(scope: Scope<'_>) -> impl Iterator<Item = &'static Vocabulary> {
    let own = scope.extensions.bodies().iter();
    EXTENSIONS
        .iter()
        .copied()
        .chain(own.map(|body| &body.vocabulary))
}

/// The one of them whose body has that name.
fn vocabulary_of(local: &str, scope: Scope<'_>) -> Option<&'static Vocabulary> {
    let own = || Some(&scope.extensions.body(local)?.vocabulary);
    Vocabulary::of_body(local).or_else(own)
}
