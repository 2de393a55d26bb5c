//! Without PostgreSQL every connection is one of SQLite.

use super::Durability;
use crate::sql::Connection;

pub(super) fn durability(_: &Connection, _: i64) -> Durability {
    unreachable!("every connection is one of SQLite")
}
