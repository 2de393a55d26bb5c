//! Which action type an element in an `action` is.

use crate::{
    diagnostics::{Diagnostic, IntoDiagnostic, nearest},
    lower::{
        check::{
            Scope, namespace_of, unknown_action_type::UnknownActionType,
            wrong_action_namespace::WrongActionNamespace,
            wrong_element_namespace::WrongElementNamespace,
        },
        schema::{ACTION, Content, EXTENSIONS, Extension, Shape},
    },
    source::Spanned,
    syntax::xml::Element,
};

/// What an element in an `action`, other than `ok`, `error` and SLA, stands for.
pub(crate) enum Body<'n> {
    /// A type that Oozie has, in a namespace that it has.
    Known {
        shape: &'static Shape,
        scope: Scope<'n>,
    },
    /// A type that Oozie has, in a namespace where it has none of that name. The shape is that of the newest version.
    WrongNamespace {
        shape: &'static Shape,
        scope: Scope<'n>,
        mistake: Diagnostic,
    },
    Unknown(UnknownActionType),
}

static NOT_BUILT: Shape = Shape {
    attributes: &[],
    content: Content::Unchecked,
};

/// The type that `element` stands for, in an action of `scope`.
pub(crate) fn resolve<'n>(element: &Element<'n>, scope: Scope<'n>) -> Body<'n> {
    let local = element.name.local;
    let namespace = namespace_of(element);
    if scope.owns(element)
        && let Some(shape) = core_shape(local, scope)
    {
        return Body::Known { shape, scope };
    }
    if let Some(extension) = Extension::of_element(local) {
        let shape = extension.shape.unwrap_or(&NOT_BUILT);
        let version = extension.version(namespace);
        let scope = Scope {
            namespace,
            prefix: extension.prefix,
            version: version.unwrap_or(extension.newest()),
        };
        return match version {
            Some(_) => Body::Known { shape, scope },
            None => Body::WrongNamespace {
                shape,
                scope,
                mistake: WrongActionNamespace::new(element, extension).into_diagnostic(),
            },
        };
    }
    if let Some(shape) = core_shape(local, scope) {
        let inner = Scope { namespace, ..scope };
        let mistake = WrongElementNamespace::new(element, scope).into_diagnostic();
        return Body::WrongNamespace {
            shape,
            scope: inner,
            mistake,
        };
    }
    let of_namespace = Extension::of_namespace(namespace).map(|extension| extension.element);
    Body::Unknown(UnknownActionType {
        name: Spanned::new(element.name.qualified(), element.name_span),
        prefix: element.name.prefix().map(str::to_owned),
        end_tag: element.end_tag_span(),
        namespace: namespace.to_owned(),
        is_foreign: !scope.owns(element),
        of_namespace,
        similar: nearest(local, type_names(scope))
            .and_then(|name| type_names(scope).find(|other| *other == name)),
    })
}

fn core_shape(local: &str, scope: Scope<'_>) -> Option<&'static Shape> {
    core_types(scope)
        .find(|(name, _)| *name == local)
        .map(|(_, shape)| shape)
}

/// The table of `action`.
pub(super) fn action_shape() -> &'static Shape {
    &ACTION
}

/// The types of the workflow's own schema.
fn core_types(scope: Scope<'_>) -> impl Iterator<Item = (&'static str, &'static Shape)> {
    ACTION
        .groups()
        .iter()
        .filter(|group| group.is_action_body())
        .flat_map(|group| group.members())
        .filter(move |member| member.availability.allowed.contain(scope.version))
        .filter_map(|member| Some((member.name()?, member.shape)))
}

fn type_names(scope: Scope<'_>) -> impl Iterator<Item = &'static str> {
    core_types(scope)
        .map(|(name, _)| name)
        .chain(EXTENSIONS.iter().map(|extension| extension.element))
}
