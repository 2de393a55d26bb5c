//! The operators over fallible values: the first error is the result's error.
//!
//! For generated code only: rustc compiles an expression of nested calls in a third of the time of one with a `?` at every
//! operand.

use crate::el::{error::ElError, ops, value::Value};

/// The value of an operand, or its error.
pub type Operand = Result<Value, ElError>;

macro_rules! operators {
    ($($name:ident -> $result:ty),* $(,)?) => {
        $(
            #[doc = concat!("[`ops::", stringify!($name), "`]")]
            ///
            /// # Errors
            ///
            /// The error of the first operand that has one, or that of the operator.
            pub fn $name(left: Operand, right: Operand) -> Result<$result, ElError> {
                ops::$name(&left?, &right?)
            }
        )*
    };
}

operators! {
    add -> Value,
    subtract -> Value,
    multiply -> Value,
    divide -> Value,
    modulo -> Value,
    less -> bool,
    greater -> bool,
    less_or_equal -> bool,
    greater_or_equal -> bool,
    equal -> bool,
    not_equal -> bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_failure_is_the_result() {
        let failed = |text: &str| Err(ElError::function("test", text));
        let message = |result: Operand| result.map_err(|error| error.to_string());
        let (left, right) = (message(failed("left")), message(failed("right")));
        assert_eq!(message(add(failed("left"), failed("right"))), left);
        assert_eq!(message(add(failed("left"), Ok(Value::Long(1)))), left);
        assert_eq!(message(add(Ok(Value::Long(1)), failed("right"))), right);
        assert_eq!(
            message(add(Ok(Value::Long(1)), Ok(Value::Long(2)))),
            Ok(Value::Long(3))
        );
    }
}
