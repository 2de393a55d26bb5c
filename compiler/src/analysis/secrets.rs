//! Values of a workflow that must not be shown: in the document, beside it, and on the command line, under a name that
//! denotes a secret.

use hpdlc_core::secrets::Secrets;

use crate::{
    analysis::{given::JobProperties, templates},
    model::WorkflowApp,
};

/// The secrets that are known before a job runs.
pub fn secrets(app: &WorkflowApp, given: &JobProperties) -> Secrets {
    let written = templates::properties(app).filter_map(|property| {
        // An expression is not the value itself.
        Some((property.name.literal()?, property.value.literal()?))
    });
    let defaults = app.parameters.iter().filter_map(|parameter| {
        let default = parameter.default.as_ref()?;
        Some((parameter.name.value.as_str(), default.value.as_str()))
    });
    let given = given
        .properties
        .iter()
        .map(|(name, property)| (name.as_str(), property.value.as_str()));
    Secrets::of(
        written
            .chain(defaults)
            .chain(given)
            .filter(|(_, value)| !value.contains("${")),
    )
}
