//! `prepare`: executed before the action, in every attempt, in the order of the document.

use crate::action::Form;

#[derive(Clone, Debug)]
pub enum PrepareOperation<F: Form> {
    Delete(F::Text),
    Mkdir(F::Text),
}

impl<F: Form> PrepareOperation<F> {
    pub fn path(&self) -> &F::Text {
        match self {
            PrepareOperation::Delete(path) | PrepareOperation::Mkdir(path) => path,
        }
    }

    /// The name of its element.
    pub fn element(&self) -> &'static str {
        match self {
            PrepareOperation::Delete(_) => "delete",
            PrepareOperation::Mkdir(_) => "mkdir",
        }
    }

    /// The name of its variant.
    pub fn variant(&self) -> &'static str {
        match self {
            PrepareOperation::Delete(_) => "Delete",
            PrepareOperation::Mkdir(_) => "Mkdir",
        }
    }
}
