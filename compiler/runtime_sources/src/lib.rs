//! The sources of the hpdlc runtime, packed into the compiler.
//!
//! An installed hpdlc unpacks [`FILES`] to compile the runtime once on a machine, and `hpdlc emit` writes them beside the
//! generated crate. The build script packs them; there is nothing else in this package.

#[cfg(test)]
mod lock;
#[cfg(test)]
mod manifest;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The packed file of that path.
pub fn file(path: &str) -> Option<&'static [u8]> {
    FILES
        .iter()
        .find(|(name, _)| *name == path)
        .map(|(_, bytes)| *bytes)
}

#[cfg(test)]
mod tests {
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
    }
}
