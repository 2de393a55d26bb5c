//! Proofs to the database that a host is alive.

use std::time::Duration;

use hpdlc_host::{
    exit::RunError,
    home::{Home, store_location::StoreLocation},
};

use crate::{
    postgres,
    sql::{self, Connection},
};

/// Proves that a host is alive, by a connection of its own.
#[derive(Debug)]
pub struct Prover {
    connection: Connection,
    host: String,
}

impl Prover {
    /// Connects. A server that does not answer soon is an error: the next attempt may find another.
    ///
    /// # Errors
    ///
    /// It cannot be reached.
    pub fn open(home: &Home, host: &str, patience: Duration) -> Result<Prover, RunError> {
        let StoreLocation::Postgres(url) = home.store_location() else {
            return Err(RunError::usage("a store in a file has no hosts"));
        };
        let connection = postgres::look_within(home, url, patience)?;
        let host = host.to_owned();
        Ok(Prover { connection, host })
    }

    /// See [`prove`].
    ///
    /// # Errors
    ///
    /// The server cannot be reached.
    pub fn prove(&self, timeout: Duration) -> sql::Result<()> {
        prove(&self.connection, &self.host, timeout)
    }
}

/// Records that a host is alive: from now on, by the clock of the server, it counts as alive for `timeout`.
///
/// # Errors
///
/// The server cannot be reached, or the host is not registered.
pub fn prove(connection: &Connection, host: &str, timeout: Duration) -> sql::Result<()> {
    let timeout = i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX);
    let n = connection.repeating(|| {
        connection
            .prepare_cached(
                "UPDATE hosts SET seen = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT), timeout = ?2 WHERE id = ?1",
            )?
            .execute((host, timeout))
    })?;
    if n == 0 {
        return Err(sql::Error::NoRow);
    }
    Ok(())
}
