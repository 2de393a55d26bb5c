//! Action types of extensions in a workflow: a struct becomes an action that is pending, by the trait that its type has.

use hpdlc_runtime::action::{Uri, Works};

use crate::{
    Duration, Gives, Pending,
    builder::{Expression, Value},
};

/// The value of an action type as an action that is pending.
#[doc(hidden)]
pub fn pending<RunOrRemote, T: Works<RunOrRemote>>(_: T) -> Pending<T::Data> {
    Pending::new()
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
