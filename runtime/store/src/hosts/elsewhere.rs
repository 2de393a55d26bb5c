//! Which other host is responsible for a job.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use hpdlc_host::{
    exit::RunError,
    home::{Home, store_location::StoreLocation},
};

use super::{bound_to, number};
use crate::{
    StoreError, postgres,
    sql::{self, Connection},
};

/// How long the found owners of other hosts count: for so many times as long as it took to find them, and at least this.
///
/// The server goes through the locks of all sessions: with thousands of jobs and hundreds of processes that ask, it would do little else.
const FRESH: Duration = Duration::from_millis(100);
const FRESH_FACTOR: u32 = 50;
const LONGEST_FRESH: Duration = Duration::from_secs(2);

/// How long the database may take to say who they are.
const PATIENCE: Duration = Duration::from_secs(5);

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
    /// How long they count.
    fresh: Duration,
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
            fresh: FRESH,
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
        if self.found.elapsed() > self.fresh {
            self.find().ok()?;
        }
        Some(self)
    }

    fn find(&mut self) -> sql::Result<()> {
        let begun = Instant::now();
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
        self.fresh = FRESH.max(begun.elapsed() * FRESH_FACTOR).min(LONGEST_FRESH);
        Ok(())
    }
}
