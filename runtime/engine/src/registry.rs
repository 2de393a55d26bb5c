//! The registry of executables: a copy of each that has jobs or was registered, so that a job is always driven by the definition it started
//! with.

use std::{
    collections::BTreeSet,
    env, fs,
    path::{Path, PathBuf},
};

use hpdlc_host::{clock, exit::RunError, home::Home};
use hpdlc_program::table::Program;
use hpdlc_store::{
    JobRow, definitions,
    query::{self, ApplicationOrigin, DefinitionRow},
};

use self::unpacked::Unpacked;
use crate::{
    job::node_secrets, job_command::coordinator_request::CoordinatorRequest, session::Session,
};

pub mod build;
pub mod kept;
mod unpacked;

/// Copies this executable to where its jobs will find it, once per definition. One with the large runtime replaces one with the small,
/// which may have been built from the same definition; an intact one replaces a damaged one.
///
/// To be called before the transaction that creates the first job or the registration, since copying is slow, and again in it: only then
/// [`sweep`] cannot interfere.
///
/// # Errors
///
/// The copy cannot be written.
pub fn keep_executable(home: &Home, program: &Program) -> Result<(), RunError> {
    let path = home.bin().join(program.hash);
    let failed = |error: std::io::Error| {
        RunError::machine(format!(
            "cannot keep a copy of this executable at {}: {error}",
            path.display()
        ))
    };
    let found = kept::look(home, program.hash).map_err(failed)?;
    if found == kept::KeptCopy::Whole && !is_outdone(&path) {
        return Ok(());
    }
    // The running program, even if its file was replaced meanwhile.
    kept::keep(home, program.hash, Path::new("/proc/self/exe")).map_err(failed)
}

/// Whether the copy may lack the large runtime that this executable has.
fn is_outdone(kept: &Path) -> bool {
    let size = |path: &Path| fs::metadata(path).map(|metadata| metadata.len()).ok();
    cfg!(feature = "full") && size(kept) != size(Path::new("/proc/self/exe"))
}

/// The row of this executable in the store.
pub fn definition(program: &Program, app: &str, origin: ApplicationOrigin) -> DefinitionRow {
    DefinitionRow {
        hash: program.hash.to_owned(),
        app: app.to_owned(),
        hpdlc_version: program.hpdlc_version.to_owned(),
        created: clock::now_millis(),
        origin,
        program: program_path(),
        secrets: node_secrets::recorded(program),
    }
}

/// The executable that drives the jobs of `root`.
///
/// # Errors
///
/// Exit 2 if that is a workflow embedded in a user's program; exit 5 if the copy is gone.
pub fn program_of(session: &Session, root: &JobRow) -> Result<PathBuf, RunError> {
    let connection = session.store()?;
    let definition =
        query::definition(&connection, &root.hash).map_err(|error| session.describe(error))?;
    if let Some(definition) =
        definition.filter(|definition| definition.origin == ApplicationOrigin::Library)
    {
        return Err(RunError::usage(format!(
            "job {} belongs to a workflow inside the program {}",
            root.id, definition.program
        ))
        .with_help("that program recovers its own jobs"));
    }
    let path = session.home.bin().join(&root.hash);
    let is_own = root.hash == session.program.hash;
    if is_own && path.exists() {
        keep_executable(&session.home, session.program)?;
        return Ok(path);
    }
    if is_own {
        return Ok(PathBuf::from("/proc/self/exe"));
    }
    kept_program(session, &root.hash).map_err(|problem| {
        RunError::machine(format!(
            "job {} belongs to another executable ({}), which cannot be run: {problem}",
            root.id, root.app
        ))
        .with_help("type the command with the executable that the job was started with")
    })
}

/// The kept copy of a registered executable.
///
/// # Errors
///
/// Exit 2 if the definition is that of a workflow embedded in a user's program; exit 5 if the copy is gone.
pub fn program_of_definition(
    session: &Session,
    definition: &DefinitionRow,
) -> Result<PathBuf, RunError> {
    let app = &definition.app;
    if definition.origin == ApplicationOrigin::Library {
        return Err(RunError::usage(format!(
            "application {app} is a workflow inside the program {}",
            definition.program
        ))
        .with_help("that program starts its jobs"));
    }
    kept_program(session, &definition.hash).map_err(|problem| {
        RunError::machine(format!(
            "application {app} cannot be run: the copy of its executable, {problem}"
        ))
        .with_help(format!(
            "build it again from the same definition, and register it: ./{app} register"
        ))
    })
}

/// The copy of an executable, or its path and why it cannot be run.
fn kept_program(session: &Session, hash: &str) -> Result<PathBuf, String> {
    let path = session.home.bin().join(hash);
    let problem = match kept::look(&session.home, hash) {
        Ok(copy) if copy.can_run() => return Ok(path),
        Ok(kept::KeptCopy::Missing) => "is missing".to_owned(),
        Ok(_) => "is damaged: its checksum has changed".to_owned(),
        Err(error) => format!("cannot be read: {error}"),
    };
    Err(format!("{} {problem}", path.display()))
}

/// Whether the copy of a definition's executable exists and can be run.
pub fn is_runnable(home: &Home, hash: &str) -> bool {
    kept::look(home, hash).is_ok_and(kept::KeptCopy::can_run)
}

/// Removes the copy of an executable, and its unpacked files, if they are unused ([`definitions::used`]); returns whether it did.
///
/// # Errors
///
/// The store cannot be read, or the files cannot be renamed.
pub fn sweep(session: &Session, hash: &str) -> Result<bool, RunError> {
    let connection = session.store()?;
    let describe = |error| session.describe(error);
    let write_lock = session.write_lock();
    let write_lock = write_lock.wait();
    // No process can create a first job of it meanwhile.
    let transaction = connection.transaction().map_err(describe)?;
    let is_used = definitions::used(
        &transaction,
        &BTreeSet::new(),
        CoordinatorRequest::definition,
    )
    .map_err(describe)?
    .contains(hash);
    if is_used || !session.home.bin().join(hash).exists() {
        return Ok(false);
    }
    // A process that creates a job of it later unpacks them again before it starts.
    let removed = kept::set_aside(&session.home, hash)?;
    definitions::forget(&transaction, hash).map_err(describe)?;
    transaction.commit().map_err(describe)?;
    drop(write_lock);
    for path in removed {
        // What cannot be removed does no harm, and `purge` tries again.
        let _ = match path.is_dir() {
            true => fs::remove_dir_all(&path),
            false => fs::remove_file(&path),
        };
    }
    Ok(true)
}

/// Where the application's files are, once they are unpacked.
pub fn folder(home: &Home, program: &Program) -> String {
    home.apps().join(program.hash).display().to_string()
}

/// Unpacks the application's files, once per definition, and repairs them if they have changed; returns the folder.
///
/// # Errors
///
/// They cannot be written.
pub fn unpack(home: &Home, program: &Program) -> Result<String, RunError> {
    let name = home.apps().join(program.hash).display().to_string();
    let unpacked = Unpacked {
        home,
        hash: program.hash,
        files: program.files,
    };
    unpacked.ensure().map_err(|error| {
        RunError::machine(format!("cannot unpack the application to {name}: {error}"))
    })?;
    Ok(name)
}

/// The path of this executable, even if its file was replaced meanwhile.
fn program_path() -> String {
    let path = env::current_exe().unwrap_or_default().display().to_string();
    path.strip_suffix(" (deleted)")
        .map(str::to_owned)
        .unwrap_or(path)
}
