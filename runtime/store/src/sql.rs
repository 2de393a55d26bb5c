//! The database, whichever it is: SQLite in the state folder, or PostgreSQL for several hosts.
//!
//! The rest of the store writes one SQL text for both, in the part of the language that they share: parameters are `?1`, `user` is quoted,
//! booleans are integers, columns of an `ON CONFLICT` clause carry the name of their table. What PostgreSQL lacks (`instr`, `glob`, `max`
//! and `min` of two values) are functions of its schema. [`Connection::dialect`] is for the few statements that have to differ.

mod column;
mod connection;
mod error;
mod params;
#[cfg(feature = "postgres")]
pub mod postgres;
mod sealing;
mod statement;

pub use rusqlite::types::{FromSql, ToSql, Value, ValueRef};

pub use self::{
    column::ColumnIndex,
    connection::{Access, Connection, Dialect, Transaction},
    error::{Error, OptionalExtension, Result, ServerError},
    params::{Params, params_from_iter},
    sealing::{Keyring, SealError, is_sealed},
    statement::{MappedRows, Row, Rows, Statement},
};

/// Parameters of different types, more than a tuple may have.
#[macro_export]
macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$value as &dyn $crate::sql::ToSql),*] as &[&dyn $crate::sql::ToSql]
    };
}

pub use crate::params;
