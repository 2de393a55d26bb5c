//! Transactions: rolled back unless they are committed.

use std::ops::Deref;

use crate::sql::{Connection, Result};

/// A transaction on a connection.
pub struct Transaction<'c> {
    connection: &'c Connection,
    is_open: bool,
}

impl<'c> Transaction<'c> {
    pub(super) fn of(connection: &'c Connection) -> Transaction<'c> {
        Transaction {
            connection,
            is_open: true,
        }
    }

    /// # Errors
    ///
    /// The database refuses, and nothing was changed; or what became of it is unknown.
    pub fn commit(mut self) -> Result<()> {
        self.connection.commit()?;
        self.is_open = false;
        Ok(())
    }
}

impl Deref for Transaction<'_> {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        self.connection
    }
}

impl Drop for Transaction<'_> {
    fn drop(&mut self) {
        if self.is_open {
            // Where that fails, the database has done it already.
            self.connection.roll_back();
        }
    }
}
