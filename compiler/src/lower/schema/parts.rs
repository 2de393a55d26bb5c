//! Types that several schemas share, each in its own namespace; since 1.0 in `oozie-common`.

use super::{
    Alternative, ChildGroup, ContentModel, ElementShape, SimpleType, TypeName, Version, Versions,
    choice, many, member, one, optional, required,
};

const V0_5: Version = Version::new(0, 5);
pub(super) const V1_0: Version = Version::new(1, 0);

pub(super) static TEXT: ElementShape = ElementShape::text(SimpleType::Any);

/// An element whose presence means true.
pub(super) static FLAG: ElementShape = ElementShape::elements(&[]).named(TypeName::Named("FLAG"));

static UNSIGNED_INT: ElementShape = ElementShape::text(SimpleType::UnsignedInt);

pub(super) static PARAMETERS: ElementShape =
    ElementShape::elements(&[many("property", &PARAMETER).required(Versions::ALL)]);

static PARAMETER: ElementShape = ElementShape::elements(&[
    one("name", &TEXT).required(Versions::ALL),
    one("value", &TEXT),
    one("description", &TEXT),
])
.named(TypeName::None);

/// A property whose value is required.
pub(super) static PROPERTY: ElementShape = ElementShape::elements(&[
    one("name", &TEXT).required(Versions::ALL),
    one("value", &TEXT).required(Versions::ALL),
    one("description", &TEXT),
])
.named(TypeName::None);

pub(super) static CONFIGURATION: ElementShape =
    ElementShape::elements(&[many("property", &PROPERTY).required(Versions::ALL)]);

static CLUSTER_MEMBERS: [Alternative; 2] = [
    member("job-tracker", &TEXT),
    member("resource-manager", &TEXT).allowed(Versions::since(V1_0)),
];

/// `job-tracker`, and its newer name.
pub(super) const CLUSTER: ChildGroup = choice(&CLUSTER_MEMBERS);

/// Since 1.0, in every namespace that defines it.
pub(super) const LAUNCHER: ChildGroup =
    one("launcher", &LAUNCHER_SHAPE).allowed(Versions::since(V1_0));

static LAUNCHER_SHAPE: ElementShape = ElementShape::elements(&[choice(&[
    member("memory.mb", &UNSIGNED_INT),
    member("vcores", &UNSIGNED_INT),
    member("java-opts", &TEXT),
    member("env", &TEXT),
    member("queue", &TEXT),
    member("sharelib", &TEXT),
    member("view-acl", &TEXT),
    member("modify-acl", &TEXT),
])
.repeated(Versions::ALL)]);

/// `prepare` of the schemas other than the workflow's.
pub(super) static PREPARE: ElementShape =
    ElementShape::elements(&[many("delete", &PLAIN_DELETE), many("mkdir", &PATH)]);

/// `prepare` of the workflow's own schema.
pub(super) static CORE_PREPARE: ElementShape =
    ElementShape::elements(&[many("delete", &DELETE), many("mkdir", &PATH)]);

static PLAIN_DELETE: ElementShape = ElementShape::attributes(&[required("path", SimpleType::Any)]);

/// `skip-trash` is only in the core schema 0.5; the executor of 1.0 still reads the attribute.
pub(super) static DELETE: ElementShape = ElementShape::attributes(&[
    required("path", SimpleType::Any),
    optional("skip-trash", SimpleType::Boolean)
        .allowed(Versions::only(V0_5))
        .tolerated(Versions::since(V1_0)),
]);

/// `mkdir` and `touchz`.
pub(super) static PATH: ElementShape =
    ElementShape::attributes(&[required("path", SimpleType::Any)]);

/// A text with attributes.
pub(super) const fn text_with(attributes: &'static [super::AttributeRule]) -> ElementShape {
    ElementShape::with(attributes, ContentModel::Text(SimpleType::Any))
}
