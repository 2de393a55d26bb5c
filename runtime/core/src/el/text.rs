//! Texts that have a value in a scope: parsed ones, and those that a program was compiled with.

use std::{fmt, sync::Arc};

use crate::el::{ast::Template, error::ElError, eval, scope::Scope};

/// A text with its expressions.
pub trait TextValue: fmt::Debug + Send + Sync {
    /// The text with every expression replaced by its value.
    ///
    /// # Errors
    ///
    /// The first expression without a value.
    fn value(&self, scope: &dyn Scope) -> Result<String, ElError>;
}

impl TextValue for Template {
    fn value(&self, scope: &dyn Scope) -> Result<String, ElError> {
        eval::evaluate_template(self, scope)
    }
}

/// A text of any kind.
#[derive(Clone, Debug)]
pub struct Text(Arc<dyn TextValue>);

impl Text {
    pub fn new(text: impl TextValue + 'static) -> Text {
        Text(Arc::new(text))
    }
}

impl TextValue for Text {
    fn value(&self, scope: &dyn Scope) -> Result<String, ElError> {
        self.0.value(scope)
    }
}

/// The empty text.
impl Default for Text {
    fn default() -> Text {
        Text::new(Template::default())
    }
}

impl From<Template> for Text {
    fn from(template: Template) -> Text {
        Text::new(template)
    }
}

impl From<Arc<Template>> for Text {
    fn from(template: Arc<Template>) -> Text {
        Text(template)
    }
}
