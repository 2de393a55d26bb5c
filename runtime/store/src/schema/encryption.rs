//! Whether values in the store are encrypted, and by which key: `key` of `meta`.

use hpdlc_host::{
    exit::RunError,
    home::{Home, store_key},
};

use super::{FORMAT_ENCRYPTED, FORMAT_MAJOR};
use crate::{
    StoreError,
    sql::{self, Connection},
};

/// The minor version that has added the column.
const SINCE_MINOR: i64 = 13;

/// What the key seals.
const WORD: &str = "hpdl";

/// Refuses a store whose key is not among those of the connection. One whose values are not encrypted by the first of these is marked, so
/// that others that do not have it are refused.
///
/// # Errors
///
/// Exit 2 if there is no key or another one, exit 5 if the store cannot be read or marked.
pub(crate) fn check(connection: &Connection, home: &Home) -> Result<(), RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let former = expect_key(connection, home)?;
    let Some(keys) = connection.keys() else {
        return Ok(());
    };
    if former
        .as_deref()
        .is_some_and(|former| keys.is_current(former))
    {
        return Ok(());
    }
    mark(connection, former.as_deref()).map_err(describe)
}

/// Refuses a store whose key is not among those of the connection; returns what its key has sealed.
///
/// # Errors
///
/// As [`check`].
pub(crate) fn expect_key(connection: &Connection, home: &Home) -> Result<Option<String>, RunError> {
    let store = home.store_location();
    let sealed = sealed_word(connection);
    let sealed = sealed.map_err(|error| StoreError::from(error).describe(store))?;
    let Some(sealed) = sealed else {
        return Ok(None);
    };
    let setting = store_key::SETTING;
    let Some(keys) = connection.keys() else {
        return Err(RunError::usage(format!(
            "values in the job store {store} are encrypted, and {setting} is not set"
        ))
        .with_help(format!(
            "set {setting} in the settings file as where the store was written, or {}",
            store_key::VARIABLE
        )));
    };
    match keys.open(&sealed) {
        Ok(_) => Ok(Some(sealed)),
        Err(error) => Err(RunError::usage(format!(
            "values in the job store {store} cannot be decrypted: {error} (it names {})",
            keys.ids()
        ))
        .with_help(format!(
            "add that key to {setting}, after a comma: the first one encrypts, all of them decrypt"
        ))),
    }
}

/// What the key has sealed, as it is in the store; `None` if that is not encrypted.
fn sealed_word(connection: &Connection) -> sql::Result<Option<String>> {
    let (major, minor): (i64, i64) =
        connection.query_row("SELECT format_major, format_minor FROM meta", [], |row| {
            Ok((row.get(0)?, row.get(1)?))
        })?;
    // Older formats have no such column.
    if major == FORMAT_MAJOR && minor < SINCE_MINOR {
        return Ok(None);
    }
    connection.query_row("SELECT key FROM meta", [], |row| {
        Ok(match row.get_ref(0)? {
            sql::ValueRef::Text(text) => Some(String::from_utf8_lossy(text).into_owned()),
            _ => None,
        })
    })
}

/// Records that the first key of the connection is in use, unless another process has changed it meanwhile.
fn mark(connection: &Connection, former: Option<&str>) -> sql::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute(
        "UPDATE meta SET key = ?1, format_major = ?2 WHERE key IS NOT DISTINCT FROM ?3",
        (transaction.sealed(WORD), FORMAT_ENCRYPTED, former),
    )?;
    transaction.commit()
}
