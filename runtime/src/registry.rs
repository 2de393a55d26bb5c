//! The registry of executables: a copy of each that has jobs or was registered, so that a job is always driven by the
//! definition that it started with.

use std::{
    env,
    fs::{self, File},
    io::Write,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OptionalExtension};

use crate::{
    clock,
    exit::RunError,
    home::Home,
    owner::Session,
    store::{
        JobRow,
        query::{self, Definition, Door},
    },
    table::{File as EmbeddedFile, Program},
};

/// Copies this executable to where its jobs will find it, once a definition. Inside the transaction that makes the first job
/// or the registration: [`sweep`] keeps out of it then. One with the large runtime takes the place of one with the small, which
/// may have been built of the same definition.
///
/// # Errors
///
/// The disk does not take the copy.
pub fn keep_executable(home: &Home, program: &Program) -> Result<(), RunError> {
    let kept = home.bin().join(program.hash);
    if kept.exists() && !is_outdone(&kept) {
        return Ok(());
    }
    let copy = || -> std::io::Result<()> {
        let unfinished = tempfile::NamedTempFile::new_in(home.bin())?;
        // The running program, even if its file has been replaced meanwhile. The kernel shares the blocks where it can.
        fs::copy("/proc/self/exe", unfinished.path())?;
        fs::set_permissions(unfinished.path(), fs::Permissions::from_mode(0o700))?;
        unfinished.persist(&kept)?;
        Ok(())
    };
    copy().map_err(|error| {
        RunError::machine(format!(
            "cannot keep a copy of this executable at {}: {error}",
            kept.display()
        ))
    })
}

/// Whether the copy may lack what this executable has: the large runtime.
fn is_outdone(kept: &Path) -> bool {
    let size = |path: &Path| fs::metadata(path).map(|metadata| metadata.len()).ok();
    cfg!(feature = "full") && size(kept) != size(Path::new("/proc/self/exe"))
}

/// This executable, as the store knows it.
pub fn definition(program: &Program, app: &str, door: Door) -> Definition {
    Definition {
        hash: program.hash.to_owned(),
        app: app.to_owned(),
        hpdlc_version: program.hpdlc_version.to_owned(),
        created: clock::now_millis(),
        door,
        program: program_path(),
    }
}

/// The executable that drives the jobs of `root`.
///
/// # Errors
///
/// Exit 2 where that is a workflow inside somebody's program; exit 5 where the copy is gone.
pub fn program_of(session: &Session, root: &JobRow) -> Result<PathBuf, RunError> {
    let connection = session.store()?;
    let definition =
        query::definition(&connection, &root.hash).map_err(|error| session.describe(error))?;
    if let Some(definition) = definition.filter(|definition| definition.door == Door::Library) {
        return Err(RunError::usage(format!(
            "job {} belongs to a workflow inside the program {}",
            root.id, definition.program
        ))
        .with_help("that program recovers its own jobs"));
    }
    let kept = session.home.bin().join(&root.hash);
    let is_own = root.hash == session.program.hash;
    if is_own && kept.exists() {
        keep_executable(&session.home, session.program)?;
    } else if is_own {
        return Ok(PathBuf::from("/proc/self/exe"));
    } else if !kept.exists() {
        return Err(RunError::machine(format!(
            "job {} belongs to another executable ({}), which cannot be run: {} is missing",
            root.id,
            root.app,
            kept.display()
        ))
        .with_help("type the command with the executable that the job was started with"));
    }
    Ok(kept)
}

/// Lets sub-workflows and people find this executable by `uris`; returns those that were found by them so far.
pub fn register(
    connection: &Connection,
    definition: &Definition,
    uris: &[String],
) -> rusqlite::Result<Vec<String>> {
    query::register_definition(connection, definition)?;
    let mut replaced = Vec::new();
    for uri in uris {
        let former = registered(connection, uri)?.map(|former| former.hash);
        replaced.extend(former.filter(|hash| *hash != definition.hash));
        connection.execute(
            "INSERT INTO registrations (uri, hash, created) VALUES (?1, ?2, ?3)
             ON CONFLICT (uri) DO UPDATE SET hash = excluded.hash, created = excluded.created",
            (uri, &definition.hash, definition.created),
        )?;
    }
    Ok(replaced)
}

