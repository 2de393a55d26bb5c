//! Errors of the client, by what the server has answered.

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
fn is_lost(code: &str) -> bool {
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
    // What is not an answer of the server is one of the network, but for values that cannot be converted.
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        let words = inner.to_string();
        if !message.contains(&words) {
            message = format!("{message}: {words}");
        }
        cause = inner.source();
    }
    let is_local = message.contains("serializing parameter")
        || message.contains("deserializing column")
        || message.contains("invalid configuration")
        || message.contains("password");
    match is_local {
        true => ServerError::of_client(message),
        false => ServerError::lost(message),
    }
}
