//! The action types of extensions as vocabularies, beside those of the tables.

use super::{ChildGroup, ElementShape, SimpleType, TypeName, Version, Versions, many, one};
use hpdlc_core::extension::{Occurs, ValueKind};

use crate::{
    lower::schema::vocabulary::Vocabulary,
    model::extension::{CustomElementType, CustomType, Extension},
};

/// The extensions of an application.
///
/// What they define lives as long as the process, as the tables do: a document refers to it from everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Extensions {
    all: &'static [Extension],
    bodies: &'static [CustomBody],
    /// No extension is missing: one whose manifest cannot be read, which has been reported, may define any type.
    pub(crate) is_complete: bool,
}

/// An action type of an extension.
#[derive(Debug)]
pub(crate) struct CustomBody {
    pub(crate) r#type: &'static CustomType,
    pub(crate) vocabulary: Vocabulary,
    /// The name by which the program knows what runs it.
    pub(crate) function: &'static str,
}

impl Default for Extensions {
    fn default() -> Extensions {
        Extensions::NONE
    }
}

impl Extensions {
    pub const NONE: Extensions = Extensions {
        all: &[],
        bodies: &[],
        is_complete: true,
    };

    /// Those of valid manifests.
    pub fn new(all: Vec<Extension>, is_complete: bool) -> Extensions {
        let all: &'static [Extension] = Vec::leak(all);
        let bodies = all.iter().flat_map(|extension| {
            let types = extension.types.iter();
            types.filter_map(|it| CustomBody::of(extension, it))
        });
        Extensions {
            all,
            bodies: Vec::leak(bodies.collect()),
            is_complete,
        }
    }

    pub(crate) fn all(self) -> &'static [Extension] {
        self.all
    }

    pub(crate) fn bodies(self) -> &'static [CustomBody] {
        self.bodies
    }

    /// The type whose body has that name.
    pub(crate) fn body(self, local: &str) -> Option<&'static CustomBody> {
        let mut bodies = self.bodies.iter();
        bodies.find(|body| body.vocabulary.element == local)
    }
}

impl CustomBody {
    fn of(extension: &'static Extension, r#type: &'static CustomType) -> Option<CustomBody> {
        let (prefix, version) = split_namespace(&r#type.namespace)?;
        let groups = r#type.elements.iter().map(group);
        let shape = ElementShape::elements(Vec::leak(groups.collect())).named(TypeName::None);
        Some(CustomBody {
            r#type,
            vocabulary: Vocabulary {
                element: &r#type.element,
                shape: Box::leak(Box::new(shape)),
                prefix,
                versions: Vec::leak(vec![version]),
                others: &[],
            },
            function: String::leak(format!("{}::{}", extension.name, r#type.element)),
        })
    }
}

/// A namespace without its version, and the version; `None` without one.
pub(crate) fn split_namespace(namespace: &str) -> Option<(&str, Version)> {
    let at = namespace.rfind(':')? + 1;
    let (prefix, version) = namespace.split_at(at);
    Some((prefix, Version::parse(version)?))
}

fn group(element: &'static CustomElementType) -> ChildGroup {
    let shape = shape_of(element.value);
    match element.occurs {
        Occurs::One => one(&element.name, shape).required(Versions::ALL),
        Occurs::Optional => one(&element.name, shape),
        Occurs::Repeated => many(&element.name, shape),
    }
}

fn shape_of(value: ValueKind) -> &'static ElementShape {
    const fn shape(value: ValueKind) -> ElementShape {
        ElementShape::text(SimpleType::Custom(value))
    }
    static TEXT: ElementShape = ElementShape::text(SimpleType::Any);
    static URI: ElementShape = shape(ValueKind::Uri);
    static INT: ElementShape = shape(ValueKind::Int);
    static FLOAT: ElementShape = shape(ValueKind::Float);
    static BOOL: ElementShape = shape(ValueKind::Bool);
    static DURATION: ElementShape = shape(ValueKind::Duration);
    match value {
        ValueKind::Text => &TEXT,
        ValueKind::Uri => &URI,
        ValueKind::Int => &INT,
        ValueKind::Float => &FLOAT,
        ValueKind::Bool => &BOOL,
        ValueKind::Duration => &DURATION,
    }
}

/// The built-in action types, and what else an action holds: no extension may define an element of such a name.
pub(crate) fn is_taken(element: &str) -> bool {
    let bodies = Vocabulary::of_body(element).is_some();
    let members = super::ACTION
        .groups()
        .iter()
        .flat_map(|group| group.members());
    bodies
        || members
            .filter_map(super::Member::name)
            .any(|name| name == element)
}

/// Whether a namespace is one of Oozie's or of hpdlc's own, in any version.
pub(crate) fn is_own_namespace(namespace: &str) -> bool {
    ["uri:oozie:", "uri:hpdl:"]
        .iter()
        .any(|prefix| namespace.starts_with(prefix))
}
