//! What is in the files of an encrypted store, and who reads it.

use chrono::DateTime;
use hpdlc_core::coordinator::{
    CoordinatorActionStatus, CoordinatorStatus,
    machine::{ActionFault, ActionRecord, Inputs},
};
use hpdlc_host::home::{Home, store_key::StoreKeys};

use super::*;
use crate::{
    ActionRow, JobRow, LogRow, NewRun,
    audit::{self, AuditEnd, AuditRow},
    commands::{self, Handled},
    coordinators::{BundleRow, Changes, CoordinatorActionRow, RevisionRow},
    notifications::{self, NewNotice},
    query::{self, ApplicationOrigin, DefinitionRow},
    runs, schema,
};

const SECRET: &str = "hunter22";

fn home(folder: &tempfile::TempDir, keys: &[u8]) -> Home {
    let keys: Vec<_> = keys.iter().map(|byte| [*byte; 32]).collect();
    let home = Home::open_at(folder.path().join("home")).unwrap();
    home.with_keys(StoreKeys::of(&keys))
}

/// A job with a secret in everything that can have one.
fn fill(connection: &Connection, id: &str) {
    let job = JobRow {
        conf: format!(r#"{{"password":"{SECRET}","user.name":"ada"}}"#),
        error_message: Some(SECRET.to_owned()),
        ..JobRow::new(id, 0)
    };
    query::insert_job(connection, &job).unwrap();
    ActionRow {
        work: Some(SECRET.to_owned()),
        data: Some(SECRET.to_owned()),
        note: Some(SECRET.to_owned()),
        ..ActionRow::new(id, "a", "shell")
    }
    .write(connection)
    .unwrap();
    let line = LogRow {
        job_id: id.to_owned(),
        time: 0,
        node: None,
        event: "WARNING".to_owned(),
        message: Some(SECRET.to_owned()),
    };
    line.write(connection).unwrap();
    commands::add(connection, id, &format!("update {SECRET}"), 0).unwrap();
    commands::add(connection, id, "suspend", 0).unwrap();
}

/// The same in the rows of other tables.
fn fill_others(connection: &Connection, id: &str) {
    let secret = || Some(SECRET.to_owned());
    let definition = DefinitionRow {
        hash: "aa".to_owned(),
        app: "load".to_owned(),
        hpdlc_version: String::new(),
        created: 0,
        origin: ApplicationOrigin::Program,
        program: String::new(),
        secrets: secret(),
    };
    query::register_definition(connection, &definition).unwrap();
    let handled = Handled {
        id: 1,
        time: 1,
        refusal: secret(),
    };
    commands::write_handled(connection, &handled).unwrap();
    let notice = NewNotice {
        job_id: id.to_owned(),
        root_id: id.to_owned(),
        about: String::new(),
        url: format!("http://host/{SECRET}"),
        mail: secret(),
        proxy: secret(),
        timeout: 1,
        max_tries: 2,
        interval: 1,
        created: 0,
    };
    notifications::insert(connection, &notice).unwrap();
    let due = notifications::due(connection, id, 9).unwrap().remove(0);
    notifications::failed(connection, &due, 9, SECRET).unwrap();
    notifications::given_up(connection, &due, 9, SECRET).unwrap();
    let begun = AuditRow {
        operation: "submit".to_owned(),
        parameter: secret(),
        ..AuditRow::default()
    };
    let row = audit::begin(connection, &begun).unwrap();
    let end = AuditEnd {
        message: secret(),
        ..AuditEnd::default()
    };
    audit::end(connection, row, &end).unwrap();
    let revision = RevisionRow {
        revision: 0,
        hash: String::new(),
        created: 0,
        conf: SECRET.to_owned(),
        texts: SECRET.to_owned(),
    };
    let time = DateTime::UNIX_EPOCH;
    let action = CoordinatorActionRow {
        record: ActionRecord {
            number: 1,
            nominal: time,
            created: time,
            since: time,
            status: CoordinatorActionStatus::Failed,
            revision: 0,
            run: 0,
            timeout: None,
            inputs: Inputs::default(),
            command: None,
            keeps_workflow: false,
            error: Some(ActionFault {
                code: "E1021".to_owned(),
                message: SECRET.to_owned(),
            }),
        },
        workflow_id: None,
    };
    let bundle = BundleRow {
        job_id: id.to_owned(),
        status: CoordinatorStatus::Running,
        kick_off: None,
        pause_time: None,
        state: SECRET.to_owned(),
    };
    let changes = Changes {
        revisions: vec![(id.to_owned(), revision)],
        actions: vec![(id.to_owned(), action)],
        bundles: vec![bundle],
        ..Changes::default()
    };
    let transaction = connection.transaction().unwrap();
    changes.write(&transaction).unwrap();
    transaction.commit().unwrap();
    let ended = query::job(connection, id).unwrap().unwrap();
    let failed = ActionRow {
        error_message: secret(),
        data: secret(),
        note: secret(),
        ..ActionRow::new(id, "b", "shell")
    };
    failed.write(connection).unwrap();
    let new_run = NewRun {
        job: JobRow { run: 1, ..ended },
        skipped: Vec::new(),
        slas: Vec::new(),
    };
    runs::begin(connection, &new_run).unwrap();
    // The row of before is in the archive now.
    failed.write(connection).unwrap();
}

/// The texts of a column as they are in the database.
fn texts(connection: &Connection, table: &str, column: &str) -> Vec<String> {
    let sql = format!("SELECT \"{column}\" FROM {table}");
    let mut statement = connection.prepare(&sql).unwrap();
    let read = |row: &Row<'_>| value_of(row.get_ref(0)?);
    let values = statement.query_map([], read).unwrap().map(Result::unwrap);
    let texts = values.filter_map(|value| match value {
        Value::Text(text) => Some(text),
        _ => None,
    });
    texts.collect()
}

#[test]
fn every_column_that_may_have_a_secret_is_sealed_when_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let connection = crate::open(&home(&folder, &[1])).unwrap();
    // The second run of the first job archives its rows, the second job keeps them.
    for id in ["1-W", "2-W"] {
        fill(&connection, id);
    }
    fill_others(&connection, "1-W");
    for (table, _, columns) in SEALED {
        for column in columns {
            let mut texts = texts(&connection, table, column);
            texts.retain(|text| text != "suspend");
            assert!(!texts.is_empty(), "{table}.{column}");
            for text in texts {
                assert!(sql::is_sealed(&text), "{table}.{column}: {text}");
            }
        }
    }
    for table in schema::tables(&connection).unwrap() {
        let mut statement = connection
            .prepare(&format!("SELECT * FROM {table}"))
            .unwrap();
        let names = statement.query([]).unwrap().column_names();
        for column in names {
            let texts = texts(&connection, &table, &column);
            let is_there = texts.iter().any(|text| text.contains(SECRET));
            assert!(!is_there, "{table}.{column}");
        }
    }
    assert_eq!(encrypt(&connection), Ok(0));
}

