//! Service levels: `sla:info` of a workflow, an action, or the action of a coordinator.

use hpdlc_core::sla::SlaTexts;

use crate::{model::Template, source::Spanned};

/// What is expected of a job or an action, and who is notified when it is missed. In workflows it is evaluated at submission
/// with job properties and `MINUTES`, `HOURS`, `DAYS`, without functions (`SLAOperations`, context `wf-sla-submit`); in
/// coordinators once for each action, with functions such as `coord:nominalTime` (`coord-sla-create`).
#[derive(Clone, Debug)]
pub struct Sla {
    /// The element's name as written, such as `sla:info`.
    pub name: Spanned<String>,
    /// The namespace ends in 0.1.
    pub is_version_0_1: bool,
    pub texts: SlaTexts<Template>,
}

impl Sla {
    /// All texts, those of both versions first.
    pub fn templates(&self) -> impl Iterator<Item = &Template> {
        self.texts.elements().map(|(_, template)| template)
    }
}
