//! From a checked application to an executable in the cache, incrementally: only what changed is written, and rustc runs
//! once, or not at all if nothing changed.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{
    analysis::FeatureSet,
    codegen::{self, FilePaths, GeneratedCrate, Interface},
    driver::{
        BuildPlaces, Failure, Toolchain,
        application::CompiledApplication,
        digest::Digest,
        extension_code,
        glibc::{self, GlibcVersion, OldGlibc},
        lock,
        package::{self, Package},
        progress::ProgressLines,
        runtime_cache::{self, CachedRuntime},
        rustc::{self, Symbols},
        stamp::{self, FileState},
        toolchain, unused_programs, writer,
    },
    source::SourceMap,
};

/// Why there is no executable.
#[derive(Debug)]
pub enum BuildError {
    Failure(Failure),
    /// rustc rejects the generated code.
    Bug {
        log: PathBuf,
        stderr: String,
    },
}

impl From<Failure> for BuildError {
    fn from(failure: Failure) -> BuildError {
        BuildError::Failure(failure)
    }
}

/// The kind of executable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExecutableOptions {
    pub features: FeatureSet,
    pub symbols: Symbols,
    /// The oldest glibc that it must run with; by default that of this machine.
    pub glibc: Option<GlibcVersion>,
}

/// What the files in the cache were built from. Removed before any of them is modified, so that it never describes other
/// files.
#[derive(Debug, Serialize, Deserialize)]
struct ProgramStamp {
    /// Of everything that the executable depends on.
    fingerprint: String,
    program: FileState,
    /// Of the tokens of each generated file, by its path.
    generated: BTreeMap<String, u64>,
    /// Of each copied file: its source when it was copied, and the copy.
    copied: BTreeMap<String, (FileState, FileState)>,
}

/// Builds the executable of `application`, and returns its path in the cache.
///
/// # Errors
///
/// There is no Rust, the disk is full, or rustc rejects the generated code.
pub fn build(
    application: &CompiledApplication,
    package: &Package,
    sources: &SourceMap,
    options: ExecutableOptions,
    progress: &ProgressLines,
) -> Result<PathBuf, BuildError> {
    let places = crate::driver::place::find()?;
    let toolchain = toolchain::find(&places)?;
    let glibc = options
        .glibc
        .map(|version| glibc::ready(&places, &toolchain, version))
        .transpose()?;
    let extensions = application.extensions()?;
    let runtime =
        runtime_cache::ready(&places, &toolchain, options.features, &extensions, progress)?;
    extension_code::check_manifests(&extensions, &runtime)?;
    let folder = folder_of(&places, application, options);
    let lock = lock::exclusive(&folder.join(unused_programs::LOCK), progress)?;
    lock.note_use();
    let fingerprint = fingerprint(application, package, &toolchain, &runtime, glibc.as_ref());
    let stamp_path = folder.join("stamp.json");
    let program = folder.join("program");
    let stamp: Option<ProgramStamp> = stamp::read(&stamp_path);
    if let Some(stamp) = &stamp
        && stamp.fingerprint == fingerprint
        && stamp.program.is_current(&program)
    {
        return Ok(program);
    }
    let n_nodes: usize = application.apps.iter().map(|app| app.app.nodes.len()).sum();
    let what = format!("{} ({n_nodes} nodes)", package::program_name(application));
    let following = progress.follow("Compiling", &what);
    following.step("writes the crate");
    let input = package.codegen_input(application, sources);
    let generated = codegen::generate(
        &input,
        &codegen::Options {
            files: FilePaths::Beside,
            interface: Interface::CommandLine,
        },
    );
    remove_if_present(&stamp_path).map_err(|error| Failure::io("remove", &stamp_path, &error))?;
    let crate_folder = folder.join("crate");
    let (files, copied) = write(&generated, &crate_folder, stamp.as_ref())?;
    let incremental = folder.join("incremental");
    fs::create_dir_all(&incremental)
        .map_err(|error| Failure::io("create", &incremental, &error))?;
    let job = rustc::RustcJob {
        main: &crate_folder.join("src/main.rs"),
        symbols: options.symbols,
        glibc: glibc.as_ref(),
        incremental: &incremental,
        output: &program,
    };
    following.step("rustc");
    let compiled = rustc::compile(&toolchain, &runtime, &job);
    drop(following);
    if let Err(stderr) = compiled? {
        let log = folder.join("rustc.log");
        writer::replace(&log, stderr.as_bytes())
            .map_err(|error| Failure::io("write", &log, &error))?;
        return Err(BuildError::Bug { log, stderr });
    }
    let state = FileState::of(&program)
        .ok_or_else(|| Failure::io("read", &program, &io::Error::from(io::ErrorKind::NotFound)))?;
    let stamp = ProgramStamp {
        fingerprint,
        program: state,
        generated: files,
        copied,
    };
    stamp::write(&stamp_path, &stamp).map_err(|error| Failure::io("write", &stamp_path, &error))?;
    unused_programs::forget(&programs_in(&places));
    Ok(program)
}

