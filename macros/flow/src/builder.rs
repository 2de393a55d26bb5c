//! What an action is to rustc: a value that waits to be run, with the methods that all actions have.

use std::marker::PhantomData;

use hpdlc_runtime::function::Shown;

use crate::{Duration, Result, Sla, outside};

/// An action of the type `T` that gives data of the type `D`.
///
/// The built-in types have a method for each element of their schema. What completes an operation on files stands directly behind it:
///
/// ```
/// use hpdlc_flow::{Result, fs, map_reduce, sqoop_tool, workflow};
///
/// #[workflow(name_node = "hdfs://nn", resource_manager = "rm:8032")]
/// async fn load(source: String, output: String) -> Result {
///     fs().delete(&output).skip_trash().chmod("/in", "755").recursive().dir_files(false).named("prepare").await?;
///     sqoop_tool("import").arg("--connect").arg(&source).named("import").await?;
///     map_reduce()
///         .prepare_delete(&output)
///         .streaming_mapper("cat")
///         .streaming_reducer("wc -l")
///         .streaming_env("LANG", "C")
///         .property("mapred.input.dir", "/in")
///         .property("mapred.output.dir", &output)
///         .named("count")
///         .await
/// }
/// # fn main() {}
/// ```
#[must_use = "nothing runs this: `.await?` is missing"]
#[derive(Debug)]
pub struct Builder<T, D = ()> {
    _types: PhantomData<fn() -> (T, D)>,
}

/// The type of actions that are functions of the program.
#[derive(Debug)]
pub struct Own;

/// An own action that gives data of the type `D`.
pub type Pending<D> = Builder<Own, D>;

/// What becomes of an action when it is unknown whether its work was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lost {
    /// The job is suspended, and somebody decides.
    Suspend,
    /// It is run again.
    Retry,
    /// It takes its error transition.
    Error,
}

/// What can be awaited in a workflow.
#[diagnostic::on_unimplemented(
    message = "a workflow waits for actions, and this is none",
    label = "not an action",
    note = "actions are functions with `#[action]`, built-in types such as `shell`, and structs with `#[action_type]`; another function is called without `.await`"
)]
pub trait Action {
    /// The data that it gives.
    type Data;
}

impl<T, D> Action for Builder<T, D> {
    type Data = D;
}

/// rustc refuses an action in the place of a value by what the place expects, which is enough.
#[doc(hidden)]
impl<T, D> Shown for Builder<T, D> {
    fn shown(&self) -> std::result::Result<Option<String>, String> {
        outside()
    }
}

/// What can be given where a `T` is expected: a `T`, a reference to one, or an expression of Oozie.
#[diagnostic::on_unimplemented(
    message = "this argument is `{T}`, and got `{Self}`",
    label = "expected `{T}`",
    note = "data goes into a text by `format!`"
)]
pub trait Gives<T: ?Sized> {}

impl<T> Gives<T> for T {}
impl<T> Gives<T> for &T {}
impl Gives<String> for &str {}
impl Gives<String> for &&str {}

/// What an element of a built-in action type can hold: a text, a number, a boolean, or an expression of Oozie.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be written into a workflow",
    label = "neither a text nor a number",
    note = "data of an action is written by its fields"
)]
pub trait Value {}

impl Value for str {}
impl<T: Value + ?Sized> Value for &T {}

macro_rules! values {
    ($($type:ty)*) => {
        $(
            impl Value for $type {}
            impl Gives<$type> for Expression {}
        )*
    };
}

values!(String bool char u8 u16 u32 u64 usize i8 i16 i32 i64 isize f32 f64);

// The text of a whole number is one of a number too.
macro_rules! whole_numbers {
    ($($type:ty)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl Gives<f64> for $type {}
            #[diagnostic::do_not_recommend]
            impl Gives<f64> for &$type {}
        )*
    };
}

whole_numbers!(u8 u16 u32 u64 usize i8 i16 i32 i64 isize);

impl Value for Expression {}
impl Gives<Duration> for Expression {}

/// A value where a `T` is expected that is no argument of a function.
#[doc(hidden)]
pub fn given<T>(_: impl Gives<T>) -> T {
    outside()
}

/// A value in an attribute.
#[doc(hidden)]
pub fn value(_: impl Value) {}

/// A text with expressions of Oozie, by [`el!`](crate::el).
#[derive(Debug)]
pub struct Expression {
    _private: (),
}

impl Expression {
    #[doc(hidden)]
    pub fn new(_: &str) -> Expression {
        outside()
    }
}

impl<T, D> Builder<T, D> {
    #[doc(hidden)]
    pub fn new() -> Builder<T, D> {
        outside()
    }

    /// The name of the node; by default that of the function.
    pub fn named(self, _name: &str) -> Self {
        outside()
    }

    /// Runs it again after an error, so many times, with a pause between: `.retry(3, minutes(5))`.
    pub fn retry(self, _times: impl Gives<u32>, _pause: Duration) -> Self {
        outside()
    }

    /// How pauses grow: `periodic` or `exponential`.
    pub fn retry_policy(self, _policy: impl Value) -> Self {
        outside()
    }

    /// The credentials that it gets, with commas between them.
    pub fn credentials(self, _names: impl Value) -> Self {
        outside()
    }

    /// Its service level.
    pub fn sla(self, _level: Sla) -> Self {
        outside()
    }

    /// Ends it with the error `HPDL_TIMEOUT` when it takes longer.
    pub fn timeout(self, _limit: Duration) -> Self {
        outside()
    }

    /// What becomes of it when it is unknown whether its work was done.
    pub fn on_lost(self, _what: Lost) -> Self {
        outside()
    }
}

impl<D> Pending<D> {
    /// A property of its configuration.
    pub fn property(self, _name: &str, _value: impl Value) -> Self {
        outside()
    }
}

/// The result of an action that was awaited.
#[doc(hidden)]
pub fn ran<D>(_: impl Action<Data = D>) -> Result<D> {
    outside()
}

/// A branch of a fork with several actions.
#[doc(hidden)]
pub fn branch<D>(_: impl FnOnce() -> Result<D>) -> Pending<D> {
    outside()
}

/// The branches of a fork.
#[doc(hidden)]
pub fn fork<B: Branches>(_: B) -> Pending<B::Data> {
    outside()
}

/// Branches, and the results of all.
pub trait Branches {
    /// A tuple.
    type Data;
}

macro_rules! branches {
    ($($name:ident)*) => {
        impl<$($name: Action),*> Branches for ($($name,)*) {
            type Data = ($($name::Data,)*);
        }
    };
}

branches!();
branches!(A);
branches!(A B);
branches!(A B C);
branches!(A B C D);
branches!(A B C D E);
branches!(A B C D E F);
branches!(A B C D E F G);
branches!(A B C D E F G H);
branches!(A B C D E F G H I);
branches!(A B C D E F G H I J);
branches!(A B C D E F G H I J K);
branches!(A B C D E F G H I J K L);
branches!(A B C D E F G H I J K L M);
branches!(A B C D E F G H I J K L M N);
branches!(A B C D E F G H I J K L M N O);
branches!(A B C D E F G H I J K L M N O P);
