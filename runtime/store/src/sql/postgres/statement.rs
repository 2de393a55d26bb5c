//! Statements and the rows that they find.

use super::{
    Connection,
    session::{Answer, Query},
    values,
};
use crate::sql::{ColumnIndex, Result, ToSql, Value, ValueRef};

/// A statement; the server prepares it once for each connection.
pub struct Statement<'c> {
    connection: &'c Connection,
    sql: String,
}

impl<'c> Statement<'c> {
    pub(super) fn of(connection: &'c Connection, sql: String) -> Statement<'c> {
        Statement { connection, sql }
    }

    fn with(&self, params: &[&dyn ToSql]) -> Result<Query> {
        Ok(Query::new(self.sql.clone(), values::of(params)?))
    }

    pub(in crate::sql) fn execute(&self, params: &[&dyn ToSql]) -> Result<usize> {
        self.connection.execute(self.with(params)?)
    }

    pub(in crate::sql) fn query(&self, params: &[&dyn ToSql]) -> Result<Rows> {
        let answer = self.connection.run(self.with(params)?)?;
        Ok(Rows { answer, n_read: 0 })
    }
}

/// The rows that a query has found.
pub struct Rows {
    answer: Answer,
    n_read: usize,
}

impl Rows {
    pub(in crate::sql) fn next(&mut self) -> Option<Row<'_>> {
        let values = self.answer.rows.get(self.n_read)?;
        self.n_read += 1;
        Some(Row {
            columns: &self.answer.columns,
            values,
        })
    }

    pub(in crate::sql) fn columns(&self) -> &[String] {
        &self.answer.columns
    }
}

/// One of them.
pub struct Row<'r> {
    columns: &'r [String],
    values: &'r [Value],
}

impl<'r> Row<'r> {
    pub(in crate::sql) fn value(&self, column: impl ColumnIndex) -> Option<ValueRef<'r>> {
        let position = column.position(self.columns)?;
        self.values.get(position).map(ValueRef::from)
    }
}
