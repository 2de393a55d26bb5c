//! Splits expressions that are too deep for one function: rustc recurses on nested code.
//!
//! A subexpression that reaches the maximum depth becomes a nested function, and is replaced by a call of it.

use hpdlc_core::el::ast::{Expr, ExprKind};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::operand;
use crate::codegen::names;

/// The maximum depth of the expression in one function.
pub(super) const MAX_HEIGHT: usize = 50;

/// The prefix that marks calls of nested functions. No identifier is empty, so it cannot occur in a document.
const PREFIX: &str = "";

/// The nested functions that were split off from expressions.
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
    /// Reduces the expression to a height below [`MAX_HEIGHT`]. The order of evaluation is unchanged.
    pub(super) fn expr(&mut self, mut expr: Expr) -> Expr {
        self.cut(&mut expr);
        expr
    }

    /// The nested functions, to be placed before the expressions that call them.
    pub(super) fn functions(self) -> TokenStream {
        self.functions
    }

    /// Returns the remaining height.
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

/// The nested function that a call refers to.
pub(super) fn called(prefix: Option<&str>, name: &str) -> Option<Ident> {
    (prefix == Some(PREFIX)).then(|| names::ident(name))
}
