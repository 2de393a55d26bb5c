//! Action types of extensions in a workflow: a struct becomes an action that is pending, by the trait that its type has.

use hpdlc_runtime::action::{Remote, Run, Uri};

use crate::{
    Duration, Gives, Pending,
    builder::{Expression, Value},
};

/// Types whose process does the work.
#[doc(hidden)]
pub trait PendingOfRun: Run {
    fn pending(self) -> Pending<Self::Data>;
}

/// Types whose work goes on elsewhere.
#[doc(hidden)]
pub trait PendingOfRemote: Remote {
    fn pending(self) -> Pending<Self::Data>;
}

impl<T: Run> PendingOfRun for T {
    fn pending(self) -> Pending<T::Data> {
        Pending::new()
    }
}

impl<T: Remote> PendingOfRemote for T {
    fn pending(self) -> Pending<T::Data> {
        Pending::new()
    }
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
