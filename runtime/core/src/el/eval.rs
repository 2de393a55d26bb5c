//! The tree walker: for text that is only known at run time, for `hpdlc eval`, and for constant folding.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::{
    el::{
        ast::{BinaryOp, Expr, ExprKind, Literal, Part, Template, UnaryOp},
        constants,
        error::{ElError, ElErrorKind},
        functions, ops,
        scope::{self, Scope},
        value::Value,
    },
    limits,
};

static N_EVALUATED: AtomicU64 = AtomicU64::new(0);

/// How many templates this process has evaluated by walking their trees. Texts of a compiled document are not among them.
pub fn n_evaluated() -> u64 {
    N_EVALUATED.load(Ordering::Relaxed)
}

/// Evaluates a template to text: its texts verbatim, its expressions coerced to text, all concatenated.
///
/// # Errors
///
/// The first expression without a value; the values of variables are never evaluated again.
pub fn evaluate_template(template: &Template, scope: &dyn Scope) -> Result<String, ElError> {
    N_EVALUATED.fetch_add(1, Ordering::Relaxed);
    // A single expression needs no concatenation.
    if let [Part::Expr(expr)] = template.parts.as_slice() {
        return evaluate_expr(expr, scope).map(Value::into_text);
    }
    let mut text = String::new();
    for part in &template.parts {
        match part {
            Part::Text(literal, _) => {
                limits::push(&mut text, literal).map_err(ElError::too_long)?
            }
            Part::Expr(expr) => {
                let value = evaluate_expr(expr, scope)?;
                limits::push(&mut text, &value.to_text())
                    .map_err(|problem| ElError::too_long(problem).at(expr.range))?;
            }
        }
    }
    Ok(text)
}

/// Evaluates one expression.
///
/// Evaluation is lazy: the right side of a decided `&&` or `||`, the other branch of a conditional and the index of null are
/// skipped. An undefined variable there is not an error.
///
/// # Errors
///
/// With the range of the innermost expression that failed.
pub fn evaluate_expr(expr: &Expr, scope: &dyn Scope) -> Result<Value, ElError> {
    match evaluate_kind(expr, scope) {
        Ok(value) => Ok(value),
        Err(error) => Err(with_property_hint(error, expr).at(expr.range)),
    }
}

/// Each kind has a function of its own: in a single one, the locals of all would use stack at each level.
fn evaluate_kind(expr: &Expr, scope: &dyn Scope) -> Result<Value, ElError> {
    match &expr.kind {
        ExprKind::Literal(literal) => Ok(literal_value(literal)),
        ExprKind::Variable(name) => scope::variable(scope, name),
        ExprKind::Unary { op, operand } => unary(*op, operand, scope),
        ExprKind::Binary { op, left, right } => binary(*op, left, right, scope),
        ExprKind::Conditional {
            condition,
            then,
            otherwise,
        } => conditional(condition, then, otherwise, scope),
        ExprKind::Index { base, index } => indexed(base, index, scope),
        ExprKind::Property { base, name, .. } => property(base, name, scope),
        ExprKind::Call {
            prefix, name, args, ..
        } => call(prefix.as_deref(), name, args, scope),
    }
}

fn unary(op: UnaryOp, operand: &Expr, scope: &dyn Scope) -> Result<Value, ElError> {
    ops::unary(op, &evaluate_expr(operand, scope)?)
}

fn binary(op: BinaryOp, left: &Expr, right: &Expr, scope: &dyn Scope) -> Result<Value, ElError> {
    let left = evaluate_expr(left, scope)?;
    let decided = match op {
        BinaryOp::And => !left.to_bool()?,
        BinaryOp::Or => left.to_bool()?,
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
        | BinaryOp::NotEqual => false,
    };
    if decided {
        return Ok(Value::Bool(op == BinaryOp::Or));
    }
    ops::binary(op, &left, &evaluate_expr(right, scope)?)
}

fn conditional(
    condition: &Expr,
    then: &Expr,
    otherwise: &Expr,
    scope: &dyn Scope,
) -> Result<Value, ElError> {
    let holds = evaluate_expr(condition, scope)?.to_bool()?;
    evaluate_expr(if holds { then } else { otherwise }, scope)
}

fn indexed(base: &Expr, index: &Expr, scope: &dyn Scope) -> Result<Value, ElError> {
    let base = evaluate_expr(base, scope)?;
    if base.is_null() {
        return Ok(Value::Null);
    }
    ops::index(&base, &evaluate_expr(index, scope)?)
}

fn property(base: &Expr, name: &str, scope: &dyn Scope) -> Result<Value, ElError> {
    ops::property(&evaluate_expr(base, scope)?, name)
}

fn call(
    prefix: Option<&str>,
    name: &str,
    args: &[Expr],
    scope: &dyn Scope,
) -> Result<Value, ElError> {
    let function = functions::find(prefix, name).ok_or_else(|| functions::unknown(prefix, name))?;
    functions::check_scope(function, scope)?;
    // commons-el checks the number of arguments before it evaluates them.
    if !functions::is_supplied(function, scope) {
        functions::check_count(function, args.len())?;
    }
    let values: Vec<Value> = args
        .iter()
        .map(|arg| evaluate_expr(arg, scope))
        .collect::<Result<_, _>>()?;
    functions::call(function, scope, values)
}

/// The value of a literal.
pub fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Null => Value::Null,
        Literal::Bool(value) => Value::Bool(*value),
        Literal::Long(value) => Value::Long(*value),
        Literal::Double(value) => Value::Double(*value),
        Literal::Text(text) => Value::Text(text.clone()),
    }
}

/// `${my.prop}` and `${my-prop}` look like properties but are not: adds how to refer to them.
///
/// Called for each expression around the undefined variable, so the longest name wins.
fn with_property_hint(error: ElError, expr: &Expr) -> ElError {
    if !matches!(error.kind, ElErrorKind::UndefinedVariable { .. }) {
        return error;
    }
    match property_name(expr) {
        Some(name) if name.contains(['.', '-']) => error.with_help(property_hint(&name)),
        Some(_) | None => error,
    }
}

/// The help for a name that is not a variable because of its dots or hyphens.
pub fn property_hint(name: &str) -> String {
    format!("property `{name}` is written `wf:conf('{name}')`")
}

/// The name of the property that the user may have meant by `a.b-c`.
pub fn property_name(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Variable(name) => Some(name.clone()),
        ExprKind::Literal(Literal::Long(number)) => Some(number.to_string()),
        ExprKind::Property { base, name, .. } => Some(format!("{}.{name}", property_name(base)?)),
        ExprKind::Binary {
            op: BinaryOp::Subtract,
            left,
            right,
        } => Some(format!(
            "{}-{}",
            property_name(left)?,
            property_name(right)?
        )),
        ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Index { .. }
        | ExprKind::Call { .. } => None,
    }
}

/// The name of the property that the expression is: `name`, or `wf:conf('name')` or `coord:conf('name')`.
pub fn read_property(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Variable(name) => constants::find(name).is_none().then_some(name),
        ExprKind::Call {
            prefix: Some(prefix),
            name,
            args,
            ..
        } if matches!(prefix.as_str(), "wf" | "coord" | "bundle") && name == "conf" => {
            match args.as_slice() {
                [property] => property.as_text(),
                _ => None,
            }
        }
        ExprKind::Literal(_)
        | ExprKind::Unary { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Conditional { .. }
        | ExprKind::Index { .. }
        | ExprKind::Property { .. }
        | ExprKind::Call { .. } => None,
    }
}
