//! The sources of the hpdlc runtime, and of what extensions are compiled with, packed into the compiler.
//!
//! An installed hpdlc unpacks [`FILES`] to compile the runtime once on a machine, and `hpdlc emit` writes them beside the
//! generated crate. A runtime with extensions needs [`flow_files`] as well. The build script packs both; there is nothing else in this
//! package.

#[cfg(test)]
mod lock;
#[cfg(test)]
mod manifest;
#[cfg(test)]
mod modules;

use std::io::{self, Read};

use flate2::read::DeflateDecoder;

include!(concat!(env!("OUT_DIR"), "/files.rs"));
include!(concat!(env!("OUT_DIR"), "/flow.rs"));

/// The files of [`flow_files`], compressed: what they are known by.
pub static FLOW: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/flow.deflate"));

/// The packages `hpdlc-flow`, `hpdlc-macros` and `hpdlc`, and the workspace of these and of the runtime: its `Cargo.toml` and
/// `Cargo.lock` are here and in [`FILES`]. Each with its path below the workspace; sorted by path.
///
/// # Errors
///
/// The executable is damaged.
pub fn flow_files() -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let mut bytes = DeflateDecoder::new(FLOW);
    let mut files = Vec::with_capacity(FLOW_LENGTHS.len());
    for (path, length) in FLOW_LENGTHS {
        let mut content = vec![0; *length];
        bytes.read_exact(&mut content)?;
        files.push((*path, content));
    }
    Ok(files)
}

/// The packed file of that path.
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES
        .iter()
        .find(|(name, _)| *name == path)
        .map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn text(path: &str) -> &'static str {
        std::str::from_utf8(file(path).expect("the file is packed")).expect("it is UTF-8")
    }

    #[test]
    fn all_packages_are_packed_with_their_sources() {
        for path in [
            ".cargo/config.toml",
            "Cargo.lock",
            "Cargo.toml",
            "runtime/Cargo.toml",
            "runtime/core/Cargo.toml",
            "runtime/core/src/lib.rs",
            "runtime/engine/Cargo.toml",
            "runtime/engine/src/owner.rs",
            "runtime/src/lib.rs",
        ] {
            assert!(file(path).is_some(), "{path} is not packed");
        }
    }

    #[test]
    fn what_only_tests_read_is_not_packed() {
        for (path, _) in FILES {
            let names = path.split('/').map(|name| name.split('.').next());
            assert!(!names.flatten().any(|name| name == "tests"), "{path}");
            assert!(!path.contains("engine/simulate/"), "{path}");
        }
    }

    #[test]
    fn the_workspace_has_just_the_packed_members() {
        let manifest = text("Cargo.toml");
        assert!(manifest.contains("\"runtime\""), "{manifest}");
        assert!(!manifest.contains("\"compiler"), "{manifest}");
        assert!(!manifest.contains("\"tests"), "{manifest}");
    }

    #[test]
    fn the_configuration_names_no_script() {
        let config = text(".cargo/config.toml");
        assert!(config.contains("LIBSQLITE3_FLAGS"), "{config}");
        assert!(!config.contains("rustc-wrapper"), "{config}");
    }

    #[test]
    fn the_lock_file_names_no_package_that_only_the_compiler_needs() {
        let lock = text("Cargo.lock");
        assert!(lock.contains("name = \"rusqlite\""), "{lock}");
        for name in ["hpdlc", "prettyplease", "expect-test", "trybuild"] {
            assert!(
                !lock.contains(&format!("name = \"{name}\"\n")),
                "{name} is still in the lock file"
            );
        }
    }

    #[test]
    fn paths_are_sorted_and_unique() {
        assert!(FILES.is_sorted_by(|left, right| left.0 < right.0));
        assert!(FLOW_LENGTHS.is_sorted_by(|left, right| left.0 < right.0));
    }

    #[test]
    fn the_server_is_not_packed() {
        let is_of_server = |path: &str| path.starts_with("runtime/server/");
        assert!(FILES.iter().all(|(path, _)| !is_of_server(path)));
    }

    fn flow() -> BTreeMap<&'static str, String> {
        let files = flow_files().expect("they can be unpacked").into_iter();
        files
            .map(|(path, bytes)| (path, String::from_utf8(bytes).expect("it is UTF-8")))
            .collect()
    }

    #[test]
    fn extensions_get_a_workspace_with_the_compiler_as_a_library() {
        let files = flow();
        for path in [
            "compiler/src/lib.rs",
            "compiler/src/rust.rs",
            "macros/src/lib.rs",
            "macros/flow/src/lib.rs",
        ] {
            assert!(files.contains_key(path), "{path} is not packed");
        }
        for path in [
            "compiler/build.rs",
            "compiler/src/main.rs",
            "compiler/src/cli.rs",
            "compiler/src/driver/place.rs",
            "runtime/src/lib.rs",
        ] {
            assert!(!files.contains_key(path), "{path} is packed");
        }
        let root = &files["Cargo.toml"];
        assert!(root.contains("\"macros/flow\""), "{root}");
        let lock = &files["Cargo.lock"];
        for name in ["hpdlc", "hpdlc-flow", "hpdlc-runtime", "prettyplease"] {
            assert!(lock.contains(&format!("name = \"{name}\"\n")), "{name}");
        }
        for name in [
            "clap_mangen",
            "hpdlc-runtime-sources",
            "hpdl",
            "expect-test",
        ] {
            assert!(!lock.contains(&format!("name = \"{name}\"\n")), "{name}");
        }
    }

    /// Rustc would not find them.
    #[test]
    fn what_a_packed_file_needs_is_packed() {
        let files = flow();
        for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let module = path.strip_suffix(".rs").expect("it is Rust");
            let inside = module.strip_suffix("/lib").unwrap_or(module);
            let left_out: Vec<&str> = modules::left_out(text).collect();
            for line in text.lines() {
                let declared = line.strip_prefix("pub ").unwrap_or(line);
                let declared = declared.strip_prefix("mod ");
                if let Some(name) = declared.and_then(|it| it.strip_suffix(';')) {
                    let is_packed = files.contains_key(&*format!("{inside}/{name}.rs"));
                    assert_eq!(is_packed, !left_out.contains(&name), "{path}: {line}");
                }
            }
            for include in text.split("include_str!(\"").skip(1) {
                let name = include.split('"').next().unwrap_or_default();
                let included = format!("{folder}/{name}");
                // One inside `mod tests` is of no concern.
                let is_of_tests = name.contains("tests") || module.ends_with("/testing");
                assert!(is_of_tests || files.contains_key(&*included), "{included}");
            }
        }
    }
}
