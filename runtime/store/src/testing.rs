//! Stores for tests: SQLite in memory, or with `HPDL_TEST_POSTGRES`, the URL of a database, a schema there.

use crate::{schema, sql::Connection};

/// An empty store.
///
/// # Panics
///
/// The database refuses.
pub(crate) fn store() -> Connection {
    #[cfg(feature = "postgres")]
    if let Ok(url) = std::env::var("HPDL_TEST_POSTGRES") {
        let mark = if url.contains('?') { '&' } else { '?' };
        let id = crate::sql::postgres::new_id();
        return crate::postgres::create(&format!("{url}{mark}schema=test_{id}"));
    }
    let connection = Connection::open_in_memory().expect("there is memory");
    schema::create(&connection).expect("it is empty");
    connection
}
