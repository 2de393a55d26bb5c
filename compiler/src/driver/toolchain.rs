//! Finds rustc and cargo, and caches the result.
//!
//! A query costs a rustup proxy 50 ms and more, a quarter of a whole build, so the result is cached together with everything
//! that it depends on. The compiler itself is called, never the proxy.

use std::{
    env,
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
    process::Command,
};

use serde::{Deserialize, Serialize};

use crate::driver::{
    BuildPlaces, Failure,
    digest::Digest,
    stamp::{self, FileState},
};

/// The Rust that compiles the runtime and the programs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Toolchain {
    pub rustc: PathBuf,
    pub cargo: PathBuf,
    /// The output of `rustc -vV`.
    pub version: String,
}

/// The cached result.
#[derive(Debug, Serialize, Deserialize)]
struct RememberedToolchain {
    /// Which proxy was called, and what its answer depends on.
    question: Vec<String>,
    /// The state of the compiler's own file, which an update in place changes.
    rustc: FileState,
    toolchain: Toolchain,
}

impl Toolchain {
    /// Identifies this Rust and its flags from the environment: libraries compiled by one do not link with another.
    pub fn identity(&self) -> String {
        let mut digest = Digest::default();
        digest.field(&self.version);
        for name in [
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_BUILD_RUSTFLAGS",
            "RUSTC_WRAPPER",
        ] {
            digest.field(env::var_os(name).unwrap_or_default().as_encoded_bytes());
        }
        digest.finish()
    }

    /// The target triple that it compiles for, such as `x86_64-unknown-linux-gnu`.
    pub fn host(&self) -> &str {
        self.version
            .lines()
            .find_map(|line| line.strip_prefix("host: "))
            .unwrap_or("an unknown machine")
    }

    /// A command that finds this rustc first, without the variables that `cargo run` has added to our environment.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        forget_cargo_run(&mut command);
        if let Some(folder) = self.rustc.parent() {
            let path = env::var_os("PATH").unwrap_or_default();
            let folders = std::iter::once(folder.to_owned()).chain(env::split_paths(&path));
            if let Ok(path) = env::join_paths(folders) {
                command.env("PATH", path);
            }
        }
        command
    }
}

/// Removes from a command what cargo sets for the programs that it runs: another cargo would treat some of it as changes,
/// and recompile dependencies.
pub fn forget_cargo_run(command: &mut Command) {
    const PREFIXES: [&str; 5] = [
        "CARGO_PKG_",
        "CARGO_MANIFEST_",
        "CARGO_BIN_",
        "CARGO_FEATURE_",
        "CARGO_CFG_",
    ];
    const NAMES: [&str; 5] = [
        "CARGO",
        "CARGO_CRATE_NAME",
        "CARGO_PRIMARY_PACKAGE",
        "CARGO_MAKEFLAGS",
        "OUT_DIR",
    ];
    for (name, _) in env::vars_os() {
        let is_of_cargo_run = name.to_str().is_some_and(|name| {
            PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
        });
        if is_of_cargo_run {
            command.env_remove(name);
        }
    }
}

/// Finds Rust: `RUSTC`, else `rustc` on the `PATH`, called in the checkout so that its `rust-toolchain.toml` applies.
///
/// # Errors
///
/// There is none, or it does not work.
pub fn find(places: &BuildPlaces) -> Result<Toolchain, Failure> {
    let asked = env::var_os("RUSTC")
        .filter(|value| !value.is_empty())
        .map_or_else(|| on_path("rustc"), |value| on_path(&value))
        .ok_or_else(no_rust)?;
    let question = question(&asked, places);
    let memory = places.cache.join("toolchain.json");
    let remembered: Option<RememberedToolchain> = stamp::read(&memory);
    if let Some(remembered) = remembered
        && remembered.question == question
        && remembered.rustc.is_current(&remembered.toolchain.rustc)
        && remembered.toolchain.cargo.is_file()
    {
        return Ok(remembered.toolchain);
    }
    let toolchain = ask(&asked, places)?;
    if let Some(rustc) = FileState::of(&toolchain.rustc) {
        // A cache that cannot be written only costs time; the build itself will report the cause.
        drop(stamp::write(
            &memory,
            &RememberedToolchain {
                question,
                rustc,
                toolchain: toolchain.clone(),
            },
        ));
    }
    Ok(toolchain)
}

/// Everything that the answer of `rustc`, possibly a proxy of rustup, depends on.
fn question(asked: &Path, places: &BuildPlaces) -> Vec<String> {
    let variable = |name: &str| format!("{name}={:?}", env::var_os(name));
    let state = |path: PathBuf| format!("{}: {:?}", path.display(), FileState::of(&path));
    let mut question = vec![state(asked.to_owned())];
    question.extend(["RUSTUP_TOOLCHAIN", "RUSTUP_HOME", "CARGO", "RUSTC"].map(variable));
    let rustup = env::var_os("RUSTUP_HOME")
        .map(PathBuf::from)
        .or_else(|| env::var_os("HOME").map(|home| Path::new(&home).join(".rustup")));
    question.extend(rustup.map(|folder| state(folder.join("settings.toml"))));
    if let Some(checkout) = &places.checkout {
        question.extend(
            ["rust-toolchain", "rust-toolchain.toml"]
                .map(|name| state(checkout.workspace.join(name))),
        );
    }
    question
}

