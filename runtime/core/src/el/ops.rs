//! The operators, over values and, if the types of the operands are known, over plain Rust types.
//!
//! Generated code, the tree walker, and constant folding all use these. Comparisons and logic return a plain `bool`; [`binary`]
//! and [`unary`] take the operator as data and return a [`Value`].

use std::cmp::Ordering;

use crate::{
    el::{
        ast::{BinaryOp, UnaryOp},
        error::ElError,
        value::{Described, Value},
    },
    java,
};

/// Applies `op` to two evaluated operands. A caller that needs lazy `&&` and `||` checks the left operand first.
///
/// # Errors
///
/// As the function of the operator.
pub fn binary(op: BinaryOp, left: &Value, right: &Value) -> Result<Value, ElError> {
    match op {
        BinaryOp::Multiply => multiply(left, right),
        BinaryOp::Divide => divide(left, right),
        BinaryOp::Modulo => modulo(left, right),
        BinaryOp::Add => add(left, right),
        BinaryOp::Subtract => subtract(left, right),
        BinaryOp::Less => less(left, right).map(Value::Bool),
        BinaryOp::Greater => greater(left, right).map(Value::Bool),
        BinaryOp::LessOrEqual => less_or_equal(left, right).map(Value::Bool),
        BinaryOp::GreaterOrEqual => greater_or_equal(left, right).map(Value::Bool),
        BinaryOp::Equal => equal(left, right).map(Value::Bool),
        BinaryOp::NotEqual => not_equal(left, right).map(Value::Bool),
        BinaryOp::And => Ok(Value::Bool(left.to_bool()? && right.to_bool()?)),
        BinaryOp::Or => Ok(Value::Bool(left.to_bool()? || right.to_bool()?)),
    }
}

/// Applies `op` to an evaluated operand.
///
/// # Errors
///
/// As the function of the operator.
pub fn unary(op: UnaryOp, operand: &Value) -> Result<Value, ElError> {
    match op {
        UnaryOp::Minus => negate(operand),
        UnaryOp::Not => not(operand).map(Value::Bool),
        UnaryOp::Empty => Ok(Value::Bool(operand.is_empty())),
    }
}

/// `left + right`: never concatenates. Double if either is a Double or a text with `.`, `e`, or `E`, else Long, which wraps.
///
/// # Errors
///
/// Coercion, if an operand is not a number.
pub fn add(left: &Value, right: &Value) -> Result<Value, ElError> {
    arithmetic(BinaryOp::Add, left, right, add_long, add_double)
}

/// `left - right`, by the rules of [`add`].
///
/// # Errors
///
/// Coercion, if an operand is not a number.
pub fn subtract(left: &Value, right: &Value) -> Result<Value, ElError> {
    arithmetic(
        BinaryOp::Subtract,
        left,
        right,
        subtract_long,
        subtract_double,
    )
}

/// `left * right`, by the rules of [`add`].
///
/// # Errors
///
/// Coercion, if an operand is not a number.
pub fn multiply(left: &Value, right: &Value) -> Result<Value, ElError> {
    arithmetic(
        BinaryOp::Multiply,
        left,
        right,
        multiply_long,
        multiply_double,
    )
}

fn arithmetic(
    op: BinaryOp,
    left: &Value,
    right: &Value,
    on_longs: fn(i64, i64) -> i64,
    on_doubles: fn(f64, f64) -> f64,
) -> Result<Value, ElError> {
    if left.is_null() && right.is_null() {
        return Ok(Value::Long(0));
    }
    if is_floating(left) || is_floating(right) {
        let (left, right) = doubles(op, left, right)?;
        Ok(Value::Double(on_doubles(left, right)))
    } else {
        let (left, right) = longs(op, left, right)?;
        Ok(Value::Long(on_longs(left, right)))
    }
}

/// `left / right`: always a Double, so `10 / 5` is `2.0` and `1 / 0` is infinite; but null by null is 0.
///
/// # Errors
///
/// Coercion, if an operand is not a number.
pub fn divide(left: &Value, right: &Value) -> Result<Value, ElError> {
    if left.is_null() && right.is_null() {
        return Ok(Value::Long(0));
    }
    let (left, right) = doubles(BinaryOp::Divide, left, right)?;
    Ok(Value::Double(divide_double(left, right)))
}

/// `left % right` with the sign of `left`, by the rules of [`add`].
///
/// # Errors
///
/// Coercion, if an operand is not a number; Arithmetic, if both are Long and `right` is 0.
pub fn modulo(left: &Value, right: &Value) -> Result<Value, ElError> {
    if left.is_null() && right.is_null() {
        return Ok(Value::Long(0));
    }
    if is_floating(left) || is_floating(right) {
        let (left, right) = doubles(BinaryOp::Modulo, left, right)?;
        Ok(Value::Double(modulo_double(left, right)))
    } else {
        let (left, right) = longs(BinaryOp::Modulo, left, right)?;
        modulo_long(left, right).map(Value::Long)
    }
}

