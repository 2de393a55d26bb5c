//! The cache of the compiled runtime: built once per Rust version, version of hpdlc and feature set, and then only linked.
//!
//! A checkout compiles it in its own target folder, where most of it exists already; an installed hpdlc unpacks the bundled
//! sources. In both cases the libraries are then hard-linked into a private folder that no cargo ever writes to, a program
//! is linked with them as a trial, and only then does the stamp refer to that folder. So a library of a concurrent or
//! interrupted build, or of other sources, is never used.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs, io,
    path::{self, Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, SystemTime},
};

use serde::{Deserialize, Serialize};

use crate::{
    analysis::FeatureSet,
    driver::{
        BuildPlaces, Failure, Toolchain, bundled,
        digest::Digest,
        link::{self, Small},
        lock::{self, Lock},
        progress::ProgressLines,
        settings::DeclaredExtension,
        stamp,
        stamp::{FileState, TreeState},
        toolchain,
    },
};

mod cargo_messages;
pub mod extensions;

use self::extensions::BuiltExtension;

/// The number of attempts to compile libraries that link: another cargo may have written in between.
const ATTEMPTS: usize = 3;

/// The separator between flags in `CARGO_ENCODED_RUSTFLAGS`.
const ENCODED: &str = "\u{1f}";

/// How long a target folder is kept that nothing is compiled in.
const UNUSED: Duration = Duration::from_secs(30 * 24 * 60 * 60);

const LINKER_SCRIPT: &str = "without-unwinding.ld";

/// The libraries that a program is linked with. They stay unchanged during the lifetime of this value.
#[derive(Debug)]
pub struct CachedRuntime {
    /// The folder of all libraries, for `-L dependency=`.
    pub folder: PathBuf,
    /// The runtime's own library, for `--extern`.
    pub rlib: PathBuf,
    /// If the linker supports it.
    pub small: Option<Small>,
    /// The extensions that were compiled with it, by their names.
    pub extensions: BTreeMap<String, BuiltExtension>,
    /// Changes whenever the libraries change.
    pub identity: String,
    _lock: Lock,
}

/// What the folder was built from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct RuntimeStamp {
    sources: TreeState,
    /// The folder with the libraries, beside the stamp.
    folder: String,
    /// The file name of the runtime's own library.
    rlib: String,
    /// Including the linker script, if the linker supports it.
    libraries: BTreeMap<String, FileState>,
    /// Whether the linker folds equal functions.
    #[serde(default)]
    folds: bool,
    #[serde(default)]
    extensions: BTreeMap<String, BuiltExtension>,
    /// The folders of the packages of these, with everything on this machine that they depend on.
    #[serde(default)]
    folders: BTreeSet<PathBuf>,
    /// The manifests of extensions from elsewhere.
    #[serde(default)]
    copies: BTreeMap<String, String>,
}

impl RuntimeStamp {
    fn small(&self, libraries: &Path) -> Option<Small> {
        let has_script = self.libraries.contains_key(LINKER_SCRIPT);
        has_script.then(|| Small {
            script: libraries.join(LINKER_SCRIPT),
            folds: self.folds,
        })
    }
}

/// What is compiled.
struct Wanted<'w> {
    features: FeatureSet,
    extensions: &'w [DeclaredExtension],
}

/// A runtime that is ready to be linked, with these extensions; compiled first if needed, which is reported to `progress`.
///
/// # Errors
///
/// The disk is full, or it does not compile.
pub fn ready(
    places: &BuildPlaces,
    toolchain: &Toolchain,
    features: FeatureSet,
    extensions: &[DeclaredExtension],
    progress: &ProgressLines,
) -> Result<CachedRuntime, Failure> {
    let key = key(places, toolchain, features, extensions);
    let folder = places.cache.join("runtime").join(key);
    let lock_path = folder.join("lock");
    loop {
        let lock = lock::shared(&lock_path, progress)?;
        if let Some(runtime) = current(&folder, places, extensions, lock)? {
            return Ok(runtime);
        }
        let alone = lock::exclusive(&lock_path, progress)?;
        // Another hpdlc may have compiled it while this one waited for the lock.
        if stamp_if_current(&folder, places, extensions)?.is_none() {
            let wanted = Wanted {
                features,
                extensions,
            };
            compile(&folder, places, toolchain, &wanted, progress)?;
        }
        drop(alone);
    }
}

