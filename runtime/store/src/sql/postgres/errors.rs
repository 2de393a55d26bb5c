//! Errors of the client, by what the server has answered.

use std::{error::Error as StdError, io};

use crate::sql::ServerError;

/// With the statement, where it may be the cause.
pub(super) fn in_statement(error: &tokio_postgres::Error, sql: &str) -> ServerError {
    let mut described = described(error);
    // Ours, or the schema's: a bug report needs the statement.
    if described.code.starts_with("42") || described.code.is_empty() && !described.is_lost {
        described.message = format!("{} in: {sql}", described.message);
    }
    described
}

/// Classes and codes of SQLSTATE after which another attempt may succeed: connection exceptions, a server that shuts down, has crashed or
/// is starting, too many connections, and one that only reads, since another has taken its place.
pub(super) fn is_lost(code: &str) -> bool {
    code.starts_with("08")
        || matches!(
            code,
            "57P01" | "57P02" | "57P03" | "53300" | "25006" | "25P03"
        )
}

pub(super) fn described(error: &tokio_postgres::Error) -> ServerError {
    if let Some(answer) = error.as_db_error() {
        let code = answer.code().code().to_owned();
        return ServerError {
            is_lost: is_lost(&code),
            code,
            ..ServerError::lost(answer.message())
        };
    }
    let causes = causes(error);
    let mut message = error.to_string();
    for cause in &causes {
        let words = cause.to_string();
        if !message.contains(&words) {
            message = format!("{message}: {words}");
        }
    }
    match error.is_closed() || causes.into_iter().any(is_of_network) {
        true => ServerError::lost(message),
        false => ServerError::of_client(message),
    }
}

/// What has led to an error, the nearest first.
fn causes(error: &tokio_postgres::Error) -> Vec<&(dyn StdError + 'static)> {
    let mut all = Vec::new();
    let mut next = error.source();
    while let Some(cause) = next {
        all.push(cause);
        next = cause.source();
    }
    all
}

/// Whether another attempt may succeed. What TLS refuses comes as invalid data.
fn is_of_network(cause: &(dyn StdError + 'static)) -> bool {
    let error = cause.downcast_ref::<io::Error>();
    error.is_some_and(|error| error.kind() != io::ErrorKind::InvalidData)
}
