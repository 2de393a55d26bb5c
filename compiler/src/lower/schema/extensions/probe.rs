//! The action type used by tests: what it takes to add one.

use super::v;
use crate::lower::schema::{ElementShape, Versions, one, parts::TEXT, vocabulary::Vocabulary};

pub(super) static PROBE: Vocabulary = Vocabulary {
    element: "probe",
    shape: &ACTION,
    prefix: "uri:hpdl:probe-action:",
    versions: &[v(1, 0)],
    others: &[],
};

static ACTION: ElementShape = ElementShape::elements(&[one("text", &TEXT).required(Versions::ALL)]);
