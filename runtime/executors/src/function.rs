//! Functions of the program that expressions call: what `#[function]` and `#[workflow]` generate around them.
//!
//! An argument is read by the type of its parameter, what is returned becomes a value of the expression language. A failure is the
//! failure of the expression, and ends the job FAILED with one of these codes, or is retried if it is
//! [`transient`](crate::action::transient):
//!
//! | code | the function |
//! |---|---|
//! | the author's | returned [`error`](crate::action::error) or one of its relatives |
//! | `HPDL_ERROR` | returned an error of another library, by `?` |
//! | `HPDL_PANIC` | panicked |
//! | `HPDL_ARGUMENT` | was not called: an argument has no value of its type |
//! | `HPDL_DATA` | returned a value that has no text |

use std::{
    any::Any,
    borrow::Cow,
    collections::BTreeMap,
    panic::{self, AssertUnwindSafe},
};

use hpdlc_core::{
    el::error::{ElError, ElErrorKind, OwnFailure},
    step::FailureClass,
};
pub use hpdlc_core::{
    el::{functions::Function, scope::Scope, types::Type, value::Value as ExpressionValue},
    extension::{Occurs, ValueKind, ValueType},
};
use hpdlc_host::panic_hook;

pub use crate::action::Value;
use crate::action::{Data, Result, error};
pub use crate::signature::{Parameter, Signature};

/// The type of parameters, whose values are read by the function itself.
pub const ANY: Type = Type::Object;

/// A function with `#[function]`, by the type that stands for it in its module.
#[diagnostic::on_unimplemented(
    message = "this is no function with `#[function]`",
    label = "the `functions` of an extension are functions with `#[function]`",
    note = "write `#[function]` above the function; those with `#[action]` are listed in `actions`, structs with `#[action_type]` in `types`"
)]
pub trait NamedFunction {
    const ITSELF: (&'static Function, &'static Signature);
}

/// What `extension!` lists.
pub const fn named<F: NamedFunction>() -> (&'static Function, &'static Signature) {
    F::ITSELF
}

/// What a call gives.
pub type Called = std::result::Result<ExpressionValue, ElError>;

/// The arguments of a call, in order.
#[derive(Debug)]
pub struct Arguments<'a> {
    values: &'a [ExpressionValue],
    n_taken: usize,
}

impl Arguments<'_> {
    /// The next argument, for the parameter of that name. What is missing is an empty text, as everywhere in expressions.
    ///
    /// # Errors
    ///
    /// It is no value of the type (`HPDL_ARGUMENT`).
    pub fn take<T: Value>(&mut self, parameter: &str) -> Result<T> {
        self.read(parameter, |value| T::of_argument(&value.to_text()))
    }

    /// The next argument, a value that Rust has written: what is missing is `None`, and an empty text is not.
    ///
    /// # Errors
    ///
    /// It is no value of the type (`HPDL_ARGUMENT`).
    pub fn written<T: Value>(&mut self, name: &str) -> Result<T> {
        self.read(name, |value| match value {
            ExpressionValue::Null => T::of_text(None),
            value => T::of_text(Some(&value.to_text())),
        })
    }

    /// As [`Arguments::written`], with the type of a field of data, which the function only names.
    ///
    /// # Errors
    ///
    /// It is no value of the type (`HPDL_ARGUMENT`).
    pub fn field<D, T: Value>(&mut self, name: &str, _: impl FnOnce(D) -> T) -> Result<T> {
        self.written(name)
    }

    /// The next argument, all data of an action.
    ///
    /// # Errors
    ///
    /// It is no data of the type (`HPDL_ARGUMENT`).
    pub fn data<D: Data>(&mut self, name: &str) -> Result<D> {
        self.read(name, |value| {
            let fields = match value {
                ExpressionValue::Map(fields) => fields.clone(),
                _ => BTreeMap::new(),
            };
            let text = |(name, value): (String, ExpressionValue)| (name, value.into_text());
            D::of_data(&fields.into_iter().map(text).collect())
        })
    }

    fn read<T>(
        &mut self,
        name: &str,
        read: impl FnOnce(&ExpressionValue) -> std::result::Result<T, String>,
    ) -> Result<T> {
        let value = self
            .values
            .get(self.n_taken)
            .unwrap_or(&ExpressionValue::Null);
        self.n_taken += 1;
        read(value).map_err(|problem| {
            let problem = format!("argument {} (`{name}`): {problem}", self.n_taken);
            error("HPDL_ARGUMENT", problem)
        })
    }
}

