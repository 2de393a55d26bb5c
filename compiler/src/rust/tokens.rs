//! Names in syntax trees.

use syn::Expr;

/// The name that an expression consists of.
pub(super) fn ident_of(expr: &Expr) -> Option<&syn::Ident> {
    match expr {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Paren(inner) => ident_of(&inner.expr),
        Expr::Group(inner) => ident_of(&inner.expr),
        Expr::Reference(inner) => ident_of(&inner.expr),
        _ => None,
    }
}

/// A name without `r#`.
pub(super) fn without_raw(name: &syn::Ident) -> String {
    let name = name.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_owned()
}

/// Whether an expression is a path that ends in this name.
pub(super) fn is_named(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Path(path) if is_named_path(&path.path, name))
}

pub(super) fn is_named_path(path: &syn::Path, name: &str) -> bool {
    path.segments.last().is_some_and(|it| it.ident == name)
}

/// The name in the crate of workflows that a path is: alone, or behind the name of that crate.
pub(super) fn name_in_flow(path: &syn::Path) -> Option<&syn::Ident> {
    let segments = &path.segments;
    let is_ours = match segments.len() {
        1 => true,
        2 => segments[0].ident == "hpdlc_flow",
        _ => false,
    };
    let last = segments.last().filter(|_| is_ours)?;
    Some(&last.ident)
}

/// Whether an expression calls a macro whose path ends in this name.
pub(super) fn is_macro(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::Macro(call) if is_named_path(&call.mac.path, name))
}
