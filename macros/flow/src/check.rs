//! Bounds on the operands of comparisons: where Oozie and Rust differ, rustc says so.

use crate::{Expression, outside};

/// What Oozie orders as Rust does.
#[diagnostic::on_unimplemented(
    message = "Oozie orders numbers alone, and this is `{Self}`",
    label = "no number",
    note = "compare in an action, and use the data that it gives"
)]
pub trait Number {}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Number for $number {})*
    };
}

numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

/// What is equal in Oozie where it is in Rust, although both are compared as texts.
#[diagnostic::on_unimplemented(
    message = "Oozie compares the data of two actions as texts, and this is `{Self}`",
    label = "not a text",
    note = "numbers can be compared with `<=` and `>=`"
)]
pub trait Text {}

impl Text for String {}
impl Text for bool {}

/// What is empty in Oozie where it is in Rust.
#[diagnostic::on_unimplemented(
    message = "Oozie asks whether texts are empty, and this is `{Self}`",
    label = "not a `String`",
    note = "in a block, Rust asks: `{{ data.list.is_empty() }}`"
)]
pub trait Emptiness {}

impl Emptiness for String {}

/// What is asked whether it is empty.
#[doc(hidden)]
pub fn string<T: Emptiness>(receiver: &T) -> &T {
    receiver
}

/// An operand of `<`, `<=`, `>`, `>=`.
#[doc(hidden)]
pub fn number<N: Number>(operand: &N) -> &N {
    operand
}

/// A condition that is an expression of Oozie.
#[doc(hidden)]
pub fn condition(_: Expression) -> bool {
    outside()
}

/// An operand of `==` between the data of two actions.
#[doc(hidden)]
pub fn text<T: Text>(operand: &T) -> &T {
    operand
}
