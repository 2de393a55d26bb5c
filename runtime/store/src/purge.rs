//! Deletion of jobs.

use std::collections::BTreeSet;

use crate::sql::{self, Connection, OptionalExtension};

/// A tree of jobs that may be deleted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndedTree {
    pub root: String,
    /// The coordinator or bundle that started it, if that still exists: it keeps the tree.
    pub starter: Option<String>,
}

/// Whole trees in which every job ended before `before` (milliseconds since 1970), except those started by a job that stays. A coordinator
/// or a bundle comes before the trees that it started. [`tree_if_ended`] also checks that nothing is left to be stopped.
pub fn ended_trees(connection: &Connection, before: i64) -> sql::Result<Vec<EndedTree>> {
    let mut trees: Vec<EndedTree> = connection
        .prepare(
            "SELECT ended.root_id, starter.id FROM (
                 SELECT root_id FROM jobs GROUP BY root_id
                 HAVING min(CASE WHEN status IN ('SUCCEEDED', 'KILLED', 'FAILED') THEN 1 ELSE 0 END) = 1
                     AND max(coalesce(ended, ?1)) < ?1
             ) AS ended
             LEFT JOIN jobs AS root ON root.id = ended.root_id AND root.root_id = root.id
             LEFT JOIN jobs AS starter
                 ON starter.id = substr(root.parent_id, 1, instr(root.parent_id || '@', '@') - 1)
             ORDER BY ended.root_id",
        )?
        .query_map([before], |row| {
            Ok(EndedTree {
                root: row.get(0)?,
                starter: row.get(1)?,
            })
        })?
        .collect::<sql::Result<_>>()?;
    let order = |tree: &EndedTree| {
        ["-B", "-C"]
            .iter()
            .position(|kind| tree.root.ends_with(kind))
    };
    trees.sort_by_key(|tree| order(tree).unwrap_or(2));
    let mut gone = BTreeSet::new();
    trees.retain(|tree| {
        let goes = tree
            .starter
            .as_ref()
            .is_none_or(|starter| gone.contains(starter));
        if goes {
            gone.insert(tree.root.clone());
        }
        goes
    });
    Ok(trees)
}

/// The jobs of a tree that may be deleted, and none if it may not.
pub fn tree_if_ended(connection: &Connection, root: &str, before: i64) -> sql::Result<Vec<String>> {
    let keeps: Option<i64> = connection
        .prepare_cached(
            "SELECT 1 FROM jobs WHERE root_id = ?1
                 AND (status NOT IN ('SUCCEEDED', 'KILLED', 'FAILED') OR coalesce(ended, ?2) >= ?2)
             UNION SELECT 1 FROM jobs JOIN actions ON job_id = jobs.id WHERE root_id = ?1 AND canceling <> 0",
        )?
        .query_row((root, before), |row| row.get(0))
        .optional()?;
    if keeps.is_some() {
        return Ok(Vec::new());
    }
    connection
        .prepare_cached("SELECT id FROM jobs WHERE root_id = ?1 ORDER BY id")?
        .query_map([root], |row| row.get(0))?
        .collect()
}

/// Deletes the jobs of a tree; their other rows are deleted by cascade.
pub fn delete_tree(connection: &Connection, root: &str) -> sql::Result<()> {
    connection
        .prepare_cached("DELETE FROM jobs WHERE root_id = ?1")?
        .execute([root])?;
    Ok(())
}

pub fn job_ids(connection: &Connection) -> sql::Result<BTreeSet<String>> {
    connection
        .prepare("SELECT id FROM jobs")?
        .query_map([], |row| row.get(0))?
        .collect()
}

pub fn is_job(connection: &Connection, id: &str) -> sql::Result<bool> {
    connection
        .query_row("SELECT 1 FROM jobs WHERE id = ?1", [id], |_| Ok(()))
        .optional()
        .map(|found| found.is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::Dialect;

    fn store() -> Connection {
        let connection = crate::testing::store();
        connection.pragma_update("foreign_keys", "ON").unwrap();
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
                    "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, ended, conf, hash, app_index,
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
        let trees = ended_trees(&connection, 50).unwrap();
        let roots: Vec<&str> = trees.iter().map(|tree| tree.root.as_str()).collect();
        assert_eq!(roots, ["old", "stops"]);
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
    }

    #[test]
    fn what_a_coordinator_has_started_goes_with_it_and_not_before() {
        let connection = store();
        for (id, status, ended, parent) in [
            ("5-C", "SUCCEEDED", Some(10), None),
            ("6-W", "SUCCEEDED", Some(10), Some("5-C@1")),
            ("7-C", "RUNNING", None, Some("9-B")),
            ("8-W", "SUCCEEDED", Some(10), Some("7-C@1")),
        ] {
            connection
                .execute(
                    "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, ended, conf, hash, app_index,
                         root_id, depth, epoch, parent_id)
                     VALUES (?1, 'W', '', '', '', ?2, 0, 0, ?3, '{}', '', 0, ?1, 0, 0, ?4)",
                    (id, status, ended, parent),
                )
                .unwrap();
        }
        let trees = ended_trees(&connection, 50).unwrap();
        let found: Vec<_> = trees
            .iter()
            .map(|tree| (tree.root.as_str(), tree.starter.as_deref()))
            .collect();
        let expected = [
            ("5-C", None),
            ("6-W", Some("5-C")),
            ("old", None),
            ("stops", None),
        ];
        assert_eq!(found, expected);
    }

    /// The time of a purge is linear in the number of jobs: no table is scanned for a job.
    #[test]
    fn what_belongs_to_a_job_is_found_by_an_index() {
        let connection = store();
        if connection.dialect() == Dialect::Postgres {
            // Its planner scans small tables.
            return;
        }
        let tables: Vec<(String, String)> = connection
            .prepare(
                "SELECT m.name, f.\"from\" FROM sqlite_master m, pragma_foreign_key_list(m.name) f
                 WHERE m.type = 'table'",
            )
            .unwrap()
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert!(tables.len() > 10, "{tables:?}");
        for (table, column) in tables {
            let sql = format!("EXPLAIN QUERY PLAN SELECT 1 FROM {table} WHERE {column} = 'x'");
            let plan: String = connection.query_row(&sql, [], |row| row.get(3)).unwrap();
            assert!(plan.starts_with("SEARCH"), "{table}: {plan}");
        }
    }
}
