//! Extracts the paths of the libraries from cargo's JSON messages.

use std::{
    collections::{BTreeMap, BTreeSet},
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
    /// The versions of that package: one, unless packages ask for different ones.
    pub wanted_versions: Vec<String>,
    /// The file name of each library, by the name of its crate.
    pub rlibs: BTreeMap<String, String>,
    /// The folders of the packages that are on this machine, outside of a registry.
    pub folders: BTreeSet<PathBuf>,
}

#[derive(Deserialize)]
struct CargoMessage {
    reason: String,
    package_id: Option<String>,
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
    let mut wanted_versions = Vec::new();
    let mut rlibs = BTreeMap::new();
    let mut folders = BTreeSet::new();
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
        let package = message.package_id.as_deref().unwrap_or_default();
        folders.extend(folder_of(package));
        if target.kind.iter().any(|kind| kind == "custom-build") {
            continue;
        }
        if target.name == wanted {
            wanted_versions.push(version_of(package).to_owned());
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
            let name = path.file_name().and_then(|name| name.to_str());
            if target.name == wanted {
                rlib_name = name.map(str::to_owned);
            }
            if has_extension(&path, "rlib")
                && let Some(name) = name
            {
                rlibs.insert(target.name.clone(), name.to_owned());
            }
            libraries.insert(path);
        }
    }
    Some(CargoArtifacts {
        libraries,
        rlib_name: rlib_name?,
        wanted_versions,
        rlibs,
        folders,
    })
}

/// The folder of a package with the id `path+file:///folder#name@version`.
fn folder_of(package: &str) -> Option<PathBuf> {
    let (folder, _) = package.strip_prefix("path+file://")?.split_once('#')?;
    let decoded = percent_encoding::percent_decode_str(folder).decode_utf8();
    Some(PathBuf::from(decoded.ok()?.into_owned()))
}

/// The version at the end of a package's id: `...#name@version` or `...#version`.
fn version_of(package: &str) -> &str {
    package.rsplit(['@', '#']).next().unwrap_or_default()
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|present| present == extension)
}
