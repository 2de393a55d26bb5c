//! Prepared statements and the rows that they find.

use rusqlite::{CachedStatement, types::FromSqlError};

#[cfg(feature = "postgres")]
use super::postgres;
use super::{ColumnIndex, Error, FromSql, Params, Result, ToSql, ValueRef};

/// A prepared statement.
pub struct Statement<'c>(pub(super) Prepared<'c>);

pub(super) enum Prepared<'c> {
    Once(rusqlite::Statement<'c>),
    Cached(CachedStatement<'c>),
    #[cfg(feature = "postgres")]
    Server(postgres::Statement<'c>),
}

impl<'c> Prepared<'c> {
    fn sqlite(&mut self) -> &mut rusqlite::Statement<'c> {
        match self {
            Prepared::Once(statement) => statement,
            Prepared::Cached(statement) => statement,
            #[cfg(feature = "postgres")]
            Prepared::Server(_) => unreachable!("its callers look for it first"),
        }
    }
}

impl Statement<'_> {
    /// Returns the number of changed rows.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn execute(&mut self, params: impl Params) -> Result<usize> {
        params.with(|values| {
            #[cfg(feature = "postgres")]
            if let Prepared::Server(statement) = &self.0 {
                return statement.execute(values);
            }
            Ok(self.0.sqlite().execute(values)?)
        })
    }

    /// # Errors
    ///
    /// The database refuses.
    pub fn query(&mut self, params: impl Params) -> Result<Rows<'_>> {
        params.with(|values| self.rows(values))
    }

    fn rows(&mut self, values: &[&dyn ToSql]) -> Result<Rows<'_>> {
        #[cfg(feature = "postgres")]
        if let Prepared::Server(statement) = &self.0 {
            return Ok(Rows(Found::Server(statement.query(values)?)));
        }
        Ok(Rows(Found::Sqlite(self.0.sqlite().query(values)?)))
    }

    /// The first row.
    ///
    /// # Errors
    ///
    /// The database or `map` refuses, or there is none.
    pub fn query_row<T>(
        &mut self,
        params: impl Params,
        map: impl FnOnce(&Row<'_>) -> Result<T>,
    ) -> Result<T> {
        let mut rows = self.query(params)?;
        match rows.next()? {
            Some(row) => map(&row),
            None => Err(Error::NoRow),
        }
    }

    /// All rows as `map` reads them.
    ///
    /// # Errors
    ///
    /// The database refuses.
    pub fn query_map<T, F>(&mut self, params: impl Params, map: F) -> Result<MappedRows<'_, F>>
    where
        F: FnMut(&Row<'_>) -> Result<T>,
    {
        let rows = self.query(params)?;
        Ok(MappedRows { rows, map })
    }
}

/// The rows of a query.
pub struct Rows<'s>(Found<'s>);

enum Found<'s> {
    Sqlite(rusqlite::Rows<'s>),
    #[cfg(feature = "postgres")]
    Server(postgres::Rows),
}

impl Rows<'_> {
    /// The next row.
    ///
    /// # Errors
    ///
    /// The database refuses.
    #[expect(clippy::should_implement_trait, reason = "a row borrows from the rows")]
    pub fn next(&mut self) -> Result<Option<Row<'_>>> {
        Ok(match &mut self.0 {
            Found::Sqlite(rows) => rows.next()?.map(|row| Row(Values::Sqlite(row))),
            #[cfg(feature = "postgres")]
            Found::Server(rows) => rows.next().map(|row| Row(Values::Server(row))),
        })
    }

    /// The names of their columns.
    pub fn column_names(&self) -> Vec<String> {
        match &self.0 {
            Found::Sqlite(rows) => rows.as_ref().map_or_else(Vec::new, |statement| {
                statement.column_names().map(str::to_owned).collect()
            }),
            #[cfg(feature = "postgres")]
            Found::Server(rows) => rows.columns().to_vec(),
        }
    }
}

/// The rows of a query, as a function reads them.
pub struct MappedRows<'s, F> {
    rows: Rows<'s>,
    map: F,
}

impl<T, F> Iterator for MappedRows<'_, F>
where
    F: FnMut(&Row<'_>) -> Result<T>,
{
    type Item = Result<T>;

    fn next(&mut self) -> Option<Result<T>> {
        match self.rows.next() {
            Ok(Some(row)) => Some((self.map)(&row)),
            Ok(None) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

/// One row.
pub struct Row<'r>(Values<'r>);

enum Values<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    #[cfg(feature = "postgres")]
    Server(postgres::Row<'r>),
}

impl Row<'_> {
    /// The value of a column.
    ///
    /// # Errors
    ///
    /// There is no such column, or its value is none of `T`.
    pub fn get<I: ColumnIndex, T: FromSql>(&self, column: I) -> Result<T> {
        T::column_result(self.get_ref(column)?).map_err(|error| unreadable(column, &error))
    }

    /// The value of a column as it is.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub fn get_ref(&self, column: impl ColumnIndex) -> Result<ValueRef<'_>> {
        match &self.0 {
            Values::Sqlite(row) => Ok(row.get_ref(column)?),
            #[cfg(feature = "postgres")]
            Values::Server(row) => row
                .value(column)
                .ok_or_else(|| Error::Value(format!("there is no column {}", column.shown()))),
        }
    }
}

#[cold]
fn unreadable(column: impl ColumnIndex, error: &FromSqlError) -> Error {
    Error::Value(format!("column {}: {error}", column.shown()))
}
