//! The hosts that use one database: which of them is alive, and which drives a job. A store in a file has a single host.
//!
//! A *host* is a state folder. Its processes prove that it is alive ([`Prover`]); when that has not happened for its timeout it counts as
//! gone, and by then it has ended its local processes ([`hpdlc_host::liveness`]). Who drives a job has a lock in its session, and is known
//! by the name of that session.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hpdlc_host::{
    exit::RunError,
    home::{Home, store_location::StoreLocation},
};

use crate::{
    StoreError, postgres,
    sql::{self, Connection, OptionalExtension},
};

/// How long the found owners of other hosts count.
const FRESH: Duration = Duration::from_millis(100);

/// How long the database may take to say who they are.
const PATIENCE: Duration = Duration::from_secs(5);

/// Between what identifies the boot of a machine and the id of the host, in `boot_id` of an action.
const OF_HOST: char = '@';

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

/// The machine of another living host where actions of a job tree run: only that host can await their ends.
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
                 WHERE root_id = ?1 AND actions.status = 'RUNNING')",
        )?
        .query_row((root, own), |row| row.get(0))
        .optional()
}

/// The machine and the state folder of a host.
///
/// # Errors
///
/// The database refuses.
pub fn place_of(connection: &Connection, id: &str) -> sql::Result<Option<(String, String)>> {
    if connection.store_key().is_none() {
        return Ok(None);
    }
    connection
        .prepare_cached("SELECT machine, folder FROM hosts WHERE id = ?1")?
        .query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}

/// What identifies this boot of the machine and the host, in `boot_id` of an action.
pub fn mark_of(boot_id: &str, host: Option<&str>) -> String {
    match host {
        Some(host) => format!("{boot_id}{OF_HOST}{host}"),
        None => boot_id.to_owned(),
    }
}

/// The id of the host in such a mark.
pub fn host_of(mark: &str) -> Option<&str> {
    mark.split_once(OF_HOST).map(|(_, host)| host)
}

/// Whether two marks are of the same boot of the same host. A mark without a host was made for a store in a file.
pub fn is_same_boot(one: &str, other: &str) -> bool {
    let of_boot = |mark: &str| mark.split(OF_HOST).next().map(str::to_owned);
    let is_same_host = match (host_of(one), host_of(other)) {
        (Some(one), Some(other)) => one == other,
        (None, _) | (_, None) => true,
    };
    is_same_host && of_boot(one) == of_boot(other)
}

/// Who is responsible for a job on another host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Elsewhere {
    /// A process there drives it.
    Owner(String),
    /// Actions run there, whose ends only that host can await.
    Actions(String),
    /// The database does not answer.
    Unknown,
}

/// The owners that the other living hosts have.
struct Others {
    location: String,
    connection: Connection,
    own: String,
    found: Instant,
    /// Whether there is another living host.
    is_any: bool,
    /// Its machine, by the number of the job.
    owners: BTreeMap<i64, String>,
}

/// Which living host other than this one is responsible for a job, if any. Blocks for a moment.
pub fn elsewhere(home: &Home, root: &str) -> Option<Elsewhere> {
    static OTHERS: Mutex<Option<Others>> = Mutex::new(None);
    let StoreLocation::Postgres(url) = home.store_location() else {
        return None;
    };
    let mut others = OTHERS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = others.take().filter(|known| known.location == *url);
    let found = match known.map_or_else(|| Others::open(home, url).ok(), Some) {
        Some(open) => open.fresh(),
        None => None,
    };
    let Some(found) = found else {
        return Some(Elsewhere::Unknown);
    };
    let found = others.insert(found);
    if !found.is_any {
        return None;
    }
    if let Some(machine) = found.owners.get(&number(root)) {
        return Some(Elsewhere::Owner(machine.clone()));
    }
    match bound_to(&found.connection, root, Some(&found.own)) {
        Ok(machine) => machine.map(Elsewhere::Actions),
        Err(_) => Some(Elsewhere::Unknown),
    }
}

impl Others {
    fn open(home: &Home, url: &str) -> Result<Others, RunError> {
        let own = home
            .host()
            .map_err(|error| RunError::machine(error.to_string()))?;
        let mut others = Others {
            location: url.to_owned(),
            connection: postgres::look_within(home, url, PATIENCE)?,
            own: own.unwrap_or_default(),
            found: Instant::now(),
            is_any: false,
            owners: BTreeMap::new(),
        };
        others
            .find()
            .map_err(|error| StoreError::from(error).describe(home.store_location()))?;
        Ok(others)
    }

    /// Itself, read again if it is old; `None` if that fails.
    fn fresh(mut self) -> Option<Others> {
        if self.found.elapsed() > FRESH {
            self.find().ok()?;
        }
        Some(self)
    }

    fn find(&mut self) -> sql::Result<()> {
        let store = i64::from(self.connection.store_key().unwrap_or_default());
        let rows: Vec<(Option<i64>, String)> = self
            .connection
            .prepare_cached(
                "SELECT number, machine FROM living_hosts() AS other
                 LEFT JOIN job_owners(CAST(CAST(?1 AS BIGINT) AS INTEGER)) AS owner ON owner.host = other.id
                 WHERE other.id <> ?2",
            )?
            .query_map((store, &self.own), |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<sql::Result<_>>()?;
        self.is_any = !rows.is_empty();
        self.owners = rows
            .into_iter()
            .filter_map(|(number, machine)| Some((number?, machine)))
            .collect();
        self.found = Instant::now();
        Ok(())
    }
}

/// Proves that a host is alive, by a connection of its own.
#[derive(Debug)]
pub struct Prover {
    connection: Connection,
    host: String,
}

impl Prover {
    /// Connects. A server that does not answer soon is an error: the next attempt may find another.
    ///
    /// # Errors
    ///
    /// It cannot be reached.
    pub fn open(home: &Home, host: &str, patience: Duration) -> Result<Prover, RunError> {
        let StoreLocation::Postgres(url) = home.store_location() else {
            return Err(RunError::usage("a store in a file has no hosts"));
        };
        let connection = postgres::look_within(home, url, patience)?;
        let host = host.to_owned();
        Ok(Prover { connection, host })
    }

    /// See [`prove`].
    ///
    /// # Errors
    ///
    /// The server cannot be reached.
    pub fn prove(&self, timeout: Duration) -> sql::Result<()> {
        prove(&self.connection, &self.host, timeout)
    }
}

/// Records that a host is alive: from now on, by the clock of the server, it counts as alive for `timeout`.
///
/// # Errors
///
/// The server cannot be reached, or the host is not registered.
pub fn prove(connection: &Connection, host: &str, timeout: Duration) -> sql::Result<()> {
    let timeout = i64::try_from(timeout.as_millis()).unwrap_or(i64::MAX);
    let n = connection
        .prepare_cached(
            "UPDATE hosts SET seen = CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT), timeout = ?2 WHERE id = ?1",
        )?
        .execute((host, timeout))?;
    if n == 0 {
        return Err(sql::Error::NoRow);
    }
    Ok(())
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

    #[test]
    fn a_mark_is_of_a_boot_and_a_host() {
        let here = mark_of("boot", Some("a"));
        assert_eq!(host_of(&here), Some("a"));
        for (other, expected) in [
            (mark_of("boot", Some("a")), true),
            (mark_of("boot", Some("b")), false),
            (mark_of("next", Some("a")), false),
            // From a store in a file.
            (mark_of("boot", None), true),
            (mark_of("next", None), false),
            (String::new(), false),
        ] {
            assert_eq!(is_same_boot(&here, &other), expected, "{other}");
        }
    }
}