/// The executable that is registered for a URI.
pub fn registered(connection: &Connection, uri: &str) -> rusqlite::Result<Option<Definition>> {
    let hash: Option<String> = connection
        .query_row(
            "SELECT hash FROM registrations WHERE uri = ?1",
            [uri],
            |row| row.get(0),
        )
        .optional()?;
    hash.map_or(Ok(None), |hash| query::definition(connection, &hash))
}

/// The executable whose application has that name: the one that was kept last.
pub fn registered_by_name(
    connection: &Connection,
    app: &str,
) -> rusqlite::Result<Option<Definition>> {
    let hash: Option<String> = connection
        .query_row(
            "SELECT hash FROM definitions WHERE app = ?1 AND door = 'program' ORDER BY created DESC LIMIT 1",
            [app],
            |row| row.get(0),
        )
        .optional()?;
    hash.map_or(Ok(None), |hash| query::definition(connection, &hash))
}

/// Removes the copy of an executable, and its unpacked files, that no job, no former run and no registration needs; returns whether it did.
///
/// # Errors
///
/// The store cannot be asked, or the disk does not take it.
pub fn sweep(session: &Session, hash: &str) -> Result<bool, RunError> {
    let mut connection = session.store()?;
    let describe = |error| session.describe(error);
    // Nobody makes a first job of it meanwhile.
    let transaction = connection.transaction().map_err(describe)?;
    let is_used: bool = transaction
        .query_row(
            "SELECT EXISTS (SELECT 1 FROM jobs WHERE hash = ?1)
                 OR EXISTS (SELECT 1 FROM registrations WHERE hash = ?1)
                 OR EXISTS (SELECT 1 FROM coordinator_revisions WHERE hash = ?1)",
            [hash],
            |row| row.get(0),
        )
        .map_err(describe)?;
    let kept = session.home.bin().join(hash);
    if is_used || !kept.exists() {
        return Ok(false);
    }
    let failed = |error: std::io::Error| RunError::machine(format!("{}: {error}", kept.display()));
    fs::remove_file(&kept).map_err(failed)?;
    // Whoever makes a job of it nevertheless unpacks them anew before it begins.
    let files = session.home.apps().join(hash);
    if files.exists() {
        fs::remove_dir_all(&files)
            .map_err(|error| RunError::machine(format!("{}: {error}", files.display())))?;
    }
    transaction
        .execute("DELETE FROM definitions WHERE hash = ?1", [hash])
        .map_err(describe)?;
    transaction.commit().map_err(describe)?;
    Ok(true)
}

/// Unpacks the application's files, once a definition; returns the folder.
///
/// # Errors
///
/// The disk does not take them.
pub fn unpack(home: &Home, program: &Program) -> Result<String, RunError> {
    let folder = home.apps().join(program.hash);
    let name = folder.display().to_string();
    if !folder.exists() {
        unpack_into(&folder, program.files).map_err(|error| {
            RunError::machine(format!("cannot unpack the application to {name}: {error}"))
        })?;
    }
    Ok(name)
}

/// Writes the files under another name and renames: the folder is there whole or not at all.
fn unpack_into(folder: &Path, files: &[EmbeddedFile]) -> std::io::Result<()> {
    let parent = folder.parent().unwrap_or(Path::new("/"));
    let unfinished = tempfile::Builder::new()
        .prefix(".unpacking")
        .tempdir_in(parent)?;
    for file in files {
        let path = unfinished.path().join(file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        File::create(&path)?.write_all(file.bytes)?;
        // A cluster hands out an application's files readable and executable (YARN's localizer); scripts rely on it.
        fs::set_permissions(&path, fs::Permissions::from_mode(0o555))?;
    }
    fs::set_permissions(unfinished.path(), fs::Permissions::from_mode(0o755))?;
    match fs::rename(unfinished.path(), folder) {
        Ok(()) => {
            // It has moved: there is nothing to clean up.
            let _ = unfinished.keep();
            Ok(())
        }
        // Another process was faster.
        Err(_) if folder.exists() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Where this executable stands; a file that has been replaced meanwhile is named as it was.
fn program_path() -> String {
    let path = env::current_exe().unwrap_or_default().display().to_string();
    path.strip_suffix(" (deleted)")
        .map(str::to_owned)
        .unwrap_or(path)
}
