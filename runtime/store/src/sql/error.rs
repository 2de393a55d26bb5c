//! What a database refuses.

use std::fmt;

pub type Result<T> = std::result::Result<T, Error>;

/// An error of the database.
#[derive(Debug, PartialEq)]
pub enum Error {
    Sqlite(rusqlite::Error),
    /// PostgreSQL refuses, or cannot be reached.
    Server(ServerError),
    /// A query for one row has found none.
    NoRow,
    /// A value is not one of its column.
    Value(String),
}

/// An error of PostgreSQL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerError {
    /// The SQLSTATE; empty if the server has not answered.
    pub code: String,
    pub message: String,
    /// The server cannot be reached, or the connection was lost: another attempt may succeed.
    pub is_lost: bool,
    /// It was lost before anything was sent.
    pub is_unsent: bool,
}

impl ServerError {
    /// The connection is lost for this reason.
    pub fn lost(message: impl Into<String>) -> ServerError {
        ServerError {
            code: String::new(),
            message: message.into(),
            is_lost: true,
            is_unsent: false,
        }
    }

    /// The connection was lost before anything was sent.
    pub fn unsent() -> ServerError {
        ServerError {
            is_unsent: true,
            ..ServerError::lost("there is no connection to the server")
        }
    }

    /// An error that another attempt does not mend, without an answer of the server.
    pub fn of_client(message: String) -> ServerError {
        ServerError {
            is_lost: false,
            ..ServerError::lost(message)
        }
    }
}

impl fmt::Display for ServerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        if !self.code.is_empty() {
            write!(f, " (SQLSTATE {})", self.code)?;
        }
        Ok(())
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Sqlite(error) => write!(f, "{error}"),
            Error::Server(error) => write!(f, "{error}"),
            Error::NoRow => f.write_str("there is no such row"),
            Error::Value(problem) => f.write_str(problem),
        }
    }
}

impl std::error::Error for Error {}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Error {
        match error {
            rusqlite::Error::QueryReturnedNoRows => Error::NoRow,
            other => Error::Sqlite(other),
        }
    }
}

impl From<ServerError> for Error {
    fn from(error: ServerError) -> Error {
        Error::Server(error)
    }
}

/// Turns the absence of a row into `None`.
pub trait OptionalExtension<T> {
    /// # Errors
    ///
    /// As before, but for [`Error::NoRow`].
    fn optional(self) -> Result<Option<T>>;
}

impl<T> OptionalExtension<T> for Result<T> {
    fn optional(self) -> Result<Option<T>> {
        match self {
            Ok(value) => Ok(Some(value)),
            Err(Error::NoRow) => Ok(None),
            Err(error) => Err(error),
        }
    }
}
