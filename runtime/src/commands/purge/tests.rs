//! Purges of stores that were created for the tests.

use std::{fs, sync::Arc};

use hpdlc_engine::registry::kept;
use hpdlc_host::home::{Home, lock};
use hpdlc_program::table::{Entry, Program};
use hpdlc_store as store;

use super::*;

static PROGRAM: Program = Program {
    hpdlc_version: "0.1.0",
    hash: "own",
    entry: Entry::Workflow,
    coordinators: &[],
    apps: &[],
    children: &[],
    files: &[],
};

/// Old jobs: `old` has a sub-workflow and leftovers beside it; one running job, and leftovers without a job.
fn session() -> (tempfile::TempDir, Session) {
    let folder = tempfile::tempdir().unwrap();
    let home = Home::open_at(folder.path().join("home")).unwrap();
    let connection = store::open(&home).unwrap();
    let source = folder.path().join("executable");
    fs::write(&source, kept::testing::elf()).unwrap();
    for (id, root, status, ended) in [
        ("1-old-W", "1-old-W", "SUCCEEDED", Some(10)),
        ("2-child-W", "1-old-W", "KILLED", Some(5)),
        ("3-runs-W", "3-runs-W", "RUNNING", None),
        ("4-done-C", "4-done-C", "SUCCEEDED", Some(10)),
        ("5-of-it-W", "5-of-it-W", "SUCCEEDED", Some(10)),
    ] {
        connection
            .execute(
                "INSERT INTO jobs (id, kind, app, app_path, \"user\", status, run, created, ended, conf, hash, app_index,
                     root_id, depth, epoch, parent_id)
                 VALUES (?1, 'W', '', '', '', ?3, 0, 0, ?4, '{}', ?2, 0, ?2, 0, 0, CASE WHEN ?1 = '5-of-it-W' THEN '4-done-C@1' END)",
                (id, root, status, ended),
            )
            .unwrap();
        fs::create_dir_all(home.work().join(id).join("node/1")).unwrap();
        if id == root {
            kept::keep(&home, root, &source).unwrap();
            fs::create_dir(home.apps().join(root)).unwrap();
            for file in home.lock_files(root) {
                fs::write(file, "").unwrap();
            }
        }
    }
    let orphan = home.work().join("9-none-W");
    fs::create_dir(&orphan).unwrap();
    fs::write(home.locks().join("8-none-W.requests"), "").unwrap();
    for path in [orphan, home.locks().join("8-none-W.requests")] {
        let file = fs::File::open(path).unwrap();
        file.set_modified(std::time::UNIX_EPOCH).unwrap();
    }
    let session = Session {
        program: &PROGRAM,
        home,
        site: Arc::default(),
    };
    (folder, session)
}

/// All names below the state folder.
fn names(session: &Session) -> Vec<String> {
    fn below(folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                below(&path, names);
            }
            names.push(path.display().to_string());
        }
    }
    let mut names = Vec::new();
    below(session.home.root(), &mut names);
    names.retain(|name| !name.contains("jobs."));
    names.sort();
    names
}

fn purge(session: &Session, dry_run: bool) -> PurgeWork<'_> {
    let mut work = PurgeWork {
        session,
        dry_run,
        before: 50,
        gone: BTreeSet::new(),
        n_jobs: 0,
        n_folders: 0,
        n_executables: 0,
        n_audited: 0,
        bytes: 0,
    };
    let connection = session.store().unwrap();
    work.remove_trees(&connection).unwrap();
    work.remove_orphans(&connection).unwrap();
    work.remove_copies(&connection).unwrap();
    work
}

fn jobs(session: &Session) -> Vec<String> {
    let jobs = rows::job_ids(&session.store().unwrap()).unwrap();
    jobs.into_iter().collect()
}

#[test]
fn a_dry_run_changes_nothing_and_says_what_then_happens() {
    let (_folder, session) = session();
    let before = (names(&session), jobs(&session));
    let planned = purge(&session, true);
    assert_eq!((names(&session), jobs(&session)), before);
    let done = purge(&session, false);
    let facts = |work: &PurgeWork<'_>| {
        let counts = (work.n_jobs, work.n_folders, work.n_executables, work.bytes);
        (work.gone.clone(), counts)
    };
    assert_eq!(facts(&planned), facts(&done));
    assert_eq!((done.n_jobs, done.n_folders, done.n_executables), (4, 1, 3));
}

#[test]
fn what_belongs_to_a_job_goes_with_it_and_nothing_else() {
    let (_folder, session) = session();
    let keeps: Vec<String> = names(&session)
        .into_iter()
        .filter(|name| {
            let is_folder = ["work", "locks", "apps", "bin", "sums"]
                .iter()
                .any(|folder| name.ends_with(&format!("/{folder}")));
            is_folder || name.contains("3-runs-W")
        })
        .collect();
    purge(&session, false);
    assert_eq!(jobs(&session), ["3-runs-W"]);
    assert_eq!(names(&session), keeps);
}

#[test]
fn a_job_whose_locks_somebody_has_stays_with_all_that_it_has() {
    for held in 0..2 {
        let (_folder, session) = session();
        // The launcher's lock, and that of the process that sends notifications.
        let path = &session.home.lock_files("1-old-W")[held];
        let lock = lock::attempt(path).unwrap();
        let work = purge(&session, false);
        assert!(!work.gone.contains("1-old-W"));
        for file in session.home.lock_files("1-old-W") {
            assert!(file.exists(), "{}", file.display());
        }
        assert!(session.home.bin().join("1-old-W").exists());
        drop(lock);
        assert!(purge(&session, false).gone.contains("1-old-W"));
    }
}

#[test]
fn what_a_coordinator_has_started_stays_while_it_does() {
    let (_folder, session) = session();
    let owner = session.hold("4-done-C").unwrap();
    let work = purge(&session, false);
    assert_eq!(work.gone.into_iter().collect::<Vec<_>>(), ["1-old-W"]);
    drop(owner);
    let work = purge(&session, false);
    assert_eq!(
        work.gone.into_iter().collect::<Vec<_>>(),
        ["4-done-C", "5-of-it-W"]
    );
}

#[test]
fn who_takes_up_a_job_that_was_purged_meanwhile_is_told_and_leaves_nothing() {
    let (_folder, session) = session();
    purge(&session, false);
    let refused = session.own("1-old-W").unwrap_err();
    assert_eq!(refused.exit, Exit::Usage);
    assert!(refused.message.contains("was purged"), "{refused}");
    assert!(!session.home.locks().join("1-old-W").exists());
}

#[test]
fn what_a_process_that_died_was_copying_goes_when_it_is_old() {
    let (_folder, session) = session();
    let [old, new] = [".tmpold", ".tmpnew"].map(|name| session.home.bin().join(name));
    for path in [&old, &new] {
        fs::write(path, "half").unwrap();
    }
    let file = fs::File::options().write(true).open(&old).unwrap();
    file.set_modified(std::time::UNIX_EPOCH).unwrap();
    purge(&session, true);
    assert!(old.exists());
    purge(&session, false);
    assert!(!old.exists() && new.exists());
}
