//! What the definition of every action type answers before an attempt: whether evaluating it takes long, and what it is then.

use hpdlc_program::{
    failure::ActionError,
    table::{ActionDef, App, PrepareOperation, Property, Settings, Template},
};

use crate::{Evaluation, Work};

/// A definition whose templates an [`Executor`](crate::Executor) needs evaluated.
pub trait Evaluate: ActionDef {
    /// Evaluates every template, in the order of the document.
    ///
    /// # Errors
    ///
    /// The first template that has no value, or a value that the action cannot have.
    fn evaluate(&'static self, cx: &Evaluation<'_>) -> Result<Work, ActionError>;

    /// Whether that may take long: it reads files.
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
