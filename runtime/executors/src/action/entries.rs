//! What `extension!` lists, for rustc to find out whether it is that.

use hpdlc_program::table::linked::is_same;

use super::{Action, own_type::ActionType};

/// A function with `#[action]`, by the type that stands for it in its module.
#[diagnostic::on_unimplemented(
    message = "this is no function with `#[action]`",
    label = "the `actions` of an extension are functions with `#[action]`",
    note = "write `#[action]` above the function; those with `#[function]` are listed in `functions`, structs with `#[action_type]` in `types`"
)]
pub trait NamedAction {
    const ITSELF: &'static Action;
}

/// What `extension!` takes for a function that has no attribute.
#[derive(Debug)]
pub struct WithoutAttribute;

pub const fn named<A: NamedAction>() -> &'static Action {
    A::ITSELF
}

/// A type of an extension.
#[derive(Clone, Copy)]
pub struct TypeEntry {
    pub element: &'static str,
    pub namespace: &'static str,
    pub action: &'static Action,
}

pub const fn type_entry<T: ActionType>() -> TypeEntry {
    TypeEntry {
        element: T::ELEMENT,
        namespace: T::NAMESPACE,
        action: T::ACTION,
    }
}

/// Whether no entry before this one has its name.
pub const fn is_first(entries: &[(&str, &Action)], at: usize) -> bool {
    let mut n = 0;
    while n < at {
        if is_same(entries[n].0, entries[at].0) {
            return false;
        }
        n += 1;
    }
    true
}

/// Whether no type before this one has its namespace. Two types with one element are said to be so.
pub const fn has_own_namespace(types: &[TypeEntry], at: usize) -> bool {
    let mut n = 0;
    while n < at {
        if is_same(types[n].namespace, types[at].namespace)
            && !is_same(types[n].element, types[at].element)
        {
            return false;
        }
        n += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::{DataMap, Schema};

    static NONE: Action = Action {
        run: |_, _| Ok(DataMap::new()),
        is_idempotent: false,
        remote: None,
        schema: Schema::Unknown,
    };

    #[test]
    fn names_and_namespaces_belong_to_one_type() {
        let entries = [("count", &NONE), ("copy", &NONE), ("copy", &NONE)];
        let first: Vec<bool> = (0..3).map(|at| is_first(&entries, at)).collect();
        assert_eq!(first, [true, true, false]);

        let entry = |element, namespace| TypeEntry {
            element,
            namespace,
            action: &NONE,
        };
        let types = [
            entry("copy", "uri:acme:copy:1.0"),
            entry("copy", "uri:acme:copy:1.0"),
            entry("move", "uri:acme:copy:1.0"),
            entry("find", "uri:acme:find:1.0"),
        ];
        let own: Vec<bool> = (0..4).map(|at| has_own_namespace(&types, at)).collect();
        assert_eq!(own, [true, true, false, true]);
    }
}
