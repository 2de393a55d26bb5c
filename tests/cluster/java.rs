//! Java classes of the tests, compiled where the tests run.

use std::{fs, path::Path, process::Command};

use crate::cluster::Cluster;

/// Compiles sources, each a path and a text, against Hadoop's classes, and packs into `jar` all classes whose paths start with
/// one of `wanted`.
pub fn pack(cluster: &Cluster, sources: &[(&str, &str)], wanted: &str, jar: &Path) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let classes = folder.path().join("classes");
    fs::create_dir_all(&classes).expect("a folder");
    let mut javac = Command::new("javac");
    javac
        .args(["-nowarn", "-Xlint:none", "--release", "8", "-d"])
        .arg(&classes)
        .arg("-cp")
        .arg(format!("{}/lib/hadoop/*", cluster.folder.display()));
    for (path, text) in sources {
        let file = folder.path().join("sources").join(path);
        fs::create_dir_all(file.parent().expect("it has one")).expect("a folder");
        fs::write(&file, text).expect("a file");
        javac.arg(file);
    }
    run(&mut javac);
    fs::create_dir_all(jar.parent().expect("it has one")).expect("a folder");
    run(Command::new("jar")
        .arg("cf")
        .arg(jar)
        .arg("-C")
        .arg(&classes)
        .arg(wanted));
}

fn run(command: &mut Command) {
    let output = command.output().expect("a JDK is where a cluster is");
    assert!(
        output.status.success(),
        "{command:?}: {}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    );
}
