//! Extracts the paths of the libraries from cargo's JSON messages.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use serde::Deserialize;

/// The libraries that `cargo build` of the runtime has built or found fresh.
#[derive(Debug, PartialEq, Eq)]
pub struct CargoArtifacts {
    /// Every rlib, and every procedural macro: rustc reads those too when it resolves dependencies.
    pub libraries: BTreeSet<PathBuf>,
    /// The file name of the wanted package's own library.
    pub rlib_name: String,
}

#[derive(Deserialize)]
struct CargoMessage {
    reason: String,
    target: Option<CargoTarget>,
    #[serde(default)]
    filenames: Vec<PathBuf>,
}

#[derive(Deserialize)]
struct CargoTarget {
    name: String,
    kind: Vec<String>,
}

/// The libraries in the output of `--message-format=json`, where `wanted` is the requested crate. `None` if it is not among
/// them.
pub fn artifacts(stdout: &str, wanted: &str) -> Option<CargoArtifacts> {
    let mut libraries = BTreeSet::new();
    let mut rlib_name = None;
    for line in stdout.lines() {
        let Ok(message) = serde_json::from_str::<CargoMessage>(line) else {
            continue;
        };
        let Some(target) = message
            .target
            .filter(|_| message.reason == "compiler-artifact")
        else {
            continue;
        };
        if target.kind.iter().any(|kind| kind == "custom-build") {
            continue;
        }
        let metadata = message
            .filenames
            .iter()
            .find(|path| has_extension(path, "rmeta"));
        for path in &message.filenames {
            if ["rmeta", "d", "pdb", "dwp"]
                .iter()
                .any(|extension| has_extension(path, extension))
            {
                continue;
            }
            // For the requested package, cargo reports a link without the hash, which any later build replaces.
            let hashed = metadata
                .map(|metadata| metadata.with_extension("rlib"))
                .filter(|hashed| has_extension(path, "rlib") && hashed.is_file());
            let path = hashed.unwrap_or_else(|| path.clone());
            if target.name == wanted {
                rlib_name = path
                    .file_name()
                    .and_then(|name| name.to_str())
                    .map(str::to_owned);
            }
            libraries.insert(path);
        }
    }
    Some(CargoArtifacts {
        libraries,
        rlib_name: rlib_name?,
    })
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|present| present == extension)
}
