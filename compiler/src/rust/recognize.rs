//! What an expression of workflow code is, by its form alone.

use syn::{
    Block, Expr, Stmt,
    visit_mut::{self, VisitMut},
};

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
        Expr::Lit(_)
        | Expr::Path(_)
        | Expr::Field(_)
        | Expr::Unary(_)
        | Expr::Binary(_)
        | Expr::Cast(_)
        | Expr::Index(_) => true,
        Expr::Macro(_) => !is_macro(expr, "fork"),
        Expr::MethodCall(call) => !is_action(expr) && is_value(&call.receiver),
        Expr::Call(call) => functions::is_function(&call.func),
        Expr::If(_) | Expr::Match(_) | Expr::Block(_) => gives_value(expr) && runs_nothing(expr),
        Expr::Reference(inner) => is_value(&inner.expr),
        Expr::Paren(inner) => is_value(&inner.expr),
        Expr::Group(inner) => is_value(&inner.expr),
        _ => false,
    }
}

/// Whether an expression is a call, whose type alone says whether it is one of an action: of a function, with or without `?`, or of a
/// method of its result.
pub(super) fn is_call(expr: &Expr) -> bool {
    match expr {
        Expr::Try(attempt) => is_action(&attempt.expr),
        expr => is_action(expr),
    }
}

/// Whether every way through an expression ends with a value by its form.
fn gives_value(expr: &Expr) -> bool {
    let block = |block: &Block| match block.stmts.last() {
        Some(Stmt::Expr(last, None)) => gives_value(last),
        _ => false,
    };
    match expr {
        Expr::If(branch) => {
            let otherwise = branch.else_branch.as_ref();
            block(&branch.then_branch) && otherwise.is_some_and(|(_, it)| gives_value(it))
        }
        Expr::Match(choice) => choice.arms.iter().all(|arm| gives_value(&arm.body)),
        Expr::Block(inner) => inner.label.is_none() && block(&inner.block),
        Expr::Tuple(tuple) => !tuple.elems.is_empty(),
        expr => is_value(expr),
    }
}

/// Whether an expression neither waits nor leaves what is around it.
fn runs_nothing(expr: &Expr) -> bool {
    struct Runs(bool);
    impl VisitMut for Runs {
        fn visit_expr_mut(&mut self, expr: &mut Expr) {
            self.0 |= matches!(
                expr,
                Expr::Await(_) | Expr::Try(_) | Expr::Return(_) | Expr::Break(_)
            ) || is_macro(expr, "fork");
            visit_mut::visit_expr_mut(self, expr);
        }
    }
    let mut runs = Runs(false);
    runs.visit_expr_mut(&mut expr.clone());
    !runs.0
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
