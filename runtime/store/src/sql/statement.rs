//! Prepared statements and the rows that they find.

use rusqlite::CachedStatement;

#[cfg(feature = "postgres")]
use super::postgres;
use super::{
    ColumnIndex, Error, FromSql, Params, Result, ToSql, ValueRef,
    sealing::{self, Keyring, SealError},
};

/// A prepared statement.
pub struct Statement<'c> {
    prepared: Prepared<'c>,
    keys: Option<&'c Keyring>,
}

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

impl<'c> Statement<'c> {
    pub(super) fn of(prepared: Prepared<'c>, keys: Option<&'c Keyring>) -> Statement<'c> {
        Statement { prepared, keys }
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
            if let Prepared::Server(statement) = &self.prepared {
                return statement.execute(values);
            }
            Ok(self.prepared.sqlite().execute(values)?)
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
        if let Prepared::Server(statement) = &self.prepared {
            return Ok(Rows {
                found: Found::Server(statement.query(values)?),
                keys: self.keys,
            });
        }
        Ok(Rows {
            found: Found::Sqlite(self.prepared.sqlite().query(values)?),
            keys: self.keys,
        })
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
pub struct Rows<'s> {
    found: Found<'s>,
    keys: Option<&'s Keyring>,
}

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
        let values = match &mut self.found {
            Found::Sqlite(rows) => rows.next()?.map(Values::Sqlite),
            #[cfg(feature = "postgres")]
            Found::Server(rows) => rows.next().map(Values::Server),
        };
        let keys = self.keys;
        Ok(values.map(|values| Row { values, keys }))
    }

    /// The names of their columns.
    pub fn column_names(&self) -> Vec<String> {
        match &self.found {
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
pub struct Row<'r> {
    values: Values<'r>,
    keys: Option<&'r Keyring>,
}

enum Values<'r> {
    Sqlite(&'r rusqlite::Row<'r>),
    #[cfg(feature = "postgres")]
    Server(postgres::Row<'r>),
}

impl Row<'_> {
    /// The value of a column; what is sealed is opened.
    ///
    /// # Errors
    ///
    /// There is no such column, or its value is none of `T`, or no key opens it.
    pub fn get<I: ColumnIndex, T: FromSql>(&self, column: I) -> Result<T> {
        let value = self.get_ref(column)?;
        if let Some(keys) = self.keys
            && let ValueRef::Text(text) = value
            && text.first() == Some(&(sealing::MARK as u8))
        {
            let opened = std::str::from_utf8(text)
                .map_err(|_| SealError::Damaged)
                .and_then(|text| keys.open(text))
                .map_err(|error| unreadable(column, &error))?;
            return T::column_result(ValueRef::Text(opened.as_bytes()))
                .map_err(|error| unreadable(column, &error));
        }
        T::column_result(value).map_err(|error| unreadable(column, &error))
    }

    /// The value of a column as it is in the database.
    ///
    /// # Errors
    ///
    /// There is no such column.
    pub fn get_ref(&self, column: impl ColumnIndex) -> Result<ValueRef<'_>> {
        match &self.values {
            Values::Sqlite(row) => Ok(row.get_ref(column)?),
            #[cfg(feature = "postgres")]
            Values::Server(row) => row
                .value(column)
                .ok_or_else(|| Error::Value(format!("there is no column {}", column.shown()))),
        }
    }
}

#[cold]
fn unreadable(column: impl ColumnIndex, error: &dyn std::error::Error) -> Error {
    Error::Value(format!("column {}: {error}", column.shown()))
}
