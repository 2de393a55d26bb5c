//! Names of workflow code, and what they stand for.

use std::collections::BTreeMap;

use crate::rust::{
    outlines::Native,
    value::{Type, Value},
};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Binding {
    /// An argument of the workflow.
    Property { property: String, of: Type },
    /// The data of an action.
    Data { node: usize },
    /// Why an action failed.
    Failure { node: usize },
    /// Data that a coordinator waits for or makes.
    Event(Event),
    /// The action of a coordinator.
    Action,
    /// A value under another name.
    Value(Value),
    /// The data of one action or of another, by the way that was taken.
    Merged,
    /// The results of the branches of a fork.
    Tuple(Vec<Binding>),
    /// Nothing: the result of what has no data.
    Unit,
    /// Something that a mistake hides.
    Unknown,
}

/// An input or an output of a coordinator.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) is_input: bool,
}

/// The names that are visible, block by block.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    open: Vec<BTreeMap<String, (Binding, Option<Native>)>>,
    /// All names of data so far, visible or not.
    ever: BTreeMap<String, bool>,
}

impl Scopes {
    pub(super) fn enter(&mut self) {
        self.open.push(BTreeMap::new());
    }

    pub(super) fn leave(&mut self) {
        self.open.pop();
    }

    /// Says what the value of a visible name is in Rust.
    pub(super) fn set_native(&mut self, name: &str, native: Native) {
        let scope = self.open.last_mut();
        if let Some((_, known)) = scope.and_then(|scope| scope.get_mut(name)) {
            *known = Some(native);
        }
    }

    /// What the value of a name is in Rust, if it is that of a `let`.
    pub(super) fn native(&self, name: &str) -> Option<&Native> {
        let mut open = self.open.iter().rev();
        open.find_map(|scope| scope.get(name))?.1.as_ref()
    }

    pub(super) fn bind(&mut self, name: String, binding: Binding) {
        let is_data = matches!(binding, Binding::Data { .. } | Binding::Failure { .. });
        self.ever.insert(name.clone(), is_data);
        if let Some(scope) = self.open.last_mut() {
            scope.insert(name, (binding, None));
        }
    }

    /// Whether a name has stood for data, visible or not.
    pub(super) fn was_data(&self, name: &str) -> bool {
        self.ever.get(name) == Some(&true)
    }

    pub(super) fn find(&self, name: &str) -> Option<&Binding> {
        let mut open = self.open.iter().rev();
        open.find_map(|scope| scope.get(name))
            .map(|(binding, _)| binding)
    }
}