/// The folder for one application in the cache, with a readable name.
fn folder_of(
    places: &BuildPlaces,
    application: &CompiledApplication,
    options: ExecutableOptions,
) -> PathBuf {
    let name = package::program_name(application);
    let document = application.own().location.identity();
    let mut digest = Digest::default();
    digest
        .field(document.as_os_str().as_encoded_bytes())
        .field(match options.symbols {
            Symbols::Stripped => "stripped",
            Symbols::Debug => "debug",
        })
        .field(options.features.name());
    if options.glibc.is_some() {
        digest.field("older glibc");
    }
    programs_in(places).join(format!("{name}-{}", digest.finish()))
}

fn programs_in(places: &BuildPlaces) -> PathBuf {
    places.cache.join("programs")
}

/// A hash of everything that the executable depends on: what was read and its names, this compiler, Rust, and the runtime.
fn fingerprint(
    application: &CompiledApplication,
    package: &Package,
    toolchain: &Toolchain,
    runtime: &CachedRuntime,
    glibc: Option<&OldGlibc>,
) -> String {
    let mut digest = Digest::default();
    let compiler = env::current_exe()
        .ok()
        .and_then(|path| FileState::of(&path));
    digest.field(format!("{compiler:?}")).field(&package.hash);
    for document in application.documents() {
        let location = document.location;
        digest.field(location.shown(&location.document));
    }
    digest
        .field(toolchain.identity())
        .field(&runtime.identity)
        .field(format!("{glibc:?}"));
    digest.finish()
}

type WrittenProgram = (
    BTreeMap<String, u64>,
    BTreeMap<String, (FileState, FileState)>,
);

/// Writes what differs from the last build, and removes obsolete files.
fn write(
    generated: &GeneratedCrate,
    folder: &Path,
    last: Option<&ProgramStamp>,
) -> Result<WrittenProgram, Failure> {
    let mut kept = BTreeSet::new();
    let mut files = BTreeMap::new();
    for (name, file) in &generated.files {
        let path = folder.join(name);
        let fingerprint = file.fingerprint();
        let is_written = last.is_some_and(|last| last.generated.get(name) == Some(&fingerprint))
            && path.is_file();
        if !is_written {
            writer::replace_if_changed(&path, file.text().as_bytes())
                .map_err(|error| Failure::io("write", &path, &error))?;
        }
        kept.insert(PathBuf::from(name));
        files.insert(name.clone(), fingerprint);
    }
    let mut copied = BTreeMap::new();
    for (name, source) in &generated.copies {
        let path = folder.join(name);
        let states = copy(source, &path, last.and_then(|last| last.copied.get(name)))?;
        kept.insert(PathBuf::from(name));
        copied.insert(name.clone(), states);
    }
    writer::remove_others(folder, &kept).map_err(|error| Failure::io("clean", folder, &error))?;
    Ok((files, copied))
}

/// Copies a file if either side has changed since the last copy.
fn copy(
    source: &Path,
    path: &Path,
    last: Option<&(FileState, FileState)>,
) -> Result<(FileState, FileState), Failure> {
    let missing =
        |path: &Path| Failure::io("read", path, &io::Error::from(io::ErrorKind::NotFound));
    let state = FileState::of(source).ok_or_else(|| missing(source))?;
    if let Some((last_source, last_copy)) = last
        && *last_source == state
        && last_copy.is_current(path)
    {
        return Ok((state, *last_copy));
    }
    writer::install(source, path).map_err(|error| Failure::io("copy", source, &error))?;
    let copy = FileState::of(path).ok_or_else(|| missing(path))?;
    Ok((state, copy))
}

fn remove_if_present(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unchanged_copies_stay_and_changed_ones_follow() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (source, path) = (
            folder.path().join("run.sh"),
            folder.path().join("crate/app/run.sh"),
        );
        fs::write(&source, "one").expect("writes");
        let first = copy(&source, &path, None).expect("copies");
        let second = copy(&source, &path, Some(&first)).expect("copies nothing");
        assert_eq!(first, second);

        fs::write(&source, "other").expect("writes");
        let third = copy(&source, &path, Some(&second)).expect("copies");
        assert_eq!(fs::read(&path).expect("reads"), b"other");

        writer::replace(&path, b"damaged").expect("writes");
        copy(&source, &path, Some(&third)).expect("copies");
        assert_eq!(fs::read(&path).expect("reads"), b"other");
    }
}
