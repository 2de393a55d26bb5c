//! Converts the errors of HDFS to an [`io::Error`].

use std::io;

use hdfs_native::HdfsError;

use crate::{error::Fault, kerberos};

/// The error with the first line of Hadoop's message.
pub(crate) fn converted(error: HdfsError) -> io::Error {
    match error {
        // The client drops what the server has said before.
        HdfsError::IOError(error) if error.to_string().contains("listener disconnected") => {
            Fault::Interrupted.error(
                "the server has closed the connection; it also does so where it does not let one user act for another",
            )
        }
        HdfsError::IOError(error) => of_connection(error),
        HdfsError::RPCError(class, message) | HdfsError::FatalRPCError(class, message) => {
            of_class(&class, &message)
        }
        HdfsError::AlreadyExists(text) => io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("there is a file of that name: {}", first_line(&text)),
        ),
        HdfsError::FileNotFound(text) => {
            io::Error::new(io::ErrorKind::NotFound, first_line(&text).to_owned())
        }
        HdfsError::IsADirectoryError(text) => {
            io::Error::new(io::ErrorKind::IsADirectory, first_line(&text).to_owned())
        }
        HdfsError::InvalidPath(text) | HdfsError::InvalidArgument(text) => {
            io::Error::new(io::ErrorKind::InvalidInput, first_line(&text).to_owned())
        }
        HdfsError::UnsupportedFeature(text) => Fault::Unsupported.error(first_line(&text)),
        HdfsError::DataTransferError(_)
        | HdfsError::ChecksumError
        | HdfsError::BlocksNotFound(_)
        | HdfsError::InvalidRPCResponse(_) => Fault::Interrupted.error(error.to_string()),
        HdfsError::GSSAPIError(_, _, said) | HdfsError::SASLError(said) => {
            kerberos::problem(first_line(&said))
        }
        HdfsError::NoSASLMechanism => Fault::Unproved.error(
            "the server offers no way to prove who one is that this program has: it knows Kerberos and tokens of containers",
        ),
        // As it says that it cannot load the library.
        HdfsError::OperationFailed(said) if said.contains("libgssapi") => kerberos::problem(&said),
        HdfsError::UrlParseError(_)
        | HdfsError::OperationFailed(_)
        | HdfsError::TrashNotEnabled
        | HdfsError::UnsupportedErasureCodingPolicy(_)
        | HdfsError::ErasureCodingError(_)
        | HdfsError::InternalError(_)
        | HdfsError::XmlParseError(_) => io::Error::other(error.to_string()),
    }
}

/// A connection that fails or breaks.
pub(crate) fn of_connection(error: io::Error) -> io::Error {
    let message = error.to_string();
    let fault = match error.kind() {
        io::ErrorKind::ConnectionRefused
        | io::ErrorKind::HostUnreachable
        | io::ErrorKind::NetworkUnreachable
        | io::ErrorKind::NetworkDown
        | io::ErrorKind::AddrNotAvailable
        | io::ErrorKind::NotConnected => Fault::Unreachable,
        // The standard library has no error kind for it.
        _ if message.contains("failed to lookup address") => Fault::UnknownHost,
        _ => Fault::Interrupted,
    };
    fault.error(message)
}

/// An error response with the name of a Java class.
pub(crate) fn of_class(class: &str, message: &str) -> io::Error {
    let message = first_line(message).to_owned();
    let kind = match class.rsplit('.').next().unwrap_or(class) {
        "AccessControlException" | "AuthorizationException" | "SecurityException" => {
            io::ErrorKind::PermissionDenied
        }
        "SafeModeException" | "RetriableException" => return Fault::SafeMode.error(message),
        "StandbyException" => return Fault::Unreachable.error(message),
        "FileAlreadyExistsException" => io::ErrorKind::AlreadyExists,
        "FileNotFoundException" => io::ErrorKind::NotFound,
        "ParentNotDirectoryException" => io::ErrorKind::NotADirectory,
        "PathIsNotDirectoryException" => io::ErrorKind::NotADirectory,
        "InvalidPathException" => io::ErrorKind::InvalidInput,
        "DSQuotaExceededException" | "NSQuotaExceededException" | "QuotaExceededException" => {
            io::ErrorKind::QuotaExceeded
        }
        "UnsupportedOperationException" => return Fault::Unsupported.error(message),
        _ => return io::Error::other(format!("{class}: {message}")),
    };
    io::Error::new(kind, message)
}

/// Without the server's stack trace.
fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn java_classes_have_kinds_and_faults() {
        for (class, kind, fault) in [
            (
                "org.apache.hadoop.security.AccessControlException",
                io::ErrorKind::PermissionDenied,
                None,
            ),
            (
                "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
                io::ErrorKind::ReadOnlyFilesystem,
                Some(Fault::SafeMode),
            ),
            (
                "org.apache.hadoop.ipc.StandbyException",
                io::ErrorKind::NotConnected,
                Some(Fault::Unreachable),
            ),
            ("java.io.IOException", io::ErrorKind::Other, None),
        ] {
            let error = of_class(class, "first\n\tat org.apache");
            assert_eq!(error.kind(), kind, "{class}");
            assert_eq!(Fault::of(&error), fault.as_ref(), "{class}");
            assert!(error.to_string().ends_with("first"), "{error}");
        }
    }

    #[test]
    fn connections_that_fail_may_come_about_later() {
        let refused = io::Error::from(io::ErrorKind::ConnectionRefused);
        assert_eq!(
            Fault::of(&of_connection(refused)),
            Some(&Fault::Unreachable)
        );
        let unknown = io::Error::other("failed to lookup address information: no such name");
        assert_eq!(
            Fault::of(&of_connection(unknown)),
            Some(&Fault::UnknownHost)
        );
        let broken = io::Error::from(io::ErrorKind::ConnectionReset);
        assert_eq!(Fault::of(&of_connection(broken)), Some(&Fault::Interrupted));
    }
}
