//! Evaluation with caller-supplied functions: those of coordinators, whose meaning depends on when a text is evaluated.

use crate::{
    el::{
        ast::{BinaryOp, Expr, ExprKind, Literal, Part, Template},
        error::ElError,
        eval, functions,
        scope::Scope,
        value::Value,
    },
    limits,
};

/// Functions in addition to the workflow's own.
pub trait ForeignFunctions {
    /// Whether a function is one of these.
    fn has(&self, prefix: Option<&str>, name: &str) -> bool;

    /// The value of a call to one of these, with its arguments evaluated.
    fn call(&mut self, name: &str, args: &[Value]) -> Result<Value, ElError>;
}

/// No additional functions.
#[derive(Clone, Copy, Debug)]
pub struct NoFunctions;

impl ForeignFunctions for NoFunctions {
    fn has(&self, _prefix: Option<&str>, _name: &str) -> bool {
        false
    }

    fn call(&mut self, name: &str, _args: &[Value]) -> Result<Value, ElError> {
        Err(functions::unknown(None, name))
    }
}

/// As [`eval::evaluate_template`], with `functions` tried before the workflow's.
///
/// # Errors
///
/// The first expression without a value.
pub fn evaluate_template(
    template: &Template,
    scope: &dyn Scope,
    functions: &mut dyn ForeignFunctions,
) -> Result<String, ElError> {
    let mut text = String::new();
    for part in &template.parts {
        match part {
            Part::Text(literal, _) => {
                limits::push(&mut text, literal).map_err(ElError::too_long)?
            }
            Part::Expr(expr) => {
                let value = evaluate_expr(expr, scope, functions)?;
                limits::push(&mut text, &value.to_text())
                    .map_err(|problem| ElError::too_long(problem).at(expr.range))?;
            }
        }
    }
    Ok(text)
}

/// As [`eval::evaluate_expr`], with `functions` tried before the workflow's.
///
/// # Errors
///
/// With the range of the innermost expression that failed.
pub fn evaluate_expr(
    expr: &Expr,
    scope: &dyn Scope,
    functions: &mut dyn ForeignFunctions,
) -> Result<Value, ElError> {
    let folded = fold(expr, scope, functions).map_err(|error| error.at(expr.range))?;
    eval::evaluate_expr(&folded, scope)
}

/// `expr` with every call of a foreign function replaced by its value. Parts that would not be evaluated are dropped, so that
/// their functions are not called.
fn fold(
    expr: &Expr,
    scope: &dyn Scope,
    functions: &mut dyn ForeignFunctions,
) -> Result<Expr, ElError> {
    let mut boxed = |expr: &Expr| fold(expr, scope, functions).map(Box::new);
    let kind = match &expr.kind {
        ExprKind::Literal(_) | ExprKind::Variable(_) => expr.kind.clone(),
        ExprKind::Unary { op, operand } => ExprKind::Unary {
            op: *op,
            operand: boxed(operand)?,
        },
        ExprKind::Binary { op, left, right } => {
            let left = boxed(left)?;
            let decides = match op {
                BinaryOp::And => Some(false),
                BinaryOp::Or => Some(true),
                BinaryOp::Multiply
                | BinaryOp::Divide
                | BinaryOp::Modulo
                | BinaryOp::Add
                | BinaryOp::Subtract
                | BinaryOp::Less
                | BinaryOp::Greater
                | BinaryOp::LessOrEqual
                | BinaryOp::GreaterOrEqual
                | BinaryOp::Equal
                | BinaryOp::NotEqual => None,
            };
            if let Some(decides) = decides
                && eval::evaluate_expr(&left, scope)?.to_bool()? == decides
            {
                ExprKind::Literal(Literal::Bool(decides))
            } else {
                ExprKind::Binary {
                    op: *op,
                    left,
                    right: boxed(right)?,
                }
            }
        }
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => {
            let condition = boxed(condition)?;
            let holds = eval::evaluate_expr(&condition, scope)?.to_bool()?;
            return fold(if holds { then } else { otherwise }, scope, functions);
        }
        ExprKind::Index { base, index } => ExprKind::Index {
            base: boxed(base)?,
            index: boxed(index)?,
        },
        ExprKind::Property {
            base,
            name,
            name_range,
        } => ExprKind::Property {
            base: boxed(base)?,
            name: name.clone(),
            name_range: *name_range,
        },
        ExprKind::Call {
            prefix,
            name,
            name_range,
            args,
        } => {
            let args: Vec<Expr> = args
                .iter()
                .map(|arg| fold(arg, scope, functions))
                .collect::<Result<_, _>>()?;
            if functions.has(prefix.as_deref(), name) {
                let values: Vec<Value> = args
                    .iter()
                    .map(|arg| eval::evaluate_expr(arg, scope))
                    .collect::<Result<_, _>>()?;
                let result = functions.call(name, &values);
                literal(result.map_err(|error| error.at(expr.range))?)?
            } else {
                ExprKind::Call {
                    prefix: prefix.clone(),
                    name: name.clone(),
                    name_range: *name_range,
                    args,
                }
            }
        }
    };
    Ok(Expr {
        kind,
        range: expr.range,
    })
}

fn literal(value: Value) -> Result<ExprKind, ElError> {
    Ok(ExprKind::Literal(match value {
        Value::Null => Literal::Null,
        Value::Bool(value) => Literal::Bool(value),
        Value::Long(value) => Literal::Long(value),
        Value::Double(value) => Literal::Double(value),
        Value::Text(value) => Literal::Text(value),
        Value::Map(_) => {
            return Err(ElError::coercion(
                "a map cannot be the result of a coordinator's function",
            ));
        }
    }))
}
