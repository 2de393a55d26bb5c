//! `git` actions on local repositories.

use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

use crate::harness::{World, action, node, text};

pub(super) fn git(folder: &Path, arguments: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=t", "-c", "user.email=t@t", "-C"])
        .arg(folder)
        .args(arguments)
        .output()
        .expect("git is there");
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// A workflow, and a repository with a file on each of two branches.
fn world() -> World {
    let body = "<git xmlns='uri:oozie:git-action:1.0'><name-node>file:///</name-node><prepare><delete path='${out}/old'/></prepare>\
        <git-uri>${uri}</git-uri><branch>${wf:conf('branch')}</branch><key-path>${wf:conf('key')}</key-path>\
        <destination-uri>file://${out}/copy</destination-uri></git>";
    let world = World::of_nodes(&action("a", body, "end"));
    let repository = world.path("repository");
    fs::create_dir(&repository).expect("made");
    git(&repository, &["init", "-q", "-b", "main"]);
    fs::write(repository.join("first.txt"), "first").expect("written");
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "first"]);
    git(&repository, &["checkout", "-q", "-b", "other"]);
    fs::create_dir(repository.join("below")).expect("made");
    fs::write(repository.join("below/run.sh"), "#!/bin/sh\n").expect("written");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(repository.join("below/run.sh"), mode).expect("it is ours");
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "second"]);
    git(&repository, &["checkout", "-q", "main"]);
    world
}

#[test]
fn a_branch_is_copied_over_what_is_there() {
    let world = world();
    let uri = format!("-Duri=file://{}", world.path("repository").display());
    let copy = world.out().join("copy");
    fs::create_dir(world.out().join("old")).expect("made");
    world.run(&[&uri]).expect(0);
    assert_eq!(
        fs::read_to_string(copy.join("first.txt")).expect("copied"),
        "first"
    );
    assert!(copy.join(".git/HEAD").exists() && !copy.join("below").exists());
    assert!(!world.out().join("old").exists(), "it was prepared");
    fs::write(copy.join("first.txt"), "changed").expect("written");
    world.run(&[&uri, "-Dbranch=other"]).expect(0);
    assert_eq!(
        fs::read_to_string(copy.join("first.txt")).expect("copied"),
        "first"
    );
    let mode = fs::metadata(copy.join("below/run.sh"))
        .expect("copied")
        .permissions();
    assert_eq!(mode.mode() & 0o111, 0o111);
}

#[test]
fn links_are_followed_within_the_repository_and_the_clone_is_gone() {
    let world = world();
    let repository = world.path("repository");
    fs::create_dir_all(repository.join("sub/deep")).expect("made");
    fs::write(repository.join("sub/deep/file"), "deep").expect("written");
    for (link, target) in [
        ("file-link", "first.txt"),
        ("folder-link", "sub"),
        ("dangling", "nothing"),
        ("outside", "/etc/hostname"),
        ("sub/up", ".."),
    ] {
        std::os::unix::fs::symlink(target, repository.join(link)).expect("linked");
    }
    git(&repository, &["add", "."]);
    git(&repository, &["commit", "-q", "-m", "links"]);
    world
        .run(&[&format!("-Duri=file://{}", repository.display())])
        .expect(0);
    let copy = world.out().join("copy");
    let read = |name: &str| fs::read_to_string(copy.join(name)).expect(name);
    assert_eq!(read("file-link"), "first");
    assert_eq!(read("folder-link/deep/file"), "deep");
    for name in ["dangling", "outside", "sub/up", "folder-link/up"] {
        assert!(
            fs::symlink_metadata(copy.join(name)).is_err(),
            "{name} was copied"
        );
    }
    let id = world.job().expect("a job");
    let log = world.log(&id);
    for part in ["were not copied", "dangling", "outside", "sub/up"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let clone = world.home().join("work").join(&id).join("a/1/repository");
    assert!(!clone.exists(), "it would take its place twice");
}

#[test]
fn failures_have_oozies_codes() {
    let world = world();
    let uri = format!("-Duri=file://{}", world.path("repository").display());
    let key = world.path("key");
    fs::write(&key, "no key").expect("written");
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("it is ours");
    let [open, missing] =
        [key, world.path("none")].map(|path| format!("-Dkey=file://{}", path.display()));
    let at_once = "-Doozie.action.retries.max=0";
    for (given, exit, code, words) in [
        (vec!["-Duri=git@host:x.git"], 1, "JA018", "no scheme"),
        (vec![uri.as_str(), "-Dbranch=none"], 1, "JA018", "none"),
        (
            vec!["-Duri=file:///no/such/place"],
            1,
            "JA018",
            "/no/such/place",
        ),
        (vec!["-Duri= "], 1, "GIT010", "git-uri"),
        (vec![uri.as_str(), &missing], 1, "GIT011", "no such file"),
        (vec![uri.as_str(), &open], 1, "GIT012", "chmod"),
        (
            vec!["-Duri=https://ann:hunter22@nowhere.invalid/x.git", at_once],
            4,
            "GIT001",
            "resolve",
        ),
        (
            vec!["-Duri=http://127.0.0.1:1/x.git", at_once],
            4,
            "GIT006",
            "127.0.0.1",
        ),
    ] {
        let ended = world.run(&given).expect(exit);
        assert!(!ended.stderr.contains("hunter22"), "{}", ended.stderr);
        let info = world.info(&text(&world.jobs()[0]["id"]));
        let failed = node(&info, "a");
        assert_eq!(failed["error_code"], code, "{given:?} {info:#}");
        let message = text(&failed["error_message"]);
        assert!(message.contains(words), "{given:?}: {message}");
        assert!(!message.contains("hunter22"), "{message}");
    }
    fs::write(world.out().join("copy"), "a file").expect("written");
    world.run(&[&uri]);
    let info = world.info(&text(&world.jobs()[0]["id"]));
    assert!(
        text(&node(&info, "a")["error_code"]).starts_with("GIT00"),
        "{info:#}"
    );
}