/// The cache's folder for this Rust, version, feature set and extensions.
fn key(
    places: &BuildPlaces,
    toolchain: &Toolchain,
    features: FeatureSet,
    extensions: &[DeclaredExtension],
) -> String {
    let mut digest = Digest::default();
    digest
        .field(toolchain.identity())
        .field(env!("CARGO_PKG_VERSION"))
        .field(features.name());
    match &places.checkout {
        Some(checkout) => digest.field(checkout.workspace.as_os_str().as_encoded_bytes()),
        None => digest.field(bundled::digest()),
    };
    if places.checkout.is_none() && !extensions.is_empty() {
        digest.field(hpdlc_runtime_sources::FLOW);
    }
    extensions::add_to_key(extensions, &mut digest);
    digest.finish()
}

fn current(
    folder: &Path,
    places: &BuildPlaces,
    extensions: &[DeclaredExtension],
    lock: Lock,
) -> Result<Option<CachedRuntime>, Failure> {
    Ok(stamp_if_current(folder, places, extensions)?.map(|stamp| {
        let libraries = folder.join(&stamp.folder);
        CachedRuntime {
            rlib: libraries.join(&stamp.rlib),
            small: stamp.small(&libraries),
            folder: libraries,
            extensions: stamp.extensions,
            identity: stamp.folder,
            _lock: lock,
        }
    }))
}

fn stamp_if_current(
    folder: &Path,
    places: &BuildPlaces,
    extensions: &[DeclaredExtension],
) -> Result<Option<RuntimeStamp>, Failure> {
    let Some(stamp) = stamp::read::<RuntimeStamp>(&folder.join("stamp.json")) else {
        return Ok(None);
    };
    let libraries = folder.join(&stamp.folder);
    let is_current = stamp
        .libraries
        .iter()
        .all(|(name, state)| state.is_current(&libraries.join(name)))
        && stamp.copies == extensions::copies(extensions)?
        && stamp.sources == sources(places, &stamp.folders)?;
    Ok(is_current.then_some(stamp))
}

/// The state of everything that the runtime and the packages in `folders` are compiled from. For the runtime of an installed
/// hpdlc, which contains its sources, the key suffices.
fn sources(places: &BuildPlaces, folders: &BTreeSet<PathBuf>) -> Result<TreeState, Failure> {
    let mut states = extensions::sources(folders)?;
    let Some(checkout) = &places.checkout else {
        return Ok(states);
    };
    let paths = ["Cargo.lock", "Cargo.toml", "runtime", ".cargo/config.toml"]
        .map(|path| checkout.workspace.join(path));
    let own = stamp::tree_state(paths.iter().map(PathBuf::as_path))
        .map_err(|error| Failure::io("read", &checkout.workspace.join("runtime"), &error))?;
    states.extend(own);
    Ok(states)
}

