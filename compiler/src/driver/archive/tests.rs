//! Archives as packers make them, and malicious ones.

use std::io::Write;

use zip::{CompressionMethod, ZipWriter, write::SimpleFileOptions};

use super::*;
use crate::{
    diagnostics::Sink,
    driver::{locate, location::Location},
};

/// An archive with these entries; a name that ends in a slash is a folder, one that starts with `@` a link.
fn archive(folder: &Path, entries: &[(&str, &[u8])]) -> PathBuf {
    let path = folder.join("app.zip");
    let mut writer = ZipWriter::new(fs::File::create(&path).expect("made"));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, bytes) in entries {
        if let Some(name) = name.strip_prefix('@') {
            let target = String::from_utf8_lossy(bytes).into_owned();
            writer.add_symlink(name, target, options).expect("added");
        } else if name.ends_with('/') {
            writer.add_directory(*name, options).expect("added");
        } else {
            let mode = if name.ends_with(".sh") { 0o755 } else { 0o644 };
            writer
                .start_file(*name, options.unix_permissions(mode))
                .expect("added");
            writer.write_all(bytes).expect("written");
        }
    }
    writer.finish().expect("finished");
    path
}

/// The location in an archive of these entries, or the diagnostic about it.
fn located(entries: &[(&str, &[u8])]) -> (TempDir, Result<Location, String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = archive(folder.path(), entries);
    let mut sink = Sink::default();
    let found = locate::application(&path, &mut sink);
    let said: Vec<String> = sink
        .into_sorted()
        .into_iter()
        .map(|diagnostic| format!("{} {}", diagnostic.rule.id(), diagnostic.message))
        .collect();
    (folder, found.ok_or_else(|| said.join("\n")))
}

#[test]
fn application_is_at_the_root_or_in_the_only_folder() {
    for (entries, document) in [
        (vec!["workflow.xml", "lib/a.jar"], "workflow.xml"),
        (vec!["daily/", "daily/workflow.xml"], "daily/workflow.xml"),
        (
            vec!["daily/workflow.xml", "__MACOSX/x", ".hidden"],
            "daily/workflow.xml",
        ),
        (vec!["coordinator.xml"], "coordinator.xml"),
    ] {
        let entries: Vec<(&str, &[u8])> = entries
            .into_iter()
            .map(|name| (name, b"<a/>" as &[u8]))
            .collect();
        let (folder, found) = located(&entries);
        let found = found.expect("it is an application");
        let shown = found.shown(&found.document);
        let expected = folder.path().join("app.zip").join(document);
        assert_eq!(shown, expected.display().to_string());
        assert!(found.document.is_file());
        let unpacked = found.folder.clone();
        drop(found);
        assert!(!unpacked.exists(), "the folder goes with the archive");
    }
}

#[test]
#[cfg(unix)]
fn programs_stay_executable() {
    use std::os::unix::fs::PermissionsExt;
    let (_folder, found) = located(&[("workflow.xml", b"<a/>"), ("run.sh", b"#!/bin/sh\n")]);
    let found = found.expect("it is an application");
    let mode = |name: &str| {
        let metadata = fs::metadata(found.below(name)).expect("it is there");
        metadata.permissions().mode() & 0o111
    };
    assert_eq!(
        (mode("run.sh") != 0, mode("workflow.xml") != 0),
        (true, false)
    );
}

#[track_caller]
fn check_refused(entries: &[(&str, &[u8])], message: &str) {
    let (_folder, found) = located(entries);
    let said = found.expect_err("it is refused");
    assert!(
        said.starts_with("H0008 ") && said.contains(message),
        "{said}"
    );
}

#[test]
fn nothing_leaves_the_folder() {
    for name in [
        "../evil",
        "a/../../evil",
        "/etc/evil",
        "a\\..\\evil",
        "a/../b",
    ] {
        check_refused(&[("workflow.xml", b"<a/>"), (name, b"x")], "leads out");
    }
    check_refused(&[("workflow.xml", b"<a/>"), ("@lib", b"/etc")], "is a link");
}

#[test]
fn size_number_depth_and_density_have_bounds() {
    let zeros = vec![0_u8; 3 * 1024 * 1024];
    check_refused(&[("workflow.xml", &zeros)], "200 times");
    let deep = format!("{}f", "d/".repeat(40));
    check_refused(&[(&deep, b"x")], "deeper");
    // Incompressible: bytes that repeat only after a long period.
    let mut state = 1_u64;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        // Masked to 4 bits, which compress to about half: so the archive stays small enough.
        ((state >> 33) as u8) & 0x0f
    })
    .take(9 * 1024 * 1024)
    .collect();
    let names: Vec<String> = (0..8).map(|n| format!("part-{n}")).collect();
    let parts: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), noise.as_slice()))
        .collect();
    check_refused(&parts, "64.0 MiB");
    let names: Vec<String> = (0..=MAX_ENTRIES).map(|n| format!("f{n}")).collect();
    let many: Vec<(&str, &[u8])> = names
        .iter()
        .map(|name| (name.as_str(), b"" as &[u8]))
        .collect();
    check_refused(&many, "10000 entries");
}

#[test]
fn what_is_no_archive_of_an_application_is_said() {
    check_refused(&[("readme", b"x")], "no `workflow.xml`");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("broken.zip");
    let whole = archive(folder.path(), &[("workflow.xml", b"<a/>")]);
    let bytes = fs::read(whole).expect("read");
    for cut in [0, 1, bytes.len() / 2, bytes.len() - 1] {
        fs::write(&path, &bytes[..cut]).expect("written");
        let mut sink = Sink::default();
        assert_eq!(locate::application(&path, &mut sink), None);
        let said = sink.into_sorted();
        assert_eq!(said[0].rule.id(), "H0008", "{cut}");
    }
}

#[test]
fn names_that_stand_twice_are_refused() {
    let entries: [(&str, &[u8]); 3] = [
        ("workflow.xml", b"<workflow-app/>"),
        ("lib/a.sh", b"echo"),
        ("workflow.xmX", b"<other/>"),
    ];
    let (folder, found) = located(&entries);
    assert!(found.is_ok(), "{found:?}");
    // The writer rejects duplicate names, so the last name is changed to the first in the bytes.
    let path = folder.path().join("app.zip");
    let mut bytes = fs::read(&path).expect("reads");
    let name = b"workflow.xmX";
    let places: Vec<usize> = (0..bytes.len())
        .filter(|at| bytes[*at..].starts_with(name))
        .collect();
    assert_eq!(places.len(), 2, "before its bytes, and in the list");
    for place in places {
        bytes[place + name.len() - 1] = b'l';
    }
    fs::write(&path, bytes).expect("writes");
    let mut sink = Sink::default();
    assert_eq!(locate::application(&path, &mut sink), None);
    let said = sink.into_sorted().remove(0);
    assert_eq!(said.rule.id(), "H0008");
    assert_eq!(said.message, "the archive has `workflow.xml` twice");
}
