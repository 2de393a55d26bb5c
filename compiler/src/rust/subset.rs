//! What Rust and the expression language understand alike, by the form of an expression and by what is known of its types.

use syn::{BinOp, Expr, ExprMethodCall, ExprPath, Lit, UnOp};

use crate::rust::{
    functions,
    reader::Reader,
    recognize::is_comparison,
    scope::Binding,
    tokens::{ident_of, is_macro},
    value::Type,
};

/// Methods that only change how a value is held.
pub(super) const COPIES: &[&str] = &["as_str", "clone", "into", "to_owned", "to_string"];

impl Reader {
    /// Whether an expression is one of Oozie's language, as an operand.
    pub(super) fn is_common(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Lit(_) => true,
            Expr::Paren(inner) => self.is_common(&inner.expr),
            Expr::Group(inner) => self.is_common(&inner.expr),
            Expr::Reference(inner) => inner.mutability.is_none() && self.is_common(&inner.expr),
            Expr::Path(path) => !is_constant(path),
            Expr::Field(field) => ident_of(&field.base).is_some(),
            Expr::MethodCall(call) => self.is_common_method(call),
            Expr::Unary(unary) => match unary.op {
                UnOp::Deref(_) | UnOp::Not(_) => self.is_common(&unary.expr),
                UnOp::Neg(_) => is_number(&unary.expr),
                _ => false,
            },
            Expr::Binary(binary) if is_comparison(&binary.op) => {
                self.is_common(&binary.left)
                    && self.is_common(&binary.right)
                    && self.are_comparable(&binary.op, &binary.left, &binary.right)
            }
            Expr::Macro(_) => is_macro(expr, "el"),
            Expr::Call(call) => {
                functions::is_function(&call.func) && call.args.iter().all(|it| self.is_common(it))
            }
            _ => false,
        }
    }

    pub(super) fn is_common_method(&self, call: &ExprMethodCall) -> bool {
        let method = call.method.to_string();
        if !call.args.is_empty() {
            return false;
        }
        let failure = ident_of(&call.receiver).and_then(|name| self.known(name));
        if matches!(failure, Some(Binding::Failure { .. })) {
            return true;
        }
        (method == "is_empty" || COPIES.contains(&method.as_str()))
            && self.is_common(&call.receiver)
    }

    /// Whether Oozie compares the operands as Rust does. It orders texts as Java does, and what it does not know as texts.
    fn are_comparable(&self, operator: &BinOp, left: &Expr, right: &Expr) -> bool {
        if !matches!(
            operator,
            BinOp::Lt(_) | BinOp::Le(_) | BinOp::Gt(_) | BinOp::Ge(_)
        ) {
            return true;
        }
        let types = [self.type_of(left), self.type_of(right)];
        types.contains(&Type::Number)
            && !types.contains(&Type::Text)
            && !types.contains(&Type::Bool)
    }

    /// What is known of the type of an operand.
    fn type_of(&self, expr: &Expr) -> Type {
        match expr {
            Expr::Lit(literal) => match literal.lit {
                Lit::Int(_) | Lit::Float(_) => Type::Number,
                Lit::Bool(_) => Type::Bool,
                _ => Type::Text,
            },
            Expr::Paren(inner) => self.type_of(&inner.expr),
            Expr::Group(inner) => self.type_of(&inner.expr),
            Expr::Reference(inner) => self.type_of(&inner.expr),
            Expr::Unary(unary) => match unary.op {
                UnOp::Not(_) => Type::Bool,
                _ => self.type_of(&unary.expr),
            },
            Expr::Binary(_) => Type::Bool,
            Expr::Path(path) => match path.path.get_ident().and_then(|name| self.known(name)) {
                Some(Binding::Property { of, .. }) => of,
                Some(Binding::Value(value)) => value.type_of(),
                Some(_) => Type::Field,
                None => Type::Field,
            },
            Expr::MethodCall(call) if call.method == "clone" || call.method == "to_owned" => {
                self.type_of(&call.receiver)
            }
            Expr::MethodCall(call) if call.method == "into" => Type::Field,
            Expr::MethodCall(call) if call.method == "is_empty" => Type::Bool,
            Expr::MethodCall(_) => Type::Text,
            Expr::Call(call) => functions::type_of(&call.func).unwrap_or(Type::Field),
            _ => Type::Field,
        }
    }
}

/// Whether a path is a constant: its name is in upper case, as in `LIMIT` and `u64::MAX`.
pub(super) fn is_constant(path: &ExprPath) -> bool {
    let last = path.path.segments.last().map(|it| it.ident.to_string());
    last.is_some_and(|name| {
        name.contains(|c: char| c.is_ascii_uppercase())
            && !name.contains(|c: char| c.is_ascii_lowercase())
    })
}

fn is_number(expr: &Expr) -> bool {
    matches!(expr, Expr::Lit(literal) if matches!(literal.lit, Lit::Int(_) | Lit::Float(_)))
}
