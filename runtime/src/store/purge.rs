//! Rows of jobs that go.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension};

/// Whole trees in which every job ended before `before` (milliseconds since 1970) and nothing is left to be stopped. What a
/// coordinator or a bundle has started stays as long as that does, and comes after it.
pub fn ended_trees(connection: &Connection, before: i64) -> rusqlite::Result<Vec<String>> {
    let roots: Vec<String> = connection
        .prepare(
            "SELECT root_id FROM jobs GROUP BY root_id
             HAVING min(status IN ('SUCCEEDED', 'KILLED', 'FAILED')) AND max(coalesce(ended, ?1)) < ?1
             ORDER BY root_id",
        )?
        .query_map([before], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let mut gone = BTreeSet::new();
    let order = |root: &String| ["-B", "-C"].iter().position(|kind| root.ends_with(kind));
    let mut ordered = roots;
    ordered.sort_by_key(|root| order(root).unwrap_or(2));
    ordered.retain(|root| {
        let goes = match starter(connection, root) {
            Ok(Some(starter)) => gone.contains(&starter),
            Ok(None) => true,
            Err(_) => false,
        };
        if goes {
            gone.insert(root.clone());
        }
        goes
    });
    Ok(ordered)
}

/// The coordinator or bundle that has started a job, if it is still there.
fn starter(connection: &Connection, root: &str) -> rusqlite::Result<Option<String>> {
    connection
        .query_row(
            "SELECT starter.id FROM jobs JOIN jobs starter
                 ON starter.id = substr(jobs.parent_id, 1, instr(jobs.parent_id || '@', '@') - 1)
             WHERE jobs.id = ?1 AND jobs.root_id = ?1",
            [root],
            |row| row.get(0),
        )
        .optional()
}

/// The jobs of a tree that is as [`ended_trees`] wants it, and none where it is not.
pub fn tree_if_ended(
    connection: &Connection,
    root: &str,
    before: i64,
) -> rusqlite::Result<Vec<String>> {
    let keeps: Option<i64> = connection
        .query_row(
            "SELECT 1 FROM jobs WHERE root_id = ?1
                 AND (status NOT IN ('SUCCEEDED', 'KILLED', 'FAILED') OR coalesce(ended, ?2) >= ?2)
             UNION SELECT 1 FROM jobs JOIN actions ON job_id = jobs.id WHERE root_id = ?1 AND canceling",
            (root, before),
            |row| row.get(0),
        )
        .optional()?;
    if keeps.is_some() {
        return Ok(Vec::new());
    }
    connection
        .prepare("SELECT id FROM jobs WHERE root_id = ?1 ORDER BY id")?
        .query_map([root], |row| row.get(0))?
        .collect()
}

/// Deletes the jobs of a tree; what belongs to them goes with them.
pub fn delete_tree(connection: &Connection, root: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM jobs WHERE root_id = ?1", [root])?;
    Ok(())
}

pub fn job_ids(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    connection
        .prepare("SELECT id FROM jobs")?
        .query_map([], |row| row.get(0))?
        .collect()
}

pub fn is_job(connection: &Connection, id: &str) -> rusqlite::Result<bool> {
    connection
        .query_row("SELECT 1 FROM jobs WHERE id = ?1", [id], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
}

/// The definitions that jobs belong to, or that somebody has registered to be called later.
pub fn used_definitions(connection: &Connection) -> rusqlite::Result<BTreeSet<String>> {
    let mut used: BTreeSet<String> = connection
        .prepare("SELECT DISTINCT hash FROM jobs")?
        .query_map([], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    // Later minor versions of the format have more tables that name definitions.
    for table in ["registrations", "runs", "coordinator_revisions"] {
        let is_there: Option<i64> = connection
            .query_row(
                "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?1",
                [table],
                |row| row.get(0),
            )
            .optional()?;
        if is_there.is_some() {
            let hashes = connection
                .prepare(&format!("SELECT DISTINCT hash FROM {table}"))?
                .query_map([], |row| row.get(0))?
                .collect::<rusqlite::Result<Vec<String>>>()?;
            used.extend(hashes);
        }
    }
    Ok(used)
}

pub fn forget_definition(connection: &Connection, hash: &str) -> rusqlite::Result<()> {
    connection.execute("DELETE FROM definitions WHERE hash = ?1", [hash])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema;

    fn store() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::create(&mut connection).unwrap();
        connection
            .pragma_update(None, "foreign_keys", "ON")
            .unwrap();
        for (id, root, status, ended) in [
            ("old", "old", "SUCCEEDED", Some(10)),
            ("old-child", "old", "KILLED", Some(5)),
            ("new", "new", "SUCCEEDED", Some(100)),
            ("runs", "runs", "RUNNING", None),
            ("half", "half", "KILLED", Some(10)),
            ("half-child", "half", "RUNNING", None),
            ("stops", "stops", "KILLED", Some(10)),
        ] {
            connection
                .execute(
                    "INSERT INTO jobs (id, kind, app, app_path, user, status, run, created, ended, conf, hash, app_index,
                         root_id, depth, epoch)
                     VALUES (?1, 'W', '', '', '', ?3, 0, 0, ?4, '{}', ?1, 0, ?2, 0, 0)",
                    (id, root, status, ended),
                )
                .unwrap();
        }
        connection
            .execute(
                "INSERT INTO actions (job_id, name, type, status, retries, attempt, user_retries, transient_retries,
                     live_strands, canceling)
                 VALUES ('stops', 'a', 'shell', 'KILLED', 0, 1, 0, 0, 0, 1), ('old', 'a', 'shell', 'OK', 0, 1, 0, 0, 0, 0)",
                [],
            )
            .unwrap();
        connection
    }

    #[test]
    fn only_whole_trees_go_that_ended_long_ago() {
        let connection = store();
        assert_eq!(ended_trees(&connection, 50).unwrap(), ["old", "stops"]);
        assert_eq!(
            tree_if_ended(&connection, "old", 50).unwrap(),
            ["old", "old-child"]
        );
        for kept in ["new", "runs", "half", "stops"] {
            assert!(
                tree_if_ended(&connection, kept, 50).unwrap().is_empty(),
                "{kept}"
            );
        }
        delete_tree(&connection, "old").unwrap();
        let n_actions: i64 = connection
            .query_row("SELECT count(*) FROM actions", [], |row| row.get(0))
            .unwrap();
        assert_eq!(n_actions, 1, "actions go with their job");
        assert!(!used_definitions(&connection).unwrap().contains("old"));
        assert!(used_definitions(&connection).unwrap().contains("new"));
    }
}
