//! What an expression of workflow code is, by its form alone.

use syn::Expr;

use crate::rust::{
    functions,
    tokens::{is_macro, is_named},
};

/// Whether an expression is an action: a call of a function or a struct of an own type, and methods behind it.
pub(super) fn is_action(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(method) => is_action(&method.receiver),
        Expr::Call(call) => {
            matches!(&*call.func, Expr::Path(_))
                && !functions::is_function(&call.func)
                && !["Ok", "Err", "Some", "kill"]
                    .iter()
                    .any(|name| is_named(&call.func, name))
        }
        Expr::Struct(_) => true,
        Expr::Paren(inner) => is_action(&inner.expr),
        Expr::Group(inner) => is_action(&inner.expr),
        _ => false,
    }
}

/// The call in `call.await` or `call.await?`, and whether the `?` is there.
pub(super) fn awaited(expr: &Expr) -> Option<(&Expr, bool)> {
    match expr {
        Expr::Await(waiting) => Some((&waiting.base, false)),
        Expr::Try(attempt) => match &*attempt.expr {
            Expr::Await(waiting) => Some((&waiting.base, true)),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an expression runs nothing, and is only a value.
pub(super) fn is_value(expr: &Expr) -> bool {
    match expr {
        Expr::Lit(_) | Expr::Path(_) | Expr::Field(_) | Expr::Unary(_) => true,
        Expr::Binary(binary) => is_comparison(&binary.op),
        Expr::Macro(_) => is_macro(expr, "format") || is_macro(expr, "el"),
        Expr::MethodCall(call) => !is_action(expr) && is_value(&call.receiver),
        Expr::Call(call) => functions::is_function(&call.func),
        Expr::Reference(inner) => is_value(&inner.expr),
        Expr::Paren(inner) => is_value(&inner.expr),
        Expr::Group(inner) => is_value(&inner.expr),
        _ => false,
    }
}

pub(super) fn is_comparison(operator: &syn::BinOp) -> bool {
    use syn::BinOp;
    matches!(
        operator,
        BinOp::And(_)
            | BinOp::Or(_)
            | BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
    )
}
