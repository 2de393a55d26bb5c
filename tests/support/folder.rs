//! Folders: that of the repository, and copies that a test may change.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the tests are a folder of the repository")
        .to_owned()
}

/// Every file of the repository that is, or could be, under version control, by its relative path.
pub fn tracked_files() -> Vec<PathBuf> {
    listed(&["--cached", "--others"])
}

/// Those that could be and are not: nobody else has them.
pub fn untracked_files() -> Vec<PathBuf> {
    listed(&["--others"])
}

/// What `git ls-files` lists and is there.
fn listed(which: &[&str]) -> Vec<PathBuf> {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--exclude-standard"])
        .args(which)
        .current_dir(repository())
        .output()
        .expect("the repository is under git");
    assert!(listed.status.success());
    let listed = String::from_utf8(listed.stdout).expect("the repository's names are UTF-8");
    let mut files: Vec<PathBuf> = listed
        .split_terminator('\0')
        .map(PathBuf::from)
        .filter(|path| repository().join(path).is_file())
        .collect();
    files.sort();
    files.dedup();
    files
}

/// A folder of the reference material, in `HPDL_SHARED` or in `shared` beside the repository; absent on most
/// machines, so that the test is skipped there.
pub fn shared(folder: &str) -> Option<PathBuf> {
    let shared = env::var_os("HPDL_SHARED")
        .map_or_else(|| repository().join("../shared"), PathBuf::from)
        .join(folder);
    shared.is_dir().then_some(shared)
}

/// Every file below `folder`, sorted. Links count as files.
pub fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(folder, &mut files)
        .unwrap_or_else(|error| panic!("cannot list `{}`: {error}", folder.display()));
    files.sort();
    files
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), files)?;
        } else {
            files.push(entry.path());
        }
    }
    Ok(())
}

/// Copies an application, or any folder, with the permissions of its files. `to` may exist.
pub fn copy(from: &Path, to: &Path) {
    for file in files_below(from) {
        let below = file
            .strip_prefix(from)
            .expect("it was found below the folder");
        let target = to.join(below);
        let parent = target.parent().expect("it lies below a folder");
        fs::create_dir_all(parent)
            .and_then(|()| fs::copy(&file, &target))
            .unwrap_or_else(|error| panic!("cannot write `{}`: {error}", target.display()));
    }
}

/// Writes a file, and creates its parent folders.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) {
    let parent = path.parent().expect("a file lies in a folder");
    fs::create_dir_all(parent)
        .and_then(|()| fs::write(path, bytes))
        .unwrap_or_else(|error| panic!("cannot write `{}`: {error}", path.display()));
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn copies_keep_paths_and_rights() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        write(&from.join("bin/run.sh"), "exit 0\n");
        let rights = fs::Permissions::from_mode(0o755);
        fs::set_permissions(from.join("bin/run.sh"), rights).expect("the file is ours");
        copy(&from, &to);
        assert_eq!(files_below(&to), [to.join("bin/run.sh")]);
        let metadata = fs::metadata(to.join("bin/run.sh")).expect("it was copied");
        assert_eq!(metadata.permissions().mode() & 0o777, 0o755);
    }
}
