use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::driver::writer;

fn tree(paths: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (path, text) in paths {
        writer::replace(&folder.path().join(path), text.as_bytes()).expect("writes");
    }
    folder
}

fn location(folder: &Path) -> Location {
    Location {
        folder: folder.to_owned(),
        document: folder.join("workflow.xml"),
        archive: None,
    }
}

/// The embedded paths, and the ids of the diagnostics.
fn embedded(folder: &Path, own_output: Option<&Path>) -> (Vec<String>, Vec<&'static str>) {
    let mut sink = Sink::default();
    let files = of_location(
        &location(folder),
        own_output,
        &mut Files::default(),
        &mut sink,
    )
    .files;
    let ids = sink
        .into_sorted()
        .iter()
        .map(|diagnostic| diagnostic.rule.id())
        .collect();
    (files.into_keys().collect(), ids)
}

#[test]
fn secrets_hidden_and_ignored_files_are_left_out() {
    let folder = tree(&[
        ("workflow.xml", ""),
        ("job.properties", "password=x"),
        ("conf/log.properties", ""),
        (".git/HEAD", ""),
        ("lib/.hidden", ""),
        ("lib/a.jar", ""),
        ("data/big.csv", ""),
        (".hpdlignore", "*.csv\n"),
    ]);
    let (files, ids) = embedded(folder.path(), None);
    assert_eq!(files, ["conf/log.properties", "lib/a.jar", "workflow.xml"]);
    assert_eq!(ids, [] as [&str; 0]);
}

#[test]
fn copies_of_editors_and_keys_are_left_out_and_secrets_named() {
    let folder = tree(&[
        ("job.properties~", "password=x"),
        ("job.properties.bak", "password=x"),
        ("keys/id_rsa", "-----BEGIN OPENSSH PRIVATE KEY-----"),
        ("keys/server.pem", "-----BEGIN RSA PRIVATE KEY-----\nx"),
        ("keys/id_ed25519", "wanted"),
        ("conf/db.properties", "url=jdbc:x\ndb.password=hunter2\n"),
        (".hpdlignore", "!id_ed25519"),
    ]);
    let (files, ids) = embedded(folder.path(), None);
    assert_eq!(
        files,
        ["conf/db.properties", "keys/id_ed25519", "keys/server.pem"]
    );
    assert_eq!(ids, ["embedded_secrets"; 2]);
}

#[test]
fn what_hpdlc_has_made_is_left_out_unless_it_is_named() {
    let folder = tree(&[
        ("workflow.xml", ""),
        ("crate/.hpdlc-emitted", "Cargo.toml\n"),
        ("crate/Cargo.toml", ""),
        ("state/jobs.db", ""),
        ("state/locks/x", ""),
        ("other/jobs.db", ""),
    ]);
    let mut executable = b"\x7fELF code ".to_vec();
    executable.extend(hpdlc_core::mark::mark());
    for name in ["old-name", "bin/wanted"] {
        writer::replace(&folder.path().join(name), &executable).expect("writes");
    }
    // Text about the mark is not an executable, and an executable without it is not ours.
    writer::replace(&folder.path().join("text"), &executable[1..]).expect("writes");
    writer::replace(&folder.path().join("tool"), &executable[..20]).expect("writes");
    writer::replace(&folder.path().join(".hpdlignore"), b"!/bin/wanted").expect("writes");
    let found = of_location(
        &location(folder.path()),
        None,
        &mut Files::default(),
        &mut Sink::default(),
    );
    let files: Vec<&String> = found.files.keys().collect();
    assert_eq!(
        files,
        [
            "bin/wanted",
            "other/jobs.db",
            "text",
            "tool",
            "workflow.xml"
        ]
    );
    let own_outputs: Vec<&str> = found
        .own_outputs
        .iter()
        .filter_map(|path| path.rsplit('/').next())
        .collect();
    assert_eq!(own_outputs, ["crate", "old-name", "state"]);
}

#[test]
fn links_are_followed_inside_the_folder_only() {
    let outside = tree(&[("secret", "")]);
    let folder = tree(&[("bin/run.sh", "")]);
    let link =
        |target: &Path, name: &str| symlink(target, folder.path().join(name)).expect("links");
    link(Path::new("bin/run.sh"), "inside");
    link(Path::new("bin"), "folder");
    link(&outside.path().join("secret"), "outside");
    link(Path::new("nothing"), "broken");
    link(Path::new(".."), "bin/up");
    let (files, ids) = embedded(folder.path(), None);
    assert_eq!(files, ["bin/run.sh", "folder/run.sh", "inside"]);
    assert_eq!(ids, ["skipped_files"; 4]);
}

#[test]
fn executable_bit_and_size_are_kept() {
    let folder = tree(&[("run.sh", "#!/bin/sh\n"), ("data", "12345")]);
    fs::set_permissions(
        folder.path().join("run.sh"),
        fs::Permissions::from_mode(0o755),
    )
    .expect("changes");
    let files = of_location(
        &location(folder.path()),
        None,
        &mut Files::default(),
        &mut Sink::default(),
    )
    .files;
    assert!(files["run.sh"].is_executable);
    assert!(!files["data"].is_executable);
    assert_eq!(files["data"].size, 5);
}

#[test]
fn executable_that_is_being_built_does_not_embed_itself() {
    let folder = tree(&[("workflow.xml", ""), ("daily", "the last build")]);
    let (files, _) = embedded(folder.path(), Some(&folder.path().join("daily")));
    assert_eq!(files, ["workflow.xml"]);
}

#[test]
fn too_much_names_the_largest() {
    let file = |size| EmbeddedFile {
        source: PathBuf::new(),
        size,
        is_executable: false,
    };
    let mut files = EmbeddedFiles::from([
        ("a".to_owned(), file(1)),
        ("b".to_owned(), file(MAX_APPLICATION_SIZE - 1)),
    ]);
    let mut sink = Sink::default();
    check_size(&files, Path::new("app"), &mut sink);
    assert!(!sink.has_errors());
    files.insert("c".to_owned(), file(1));
    check_size(&files, Path::new("app"), &mut sink);
    let found = sink.into_sorted();
    assert_eq!(found[0].rule.id(), "H0004");
    assert!(
        found[0].notes[0].starts_with("the largest are `b` (64.0 MiB)"),
        "{:?}",
        found[0].notes
    );
}