fn compile(
    folder: &Path,
    places: &BuildPlaces,
    toolchain: &Toolchain,
    wanted: &Wanted<'_>,
    progress: &ProgressLines,
) -> Result<(), Failure> {
    let names = wanted.extensions.iter().map(|it| it.name.as_str());
    let names = names.collect::<Vec<_>>().join(", ");
    let what = match (wanted.features, wanted.extensions) {
        (FeatureSet::Local, []) => "the runtime",
        (FeatureSet::Full, []) => "the runtime with HDFS and object stores",
        (_, _) => &format!("the runtime and the extensions {names}"),
    };
    let rust = toolchain::version_line(toolchain);
    match &places.checkout {
        Some(checkout) => progress.say(
            "Compiling",
            &format!("{what} for {rust}, in {}", checkout.target.display()),
        ),
        None => progress.say(
            "Compiling",
            &format!("{what}, once for {rust}: this takes a few minutes, and later builds less than a second"),
        ),
    }
    let (workspace, target) = match &places.checkout {
        Some(checkout) => (checkout.workspace.clone(), checkout.target.clone()),
        None => {
            let workspace = bundled::workspace(places, !wanted.extensions.is_empty())?;
            (workspace, shared_target(places, toolchain))
        }
    };
    let mut refusal = None;
    for _ in 0..ATTEMPTS {
        // Determined before cargo reads the sources: a file that changes in the meantime makes the stamp outdated, not
        // wrong.
        let sources_before = sources(places, &extensions::folders(wanted.extensions))?;
        let mut command = match wanted.extensions {
            [] => cargo(&workspace, &target, toolchain, wanted.features),
            extensions => {
                let own = folder.join("crate");
                extensions::write_crate(&own, &workspace, extensions, wanted.features)?;
                extensions::cargo(&own, &target, toolchain)
            }
        };
        if places.checkout.is_none() {
            // A checkout has a script for this, so that its cargo compiles nothing twice.
            if named_target().is_none() {
                remap_dependencies(&mut command);
            }
            // Cargo finds it only in folders around its own, which the crate of extensions is not in.
            if !wanted.extensions.is_empty() {
                let config = workspace.join(".cargo/config.toml");
                command.arg("--config").arg(config);
            }
        }
        let artifacts = run(command, toolchain, wanted.extensions, progress)?;
        let mut stamp = collect(folder, sources_before, &artifacts)?;
        if !wanted.extensions.is_empty() {
            extensions::check_runtime(&artifacts)?;
            // Functions of extensions may panic, which is an error of their action: that needs the tables.
            stamp.libraries.remove(LINKER_SCRIPT);
            // What else they depend on is known by now. Of what hpdlc has unpacked, the key tells.
            let mut folders = artifacts.folders.clone();
            folders.retain(|path| places.checkout.is_some() || !path.starts_with(&workspace));
            let mut others = extensions::sources(&folders)?;
            others.append(&mut stamp.sources);
            stamp.sources = others;
            stamp.folders = folders;
            stamp.copies = extensions::copies(wanted.extensions)?;
        }
        match try_to_link(toolchain, folder, &mut stamp)? {
            Ok(()) => {
                let libraries = folder.join(&stamp.folder);
                let rlib = libraries.join(&stamp.rlib);
                let runtime = (libraries.as_path(), rlib.as_path());
                stamp.extensions =
                    extensions::built(toolchain, runtime, &artifacts, wanted.extensions, folder)?;
                let path = folder.join("stamp.json");
                stamp::write(&path, &stamp).map_err(|error| Failure::io("write", &path, &error))?;
                remove_old(folder, &stamp.folder);
                return Ok(());
            }
            Err(output) => refusal = Some(output),
        }
    }
    Err(Failure::new("the compiled runtime does not link")
        .note(refusal.unwrap_or_default())
        .help("another cargo may be writing to the same target folder: repeat the command when it is done")
        .help(format!("if that does not help, remove `{}` and repeat the command", folder.display())))
}

/// The target folder of an installed hpdlc: one for all runtimes, with and without extensions, so that what they have in common is
/// compiled once. Another Rust or hpdlc has another one, and those that were not used in a month are removed. `CARGO_TARGET_DIR` names a
/// folder that is shared with more, as it does for cargo.
fn shared_target(places: &BuildPlaces, toolchain: &Toolchain) -> PathBuf {
    if let Some(folder) = named_target() {
        return folder;
    }
    let mut name = Digest::default();
    name.field(toolchain.identity())
        .field(env!("CARGO_PKG_VERSION"));
    let name = name.finish();
    let targets = places.cache.join("target");
    remove_unused(&targets, &name, SystemTime::now());
    targets.join(name)
}

/// The folder that the user shares among builds. What others have compiled there fits only with their flags.
fn named_target() -> Option<PathBuf> {
    let named = env::var_os("CARGO_TARGET_DIR").filter(|folder| !folder.is_empty())?;
    path::absolute(named).ok()
}

