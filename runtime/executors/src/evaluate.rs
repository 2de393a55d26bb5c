//! The evaluation of an action type's definition before an attempt, and whether that may block.

use hpdlc_program::{
    failure::ActionError,
    table::{ActionDef, App, Property, Settings, Template},
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
        self.reads_files(app)
    }

    /// Whether a text looks at files, or a file with properties has to be read.
    fn reads_files(&self, app: &App) -> bool {
        let is_in_body = self.texts().iter().any(|text| text.is_blocking());
        let reads_configuration = |settings: &Settings| {
            !settings.job_xml.is_empty()
                || configuration(app, settings).any(|text| text.is_blocking())
        };
        let settings = self.settings().filter(|_| self.has_configuration());
        is_in_body || settings.is_some_and(reads_configuration)
    }

    /// Upcasts to the trait object.
    fn as_evaluate(&self) -> &dyn Evaluate
    where
        Self: Sized,
    {
        self
    }
}

/// Whether all texts of an action, and those that it inherits, always have the same values.
pub(crate) fn is_constant(app: &App, def: &dyn ActionDef) -> bool {
    let inherits =
        |settings: &Settings| configuration(app, settings).all(|text| text.is_constant());
    def.texts().iter().all(|text| text.is_constant()) && def.settings().is_none_or(inherits)
}

/// The texts of the configuration of an action, and of those that it inherits.
fn configuration(app: &App, settings: &Settings) -> impl Iterator<Item = Template> {
    let layers = [app.config_default, app.global, settings.configuration];
    let properties = layers.into_iter().flatten();
    properties.flat_map(Property::templates)
}
