//! Prints trees as text, which parses to the same tree again.

use std::fmt::{self, Display, Formatter, Write};

use crate::{
    el::ast::{BinaryOp, Expr, ExprKind, Literal, Part, Template},
    java,
};

/// The binding strength of an expression; [`BinaryOp::precedence`] lies between these.
const CONDITIONAL: u8 = 0;
const UNARY: u8 = 7;
const VALUE: u8 = 8;

impl Display for Template {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for part in &self.parts {
            match part {
                // Only a tree not built by the parser has `${` in its text.
                Part::Text(text, _) => f.write_str(&text.replace("${", "${'${'}"))?,
                Part::Expr(expr) => write!(f, "${{{expr}}}")?,
            }
        }
        Ok(())
    }
}

impl Display for Expr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ExprKind::Literal(literal) => literal.fmt(f),
            ExprKind::Variable(name) => f.write_str(name),
            ExprKind::Unary { op, operand } => {
                f.write_str(op.symbol())?;
                if op.symbol().ends_with(|last: char| last.is_alphabetic()) {
                    f.write_char(' ')?;
                }
                child(f, operand, UNARY)
            }
            ExprKind::Binary { op, left, right } => {
                child(f, left, op.precedence())?;
                write!(f, " {} ", op.symbol())?;
                child(f, right, op.precedence() + 1)
            }
            ExprKind::Conditional {
                condition,
                then,
                otherwise,
            } => {
                child(f, condition, CONDITIONAL + 1)?;
                f.write_str(" ? ")?;
                // Before `: name(`, a name would be parsed as the prefix of a function.
                let guarded = begins_with_plain_call(otherwise);
                child(f, then, if guarded { VALUE + 1 } else { CONDITIONAL })?;
                f.write_str(" : ")?;
                child(f, otherwise, CONDITIONAL)
            }
            ExprKind::Index { base, index } => {
                base_of_suffix(f, base)?;
                write!(f, "[{index}]")
            }
            ExprKind::Property { base, name, .. } => {
                base_of_suffix(f, base)?;
                write!(f, ".{name}")
            }
            ExprKind::Call {
                prefix, name, args, ..
            } => {
                if let Some(prefix) = prefix {
                    write!(f, "{prefix}:")?;
                }
                write!(f, "{name}(")?;
                for (at, arg) in args.iter().enumerate() {
                    if at > 0 {
                        f.write_str(", ")?;
                    }
                    arg.fmt(f)?;
                }
                f.write_char(')')
            }
        }
    }
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Literal::Null => f.write_str("null"),
            Literal::Bool(value) => value.fmt(f),
            Literal::Long(value) => value.fmt(f),
            Literal::Double(value) if value.is_infinite() => f.write_str("1e999"),
            Literal::Double(value) => f.write_str(&java::double_to_text(*value)),
            Literal::Text(text) => {
                let escaped = text.replace('\\', "\\\\").replace('\'', "\\'");
                write!(f, "'{escaped}'")
            }
        }
    }
}

/// Prints `expr`, in parentheses if it binds weaker than `needed`.
fn child(f: &mut Formatter<'_>, expr: &Expr, needed: u8) -> fmt::Result {
    if tightness(expr) < needed {
        write!(f, "({expr})")
    } else {
        expr.fmt(f)
    }
}

/// Prints the base of `.name` or `[index]`. A number would absorb the dot.
fn base_of_suffix(f: &mut Formatter<'_>, base: &Expr) -> fmt::Result {
    let is_number = matches!(
        base.kind,
        ExprKind::Literal(Literal::Long(_) | Literal::Double(_))
    );
    child(f, base, if is_number { VALUE + 1 } else { VALUE })
}

fn tightness(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Conditional { .. } => CONDITIONAL,
        ExprKind::Binary { op, .. } => BinaryOp::precedence(*op),
        ExprKind::Unary { .. } => UNARY,
        ExprKind::Literal(_)
        | ExprKind::Variable(_)
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => VALUE,
    }
}

/// Whether the text of `expr` begins with `name(`.
fn begins_with_plain_call(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call { prefix, .. } => prefix.is_none(),
        ExprKind::Binary { left, .. } => begins_with_plain_call(left),
        ExprKind::Conditional { condition, .. } => begins_with_plain_call(condition),
        ExprKind::Index { base, .. } | ExprKind::Property { base, .. } => {
            begins_with_plain_call(base)
        }
        ExprKind::Literal(_) | ExprKind::Variable(_) | ExprKind::Unary { .. } => false,
    }
}
