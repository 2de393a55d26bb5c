//! Which state folder uses the database. Another one is refused: processes, locks and work folders of its jobs are in the first.

use hpdlc_host::{
    clock,
    exit::RunError,
    home::{Home, secret},
};

use crate::{
    StoreError,
    sql::{self, Connection, OptionalExtension},
};

/// The name of this machine.
fn machine() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Records this state folder, or checks that it is the recorded one.
pub(super) fn check(connection: &Connection, home: &Home) -> Result<(), RunError> {
    let describe = |error: sql::Error| StoreError::from(error).describe(home.store_location());
    let own = id(home)?;
    let known = recorded(connection).map_err(describe)?;
    let known = match known {
        Some(known) => known,
        None => {
            let transaction = connection.transaction().map_err(describe)?;
            let found = recorded(&transaction).map_err(describe)?;
            match found {
                Some(found) => found,
                None => {
                    let folder = home.root().display().to_string();
                    let row = (&own, machine(), folder, clock::now_millis());
                    transaction
                        .execute(
                            "INSERT INTO hosts (id, machine, folder, created) VALUES (?1, ?2, ?3, ?4)",
                            row,
                        )
                        .and_then(|_| transaction.commit())
                        .map_err(describe)?;
                    return Ok(());
                }
            }
        }
    };
    if known.id == own {
        return Ok(());
    }
    Err(RunError::usage(format!(
        "job store {}: it is used by the state folder {} of {}; a database for several state folders is not supported yet",
        home.store_location(),
        known.folder,
        known.machine
    ))
    .with_help(
        "add schema=NAME to the URL for a store of this folder's own; if the other folder is gone for good: DELETE FROM hosts",
    ))
}

struct Recorded {
    id: String,
    machine: String,
    folder: String,
}

fn recorded(connection: &Connection) -> sql::Result<Option<Recorded>> {
    connection
        .prepare_cached("SELECT id, machine, folder FROM hosts")?
        .query_row([], |row| {
            Ok(Recorded {
                id: row.get(0)?,
                machine: row.get(1)?,
                folder: row.get(2)?,
            })
        })
        .optional()
}

/// The id of a state folder, which it keeps.
fn id(home: &Home) -> Result<String, RunError> {
    let path = home.host_id();
    let bytes = secret::of(&path)
        .map_err(|error| RunError::machine(format!("{}: {error}", path.display())))?;
    Ok(bytes
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
