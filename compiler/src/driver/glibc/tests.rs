//! Tests of which versions can be requested, and that the list of names is glibc's.

use std::collections::BTreeSet;

use object::read::elf::Sym as _;

use super::*;

#[test]
fn versions_that_are_not_known_are_refused() {
    for (text, expected) in [
        ("2.17", Ok(17)),
        ("2.28", Ok(28)),
        ("2.43", Ok(43)),
        ("2.16", Err("Rust's programs need 2.17 or newer")),
        ("2.5", Err("Rust's programs need 2.17 or newer")),
        ("2.99", Err("this glibc is not known")),
        ("3.1", Err("no version of glibc")),
        ("2.17.1", Err("no version of glibc")),
        ("2.+17", Err("no version of glibc")),
        ("2.", Err("no version of glibc")),
        ("2.99999999999", Err("no version of glibc")),
        ("centos7", Err("no version of glibc")),
        ("", Err("no version of glibc")),
    ] {
        match (GlibcVersion::from_str(text), expected) {
            (Ok(version), Ok(minor)) => assert_eq!(version.minor, minor),
            (Err(said), Err(begin)) => {
                assert!(said.starts_with(begin), "{text}: {said}");
                assert!(
                    said.ends_with("versions are 2.17 to 2.43"),
                    "{text}: {said}"
                );
            }
            (parsed, _) => panic!("{text}: {parsed:?}"),
        }
    }
}

#[test]
fn other_machines_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let places = BuildPlaces {
        cache: folder.path().to_owned(),
        checkout: None,
    };
    let mut toolchain = crate::driver::toolchain::imaginary();
    toolchain.version = "rustc 1.95.0\nhost: aarch64-unknown-linux-gnu\n".to_owned();
    let version = GlibcVersion::from_str("2.17").expect("a known version");
    let failure = ready(&places, &toolchain, version).expect_err("another machine");
    assert!(
        failure.message.contains("aarch64-unknown-linux-gnu"),
        "{failure}"
    );
    assert_eq!(fs::read_dir(folder.path()).expect("reads").count(), 0);
}

#[test]
fn newer_versions_are_told_apart() {
    for (version, minor, expected) in [
        ("GLIBC_2.2.5", 17, false),
        ("GLIBC_2.17", 17, false),
        ("GLIBC_2.18", 17, true),
        ("GLIBC_2.28", 28, false),
        ("GLIBC_2.34", 28, true),
        ("GLIBC_3.0", 43, true),
        ("GLIBC_ABI_DT_RELR", 43, true),
        ("GCC_3.0", 17, false),
    ] {
        assert_eq!(is_newer(version, minor), expected, "{version} {minor}");
    }
}

#[test]
fn libraries_are_made_once_and_again_where_one_is_missing() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let places = BuildPlaces {
        cache: folder.path().join("a cache, with blanks"),
        checkout: None,
    };
    let mut toolchain = crate::driver::toolchain::imaginary();
    toolchain.version = format!("rustc 1.95.0\nhost: {HOST}\n");
    let version = GlibcVersion::from_str("2.17").expect("a known version");
    let made = || ready(&places, &toolchain, version).unwrap_or_else(|failure| panic!("{failure}"));
    let first = made();
    let object = std::path::PathBuf::from(&first.link_arguments[3]);
    let before = crate::driver::stamp::FileState::of(&object).expect("it is there");
    assert_eq!(made(), first);
    assert!(before.is_current(&object), "made once");
    fs::remove_file(&object).expect("removes");
    made();
    assert!(object.is_file());
    // Only the libraries are left.
    assert_eq!(
        fs::read_dir(places.cache.join("glibc"))
            .expect("reads")
            .count(),
        1
    );
}

/// The exports of this machine's libraries: names with versions, including the old ones.
fn exported_here() -> Option<BTreeSet<(String, String)>> {
    let mut exported = BTreeSet::new();
    for file in ["libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2"] {
        let path = ["/lib/x86_64-linux-gnu", "/lib64", "/usr/lib64", "/usr/lib"]
            .into_iter()
            .map(|folder| Path::new(folder).join(file))
            .find(|path| path.is_file())?;
        let bytes = fs::read(path).expect("reads");
        let bytes = bytes.as_slice();
        let header = FileHeader64::<object::Endianness>::parse(bytes).expect("an ELF file");
        let endian = header.endian().expect("a known order of bytes");
        let sections = header.sections(endian, bytes).expect("sections");
        let symbols = sections
            .symbols(endian, bytes, object::elf::SHT_DYNSYM)
            .expect("symbols");
        let versions = sections
            .versions(endian, bytes)
            .expect("versions")
            .expect("glibc has versions");
        for (index, symbol) in symbols.enumerate() {
            let name = symbol.name(endian, symbols.strings()).expect("a name");
            let version = versions.version_index(endian, index);
            if let Ok(Some(version)) = versions.version(version) {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
                exported.insert((text(name), text(version.name())));
            }
        }
    }
    Some(exported)
}

#[test]
fn names_and_versions_of_the_list_are_those_of_glibc() {
    let exports = stubs::exports(stubs::NAMES);
    assert!(exports.len() > 1000, "{}", exports.len());
    let mut seen = BTreeSet::new();
    for export in &exports {
        assert!(!is_newer(export.version, LINKED), "{export:?}");
        assert!(
            export.size.is_some() || export.names.len() == 1,
            "{export:?}"
        );
        for name in &export.names {
            assert!(seen.insert(*name), "{name} stands twice");
        }
    }
    // With another C library or processor there is nothing to compare.
    let Some(exported) = exported_here().filter(|_| cfg!(target_arch = "x86_64")) else {
        return;
    };
    for export in exports {
        for name in export.names {
            let pair = (name.to_owned(), export.version.to_owned());
            assert!(exported.contains(&pair), "{pair:?}");
        }
    }
}
