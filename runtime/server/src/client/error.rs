//! Why a request of the client failed.

use std::fmt;

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClientError {
    /// The text is no URL of a server.
    Url(String),
    /// The server refuses the request, or fails at it.
    Refused {
        /// The HTTP status, from 300 on.
        status: u16,
        /// Oozie's code, such as `E0604`.
        code: Option<String>,
        /// The words of the server.
        message: String,
    },
    /// The server cannot be reached, or the connection broke off: whether a command was carried out is not known.
    Unreachable(String),
    /// The answer is not what the API says.
    Unreadable(String),
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Url(url) => write!(f, "{url} is not the URL of a server"),
            ClientError::Refused { message, .. } => f.write_str(message),
            ClientError::Unreachable(message) | ClientError::Unreadable(message) => {
                f.write_str(message)
            }
        }
    }
}

impl std::error::Error for ClientError {}
