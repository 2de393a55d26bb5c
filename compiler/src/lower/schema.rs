//! What the published schemas allow, as data: one [`ElementShape`] for each complex type, for all versions of its namespace.
//!
//! A shape specifies which attributes and children an element has, in which order, how often, and in which versions.
//! [`check`](super::check) interprets these tables. They represent the schemas only; what the content means is defined by
//! the rest of the room. A new action type is one more entry of [`EXTENSIONS`] with its shapes.

mod bundle;
mod coordinator;
mod custom;
mod extensions;
mod parts;
mod shape;
mod sla;
mod version;
mod vocabularies;
mod vocabulary;
mod workflow;

use self::shape::{choice, many, member, one, optional, required};

pub use self::custom::Extensions;
pub(crate) use self::{
    bundle::BUNDLE,
    coordinator::COORDINATOR,
    custom::{CustomBody, is_own_namespace, is_taken, split_namespace},
    extensions::EXTENSIONS,
    shape::{
        Accepts, Alternative, AttributeRule, ChildGroup, ContentModel, ElementShape, Member,
        SimpleType, TypeName,
    },
    sla::SLA_PREFIX,
    version::{Version, Versions},
    vocabularies::{namespaces_with, parents_of},
    vocabulary::Vocabulary,
    workflow::{ACTION, CASE, HTTP_POST, WORKFLOW},
};
