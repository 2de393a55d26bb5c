//! The evaluation of an action type's definition before an attempt, and whether that may block.

use hpdlc_program::{
    failure::ActionError,
    table::{ActionDef, App, PrepareOperation, Property, Settings, Template},
};

use crate::{Evaluation, Work};

/// A definition whose templates have to be evaluated for an [`Executor`](crate::Executor).
pub trait Evaluate: ActionDef {
    /// Evaluates every template, in the order of the document.
    ///
    /// # Errors
    ///
    /// The first template that has no value, or a value that is invalid for the action.
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError>;

    /// Whether evaluating may block for long: it reads files.
    fn is_blocking(&self, app: &App) -> bool {
        let settings = self.settings();
        if !self.has_configuration() {
            return templates(settings.elements).any(|text| text.is_blocking());
        }
        settings.element("job-xml").is_some()
            || texts(app, settings).any(|text| text.is_blocking())
            || self.prepare().iter().any(|operation| match operation {
                PrepareOperation::Delete(path) | PrepareOperation::Mkdir(path) => {
                    path.is_blocking()
                }
            })
    }
}

/// The texts of an action, and those that it inherits.
pub(crate) fn texts(app: &App, settings: &Settings) -> impl Iterator<Item = Template> {
    let layers = [
        settings.elements,
        app.config_default,
        app.global,
        settings.configuration,
    ];
    layers.into_iter().flat_map(templates)
}

fn templates(layer: &'static [Property]) -> impl Iterator<Item = Template> {
    layer.iter().flat_map(Property::templates)
}
