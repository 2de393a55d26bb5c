//! Which state folder uses the database. Another one is refused: processes, locks and work folders of its jobs are in the first.
//!
//! Every process of a state folder has a lock in its session, by which it is known whether any is connected. A folder that was made anew at
//! the same place of the same machine takes the place of the former one.

use hpdlc_host::{
    clock,
    exit::RunError,
    home::{Home, secret},
};

use crate::{
    StoreError,
    sql::{self, Connection, OptionalExtension},
};

/// The class of the locks of state folders ("host" in ASCII).
const LOCK_CLASS: i32 = 0x686f_7374;

/// A row of `hosts`.
#[derive(Debug, PartialEq, Eq)]
struct Host {
    id: String,
    machine: String,
    folder: String,
}

impl Host {
    fn own(home: &Home) -> Result<Host, RunError> {
        let path = home.host_id();
        let bytes = secret::of(&path)
            .map_err(|error| RunError::machine(format!("{}: {error}", path.display())))?;
        let digits = bytes.iter().take(16).map(|byte| format!("{byte:02x}"));
        let name = rustix::system::uname();
        Ok(Host {
            id: digits.collect(),
            machine: name.nodename().to_string_lossy().into_owned(),
            folder: home.root().display().to_string(),
        })
    }

    fn recorded(connection: &Connection) -> sql::Result<Option<Host>> {
        connection
            .prepare_cached("SELECT id, machine, folder FROM hosts")?
            .query_row([], |row| {
                Ok(Host {
                    id: row.get(0)?,
                    machine: row.get(1)?,
                    folder: row.get(2)?,
                })
            })
            .optional()
    }

    /// The key of its processes' lock: the first digits of its random id.
    fn lock_key(&self) -> i32 {
        let digits = self.id.get(..8).unwrap_or_default();
        u32::from_str_radix(digits, 16).map_or(0, u32::cast_signed)
    }

    fn is_at_the_place_of(&self, other: &Host) -> bool {
        (&self.machine, &self.folder) == (&other.machine, &other.folder)
    }
}

/// Records this state folder, or checks that it is the recorded one.
pub(super) fn check(connection: &Connection, home: &Home) -> Result<(), RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let own = Host::own(home)?;
    let mut known = Host::recorded(connection).map_err(describe)?;
    if known.as_ref() != Some(&own) {
        known = settle(connection, &own).map_err(describe)?;
    }
    match known {
        Some(other) if other.id != own.id => Err(refusal(home, &other)),
        _ => {
            let key = own.lock_key();
            let lock = format!("SELECT pg_advisory_lock_shared({LOCK_CLASS}, {key})");
            let server = connection.server();
            server
                .map_or(Ok(()), |it| it.always(&lock))
                .map_err(describe)
        }
    }
}

/// Makes a state folder the recorded one, if there is none or it is at the same place and no process of the former is connected; returns the
/// recorded one.
fn settle(connection: &Connection, own: &Host) -> sql::Result<Option<Host>> {
    let transaction = connection.transaction()?;
    if let Some(known) = Host::recorded(&transaction)? {
        let is_free = || {
            let sql = "SELECT pg_try_advisory_xact_lock(?1, ?2)";
            let key = (LOCK_CLASS, known.lock_key());
            transaction.query_row(sql, key, |row| row.get::<_, bool>(0))
        };
        let is_renamed = known.id == own.id;
        let follows = is_renamed || own.is_at_the_place_of(&known) && is_free()?;
        if !follows {
            return Ok(Some(known));
        }
        transaction.execute("DELETE FROM hosts", [])?;
    }
    transaction.execute(
        "INSERT INTO hosts (id, machine, folder, created) VALUES (?1, ?2, ?3, ?4)",
        (&own.id, &own.machine, &own.folder, clock::now_millis()),
    )?;
    transaction.commit()?;
    Host::recorded(connection)
}

fn refusal(home: &Home, other: &Host) -> RunError {
    RunError::usage(format!(
        "job store {}: it is used by the state folder {} of {}; a database for several state folders is not supported yet",
        home.store_location(),
        other.folder,
        other.machine
    ))
    .with_help(
        "add schema=NAME to the URL for a store of this folder's own; if the other folder is gone for good: DELETE FROM hosts",
    )
}
