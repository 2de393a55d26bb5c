//! Where hpdlc stores what it has compiled: inside the target folder of a checkout, else in the user's cache.

use std::{
    env,
    path::{Path, PathBuf},
};

use crate::driver::Failure;

/// The cache folder, and the checkout that this hpdlc was built in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildPlaces {
    pub cache: PathBuf,
    pub checkout: Option<Checkout>,
}

/// A source tree of hpdlc whose own target folder contains the running executable: the runtime is compiled there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Checkout {
    /// The folder of the workspace's `Cargo.toml`.
    pub workspace: PathBuf,
    /// Cargo's target folder.
    pub target: PathBuf,
}

/// Finds the places for this process.
///
/// # Errors
///
/// No folder for the cache is known: neither `HPDLC_CACHE`, `XDG_CACHE_HOME` nor `HOME` is set.
pub fn find() -> Result<BuildPlaces, Failure> {
    let checkout = env::current_exe()
        .and_then(|path| path.canonicalize())
        .ok()
        .and_then(|executable| checkout_of(&executable));
    let folder = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let cache = folder("HPDLC_CACHE")
        .or_else(|| {
            checkout
                .as_ref()
                .map(|checkout| checkout.target.join("hpdlc-cache"))
        })
        .or_else(|| {
            folder("XDG_CACHE_HOME")
                .filter(|path| path.is_absolute())
                .map(|path| path.join("hpdlc"))
        })
        .or_else(|| folder("HOME").map(|path| path.join(".cache/hpdlc")));
    match cache {
        Some(cache) => {
            let cache = std::path::absolute(&cache)
                .map_err(|error| Failure::io("find the cache folder", &cache, &error))?;
            Ok(BuildPlaces { cache, checkout })
        }
        None => Err(Failure::new("there is no folder for the compiled runtime")
            .note("none of `HPDLC_CACHE`, `XDG_CACHE_HOME` and `HOME` is set")
            .help("set `HPDLC_CACHE` to a folder that may be written")),
    }
}

/// The checkout whose target folder contains `executable`. An installed hpdlc has none, wherever it was built.
fn checkout_of(executable: &Path) -> Option<Checkout> {
    // Cargo marks its target folders; `cargo install` copies the executable out of one.
    let target = executable
        .ancestors()
        .skip(1)
        .find(|folder| folder.join("CACHEDIR.TAG").is_file())?;
    let built_here = Path::new(env!("CARGO_MANIFEST_DIR")).parent();
    let workspace = target
        .ancestors()
        .skip(1)
        .chain(built_here)
        .find(|folder| is_workspace(folder))?;
    Some(Checkout {
        workspace: workspace.to_owned(),
        target: target.to_owned(),
    })
}

fn is_workspace(folder: &Path) -> bool {
    [
        "Cargo.lock",
        "runtime/core/Cargo.toml",
        "compiler/runtime_sources/Cargo.toml",
    ]
    .iter()
    .all(|path| folder.join(path).is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn executable_in_the_target_folder_of_a_workspace_belongs_to_it() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let workspace = folder.path().join("hpdlc");
        let executable = workspace.join("target/x86_64/release/hpdlc");
        for path in [
            "Cargo.lock",
            "runtime/core/Cargo.toml",
            "compiler/runtime_sources/Cargo.toml",
            "target/CACHEDIR.TAG",
        ] {
            let path = workspace.join(path);
            fs::create_dir_all(path.parent().expect("it has a parent")).expect("creates");
            fs::write(path, "").expect("writes");
        }
        assert_eq!(
            checkout_of(&executable),
            Some(Checkout {
                workspace: workspace.clone(),
                target: workspace.join("target")
            })
        );
    }

    #[test]
    fn installed_executable_has_no_checkout() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        assert_eq!(checkout_of(&folder.path().join("bin/hpdlc")), None);
    }
}
