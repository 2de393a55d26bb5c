//! The hosts that use one database: which of them is alive, and which drives a job. A store in a file has a single host.
//!
//! A *host* is a state folder. Its processes prove that it is alive ([`Prover`]); when that has not happened for its timeout it counts as
//! gone, and by then it has ended its local processes ([`hpdlc_host::liveness`]). Who drives a job has a lock in its session, and is known
//! by the name of that session.

use std::collections::BTreeSet;

use crate::sql::{self, Connection, OptionalExtension};

mod boot_mark;
mod elsewhere;
mod prover;

pub use self::{
    boot_mark::{host_of, is_same_boot, mark_of},
    elsewhere::{Elsewhere, elsewhere},
    prover::{Prover, prove},
};

/// The number of a job, which its id starts with, as the key of a lock.
fn number(root: &str) -> i64 {
    let digits = root.split('-').next().unwrap_or_default();
    digits.parse::<i64>().unwrap_or_default() & i64::from(i32::MAX)
}

/// Takes the lock of a job's owner for the session of a connection, and for those that replace it; `false` if a session of another living
/// host has it. To be called by the process that has the job's lock on host `own`.
///
/// # Errors
///
/// The database refuses.
pub fn take_job(connection: &Connection, root: &str, own: Option<&str>) -> sql::Result<bool> {
    let (Some(own), Some(store)) = (own, connection.store_key()) else {
        return Ok(true);
    };
    let quoted = |text: &str| text.replace('\'', "''");
    let sql = format!(
        "SELECT take_job({store}, {}, '{}', '{}')",
        number(root),
        quoted(root),
        quoted(own)
    );
    let is_taken = connection.query_row(&sql, [], |row| row.get(0))?;
    if is_taken {
        connection.in_later_sessions(&sql);
    }
    Ok(is_taken)
}

/// The machine of another living host where actions of a job tree run, or may still run because they were killed and nobody has confirmed
/// it: only that host can await or cause their ends.
///
/// # Errors
///
/// The database refuses.
pub fn bound_to(
    connection: &Connection,
    root: &str,
    own: Option<&str>,
) -> sql::Result<Option<String>> {
    let Some(own) = own else {
        return Ok(None);
    };
    connection
        .prepare_cached(
            "SELECT machine FROM living_hosts() WHERE id <> ?2 AND id IN (
                 SELECT split_part(boot_id, '@', 2) FROM jobs JOIN actions ON job_id = jobs.id
                 WHERE root_id = ?1 AND (actions.status = 'RUNNING' OR canceling <> 0))",
        )?
        .query_row((root, own), |row| row.get(0))
        .optional()
}

/// The jobs at the top that another host has driven last.
///
/// # Errors
///
/// The database refuses.
pub fn roots_of_others(
    connection: &Connection,
    own: Option<&str>,
) -> sql::Result<BTreeSet<String>> {
    let Some(own) = own else {
        return Ok(BTreeSet::new());
    };
    connection
        .prepare("SELECT id FROM jobs WHERE owner_host <> ?1")?
        .query_map([own], |row| row.get(0))?
        .collect()
}

/// Where a host is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostPlace {
    pub machine: String,
    /// Its state folder.
    pub folder: String,
}

/// Where a host is. One that was gone for long is not listed any more: its id is all that is known.
///
/// # Errors
///
/// The database refuses.
pub fn place_of(connection: &Connection, id: &str) -> sql::Result<HostPlace> {
    let place = connection
        .prepare_cached("SELECT machine, folder FROM hosts WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(HostPlace {
                machine: row.get(0)?,
                folder: row.get(1)?,
            })
        })
        .optional()?;
    Ok(place.unwrap_or_else(|| HostPlace {
        machine: id.to_owned(),
        folder: "?".to_owned(),
    }))
}

/// Where the host of a mark is, unless it is `own`.
///
/// # Errors
///
/// The database refuses.
pub fn other_place(
    connection: &Connection,
    mark: Option<&str>,
    own: Option<&str>,
) -> sql::Result<Option<HostPlace>> {
    let other = mark
        .and_then(host_of)
        .filter(|it| own.is_some_and(|own| own != *it));
    other.map(|id| place_of(connection, id)).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_has_the_number_of_its_job() {
        assert_eq!(number("0000042-261130093000123-hpdl-W"), 42);
        assert_eq!(number("2147483649-261130093000123-hpdl-W"), 1);
        assert_eq!(number("x"), 0);
    }
}
