//! The tables of `uri:oozie:sla:0.1` and `0.2`, and the place of their blocks in other schemas.

use super::{
    Accepts, Alternative, ElementShape, TypeName, Version, Versions, one, parts::TEXT,
    vocabulary::Vocabulary,
};

/// The prefix of the namespaces of SLA blocks.
pub(crate) const SLA_PREFIX: &str = "uri:oozie:sla:";

const V0_1: Version = Version::new(0, 1);
const V0_2: Version = Version::new(0, 2);
const OLD: Versions = Versions::only(V0_1);
const NEW: Versions = Versions::since(V0_2);

pub(super) static SLA: Vocabulary = Vocabulary {
    element: "info",
    shape: &INFO,
    prefix: SLA_PREFIX,
    versions: &[V0_1, V0_2],
    others: &[],
};

/// The two alternatives of a block, with the versions of the enclosing schema that have the older and the newer language.
pub(super) const fn blocks(old: Versions, new: Versions) -> [Alternative; 2] {
    [
        Alternative::of(Accepts::Of("uri:oozie:sla:0.1"), &INFO).allowed(old),
        Alternative::of(Accepts::Of("uri:oozie:sla:0.2"), &INFO).allowed(new),
    ]
}

static INFO: ElementShape = ElementShape::elements(&[
    one("app-name", &TEXT).required(OLD).allowed(OLD),
    one("nominal-time", &TEXT).required(Versions::ALL),
    one("should-start", &TEXT).required(OLD),
    one("should-end", &TEXT).required(Versions::ALL),
    one("max-duration", &TEXT).allowed(NEW),
    one("alert-events", &TEXT).allowed(NEW),
    one("parent-client-id", &TEXT).allowed(OLD),
    one("parent-sla-id", &TEXT).allowed(OLD),
    // The two languages differ in the order of these two.
    one("alert-contact", &TEXT).allowed(NEW),
    one("notification-msg", &TEXT),
    one("alert-contact", &TEXT).required(OLD).allowed(OLD),
    one("dev-contact", &TEXT).required(OLD).allowed(OLD),
    one("qa-contact", &TEXT).required(OLD).allowed(OLD),
    one("se-contact", &TEXT).required(OLD).allowed(OLD),
    one("alert-frequency", &TEXT).allowed(OLD),
    one("alert-percentage", &TEXT).allowed(OLD),
    one("upstream-apps", &TEXT),
])
.named(TypeName::Named("SLA-INFO"));