/// What somebody finds who reads the files of the store.
fn is_in_files(folder: &tempfile::TempDir) -> bool {
    let names = ["jobs.db", "jobs.db-wal"];
    names.iter().any(|name| {
        let path = folder.path().join("home").join(name);
        let bytes = std::fs::read(path).unwrap_or_default();
        bytes
            .windows(SECRET.len())
            .any(|it| it == SECRET.as_bytes())
    })
}

#[test]
fn an_encrypted_store_has_no_secret_in_its_files_and_is_read_as_before() {
    let folder = tempfile::tempdir().unwrap();
    let connection = crate::open(&home(&folder, &[1])).unwrap();
    fill(&connection, "1-W");
    assert!(!is_in_files(&folder));
    let job = query::job(&connection, "1-W").unwrap().unwrap();
    assert!(job.conf.contains(SECRET));
    assert_eq!(job.error_message.as_deref(), Some(SECRET));
    let action = query::actions(&connection, "1-W").unwrap().remove(0);
    assert_eq!(action.work.as_deref(), Some(SECRET));
    let open = commands::open(&connection, "1-W").unwrap();
    assert_eq!(open[0].verb, format!("update {SECRET}"));
    let owner: String = connection
        .query_row("SELECT owner FROM jobs", [], |row| row.get(0))
        .unwrap();
    assert_eq!(owner, "ada");
}

#[test]
fn a_store_is_encrypted_later_and_with_another_key() {
    let folder = tempfile::tempdir().unwrap();
    {
        let connection = crate::open(&home(&folder, &[])).unwrap();
        (0..PAGE + 3).for_each(|n| fill(&connection, &format!("{n:07}-W")));
    }
    assert!(is_in_files(&folder));
    let n_jobs = u64::try_from(PAGE + 3).unwrap();
    for keys in [&[1][..], &[2, 1]] {
        let connection = crate::open(&home(&folder, keys)).unwrap();
        assert_eq!(left(&connection), Ok(2 * n_jobs));
        assert_eq!(encrypt(&connection), Ok(7 * n_jobs));
        assert_eq!(left(&connection), Ok(0));
        assert_eq!(encrypt(&connection), Ok(0));
    }
    assert!(!is_in_files(&folder));
    let connection = crate::open(&home(&folder, &[2])).unwrap();
    let job = query::job(&connection, "0000500-W").unwrap().unwrap();
    assert!(job.conf.contains(SECRET));
}

#[test]
fn a_store_is_refused_without_its_key_and_left_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    fill(&crate::open(&home(&folder, &[1])).unwrap(), "1-W");
    for (keys, said) in [
        (&[][..], "hpdl.store.key is not set"),
        (&[2], "cannot be decrypted"),
    ] {
        let refused = crate::open(&home(&folder, keys)).unwrap_err();
        assert!(refused.message.contains(said), "{}", refused.message);
        assert!(refused.help.is_some());
        assert!(crate::glance(&home(&folder, keys)).is_none());
    }
    assert!(crate::open(&home(&folder, &[1])).is_ok());
    // A key that is only there to decrypt is enough for others.
    assert!(crate::open(&home(&folder, &[2, 1])).is_ok());
    assert!(crate::open(&home(&folder, &[1])).is_err());
    assert!(crate::open(&home(&folder, &[1, 2])).is_ok());
}
