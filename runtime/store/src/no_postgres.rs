//! What an executable without PostgreSQL says of a store there.

use hpdlc_host::{exit::RunError, home::Home};

use crate::sql::Connection;

pub(super) fn open(home: &Home, _: &str) -> Result<Connection, RunError> {
    Err(RunError::usage(format!(
        "job store {}: this executable has no client for PostgreSQL",
        home.store_location()
    ))
    .with_help("build it by: hpdlc build --full"))
}

pub(super) fn look(home: &Home, url: &str) -> Result<Connection, RunError> {
    open(home, url)
}

pub(super) fn look_within(
    home: &Home,
    url: &str,
    _: std::time::Duration,
) -> Result<Connection, RunError> {
    open(home, url)
}

pub(super) fn glance(_: &str) -> Option<Connection> {
    None
}
