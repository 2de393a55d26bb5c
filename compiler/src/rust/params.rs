//! The parameters that a document passes to another one, as the literal of its `Params`.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote_spanned};
use syn::{Expr, Ident, Path, spanned::Spanned};

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

/// The path as it was written.
pub(super) fn spelled(path: &Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The name beside the function `own` of the parameters that the module `started` has.
pub fn imported_params(started: &Path, own: &Ident) -> Ident {
    let path = spelled(started).replace("::", "__").replace("r#", "");
    let name = format_ident!("PARAMS_OF_{path}_IN_{}", without_raw(own));
    Ident::new(&name.to_string(), started.span())
}

/// The same name in place of a path that was written, where rustc points to.
pub(super) fn params_at(written: &Path, started: &Path, own: &Ident) -> Path {
    let mut name = imported_params(started, own);
    name.set_span(written.span());
    name.into()
}

/// Imports them: the only mention of the module in what rustc checks, so that a wrong name is one mistake.
pub(super) fn import_of_params(started: &Path, own: &Ident) -> TokenStream {
    let name = imported_params(started, own);
    quote_spanned!(started.span()=> #[allow(unused_imports)] use #started::Params as #name;)
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
