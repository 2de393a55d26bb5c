//! How much room the store takes.

use std::fs;

use hpdlc_host::home::{Home, store_location::StoreLocation};

use crate::{
    LOG, beside,
    sql::{self, Connection},
};

/// The parts of the store, such as `store` and `log`, with their sizes in bytes.
///
/// # Errors
///
/// The database refuses.
pub fn parts(connection: &Connection, home: &Home) -> sql::Result<Vec<(&'static str, u64)>> {
    match home.store_location() {
        StoreLocation::Sqlite(path) => {
            let log = beside(path, LOG);
            let parts = [("store", path.as_os_str()), ("log", &log)];
            let size = |path| fs::metadata(path).map_or(0, |metadata| metadata.len());
            Ok(parts.map(|(name, path)| (name, size(path))).into())
        }
        StoreLocation::Postgres(_) => {
            let sql = "SELECT coalesce(sum(pg_total_relation_size(pg_class.oid)), 0)
                 FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                 WHERE nspname = current_schema() AND relkind = 'r'";
            let size: i64 = connection.query_row(sql, [], |row| row.get(0))?;
            Ok(vec![("store", u64::try_from(size).unwrap_or_default())])
        }
    }
}