/// `-operand`: null is 0, a text is Double or Long by the rules of [`add`].
///
/// # Errors
///
/// Coercion, if it is not a number.
pub fn negate(operand: &Value) -> Result<Value, ElError> {
    let negated = if is_floating(operand) {
        operand.to_double().map(|value| Value::Double(-value))
    } else {
        operand
            .to_long()
            .map(|value| Value::Long(negate_long(value)))
    };
    negated.map_err(|error| with_operator(error, UnaryOp::Minus.symbol()))
}

/// `!operand`
///
/// # Errors
///
/// Coercion, if it is a number or a map.
pub fn not(operand: &Value) -> Result<bool, ElError> {
    operand
        .to_bool()
        .map(|value| !value)
        .map_err(|error| with_operator(error, UnaryOp::Not.symbol()))
}

/// `left == right`: null equals only null; then as Double, Long, Bool, or text, the first of these types that either operand has.
///
/// # Errors
///
/// Coercion: `'abc' == 1` is an error, not false.
pub fn equal(left: &Value, right: &Value) -> Result<bool, ElError> {
    equality(BinaryOp::Equal, left, right)
}

/// `left != right`
///
/// # Errors
///
/// As [`equal`].
pub fn not_equal(left: &Value, right: &Value) -> Result<bool, ElError> {
    equality(BinaryOp::NotEqual, left, right).map(|equal| !equal)
}

fn equality(op: BinaryOp, left: &Value, right: &Value) -> Result<bool, ElError> {
    match (left, right) {
        (Value::Null, Value::Null) => Ok(true),
        (Value::Null, _) | (_, Value::Null) => Ok(false),
        (Value::Double(_), _) | (_, Value::Double(_)) => {
            doubles(op, left, right).map(|(left, right)| left == right)
        }
        (Value::Long(_), _) | (_, Value::Long(_)) => {
            longs(op, left, right).map(|(left, right)| left == right)
        }
        (Value::Bool(_), _) | (_, Value::Bool(_)) => left
            .to_bool()
            .and_then(|left| Ok(left == right.to_bool()?))
            .map_err(|error| with_operator(error, op.symbol())),
        (Value::Text(_), _) | (_, Value::Text(_)) => Ok(left.to_text() == right.to_text()),
        (Value::Map(left), Value::Map(right)) => Ok(left == right),
    }
}

/// `left < right`: false if either is null; then as Double, Long, or text, the first of these types that either operand has.
///
/// # Errors
///
/// Coercion, if the operands cannot be compared.
pub fn less(left: &Value, right: &Value) -> Result<bool, ElError> {
    compare(BinaryOp::Less, left, right, Ordering::is_lt)
}

/// `left > right`
///
/// # Errors
///
/// As [`less`].
pub fn greater(left: &Value, right: &Value) -> Result<bool, ElError> {
    compare(BinaryOp::Greater, left, right, Ordering::is_gt)
}

/// `left <= right`; true if both are null.
///
/// # Errors
///
/// As [`less`].
pub fn less_or_equal(left: &Value, right: &Value) -> Result<bool, ElError> {
    compare(BinaryOp::LessOrEqual, left, right, Ordering::is_le)
}

/// `left >= right`; true if both are null.
///
/// # Errors
///
/// As [`less`].
pub fn greater_or_equal(left: &Value, right: &Value) -> Result<bool, ElError> {
    compare(BinaryOp::GreaterOrEqual, left, right, Ordering::is_ge)
}

fn compare(
    op: BinaryOp,
    left: &Value,
    right: &Value,
    holds: fn(Ordering) -> bool,
) -> Result<bool, ElError> {
    let ordering = match (left, right) {
        (Value::Null, Value::Null) => Some(Ordering::Equal),
        (Value::Null, _) | (_, Value::Null) => None,
        (Value::Double(_), _) | (_, Value::Double(_)) => {
            let (left, right) = doubles(op, left, right)?;
            // Nothing is less than, greater than, or equal to NaN.
            left.partial_cmp(&right)
        }
        (Value::Long(_), _) | (_, Value::Long(_)) => {
            let (left, right) = longs(op, left, right)?;
            Some(left.cmp(&right))
        }
        (Value::Text(_), _) | (_, Value::Text(_)) => {
            Some(java::compare_text(&left.to_text(), &right.to_text()))
        }
        (Value::Bool(left), Value::Bool(right)) => Some(left.cmp(right)),
        (Value::Map(_), _) | (_, Value::Map(_)) => {
            return Err(ElError::coercion(format!(
                "cannot compare {} `{}` {}",
                Described(left),
                op.symbol(),
                Described(right)
            )));
        }
    };
    Ok(ordering.is_some_and(holds))
}

