//! The registration of this state folder among the hosts of a database, and the secrets that all of them share.

use std::path::PathBuf;

use hpdlc_host::{
    clock,
    exit::RunError,
    home::{Home, private_file, secret},
};

use crate::{
    StoreError,
    sql::{self, Connection, OptionalExtension},
};

/// How long a host that has not been seen stays listed.
const KEPT: i64 = 30 * 24 * 3600 * 1000;

/// A row of `hosts`.
#[derive(Debug, PartialEq, Eq)]
struct Host {
    id: String,
    machine: String,
    folder: String,
}

/// The secrets of a state folder that have to be those of the other hosts: an application that one has started is found by another, and
/// a callback is answered by each, and a user who
/// is signed in at one is so at all.
fn shared_keys(home: &Home) -> [(&'static str, PathBuf); 3] {
    [
        ("tags", home.tag_key()),
        ("callbacks", home.callback_key()),
        ("server", home.server_key()),
    ]
}

/// Records this state folder, if that has not been done.
pub(super) fn check(connection: &Connection, home: &Home, id: String) -> Result<(), RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let name = rustix::system::uname();
    let own = Host {
        id,
        machine: name.nodename().to_string_lossy().into_owned(),
        folder: home.root().display().to_string(),
    };
    let known = recorded(connection, &own.id).map_err(describe)?;
    if known.as_ref() == Some(&own) {
        return Ok(());
    }
    register(connection, &own).map_err(describe)?;
    share_keys(connection, home)
}

fn recorded(connection: &Connection, id: &str) -> sql::Result<Option<Host>> {
    connection
        .prepare_cached("SELECT id, machine, folder FROM hosts WHERE id = ?1")?
        .query_row([id], |row| {
            Ok(Host {
                id: row.get(0)?,
                machine: row.get(1)?,
                folder: row.get(2)?,
            })
        })
        .optional()
}

fn register(connection: &Connection, own: &Host) -> sql::Result<()> {
    let transaction = connection.transaction()?;
    // A folder made anew at the same place: nothing of the former is there any more, unless a process of it is connected.
    transaction.execute(
        "UPDATE hosts SET seen = 0 WHERE machine = ?1 AND folder = ?2 AND id <> ?3 AND id NOT IN
             (SELECT right(application_name, 32) FROM pg_stat_activity WHERE application_name IS NOT NULL)",
        (&own.machine, &own.folder, &own.id),
    )?;
    let now = clock::now_millis();
    transaction.execute(
        "DELETE FROM hosts WHERE created < ?1 AND seen < ?1",
        [now - KEPT],
    )?;
    transaction.execute(
        "INSERT INTO hosts (id, machine, folder, created) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (id) DO UPDATE SET machine = excluded.machine, folder = excluded.folder",
        (&own.id, &own.machine, &own.folder, now),
    )?;
    transaction.commit()
}

/// Takes over the secrets of the hosts before this one, or gives them its own.
fn share_keys(connection: &Connection, home: &Home) -> Result<(), RunError> {
    for (name, path) in shared_keys(home) {
        let failed =
            |error: std::io::Error| RunError::machine(format!("{}: {error}", path.display()));
        let own = secret::of(&path).map_err(failed)?;
        let shared = shared_key(connection, name, &own)
            .map_err(|error| StoreError::from(error).describe(home.store_location()))?;
        if shared != own {
            private_file::replace(&path, &shared).map_err(failed)?;
        }
    }
    Ok(())
}

fn shared_key(connection: &Connection, name: &str, own: &Vec<u8>) -> sql::Result<Vec<u8>> {
    connection.execute(
        "INSERT INTO keys (name, value) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
        (name, own),
    )?;
    connection.query_row("SELECT value FROM keys WHERE name = ?1", [name], |row| {
        row.get(0)
    })
}
