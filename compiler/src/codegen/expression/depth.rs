//! Expressions that are too deep for one function: rustc works on nested code by recursion.
//!
//! What is as deep as a function may be becomes a function in the function, and its place in the expression a call of that.

use hpdlc_core::el::ast::{Expr, ExprKind};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::operand;
use crate::codegen::names;

/// How deep the expression of one function may be.
pub(super) const MAX_HEIGHT: usize = 50;

/// The prefix of calls of functions in the function. No identifier is empty.
const PREFIX: &str = "";

/// The functions that an expression needs, and what is left of it.
#[derive(Default)]
pub(super) struct Split {
    functions: TokenStream,
    n_functions: usize,
}

pub(super) fn is_too_deep(expr: &Expr) -> bool {
    is_higher(expr, MAX_HEIGHT)
}

fn is_higher(expr: &Expr, limit: usize) -> bool {
    limit == 0
        || expr
            .children()
            .into_iter()
            .any(|child| is_higher(child, limit - 1))
}

impl Split {
    /// The expression, at most [`MAX_HEIGHT`] high. Everything keeps its place, so that it is evaluated when it was.
    pub(super) fn expr(&mut self, mut expr: Expr) -> Expr {
        self.cut(&mut expr);
        expr
    }

    /// The functions, to be before the expressions that call them.
    pub(super) fn functions(self) -> TokenStream {
        self.functions
    }

    /// Gives the height of what is left.
    fn cut(&mut self, expr: &mut Expr) -> usize {
        let children = expr.children_mut().into_iter();
        let height = 1 + children.map(|child| self.cut(child)).max().unwrap_or(0);
        if height < MAX_HEIGHT {
            return height;
        }
        self.n_functions += 1;
        let name = format!("part_{}", self.n_functions);
        let ident = names::ident(&name);
        let value = operand(expr).value();
        self.functions.extend(quote! {
            fn #ident(scope: &dyn Scope) -> Result<Value, ElError> {
                Ok(#value)
            }
        });
        expr.kind = ExprKind::Call {
            prefix: Some(PREFIX.to_owned()),
            name,
            name_range: expr.range,
            args: Vec::new(),
        };
        1
    }
}

/// The function in the function that a call is of.
pub(super) fn called(prefix: Option<&str>, name: &str) -> Option<Ident> {
    (prefix == Some(PREFIX)).then(|| names::ident(name))
}
