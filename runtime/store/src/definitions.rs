//! Definitions of executables: which are in use, so that their copies and unpacked files are kept, and by which URIs they are
//! registered.

use std::collections::BTreeSet;

use hpdlc_core::app_uri::{self, AppLocation};

use crate::{
    query::{self, DefinitionRow},
    schema,
    sql::{self, Connection, OptionalExtension},
};

/// The users of a definition's copy, with their job trees: a job is driven by it, a coordinator creates workflows with it, or it was
/// registered for later calls or deployed. Former runs of a job do not need one, since they are never driven again.
const USERS: [(&str, &str); 4] = [
    ("jobs", "SELECT DISTINCT hash, root_id FROM jobs"),
    (
        "coordinator_revisions",
        "SELECT DISTINCT coordinator_revisions.hash, root_id FROM coordinator_revisions JOIN jobs ON jobs.id = job_id",
    ),
    (
        "registrations",
        "SELECT DISTINCT hash, '' FROM registrations",
    ),
    ("applications", "SELECT hash, '' FROM applications"),
];

/// Parses the definition that a command changes a coordinator to, if it does.
type Asked = fn(&str) -> Option<String>;

/// The definitions in use, not counting the trees in `gone`; `asked` parses the commands that update coordinators.
pub fn used(
    connection: &Connection,
    gone: &BTreeSet<String>,
    asked: Asked,
) -> sql::Result<BTreeSet<String>> {
    let mut used = BTreeSet::new();
    for (table, sql) in USERS {
        // Stores of older formats have fewer tables.
        if !schema::has_table(connection, table)? {
            continue;
        }
        let mut statement = connection.prepare(sql)?;
        let mut rows = statement.query([])?;
        while let Some(row) = rows.next()? {
            let root: String = row.get(1)?;
            if !gone.contains(&root) {
                used.insert(row.get(0)?);
            }
        }
    }
    used.extend(updates(connection, gone, asked)?);
    Ok(used)
}

/// The definitions in commands that coordinators have not handled yet.
fn updates(
    connection: &Connection,
    gone: &BTreeSet<String>,
    asked: Asked,
) -> sql::Result<Vec<String>> {
    let mut hashes = Vec::new();
    let mut statement = connection.prepare(
        "SELECT verb, root_id FROM commands JOIN jobs ON jobs.id = job_id WHERE handled IS NULL",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (text, root): (String, String) = (row.get(0)?, row.get(1)?);
        if text.starts_with("update ") && !gone.contains(&root) {
            hashes.extend(asked(&text));
        }
    }
    Ok(hashes)
}

pub fn forget(connection: &Connection, hash: &str) -> sql::Result<()> {
    connection.execute("DELETE FROM definitions WHERE hash = ?1", [hash])?;
    Ok(())
}

/// Registers this executable for sub-workflows and users under `uris`; returns those that were registered there before.
pub fn register(
    connection: &Connection,
    definition: &DefinitionRow,
    uris: &[String],
) -> sql::Result<Vec<String>> {
    query::register_definition(connection, definition)?;
    let mut replaced = Vec::new();
    for uri in uris {
        for (known, hash) in spellings_of(connection, uri)? {
            if known != *uri {
                connection.execute("DELETE FROM registrations WHERE uri = ?1", [&known])?;
            }
            if hash != definition.hash {
                replaced.push(hash);
            }
        }
        connection.execute(
            "INSERT INTO registrations (uri, hash, created) VALUES (?1, ?2, ?3)
             ON CONFLICT (uri) DO UPDATE SET hash = excluded.hash, created = excluded.created",
            (uri, &definition.hash, definition.created),
        )?;
    }
    Ok(replaced)
}

/// The registrations of the location that a URI refers to, in any spelling: the URI and the hash of each.
fn spellings_of(connection: &Connection, uri: &str) -> sql::Result<Vec<(String, String)>> {
    let place = AppLocation::of(uri);
    let mut all = registrations(connection)?;
    all.retain(|(known, _)| AppLocation::of(known) == place);
    Ok(all)
}

/// Every URI that is registered, with the hash of the executable.
pub fn registrations(connection: &Connection) -> sql::Result<Vec<(String, String)>> {
    let mut statement = connection.prepare_cached("SELECT uri, hash FROM registrations")?;
    let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// A row of `registrations`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registration {
    pub uri: String,
    pub hash: String,
    /// Milliseconds since 1970.
    pub created: i64,
}

/// The registrations whose URIs begin with `start`.
pub fn registrations_below(connection: &Connection, start: &str) -> sql::Result<Vec<Registration>> {
    let mut statement =
        connection.prepare_cached("SELECT uri, hash, created FROM registrations")?;
    let rows = statement.query_map([], |row| {
        Ok(Registration {
            uri: row.get(0)?,
            hash: row.get(1)?,
            created: row.get(2)?,
        })
    })?;
    let all: sql::Result<Vec<Registration>> = rows.collect();
    Ok(all?
        .into_iter()
        .filter(|it| it.uri.starts_with(start))
        .collect())
}

/// Takes back a registration, unless another one has replaced it.
pub fn unregister(connection: &Connection, registration: &Registration) -> sql::Result<()> {
    connection.execute(
        "DELETE FROM registrations WHERE uri = ?1 AND hash = ?2 AND created = ?3",
        (&registration.uri, &registration.hash, registration.created),
    )?;
    Ok(())
}

