//! What the functions of bundles name.

use crate::{
    builder::{Gives, Value},
    outside,
    runtime::{
        action::{Action, Actions, Context, DataMap, Result},
        table::Program,
    },
};

/// What a bundle starts, which is the result of a function with `#[bundle]`.
///
/// ```
/// use hpdlc_flow::{Bundle, Result, bundle, coordinator, days, fs, workflow};
///
/// #[workflow(name_node = "file:///")]
/// async fn daily(output: String) -> Result {
///     fs().mkdir(&output).named("prepare").await
/// }
///
/// #[coordinator(workflow = daily, frequency = days(1), start = &start, end = "2027-01-01T00:00Z", timezone = "UTC")]
/// fn nightly(start: String, output: String) -> daily::Params {
///     daily::Params { output }
/// }
///
/// #[bundle(kick_off = "2026-01-01T00:00Z")]
/// fn all(start: String, #[default(true)] twice: bool) -> Bundle {
///     Bundle::new()
///         .start("first", nightly::Params { start: &start, output: "/first" })
///         .start_if(twice, "second", nightly::Params { start, output: "/second" })
/// }
/// # fn main() {}
/// ```
#[derive(Debug)]
pub struct Bundle {
    _private: (),
}

/// The parameters of a coordinator of the program.
#[diagnostic::on_unimplemented(
    message = "a bundle starts coordinators, and `{Self}` is not the parameters of one",
    label = "not of a function with `#[coordinator]`"
)]
pub trait Startable {}

/// The parameters of a workflow, coordinator or bundle of the program, by which another one finds it: one name, so that a name of
/// something else is one mistake.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the parameters of a workflow, a coordinator or a bundle",
    label = "not of a function with `#[workflow]`, `#[coordinator]` or `#[bundle]`"
)]
pub trait Started {
    const PROGRAM: &'static Program;
    const ACTIONS: Actions;
    const PLACES: &'static [(&'static str, &'static str)];
    const PROPERTIES: &'static [(&'static str, &'static str)];
}

#[expect(clippy::new_without_default, reason = "it is read, and never called")]
impl Bundle {
    /// A bundle that starts nothing yet.
    pub fn new() -> Bundle {
        outside()
    }

    /// Starts a coordinator under a name.
    #[must_use]
    pub fn start(self, _name: impl Value, _params: impl Startable) -> Bundle {
        outside()
    }

    /// Starts a coordinator under a name if a condition is true when the bundle starts.
    #[must_use]
    pub fn start_if(
        self,
        _condition: impl Gives<bool>,
        _name: impl Value,
        _params: impl Startable,
    ) -> Bundle {
        outside()
    }
}

fn no_function(_: &Context, _: &[String]) -> Result<DataMap> {
    outside()
}

/// An entry of a list before it has a value.
#[doc(hidden)]
pub static NO_ACTION: &Action = &Action::new(no_function);