/// `base[index]`: the entry of a map; null if there is none, or if base or index is null.
///
/// # Errors
///
/// Coercion, if `base` is neither a map nor null and has no property of that name in Java.
pub fn index(base: &Value, index: &Value) -> Result<Value, ElError> {
    match (base, index) {
        (Value::Null, _) | (_, Value::Null) => Ok(Value::Null),
        (Value::Map(map), Value::Text(key)) => Ok(map.get(key).cloned().unwrap_or_default()),
        // The keys are strings, and in Java no number equals a string.
        (Value::Map(_), Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Map(_)) => {
            Ok(Value::Null)
        }
        (Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Text(_), _) => {
            bean_property(base, &index.to_text()).ok_or_else(|| {
                ElError::coercion(format!(
                    "expected a map before `[{}]`, found {}",
                    index.to_text(),
                    Described(base)
                ))
            })
        }
    }
}

/// `base.name`, which is `base['name']`.
///
/// # Errors
///
/// As [`index`].
pub fn property(base: &Value, name: &str) -> Result<Value, ElError> {
    match base {
        Value::Null => Ok(Value::Null),
        Value::Map(map) => Ok(map.get(name).cloned().unwrap_or_default()),
        Value::Bool(_) | Value::Long(_) | Value::Double(_) | Value::Text(_) => {
            bean_property(base, name).ok_or_else(|| {
                ElError::coercion(format!(
                    "expected a map before `.{name}`, found {}",
                    Described(base)
                ))
            })
        }
    }
}

/// The property of a Java object that is not a map: one with a getter in its class (`BeanInfoManager`). The bytes of a text are
/// not supported, because the text of an array is its address.
fn bean_property(base: &Value, name: &str) -> Option<Value> {
    let class = match base {
        Value::Bool(_) => "Boolean",
        Value::Long(_) => "Long",
        Value::Double(_) => "Double",
        Value::Text(_) => "String",
        Value::Null | Value::Map(_) => return None,
    };
    match (base, name) {
        (_, "class") => Some(Value::Text(format!("class java.lang.{class}"))),
        (Value::Text(text), "empty") => Some(Value::Bool(text.is_empty())),
        (Value::Double(number), "infinite") => Some(Value::Bool(number.is_infinite())),
        (Value::Double(number), "naN") => Some(Value::Bool(number.is_nan())),
        _ => None,
    }
}

/// `left + right` of two Longs, wrapping as Java does.
pub fn add_long(left: i64, right: i64) -> i64 {
    left.wrapping_add(right)
}

/// `left - right` of two Longs, wrapping as Java does.
pub fn subtract_long(left: i64, right: i64) -> i64 {
    left.wrapping_sub(right)
}

/// `left * right` of two Longs, wrapping as Java does.
pub fn multiply_long(left: i64, right: i64) -> i64 {
    left.wrapping_mul(right)
}

/// `-operand` of a Long; the smallest stays as it is.
pub fn negate_long(operand: i64) -> i64 {
    operand.wrapping_neg()
}

/// `left % right` of two Longs.
///
/// # Errors
///
/// Arithmetic, if `right` is 0.
pub fn modulo_long(left: i64, right: i64) -> Result<i64, ElError> {
    if right == 0 {
        return Err(ElError::arithmetic(format!(
            "`{left} % {right}` divides by zero"
        )));
    }
    Ok(left.wrapping_rem(right))
}

/// `left + right` of two Doubles.
pub fn add_double(left: f64, right: f64) -> f64 {
    left + right
}

/// `left - right` of two Doubles.
pub fn subtract_double(left: f64, right: f64) -> f64 {
    left - right
}

/// `left * right` of two Doubles.
pub fn multiply_double(left: f64, right: f64) -> f64 {
    left * right
}

/// `left % right` of two Doubles, with the sign of `left`: NaN if `right` is zero.
pub fn modulo_double(left: f64, right: f64) -> f64 {
    left % right
}

/// `left / right` of two numbers: infinite or NaN if `right` is zero.
pub fn divide_double(left: f64, right: f64) -> f64 {
    left / right
}

/// The comparison of two texts: the order of Java's `String.compareTo`.
pub fn compare_text(left: &str, right: &str) -> Ordering {
    java::compare_text(left, right)
}

/// Whether arithmetic is done in Double because of this operand.
fn is_floating(value: &Value) -> bool {
    match value {
        Value::Double(_) => true,
        Value::Text(text) => text.contains(['.', 'e', 'E']),
        Value::Null | Value::Bool(_) | Value::Long(_) | Value::Map(_) => false,
    }
}

fn longs(op: BinaryOp, left: &Value, right: &Value) -> Result<(i64, i64), ElError> {
    left.to_long()
        .and_then(|left| Ok((left, right.to_long()?)))
        .map_err(|error| with_operator(error, op.symbol()))
}

fn doubles(op: BinaryOp, left: &Value, right: &Value) -> Result<(f64, f64), ElError> {
    left.to_double()
        .and_then(|left| Ok((left, right.to_double()?)))
        .map_err(|error| with_operator(error, op.symbol()))
}

fn with_operator(mut error: ElError, symbol: &str) -> ElError {
    error
        .message
        .push_str(&format!(" as operand of `{symbol}`"));
    if symbol == BinaryOp::Add.symbol() {
        error.help = Some("`+` adds numbers only; `concat(a, b)` joins texts".to_owned());
    }
    error
}
