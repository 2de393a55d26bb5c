//! Files of an action on other file systems: locates them and copies them to this machine.

use std::{fs, io, os::unix::fs::PermissionsExt, path::Path};

use hpdlc_files::{Access, LocatedFile, PathError, Uri, error, system::FileSystem};
use hpdlc_program::failure::ActionError;

/// The URI of an absolute path without a file system, which is not on this machine: on that of the application (`JavaActionExecutor.addToCache`),
/// else on the action's name node; `None` if neither is another machine's.
pub fn on_cluster(path: &str, app_path: &str, name_node: Option<&str>) -> Option<String> {
    if Uri::parse(path).scheme.is_some() || !path.starts_with('/') {
        return None;
    }
    let root = root_of(app_path).or_else(|| name_node.and_then(root_of))?;
    Some(format!("{root}{path}"))
}

/// `hdfs://host`, if a URI is on another machine.
pub fn root_of(uri: &str) -> Option<String> {
    let parsed = Uri::parse(uri.trim());
    let scheme = parsed.scheme.filter(|_| !parsed.is_file())?;
    Some(format!(
        "{scheme}://{}",
        parsed.authority.unwrap_or_default()
    ))
}

/// The file system of `uri`, and the path on it.
///
/// # Errors
///
/// As [`out_of_reach`].
pub fn locate<'a>(access: &Access<'a>, uri: &str) -> Result<LocatedFile<'a>, ActionError> {
    access
        .locate(&Uri::parse(uri))
        .map_err(|error| out_of_reach(&error))
}

/// The error of an action for a path that no file system has or that the site does not allow: HadoopAccessorException, the class of
/// Oozie's `HadoopAccessorService`.
pub fn out_of_reach(error: &PathError) -> ActionError {
    ActionError::error("HadoopAccessorException", error.to_string())
}

/// Copies a file from any file system. The copy is executable, whatever the mode of the original, as with YARN
/// (`FSDownload.changePermissions`): few scripts on HDFS are executable. Blocks.
///
/// # Errors
///
/// As [`locate`]; JA008: it is missing; JA001 to JA009: its file system fails.
pub fn fetch(uri: &str, to: &Path, access: &Access<'_>) -> Result<(), ActionError> {
    let located = locate(access, uri)?;
    bring(&*located.system, &located.path(), to)
        .map_err(|error| error::of_file(&error, &format!("cannot fetch {uri}")))
}

/// As [`fetch`], for a file whose file system is known.
///
/// # Errors
///
/// The file cannot be read, or the copy cannot be written.
pub fn bring(system: &dyn FileSystem, from: &Path, to: &Path) -> io::Result<()> {
    system.get(from, to)?;
    fs::set_permissions(to, fs::Permissions::from_mode(0o755))
}

/// Makes `file`, of an attempt's folder, executable: a link to a file that is not becomes a copy that is.
///
/// # Errors
///
/// It cannot be read, or the copy cannot be written.
pub fn make_program(file: &Path) -> io::Result<()> {
    let Ok(metadata) = fs::metadata(file) else {
        return Ok(());
    };
    if !metadata.is_file() || metadata.permissions().mode() & 0o111 != 0 {
        return Ok(());
    }
    if file.is_symlink() {
        let meant = fs::canonicalize(file)?;
        fs::remove_file(file)?;
        fs::copy(meant, file)?;
    }
    fs::set_permissions(file, fs::Permissions::from_mode(0o755))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use hpdlc_files::AccessSettings;

    #[test]
    fn a_path_alone_is_on_the_file_system_of_the_application() {
        let nn = Some("hdfs://nn:8020/");
        for (path, app_path, name_node, expected) in [
            ("/a/x", "hdfs://app/apps/w", nn, Some("hdfs://app/a/x")),
            ("/a/x", "/home/ada/w", nn, Some("hdfs://nn:8020/a/x")),
            ("/a/x", "file:/home/ada/w", Some("file:///"), None),
            ("/a/x", "/home/ada/w", None, None),
            ("a/x", "hdfs://app/apps/w", nn, None),
            ("hdfs://b/x", "hdfs://app/apps/w", nn, None),
        ] {
            let found = on_cluster(path, app_path, name_node);
            assert_eq!(found.as_deref(), expected, "{path} {app_path}");
        }
    }

    #[test]
    fn what_is_fetched_can_be_run() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("a b.sh"), folder.path().join("there"));
        fs::write(&from, "exit 0").unwrap();
        let settings = AccessSettings::default();
        let never = AtomicBool::new(false);
        let access = Access::new(&settings, &never);
        fetch(&format!("file://{}", from.display()), &to, &access).unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&from) & 0o111, mode(&to)), (0, 0o755));
    }

    #[test]
    fn a_linked_file_becomes_a_program_of_its_own() {
        let folder = tempfile::tempdir().unwrap();
        let (from, link) = (folder.path().join("a.sh"), folder.path().join("link"));
        fs::write(&from, "exit 0").unwrap();
        std::os::unix::fs::symlink(&from, &link).unwrap();
        make_program(&link).unwrap();
        make_program(&folder.path().join("none")).unwrap();
        assert!(!link.is_symlink());
        assert_eq!(fs::read(&link).unwrap(), b"exit 0");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o111;
        assert_eq!((mode(&from), mode(&link)), (0, 0o111));
    }
}
