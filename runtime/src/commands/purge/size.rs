//! Disk usage of files, and its display.

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::Path,
};

/// The disk usage in bytes of a file, or of a folder with everything below it. Links are not followed.
pub(super) fn size_of(path: &Path) -> u64 {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return 0;
    };
    let own = metadata.blocks() * 512;
    if !metadata.is_dir() {
        return own;
    }
    let below = fs::read_dir(path).into_iter().flatten().flatten();
    own + below.map(|entry| size_of(&entry.path())).sum::<u64>()
}

/// Gives the owner write permission for the folders at and below `path`.
pub(super) fn writable(path: &Path) {
    let Ok(metadata) = fs::symlink_metadata(path) else {
        return;
    };
    if !metadata.is_dir() {
        return;
    }
    let mode = metadata.permissions().mode();
    if mode & 0o700 != 0o700 {
        // An error is reported when removing the folder fails.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode | 0o700));
    }
    for entry in fs::read_dir(path).into_iter().flatten().flatten() {
        writable(&entry.path());
    }
}

/// `512 B`, `1.5 KiB`, `3.2 GiB`.
pub(in crate::commands) fn format_size(bytes: u64) -> String {
    let units = ["KiB", "MiB", "GiB", "TiB"];
    if bytes < 1024 {
        return format!("{bytes} B");
    }
    let mut size = bytes as f64 / 1024.0;
    let mut unit = units[0];
    for larger in &units[1..] {
        if size < 1024.0 {
            break;
        }
        size /= 1024.0;
        unit = larger;
    }
    format!("{size:.1} {unit}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_as_exact_as_a_person_wants() {
        let texts = [0, 1_023, 1_536, 3_500_000, u64::MAX].map(format_size);
        assert_eq!(
            texts,
            ["0 B", "1023 B", "1.5 KiB", "3.3 MiB", "16777216.0 TiB"]
        );
    }

    #[test]
    fn folders_that_nobody_may_write_become_writable() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        fs::write(inner.join("c"), vec![0; 8_192]).unwrap();
        for path in [&inner, &folder.path().join("a")] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o000)).unwrap();
        }
        writable(folder.path());
        assert!(size_of(folder.path()) >= 8_192);
        let mode = fs::metadata(&inner).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o700);
    }
}