/// The registration of a URI, however it is spelled. Where several of one executable leave the file system open, any of them.
pub fn registration(connection: &Connection, uri: &str) -> sql::Result<Option<Registration>> {
    let mut all = registrations_below(connection, "")?;
    let place = AppLocation::of(uri);
    if let Some(at) = all
        .iter()
        .position(|row| AppLocation::of(&row.uri) == place)
    {
        return Ok(Some(all.swap_remove(at)));
    }
    let known: Vec<(&str, &str)> = all
        .iter()
        .map(|row| (row.uri.as_str(), row.hash.as_str()))
        .collect();
    let Some(hash) = app_uri::find(&known, uri) else {
        return Ok(None);
    };
    let open = all.iter().find(|row| {
        let of_one = [(row.uri.as_str(), row.hash.as_str())];
        row.hash == hash && app_uri::find(&of_one, uri).is_some()
    });
    Ok(open.cloned())
}

/// The executable that is registered for a URI, however it is spelled.
pub fn registered(connection: &Connection, uri: &str) -> sql::Result<Option<DefinitionRow>> {
    match registration(connection, uri)? {
        Some(found) => query::definition(connection, &found.hash),
        None => Ok(None),
    }
}

/// A definition of an application, and the jobs that no other job has started with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinitionVersion {
    pub definition: DefinitionRow,
    pub n_jobs: u64,
    /// When the newest one was created, in milliseconds since 1970.
    pub last_job: Option<i64>,
}

/// The definitions that have had a name, the newest first.
pub fn versions(connection: &Connection, app: &str) -> sql::Result<Vec<DefinitionVersion>> {
    let mut statement = connection.prepare(
        "SELECT d.hash, count(jobs.id), max(jobs.created) FROM definitions d
         LEFT JOIN jobs ON jobs.hash = d.hash AND jobs.app = d.app AND jobs.parent_id IS NULL
         WHERE d.app = ?1 GROUP BY d.hash ORDER BY d.created DESC, d.hash",
    )?;
    let mut rows = statement.query([app])?;
    let mut all = Vec::new();
    while let Some(row) = rows.next()? {
        let (hash, n_jobs): (String, i64) = (row.get(0)?, row.get(1)?);
        let Some(definition) = query::definition(connection, &hash)? else {
            continue;
        };
        all.push(DefinitionVersion {
            definition,
            n_jobs: u64::try_from(n_jobs).unwrap_or_default(),
            last_job: row.get(2)?,
        });
    }
    Ok(all)
}

/// The executable whose application has that name: the newest one.
pub fn registered_by_name(
    connection: &Connection,
    app: &str,
) -> sql::Result<Option<DefinitionRow>> {
    let hash: Option<String> = connection
        .query_row(
            "SELECT hash FROM definitions WHERE app = ?1 AND door = 'program' ORDER BY created DESC LIMIT 1",
            [app],
            |row| row.get(0),
        )
        .optional()?;
    hash.map_or(Ok(None), |hash| query::definition(connection, &hash))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands;

    fn asked(text: &str) -> Option<String> {
        text.strip_prefix("update ").map(str::to_owned)
    }

    #[test]
    fn jobs_coordinators_and_registrations_need_a_definition_and_former_runs_do_not() {
        let connection = crate::testing::store();
        connection
            .execute_batch(
                "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, conf, hash, app_index, root_id, depth,
                     epoch) VALUES
                     ('w', 'W', '', '', '', 'KILLED', 1, 0, '{}', 'new', 0, 'w', 0, 0),
                     ('c', 'C', '', '', '', 'RUNNING', 0, 0, '{}', 'first', 0, 'c', 0, 0);
                 INSERT INTO runs (job_id, run, status, conf, hash) VALUES ('w', 0, 'KILLED', '{}', 'old');
                 INSERT INTO coordinator_revisions VALUES ('c', 2, 'second', 0, '{}', '{}');
                 INSERT INTO registrations VALUES ('uri', 'called', 0);",
            )
            .unwrap();
        let used = |gone: &[&str]| -> Vec<String> {
            let gone = gone.iter().map(|root| (*root).to_owned()).collect();
            super::used(&connection, &gone, asked)
                .unwrap()
                .into_iter()
                .collect()
        };
        assert_eq!(used(&[]), ["called", "first", "new", "second"]);
        assert_eq!(used(&["w"]), ["called", "first", "second"]);
        assert_eq!(used(&["w", "c"]), ["called"]);
        commands::add(&connection, "c", "update asked", 0).unwrap();
        assert_eq!(used(&["w"]), ["asked", "called", "first", "second"]);
        assert_eq!(used(&["w", "c"]), ["called"]);
        connection
            .execute("UPDATE commands SET handled = 1", [])
            .unwrap();
        assert_eq!(used(&["w"]), ["called", "first", "second"]);
    }

    #[test]
    fn a_store_of_the_first_format_has_fewer_who_need_one() {
        let connection = Connection::open_in_memory().unwrap();
        connection
            .execute_batch(
                "CREATE TABLE jobs (id TEXT, hash TEXT, root_id TEXT); CREATE TABLE commands (job_id TEXT, verb TEXT, handled INTEGER); INSERT INTO jobs VALUES ('w', 'a', 'w');",
            )
            .unwrap();
        let used = used(&connection, &BTreeSet::new(), asked).unwrap();
        assert_eq!(used.into_iter().collect::<Vec<_>>(), ["a"]);
    }
}