/// Calls a function, named as in expressions. A panic in it is an error.
///
/// # Errors
///
/// That of the function, with its name.
pub fn call(
    function: &str,
    values: &[ExpressionValue],
    body: impl FnOnce(&mut Arguments<'_>) -> Result<ExpressionValue>,
) -> Called {
    let mut arguments = Arguments { values, n_taken: 0 };
    let called = panic_hook::while_foreign(|| {
        panic::catch_unwind(AssertUnwindSafe(|| body(&mut arguments)))
    });
    let returned = called.unwrap_or_else(|payload| Err(error("HPDL_PANIC", cause(&*payload))));
    returned.map_err(|failure| {
        let facts = OwnFailure {
            function: function.to_owned(),
            code: failure.code().to_owned(),
            is_transient: failure.class() == FailureClass::Transient,
        };
        ElError {
            kind: ElErrorKind::Own(Box::new(facts)),
            ..ElError::function(function, failure)
        }
    })
}

/// What a function returned, for an expression of Oozie: a number stays a number.
///
/// # Errors
///
/// It has no text (`HPDL_DATA`).
pub fn value(returned: &impl Value) -> Result<ExpressionValue> {
    returned
        .to_expression()
        .map_err(|problem| error("HPDL_DATA", problem))
}

/// What a function returned, for a workflow in Rust: the text that Rust gives it.
///
/// # Errors
///
/// It has no text (`HPDL_DATA`).
pub fn text(returned: &impl Shown) -> Result<ExpressionValue> {
    let text = returned.shown();
    text.map(|text| text.map_or(ExpressionValue::Null, ExpressionValue::Text))
        .map_err(|problem| error("HPDL_DATA", problem))
}

/// What an expression in Rust can give.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no text that a workflow could see",
    label = "neither a text, a number, a `bool`, a list of such, nor an enum with `#[derive(Data)]`"
)]
pub trait Shown {
    /// The text; `None` if it is absent.
    ///
    /// # Errors
    ///
    /// It cannot be JSON.
    fn shown(&self) -> std::result::Result<Option<String>, String>;
}

impl<T: Value> Shown for T {
    fn shown(&self) -> std::result::Result<Option<String>, String> {
        self.to_text()
    }
}

/// What is given by reference.
macro_rules! references {
    ($($type:ty)*) => {
        $(impl Shown for $type {
            fn shown(&self) -> std::result::Result<Option<String>, String> {
                Ok(Some(self.to_string()))
            }
        })*
    };
}

references!(&str &&str &String Cow<'_, str> &bool &char);
references!(&u8 & u16 & u32 & u64 & u128 & usize & i8 & i16 & i32 & i64 & i128 & isize & f32 & f64);

/// What can be given for a `String`.
#[diagnostic::on_unimplemented(
    message = "this argument is `String`, and got `{Self}`",
    label = "expected `String`"
)]
pub trait IntoText {
    fn into_text(self) -> String;
}

impl IntoText for String {
    fn into_text(self) -> String {
        self
    }
}

impl IntoText for &String {
    fn into_text(self) -> String {
        self.clone()
    }
}

impl IntoText for &str {
    fn into_text(self) -> String {
        self.to_owned()
    }
}

fn cause(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::transient;

    type Body = fn(&mut Arguments<'_>) -> Result<ExpressionValue>;

    #[track_caller]
    fn check(
        values: &[ExpressionValue],
        body: Body,
        expected: std::result::Result<ExpressionValue, &str>,
    ) {
        let found = call("acme:f", values, body).map_err(|error| match error.kind {
            ElErrorKind::Own(facts) => {
                format!("{} {} {}", facts.code, facts.is_transient, error.message)
            }
            other => format!("{other:?}"),
        });
        assert_eq!(found, expected.map_err(str::to_owned), "{values:?}");
    }

    #[test]
    fn a_call_gives_a_value_or_an_error_and_a_panic_is_one() {
        let long = |n| ExpressionValue::Long(n);
        check(
            &[ExpressionValue::from("7"), long(2)],
            |it| value(&(it.take::<u64>("a")? * it.take::<u64>("b")?)),
            Ok(long(14)),
        );
        check(
            &[long(7)],
            |it| text(&it.written::<u64>("a")?),
            Ok("7".into()),
        );
        check(&[], |_| value(&None::<u64>), Ok(ExpressionValue::Null));
        check(
            &["four".into()],
            |it| value(&it.take::<i64>("n")?),
            Err(
                "HPDL_ARGUMENT false function `acme:f` failed: HPDL_ARGUMENT: argument 1 (`n`): `four` is no i64: invalid digit found in string",
            ),
        );
        check(
            &[],
            |_| Err(transient("BUSY", "later")),
            Err("BUSY true function `acme:f` failed: BUSY: later"),
        );
        check(
            &[],
            |_| panic!("no {}", "way"),
            Err("HPDL_PANIC false function `acme:f` failed: HPDL_PANIC: no way"),
        );
    }

    #[test]
    fn what_is_missing_is_empty_for_parameters_and_none_for_fields() {
        struct Data {
            name: Option<String>,
        }
        let empty: ExpressionValue = String::new().into();
        let option: Body = |it| value(&it.take::<Option<String>>("a")?.is_none());
        check(std::slice::from_ref(&empty), option, Ok(true.into()));
        check(&[ExpressionValue::Null], option, Ok(true.into()));
        let field: Body = |it| value(&it.field("a", |data: Data| data.name)?.is_none());
        check(&[empty], field, Ok(false.into()));
        check(&[ExpressionValue::Null], field, Ok(true.into()));
    }

    #[test]
    fn numbers_stay_numbers_in_expressions_of_oozie() {
        for (found, expected) in [
            (value(&7_u64), ExpressionValue::Long(7)),
            (value(&u64::MAX), "18446744073709551615".into()),
            (value(&1.0_f64), ExpressionValue::Double(1.0)),
            (value(&true), ExpressionValue::Bool(true)),
            (value(&Some(7_i8)), ExpressionValue::Long(7)),
            (text(&1.0_f64), "1".into()),
        ] {
            assert_eq!(found, Ok(expected));
        }
    }
}
