//! The sources that an installed hpdlc has in it: those of the runtime, and those of what extensions are compiled with.

use std::{
    borrow::Cow,
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use crate::driver::{BuildPlaces, Failure, digest::Digest, writer};

/// The folder of `hpdlc-flow` below a checkout, or below what was unpacked.
pub const FLOW: &str = "macros/flow";

/// That of the runtime's sources.
pub fn digest() -> String {
    let mut digest = Digest::default();
    for (path, bytes) in hpdlc_runtime_sources::FILES {
        digest.field(path).field(bytes);
    }
    digest.finish()
}

/// Unpacks the sources of the runtime, and those of what extensions are compiled with if they are wanted.
///
/// # Errors
///
/// The folder cannot be written.
fn unpack(workspace: &Path, for_extensions: bool) -> Result<(), Failure> {
    let mut files: BTreeMap<&str, Cow<'_, [u8]>> = hpdlc_runtime_sources::FILES
        .iter()
        .map(|(path, bytes)| (*path, Cow::from(*bytes)))
        .collect();
    if for_extensions {
        let flow = hpdlc_runtime_sources::flow_files()
            .map_err(|error| Failure::io("unpack the sources to", workspace, &error))?;
        files.extend(flow.into_iter().map(|(path, bytes)| (path, bytes.into())));
    }
    for (path, bytes) in files {
        let path = workspace.join(path);
        writer::replace_if_changed(&path, &bytes)
            .map_err(|error| Failure::io("write", &path, &error))?;
    }
    Ok(())
}

/// The folder of `hpdlc-flow` for cargo and editors in the crate of an extension, where no registry has it: that of the checkout, or
/// one in the cache, which is unpacked.
///
/// # Errors
///
/// The cache cannot be written.
pub fn flow(places: &BuildPlaces) -> Result<PathBuf, Failure> {
    if let Some(checkout) = &places.checkout {
        return Ok(checkout.workspace.join(FLOW));
    }
    Ok(workspace(places, true)?.join(FLOW))
}

/// The workspace of the sources in the cache, unpacked: one for all runtimes, so that cargo compiles what they share once.
///
/// # Errors
///
/// The cache cannot be written.
pub fn workspace(places: &BuildPlaces, for_extensions: bool) -> Result<PathBuf, Failure> {
    let mut name = Digest::default();
    name.field(digest());
    if for_extensions {
        name.field(hpdlc_runtime_sources::FLOW);
    }
    let workspace = places.cache.join("sources").join(name.finish());
    unpack(&workspace, for_extensions)?;
    Ok(workspace)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn what_extensions_need_is_unpacked_only_for_them() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for (for_extensions, members) in [(false, "\"runtime\"]"), (true, "\"macros/flow\"]")] {
            let workspace = folder.path().join(for_extensions.to_string());
            unpack(&workspace, for_extensions).expect("unpacks");
            let root = fs::read_to_string(workspace.join("Cargo.toml")).expect("reads");
            assert!(root.contains(members), "{root}");
            assert!(workspace.join("runtime/src/lib.rs").is_file());
            for path in [
                "macros/flow/src/lib.rs",
                "macros/src/lib.rs",
                "compiler/src/lib.rs",
            ] {
                assert_eq!(workspace.join(path).is_file(), for_extensions, "{path}");
            }
        }
    }
}