/// What cannot be removed only takes space.
fn remove_unused(targets: &Path, current: &str, now: SystemTime) {
    for entry in fs::read_dir(targets).into_iter().flatten().flatten() {
        // Cargo writes to this folder whenever it compiles.
        let last_use = fs::metadata(entry.path().join("release/deps"));
        let age = last_use.and_then(|it| it.modified()).ok();
        let age = age.and_then(|last_use| now.duration_since(last_use).ok());
        if entry.file_name() != current && age.is_some_and(|age| age > UNUSED) {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

/// Links a program with the libraries, as small as the linker can make it.
fn try_to_link(
    toolchain: &Toolchain,
    folder: &Path,
    stamp: &mut RuntimeStamp,
) -> Result<Result<(), String>, Failure> {
    let libraries = folder.join(&stamp.folder);
    let rlib = libraries.join(&stamp.rlib);
    for folds in [true, false] {
        stamp.folds = folds;
        let Some(small) = stamp.small(&libraries) else {
            break;
        };
        if link::try_to_link(toolchain, &libraries, &rlib, Some(&small), folder)?.is_ok() {
            return Ok(Ok(()));
        }
    }
    stamp.libraries.remove(LINKER_SCRIPT);
    link::try_to_link(toolchain, &libraries, &rlib, None, folder)
}

/// The compiler evaluates and parses by the thousand, an executable now and then: there, small is worth more (0.35 MB of 10).
const SMALL_CORE: &str = r#"profile.release.package.hpdlc-core.opt-level="s""#;

fn cargo(workspace: &Path, target: &Path, toolchain: &Toolchain, features: FeatureSet) -> Command {
    let mut command = toolchain.command(&toolchain.cargo);
    command
        .args(["build", "--release", "--package", "hpdlc-runtime", "--lib"])
        .arg("--message-format=json-render-diagnostics")
        .arg("--target-dir")
        .arg(target)
        .current_dir(workspace)
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    command.args(["--config", SMALL_CORE]);
    match features {
        FeatureSet::Local => {}
        FeatureSet::Full => drop(command.args(["--features", "full"])),
    }
    command
}

/// Makes the paths of dependencies' sources, which panic messages contain, independent of the location of the registry.
fn remap_dependencies(command: &mut Command) {
    let variable = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let home = variable("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| variable("HOME").map(|home| Path::new(&home).join(".cargo")));
    let Some(sources) = home.map(|home| home.join("registry/src")) else {
        return;
    };
    let Some(sources) = sources.to_str() else {
        return;
    };
    let flag = format!("--remap-path-prefix={sources}=registry");
    let encoded = env::var("CARGO_ENCODED_RUSTFLAGS").ok();
    let flags = encoded.or_else(|| {
        let words = env::var("RUSTFLAGS").ok()?;
        Some(words.split_whitespace().collect::<Vec<_>>().join(ENCODED))
    });
    match flags.filter(|flags| !flags.is_empty()) {
        Some(flags) => command.env("CARGO_ENCODED_RUSTFLAGS", flags + ENCODED + &flag),
        // Added to the flags of configuration files, which environment variables would replace.
        None => command
            .arg("--config")
            .arg(format!("build.rustflags=[{flag:?}]")),
    };
}

fn run(
    mut command: Command,
    toolchain: &Toolchain,
    extensions: &[DeclaredExtension],
    progress: &ProgressLines,
) -> Result<cargo_messages::CargoArtifacts, Failure> {
    // With extensions, what cargo says is read.
    if !extensions.is_empty() {
        command.stderr(Stdio::piped());
    } else if progress.is_terminal() {
        command.stderr(Stdio::inherit());
    } else {
        command.arg("--quiet").stderr(Stdio::piped());
    }
    let output = command
        .spawn()
        .and_then(|child| child.wait_with_output())
        .map_err(|error| {
            Failure::new(format!("cannot start `{}`", toolchain.cargo.display()))
                .note(error.to_string())
        })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(match extensions {
            [] => runtime_does_not_compile(&said),
            extensions => extensions::does_not_compile(&said, extensions),
        });
    }
    cargo_messages::artifacts(&String::from_utf8_lossy(&output.stdout), "hpdlc_runtime").ok_or_else(
        || {
            Failure::new("cargo has compiled the runtime without saying where it is")
                .note(format!(
                    "cargo is `{}`, Rust is {}",
                    toolchain.cargo.display(),
                    toolchain::version_line(toolchain)
                ))
                .help("report this with both versions")
        },
    )
}

fn runtime_does_not_compile(stderr: &str) -> Failure {
    let failure = Failure::new("the runtime could not be compiled");
    let failure = match stderr.trim() {
        "" => failure.note("cargo has said why above"),
        text => failure.note(text),
    };
    let needs_network = [
        "failed to download",
        "failed to get",
        "Could not resolve host",
        "failed to fetch",
        "offline",
    ]
    .iter()
    .any(|sign| stderr.contains(sign));
    if let Some(help) = link::help_for_memory(stderr) {
        failure.help(help)
    } else if needs_network {
        failure.help("the first build downloads the runtime's dependencies: connect to the network and run `hpdlc setup`")
    } else if stderr.contains("linker `cc` not found") || stderr.contains("failed to find tool") {
        failure.help("install a C compiler (`apt-get install gcc libc6-dev`, `dnf install gcc`) and repeat the command")
    } else {
        failure.help("`hpdlc setup` repeats this step alone")
    }
}

/// Links every library into a new folder. Nothing else is ever written there.
fn collect(
    folder: &Path,
    sources: TreeState,
    artifacts: &cargo_messages::CargoArtifacts,
) -> Result<RuntimeStamp, Failure> {
    let new = tempfile::Builder::new()
        .prefix("new-")
        .tempdir_in(folder)
        .map_err(|error| Failure::io("write to", folder, &error))?;
    let mut libraries = BTreeMap::new();
    let mut identity = Digest::default();
    for library in &artifacts.libraries {
        let failed = |error: &io::Error| Failure::io("copy", library, error);
        let Some(name) = library.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        let own = new.path().join(name);
        // A hard link takes no space, and cargo replaces libraries by renaming, never in place.
        if fs::hard_link(library, &own).is_err() {
            fs::copy(library, &own).map_err(|error| failed(&error))?;
        }
        let state =
            FileState::of(&own).ok_or_else(|| failed(&io::Error::from(io::ErrorKind::NotFound)))?;
        let source = FileState::of(library).unwrap_or(state);
        identity
            .field(name)
            .field(source.size.to_le_bytes())
            .field(source.modified.to_le_bytes());
        libraries.insert(name.to_owned(), state);
    }
    let script = new.path().join(LINKER_SCRIPT);
    let written = fs::write(&script, link::WITHOUT_UNWINDING);
    written.map_err(|error| Failure::io("write", &script, &error))?;
    if let Some(state) = FileState::of(&script) {
        libraries.insert(LINKER_SCRIPT.to_owned(), state);
    }
    identity.field(link::WITHOUT_UNWINDING);
    let name = format!("lib-{}", identity.finish());
    let path = folder.join(&name);
    if path.exists() {
        // From a build whose stamp is outdated; its files may have changed since.
        fs::remove_dir_all(&path).map_err(|error| Failure::io("remove", &path, &error))?;
    }
    let new = new.keep();
    fs::rename(&new, &path).map_err(|error| Failure::io("write", &path, &error))?;
    Ok(RuntimeStamp {
        sources,
        folder: name,
        rlib: artifacts.rlib_name.clone(),
        libraries,
        folds: false,
        extensions: BTreeMap::new(),
        folders: BTreeSet::new(),
        copies: BTreeMap::new(),
    })
}

/// Removes earlier sets of libraries. What cannot be removed only takes space.
fn remove_old(folder: &Path, current: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let is_set = name
            .to_str()
            .is_some_and(|name| name.starts_with("lib-") || name.starts_with("new-"));
        if is_set && name != current {
            drop(fs::remove_dir_all(entry.path()));
        }
    }
}

#[cfg(test)]
mod tests;
