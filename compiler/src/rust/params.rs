//! The parameters that a document passes to another one, as the literal of its `Params`.

use syn::{Expr, Ident, Path};

use crate::rust::tokens::{is_named, without_raw};

/// A parameter of what is started, that gets a value or is left out.
pub struct PassedField {
    pub name: Ident,
    /// The property that it is taken for.
    pub property: String,
}

/// A workflow that another one runs.
pub struct ChildWorkflow {
    /// The path of its module.
    pub path: Path,
    /// The folder of its application in that of the other one.
    pub folder: String,
    /// What it is given, by each call.
    pub passed: Vec<PassedField>,
}

/// The path by which a document starts a function of the program, below its own folder.
pub fn app_path(function: &Path) -> String {
    let last = function.segments.last();
    last.map(|it| without_raw(&it.ident)).unwrap_or_default()
}

/// What a value is in an `Option`: `Some(Some(x))` for `Some(x)`, `Some(None)` for `None`.
pub(super) fn optional(value: &Expr) -> Option<Option<&Expr>> {
    match value {
        Expr::Call(call) if is_named(&call.func, "Some") && call.args.len() == 1 => {
            Some(call.args.first())
        }
        value if is_named(value, "None") => Some(None),
        _ => None,
    }
}
