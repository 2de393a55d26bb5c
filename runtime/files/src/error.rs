//! Faults specific to remote file systems, wrapped in an [`io::Error`].

use std::{error::Error, fmt, io};

use hpdlc_program::failure::ActionError;

/// The kind of a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Unknown host.
    UnknownHost,
    /// No server answers, or only a standby one.
    Unreachable,
    /// The name node does not accept changes yet.
    SafeMode,
    /// A connection broke, or an answer took too long.
    Interrupted,
    /// The caller has canceled the operation.
    Canceled,
    /// The file system does not support the operation.
    Unsupported,
    /// The server wants a proof of who one is, and gets none that it accepts.
    Unproved,
}

impl Fault {
    /// The fault in an error, if there is one.
    pub fn of(error: &io::Error) -> Option<&Fault> {
        let error = error.get_ref()?.downcast_ref::<FaultError>()?;
        Some(&error.fault)
    }

    /// Oozie's code if a later attempt may succeed (`JavaActionExecutor`); otherwise `None`. Its `fs` action recognizes these
    /// only by the names of Java classes and fails at once.
    pub fn transient_code(&self) -> Option<&'static str> {
        match self {
            Fault::UnknownHost => Some("JA001"),
            Fault::SafeMode => Some("JA005"),
            Fault::Unreachable => Some("JA006"),
            Fault::Interrupted => Some("JA009"),
            Fault::Canceled | Fault::Unsupported | Fault::Unproved => None,
        }
    }
}

/// The failure of an attempt if `error` may be transient.
pub fn transient(error: &io::Error, message: impl Into<String>) -> Option<ActionError> {
    let code = Fault::of(error)?.transient_code()?;
    Some(ActionError::transient(code, message))
}

/// Maps a file system error to the error of an action that needs one of its files, by Oozie's codes `JA001` to `JA009`. `what`
/// begins the message: what failed, or its source.
pub fn of_file(error: &io::Error, what: &str) -> ActionError {
    let message = format!("{what}: {error}");
    if let Some(transient) = transient(error, message.clone()) {
        return match transient.code.as_str() {
            "JA005" => ActionError::non_transient("JA005", message),
            _ => transient,
        };
    }
    match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            ActionError::error("JA008", message)
        }
        io::ErrorKind::PermissionDenied => ActionError::non_transient("JA002", message),
        io::ErrorKind::StorageFull => ActionError::non_transient("JA003", message),
        io::ErrorKind::QuotaExceeded => ActionError::non_transient("JA004", message),
        _ => ActionError::transient("JA009", message),
    }
}

#[derive(Debug)]
struct FaultError {
    fault: Fault,
    message: String,
}

#[cfg(feature = "full")]
impl Fault {
    /// An error that wraps this fault.
    pub fn error(self, message: impl Into<String>) -> io::Error {
        let kind = match self {
            Fault::UnknownHost | Fault::Unreachable => io::ErrorKind::NotConnected,
            Fault::SafeMode => io::ErrorKind::ReadOnlyFilesystem,
            Fault::Interrupted => io::ErrorKind::TimedOut,
            Fault::Canceled => io::ErrorKind::Interrupted,
            Fault::Unsupported => io::ErrorKind::Unsupported,
            Fault::Unproved => io::ErrorKind::PermissionDenied,
        };
        let message = message.into();
        io::Error::new(
            kind,
            FaultError {
                fault: self,
                message,
            },
        )
    }

    /// Adds the server to the failure of a connection or a proof; any other error is unchanged.
    pub fn at(server: &str, error: io::Error) -> io::Error {
        match Fault::of(&error) {
            Some(
                fault @ (Fault::UnknownHost
                | Fault::Unreachable
                | Fault::Interrupted
                | Fault::Unproved),
            ) => fault.clone().error(format!("{server}: {error}")),
            Some(Fault::SafeMode | Fault::Canceled | Fault::Unsupported) | None => error,
        }
    }

    /// The error of an operation that `scheme` does not support; `operation` completes "cannot".
    pub fn unsupported(scheme: &str, operation: &str) -> io::Error {
        Fault::Unsupported.error(format!("files of scheme `{scheme}` cannot {operation}"))
    }
}

impl fmt::Display for FaultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for FaultError {}

#[cfg(all(test, feature = "full"))]
mod tests {
    use hpdlc_core::step::FailureClass::{Error, NonTransient, Transient};

    use super::*;

    #[test]
    fn an_error_of_a_connection_names_the_server() {
        let server = "hdfs://nn:8020";
        for (error, expected) in [
            (
                Fault::Unreachable.error("refused"),
                "hdfs://nn:8020: refused",
            ),
            (
                Fault::UnknownHost.error("no address"),
                "hdfs://nn:8020: no address",
            ),
            (Fault::Interrupted.error("reset"), "hdfs://nn:8020: reset"),
            (Fault::SafeMode.error("it is safe"), "it is safe"),
            (io::Error::other("/x is a folder"), "/x is a folder"),
        ] {
            let fault = Fault::of(&error).cloned();
            let error = Fault::at(server, error);
            assert_eq!(error.to_string(), expected);
            assert_eq!(Fault::of(&error), fault.as_ref());
        }
    }

    #[test]
    fn a_file_that_cannot_be_had_has_a_code() {
        let kind = |kind: io::ErrorKind| io::Error::from(kind);
        for (error, code, class) in [
            (Fault::UnknownHost.error("x"), "JA001", Transient),
            (kind(io::ErrorKind::PermissionDenied), "JA002", NonTransient),
            (kind(io::ErrorKind::StorageFull), "JA003", NonTransient),
            (kind(io::ErrorKind::QuotaExceeded), "JA004", NonTransient),
            (Fault::SafeMode.error("x"), "JA005", NonTransient),
            (Fault::Unproved.error("x"), "JA002", NonTransient),
            (Fault::Unreachable.error("x"), "JA006", Transient),
            (kind(io::ErrorKind::NotFound), "JA008", Error),
            (kind(io::ErrorKind::NotADirectory), "JA008", Error),
            (Fault::Interrupted.error("x"), "JA009", Transient),
            (kind(io::ErrorKind::InvalidData), "JA009", Transient),
        ] {
            let found = of_file(&error, "x");
            assert_eq!(
                (found.code.as_str(), found.class),
                (code, class),
                "{error:?}"
            );
        }
    }
}
