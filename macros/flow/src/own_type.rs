//! Action types of extensions in a workflow: a struct becomes an action that is pending, by the trait that its type has.

use hpdlc_runtime::{
    action::{Data, Result, Uri, Works},
    function::{self, Arguments},
};

use crate::{
    Duration, Gives, Pending,
    builder::{Expression, Value},
};

/// The value of an action type as an action that is pending.
#[doc(hidden)]
pub fn pending<RunOrRemote, T: Works<RunOrRemote>>(_: T) -> Pending<T::Data> {
    Pending::new()
}

/// The next argument of an expression, all data of an action. The function, which is not called, says of which type.
///
/// # Errors
///
/// As [`Arguments::data`].
#[doc(hidden)]
pub fn data_of<A, D: Data>(
    arguments: &mut Arguments<'_>,
    name: &str,
    _: impl FnOnce(A) -> Pending<D>,
) -> Result<D> {
    arguments.data(name)
}

/// As [`data_of`], a field of the data.
///
/// # Errors
///
/// As [`Arguments::field`].
#[doc(hidden)]
pub fn field_of<A, D, T: function::Value>(
    arguments: &mut Arguments<'_>,
    name: &str,
    _: impl FnOnce(A) -> Pending<D>,
    field: impl FnOnce(D) -> T,
) -> Result<T> {
    arguments.field(name, field)
}

impl Value for Uri {}
impl Gives<Uri> for &str {}
impl Gives<Uri> for String {}
impl Gives<Uri> for &String {}
impl Gives<Uri> for Expression {}
impl Gives<std::path::PathBuf> for &str {}
impl Gives<std::path::PathBuf> for String {}
impl Gives<std::path::PathBuf> for &String {}
impl Gives<std::path::PathBuf> for Expression {}
impl Gives<std::time::Duration> for Duration {}
impl Gives<std::time::Duration> for Expression {}
