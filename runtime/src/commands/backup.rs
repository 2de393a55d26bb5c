//! `backup`: a copy of the store in one file, while jobs run.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
};

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::exit::{Exit, RunError};
use hpdlc_store as store;
use hpdlc_store::sql::{self, Access, Connection};

use crate::commands::{purge::format_size, say};

#[derive(Debug, Args)]
pub struct Backup {
    /// The file; an earlier backup there is replaced
    file: PathBuf,
}

impl Backup {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        if !session.home.store_location().is_file() {
            return Err(RunError::usage(format!(
                "the job store is {}: a backup of it is its server's",
                session.home.store_location()
            ))
            .with_help("type: pg_dump --schema=hpdl DATABASE > FILE"));
        }
        let (n_jobs, size) = write(session, &self.file)?;
        let store = session.home.store();
        say(&format!(
            "{0}: {n_jobs} jobs, {2}\nto restore it: while no job runs, remove {1}, {1}-wal and {1}-shm, and copy it to {1}",
            self.file.display(),
            store.display(),
            format_size(size),
        ));
        Ok(Exit::Success)
    }
}

/// Writes a backup: complete and verified under its name, or not at all. Returns the number of its jobs and its size in bytes.
///
/// It is a snapshot of the store; jobs may write meanwhile.
///
/// # Errors
///
/// Exit 2 if the path exists and is no backup; exit 5 if the file cannot be written.
pub(super) fn write(session: &Session, file: &Path) -> Result<(i64, u64), RunError> {
    let shown = file.display();
    let failed = |error: &dyn std::fmt::Display| {
        RunError::machine(format!("cannot write the backup {shown}: {error}"))
    };
    refuse_others(session, file)?;
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    // Readable only by its owner from the start: it contains what the store contains.
    let unfinished = tempfile::Builder::new()
        .prefix(".backup")
        .tempfile_in(folder)
        .map_err(|error| failed(&error))?;
    let connection = session.store()?;
    let target = unfinished
        .path()
        .to_str()
        .ok_or_else(|| RunError::usage(format!("{shown} is not valid UTF-8")))?;
    // One snapshot, read while others write; a page-by-page copy would have to start again after every write.
    connection
        .execute("VACUUM INTO ?1", [target])
        .map_err(|error| failed(&error))?;
    let n_jobs = verify(unfinished.path()).map_err(|problem| failed(&problem))?;
    let size = unfinished
        .as_file()
        .sync_all()
        .and_then(|()| fs::metadata(unfinished.path()))
        .map_err(|error| failed(&error))?
        .len();
    unfinished.persist(file).map_err(|error| failed(&error))?;
    // Syncs the directory entry, too.
    File::open(folder)
        .and_then(|folder| folder.sync_all())
        .map_err(|error| failed(&error))?;
    Ok((n_jobs, size))
}

/// Only an earlier backup may be replaced, and never the store itself.
fn refuse_others(session: &Session, file: &Path) -> Result<(), RunError> {
    let Ok(there) = fs::canonicalize(file) else {
        return Ok(());
    };
    let store = session.home.store();
    if fs::canonicalize(&store).is_ok_and(|store| store == there) {
        return Err(RunError::usage(format!(
            "{} is the job store itself",
            file.display()
        )));
    }
    let is_empty = fs::metadata(&there).is_ok_and(|file| file.is_file() && file.len() == 0);
    if is_empty || store::format_of(&there).is_ok() {
        return Ok(());
    }
    Err(
        RunError::usage(format!("{} exists and is not a backup", file.display()))
            .with_help("name another file, or remove this one"),
    )
}

/// Reads the whole copy; returns the number of its jobs.
fn verify(path: &Path) -> Result<i64, String> {
    let look = || -> sql::Result<Result<i64, String>> {
        let connection = Connection::open_file(path, Access::Read)?;
        let found: String =
            connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
        if found != "ok" {
            return Ok(Err(format!("the store is damaged: {found}")));
        }
        connection
            .query_row("SELECT count(*) FROM jobs", [], |row| row.get(0))
            .map(Ok)
    };
    look().unwrap_or_else(|error| Err(error.to_string()))
}
