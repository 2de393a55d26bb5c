//! The store in a database of PostgreSQL: `hpdl.store.url`.

use std::time::Duration;

use hpdlc_host::{exit::RunError, home::Home};

use crate::{
    StoreError, schema,
    sql::{
        self, Connection, OptionalExtension,
        postgres::{self, Target},
    },
};

mod registration;

/// How long the first connection of a process may take: the server may be starting, or have no connection left.
const PATIENCE: Duration = Duration::from_secs(15);

/// How long a look that must not wait may take to connect.
const BRIEFLY: Duration = Duration::from_millis(300);

/// Opens the store, and creates it if there is none.
pub(super) fn open(home: &Home, url: &str) -> Result<Connection, RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let host = host(home)?;
    let target = target(url)?.of_host(&host);
    let schema = target.schema().to_owned();
    let connection = connect(target, PATIENCE).map_err(describe)?;
    if !schema::exists(&connection).map_err(describe)? {
        make(&connection, &schema).map_err(describe)?;
    }
    if schema::check(&connection, home.store_location())? {
        schema::upgrade(&connection).map_err(describe)?;
    }
    registration::check(&connection, home, host)?;
    Ok(connection)
}

/// Connects without creating or upgrading anything.
pub(super) fn look(home: &Home, url: &str) -> Result<Connection, RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let target = target(url)?.of_host(&host(home)?);
    connect(target, PATIENCE).map_err(describe)
}

/// As [`look`], by a connection that gives up a server that is silent for `patience`.
pub(super) fn look_within(
    home: &Home,
    url: &str,
    patience: Duration,
) -> Result<Connection, RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let target = target(url)?.of_host(&host(home)?).silent_for(patience);
    let connection = postgres::Connection::open(target, Duration::ZERO).map_err(describe)?;
    connection.wait_at_most(Duration::ZERO);
    Ok(Connection::of_server(connection))
}

/// The id of this host.
fn host(home: &Home) -> Result<String, RunError> {
    let path = home.host_id();
    let host = home
        .host()
        .map_err(|error| RunError::machine(format!("{}: {error}", path.display())))?;
    Ok(host.unwrap_or_default())
}

/// As [`look`], at once or not at all.
pub(super) fn glance(url: &str) -> Option<Connection> {
    let target = Target::parse(url).ok()?.within(BRIEFLY);
    let connection = connect(target, Duration::ZERO).ok()?;
    let sql = "SET default_transaction_read_only TO on; SET statement_timeout TO '200ms'";
    connection.execute_batch(sql).ok()?;
    Some(connection)
}

/// A new schema, for tests.
#[cfg(test)]
pub(super) fn create(url: &str) -> Connection {
    let target = Target::parse(url).expect("a URL");
    let schema = target.schema().to_owned();
    let connection = connect(target, PATIENCE).expect("a server");
    make(&connection, &schema).expect("a schema");
    connection
}

fn target(url: &str) -> Result<Target, RunError> {
    Target::parse(url).map_err(|problem| {
        RunError::usage(format!("hpdl.store.url: {problem}"))
            .with_help("it is postgres://USER@HOST/DATABASE, with the parameters of libpq")
    })
}

fn connect(target: Target, patience: Duration) -> sql::Result<Connection> {
    postgres::Connection::open(target, patience).map(Connection::of_server)
}

/// Creates the schema and its tables, one process at a time.
fn make(connection: &Connection, schema: &str) -> sql::Result<()> {
    let transaction = connection.transaction()?;
    if schema::exists(&transaction)? {
        return Ok(());
    }
    // A user who may not create schemas is given one.
    let is_there = transaction
        .query_row(
            "SELECT 1 FROM pg_namespace WHERE nspname = ?1",
            [schema],
            |_| Ok(()),
        )
        .optional()?
        .is_some();
    if !is_there {
        transaction.execute_batch(&format!("CREATE SCHEMA \"{schema}\""))?;
    }
    schema::fill(&transaction)?;
    transaction.commit()
}