fn ask(asked: &Path, places: &BuildPlaces) -> Result<Toolchain, Failure> {
    let folder = places
        .checkout
        .as_ref()
        .map_or(Path::new("/"), |checkout| &checkout.workspace);
    let output = |program: &Path, argument: &[&str]| -> Result<String, Failure> {
        let refused = |cause: String| {
            Failure::new(format!("`{}` does not work", program.display()))
                .note(cause)
                .help("run `rustc -vV` to see whether Rust is installed properly, or set `RUSTC` to another one")
        };
        let output = Command::new(program)
            .args(argument)
            .current_dir(folder)
            .output()
            .map_err(|error| refused(error.to_string()))?;
        if output.status.success() {
            Ok(String::from_utf8_lossy(&output.stdout).into_owned())
        } else {
            Err(refused(
                String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            ))
        }
    };
    let sysroot = output(asked, &["--print", "sysroot"])?;
    let bin = Path::new(sysroot.trim()).join("bin");
    let own = |name: &str| Some(bin.join(name)).filter(|path| path.is_file());
    let rustc = own("rustc").unwrap_or_else(|| asked.to_owned());
    let version = output(&rustc, &["-vV"])?;
    let cargo = env::var_os("CARGO")
        .map(PathBuf::from)
        .filter(|path| path.is_file())
        .or_else(|| own("cargo"))
        .or_else(|| on_path("cargo"))
        .ok_or_else(|| {
            Failure::new(
                "there is a `rustc`, but no `cargo`, which compiles the runtime the first time",
            )
            .note(format!("rustc is `{}`", rustc.display()))
            .help("install cargo, or set `CARGO` to its path")
        })?;
    Ok(Toolchain {
        rustc,
        cargo,
        version,
    })
}

fn no_rust() -> Failure {
    Failure::new("no Rust compiler was found")
        .note("hpdlc makes native executables with `rustc`; neither `RUSTC` nor the `PATH` leads to one")
        .help("install Rust from https://rustup.rs and repeat the command; only this machine needs it, the executables do not")
}

/// The program `name`: a path as it is, a bare name searched on the `PATH` as by a shell.
fn on_path(name: impl AsRef<OsStr>) -> Option<PathBuf> {
    let name = Path::new(name.as_ref());
    if name.components().count() > 1 {
        return name.is_file().then(|| name.to_owned());
    }
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(name))
        .find(|path| is_executable(path).unwrap_or(false))
}

#[cfg(unix)]
fn is_executable(path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::PermissionsExt;
    let metadata = fs::metadata(path)?;
    Ok(metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> io::Result<bool> {
    Ok(fs::metadata(path)?.is_file())
}

/// The version line of a stored result, for messages.
pub fn version_line(toolchain: &Toolchain) -> &str {
    toolchain.version.lines().next().unwrap_or("rustc")
}

/// For tests that do not run Rust.
#[cfg(test)]
pub(crate) fn imaginary() -> Toolchain {
    Toolchain {
        rustc: PathBuf::from("/nowhere/rustc"),
        cargo: PathBuf::from("/nowhere/cargo"),
        version: "rustc 0.0.0".to_owned(),
    }
}

/// Sorted, for tests of what a command inherits.
#[cfg(test)]
fn removed(command: &Command) -> std::collections::BTreeMap<String, bool> {
    command
        .get_envs()
        .map(|(name, value)| (name.to_string_lossy().into_owned(), value.is_none()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_lose_what_cargo_has_set_for_this_process_and_find_the_compiler_first() {
        // Cargo sets this variable for every test that it runs.
        assert!(env::var_os("CARGO_PKG_NAME").is_some());
        let command = imaginary().command(Path::new("cargo"));
        assert_eq!(removed(&command).get("CARGO_PKG_NAME"), Some(&true));
        let path = command
            .get_envs()
            .find(|(name, _)| *name == "PATH")
            .and_then(|(_, value)| value);
        let path = path
            .expect("the path is set")
            .to_string_lossy()
            .into_owned();
        assert!(path.starts_with("/nowhere:"), "{path}");
    }

    #[test]
    fn programs_are_found_by_path_and_by_name() {
        assert!(on_path("sh").is_some_and(|path| path.is_absolute()));
        assert_eq!(on_path("/no/such/rustc"), None);
        assert_eq!(on_path("no-such-program-anywhere"), None);
    }
}
