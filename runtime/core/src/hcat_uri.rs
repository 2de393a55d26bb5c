//! URIs of tables and their partitions (`HCatURI`).

use std::fmt;

/// `hcat://host:port/database/table/key=value;key=value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HcatUri {
    /// The metastore servers, as written.
    pub authority: String,
    pub database: String,
    pub table: String,
    /// In the written order; empty for the table as a whole.
    pub partition: Vec<(String, String)>,
}

/// Why a text is not a table URI.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HcatUriError {
    uri: String,
    problem: &'static str,
}

impl fmt::Display for HcatUriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no URI of a table: {}", self.uri, self.problem)
    }
}

impl std::error::Error for HcatUriError {}

impl HcatUri {
    /// # Errors
    ///
    /// What Oozie refuses with E0906.
    pub fn parse(uri: &str) -> Result<HcatUri, HcatUriError> {
        let fail = |problem| HcatUriError {
            uri: uri.to_owned(),
            problem,
        };
        let rest = uri
            .strip_prefix("hcat://")
            .ok_or_else(|| fail("it does not begin with `hcat://`"))?;
        let (authority, path) = rest
            .split_once('/')
            .ok_or_else(|| fail("there is no database"))?;
        if authority.is_empty() {
            return Err(fail("there is no server"));
        }
        let segments: Vec<&str> = path.split('/').filter(|part| !part.is_empty()).collect();
        let (database, table, partition) = match segments.as_slice() {
            [database, table] => (database, table, ""),
            [database, table, partition] => (database, table, *partition),
            _ => {
                return Err(fail(
                    "a database, a table, and at most one partition must follow the server",
                ));
            }
        };
        let pairs = partition.split(';').filter(|pair| !pair.is_empty());
        let partition = pairs
            .map(|pair| match pair.split('=').collect::<Vec<_>>()[..] {
                [key, value] if !key.is_empty() => Ok((key.to_owned(), value.to_owned())),
                _ => Err(fail("a partition is `key=value`, separated by `;`")),
            })
            .collect::<Result<_, _>>()?;
        Ok(HcatUri {
            authority: authority.to_owned(),
            database: (*database).to_owned(),
            table: (*table).to_owned(),
            partition,
        })
    }

    /// The value of a partition key.
    pub fn value(&self, key: &str) -> Option<&str> {
        let mut pairs = self.partition.iter();
        let pair = pairs.find(|(known, _)| known == key)?;
        Some(&pair.1)
    }
}
