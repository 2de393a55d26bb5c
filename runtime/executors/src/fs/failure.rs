//! How an operation fails.

use std::{fmt, io};

use hpdlc_files::{
    PathError,
    error::{self, Fault},
    glob::GlobError,
    remove::RemoveError,
};
use hpdlc_program::failure::ActionError;

use super::CANCELED;

/// Why the operations did not all succeed.
#[derive(Debug)]
pub enum FsFailure {
    /// The attempt failed.
    Action(ActionError),
    /// The disk is full, or the journal cannot be written: the same attempt can be run again once that is fixed.
    Machine(io::Error),
}

impl fmt::Display for FsFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FsFailure::Action(error) => write!(f, "{}: {}", error.code, error.message),
            FsFailure::Machine(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for FsFailure {}

impl From<ActionError> for FsFailure {
    fn from(error: ActionError) -> FsFailure {
        FsFailure::Action(error)
    }
}

impl FsFailure {
    pub fn new(code: &str, message: impl Into<String>) -> FsFailure {
        FsFailure::Action(ActionError::error(code, message))
    }

    /// Stopped between two operations or within a long one. The process that requested it does not wait for this result; if it
    /// is recorded nevertheless, the job can be resumed.
    pub(super) fn canceled() -> FsFailure {
        FsFailure::Action(ActionError::non_transient(
            CANCELED,
            "the operations were canceled",
        ))
    }

    /// `what` completes "cannot". A refusal is FS014, whatever was tried; a full disk is an error of the host.
    pub fn io(code: &str, what: impl fmt::Display, error: io::Error) -> FsFailure {
        let message = format!("cannot {what}: {error}");
        FsFailure::io_of(code, &message, &error)
    }

    /// As [`FsFailure::io`], with the whole message.
    pub(super) fn io_of(code: &str, message: &str, error: &io::Error) -> FsFailure {
        if let Some(error) = error::transient(error, message) {
            return FsFailure::Action(error);
        }
        match Fault::of(error) {
            Some(Fault::Canceled) => return FsFailure::canceled(),
            Some(Fault::Unsupported) => {
                return FsFailure::new("UnsupportedOperationException", message);
            }
            Some(_) | None => {}
        }
        match error.kind() {
            io::ErrorKind::StorageFull => FsFailure::Machine(io::Error::new(error.kind(), message)),
            io::ErrorKind::PermissionDenied => FsFailure::new("FS014", message),
            _ => FsFailure::new(code, message),
        }
    }

    /// A path that belongs to no file system.
    pub fn path(error: PathError) -> FsFailure {
        let code = match error {
            PathError::UnsupportedScheme { .. } | PathError::OtherHost { .. } => "FS002",
            PathError::ForbiddenScheme { .. } => "HadoopAccessorException",
            PathError::Unreachable { .. } => "IOException",
            PathError::Relative { .. } => "FS011",
        };
        let message = match &error {
            PathError::Relative { path } => format!("Path [{path}] cannot be relative"),
            _ => error.to_string(),
        };
        FsFailure::new(code, message)
    }

    pub fn glob(error: GlobError) -> FsFailure {
        match error {
            GlobError::TooMany { .. } => FsFailure::new(
                "FS013",
                format!("too many globbed files/dirs to do FS operation: {error}"),
            ),
            GlobError::Pattern { .. } => FsFailure::new("IOException", error.to_string()),
            GlobError::Io { path, error } => FsFailure::io(
                "IOException",
                format_args!("read {}", path.display()),
                error,
            ),
        }
    }

    pub fn remove(error: RemoveError) -> FsFailure {
        match error {
            RemoveError::Canceled => FsFailure::canceled(),
            RemoveError::Io { path, error } => {
                FsFailure::io("FS005", format_args!("delete {}", path.display()), error)
            }
        }
    }
}
