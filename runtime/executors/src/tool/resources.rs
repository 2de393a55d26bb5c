//! `file`, `archive` and the files of `lib`: the role of each for the tool and its jobs, and its location
//! (`JavaActionExecutor.addToCache`).

use std::{
    io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use hpdlc_files::{Access, Uri, error, local_path};
use hpdlc_host::comma_list;
use hpdlc_program::failure::ActionError;
use serde::{Deserialize, Serialize};

use crate::{AttemptPlace, archives, fetch, file_name, tool::Tool};

/// The folder in the user's home on the cluster's file system for the files of actions.
const ACTION_FOLDERS: &str = ".hpdl";

/// What a file is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ResourceRole {
    /// Linked under its name into every working folder.
    Link,
    /// As [`ResourceRole::Link`], and on the class path: a JAR without a link name of its own.
    Jar,
    /// Unpacked into a folder of that name.
    Archive,
}

/// One file, with its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resource {
    /// With its scheme; `file` for this machine.
    pub uri: String,
    pub name: String,
    pub role: ResourceRole,
    /// Part of the tool's own sharelib: the installed tool itself ships to its jobs what they need.
    pub is_of_tool: bool,
}

/// A path as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenPath {
    pub path: String,
    pub name: String,
    pub role: ResourceRole,
}

impl Resource {
    /// `URI#NAME`, as in Hadoop's properties.
    pub fn uri_with_name(&self) -> String {
        format!("{}#{}", self.uri.replace(' ', "%20"), self.name)
    }

    /// The path, if it is on this machine.
    pub fn local(&self) -> Option<PathBuf> {
        local(&self.uri)
    }
}

/// The path of a URI of this machine.
pub fn local(uri: &str) -> Option<PathBuf> {
    Uri::parse(uri)
        .is_file()
        .then(|| local_path(uri).ok())
        .flatten()
}

/// The paths in the text of a `file` or an `archive`, separated by commas, each with its name after `#`.
pub fn written(text: &str, is_archive: bool) -> Vec<WrittenPath> {
    comma_list::entries(text)
        .map(|path| {
            let (path, own_name) = match path.split_once('#') {
                Some((path, name)) => (
                    path,
                    Some(file_name::base_name(name)).filter(|name| !name.is_empty()),
                ),
                None => (path, None),
            };
            let base = file_name::base_name(path);
            let role = if is_archive {
                ResourceRole::Archive
            } else if own_name.is_none() && base.ends_with(".jar") {
                ResourceRole::Jar
            } else {
                ResourceRole::Link
            };
            // A library must keep its file name, by which the dynamic linker finds it.
            let is_library = file_name::is_library(base);
            let name = own_name
                .filter(|_| !is_library || is_archive)
                .unwrap_or(base);
            WrittenPath {
                path: path.to_owned(),
                name: name.to_owned(),
                role,
            }
        })
        .collect()
}

/// The URI of a written path: one of the application's own files, else below the application's path, else on this machine,
/// else on the name node.
///
/// # Errors
///
/// JA008: it is relative, and the application has no such file.
pub fn locate(tool: &Tool, place: &AttemptPlace<'_>, path: &str) -> Result<String, ActionError> {
    let uri = Uri::parse(path);
    if uri.scheme.is_some() {
        let below = path
            .strip_prefix(place.app_path)
            .and_then(|rest| rest.strip_prefix('/'));
        let embedded = below.map(|below| place.app_folder.join(below));
        return Ok(match embedded.filter(|file| file.exists()) {
            Some(file) => file_uri(&file),
            None => path.to_owned(),
        });
    }
    if uri.is_absolute() {
        let below = Uri::parse(place.app_path).path;
        let embedded = path
            .strip_prefix(below)
            .and_then(|rest| rest.strip_prefix('/'))
            .map(|below| place.app_folder.join(below))
            .filter(|file| file.exists());
        let here = embedded.or_else(|| Some(PathBuf::from(path)).filter(|file| file.exists()));
        return Ok(match here {
            Some(file) => file_uri(&file),
            None => fetch::on_cluster(path, place.app_path, tool.name_node.as_deref())
                .unwrap_or_else(|| file_uri(Path::new(path))),
        });
    }
    let embedded = place.app_folder.join(path);
    if embedded.exists() {
        return Ok(file_uri(&embedded));
    }
    let beside = format!("{}/{path}", place.app_path.trim_end_matches('/'));
    match local_path(&beside) {
        Ok(file) if !file.exists() => Err(ActionError::error(
            "JA008",
            format!("file `{path}` does not exist: {}", embedded.display()),
        )),
        Ok(file) => Ok(file_uri(&file)),
        Err(_) => Ok(beside),
    }
}

pub fn file_uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Adds a resource, unless its name is already used.
pub fn add(all: &mut Vec<Resource>, written: WrittenPath, uri: String) {
    if all.iter().all(|known| known.name != written.name) {
        all.push(Resource {
            uri,
            name: written.name,
            role: written.role,
            is_of_tool: false,
        });
    }
}

/// The `file` and `archive` elements of an action.
///
/// # Errors
///
/// JA008: one names a file that the application does not have.
pub fn of_elements(tool: &Tool, place: &AttemptPlace<'_>) -> Result<Vec<Resource>, ActionError> {
    let mut all = Vec::new();
    for (element, is_archive) in [("file", false), ("archive", true)] {
        for text in tool.texts.all(element) {
            for written in written(text, is_archive) {
                let uri = locate(tool, place, &written.path)?;
                add(&mut all, written, uri);
            }
        }
    }
    Ok(all)
}

/// Puts a resource into a folder under its name: a link to a local file, a copy of a remote one, or a folder with the
/// content of an archive.
///
/// # Errors
///
/// JA008: it is missing; JA001 to JA009: its file system fails.
pub fn bring(
    resource: &Resource,
    folder: &Path,
    access: &Access<'_>,
) -> Result<PathBuf, ActionError> {
    let target = folder.join(&resource.name);
    let local = match resource.local() {
        Some(file) if file.exists() => file,
        Some(file) => {
            let problem = format!("file `{}` does not exist", file.display());
            return Err(ActionError::error("JA008", problem));
        }
        None => {
            let copy = match resource.role {
                ResourceRole::Archive => folder.join(format!(".{}", resource.name)),
                ResourceRole::Link | ResourceRole::Jar => target.clone(),
            };
            fetch::fetch(&resource.uri, &copy, access)?;
            if resource.role != ResourceRole::Archive {
                return Ok(target);
            }
            copy
        }
    };
    let brought = match resource.role {
        ResourceRole::Archive => archives::unpack(&local, &target),
        ResourceRole::Link | ResourceRole::Jar => symlink(&local, &target),
    };
    match brought {
        Ok(()) => Ok(target),
        Err(error) => {
            let what = format!("cannot bring {}", resource.uri);
            Err(error::of_file(&error, &what))
        }
    }
}

/// Copies a local file to where the tasks of a job can read it; returns its URI there.
///
/// # Errors
///
/// JA001 to JA009: the file system fails.
pub fn upload(tool: &Tool, place: &AttemptPlace<'_>, file: &Path) -> Result<String, ActionError> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let what = format!("cannot put {name} on the cluster");
    let problem = |error: io::Error| error::of_file(&error, &what);
    let Some(root) = remote_root(tool) else {
        return Ok(file_uri(file));
    };
    let access = Access::new(&tool.prepare.access, place.is_canceled);
    let located = fetch::locate(&access, &format!("{root}/"))?;
    let Some(home) = located.system.home() else {
        return Ok(file_uri(file));
    };
    let folder = action_folder(&home, tool, place);
    located
        .system
        .make_private_folders(&folder)
        .map_err(problem)?;
    let target = folder.join(&*name);
    located.system.put(file, &target).map_err(problem)?;
    // The tasks may run as another user.
    let _ = located.system.set_permission(&target, 0o755);
    Ok(format!("{root}{}", target.display()))
}

/// Removes what [`upload`] has put there; a leftover does no harm.
pub fn remove_action_folder(tool: &Tool, place: &AttemptPlace<'_>) {
    let access = Access::new(&tool.prepare.access, place.is_canceled);
    if let Some(root) = remote_root(tool)
        && tool.texts.one("pipes/program").is_some()
        && let Ok(located) = access.locate(&Uri::parse(&format!("{root}/")))
        && let Some(home) = located.system.home()
    {
        let _ = located.system.remove(&action_folder(&home, tool, place));
    }
}

/// The name node, if it is another machine.
fn remote_root(tool: &Tool) -> Option<String> {
    fetch::root_of(tool.name_node.as_deref()?)
}

fn action_folder(home: &Path, tool: &Tool, place: &AttemptPlace<'_>) -> PathBuf {
    let attempt = place.attempt.folder().file_name().unwrap_or_default();
    home.join(ACTION_FOLDERS)
        .join(place.job_id)
        .join(format!("{}--{}", place.node, tool.kind.type_name()))
        .join(attempt)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::ToolKind;
    use crate::tool::call::testing::tool;
    use hpdlc_launcher::Attempt;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn names_and_roles_follow_the_ending() {
        type Brought = (&'static str, &'static str, ResourceRole);
        let cases: &[(&str, bool, &[Brought])] = &[
            (
                "a/b.txt",
                false,
                &[("a/b.txt", "b.txt", ResourceRole::Link)],
            ),
            ("a/b.txt#c", false, &[("a/b.txt", "c", ResourceRole::Link)]),
            ("a/b.jar", false, &[("a/b.jar", "b.jar", ResourceRole::Jar)]),
            (
                "a/b.jar#c.jar",
                false,
                &[("a/b.jar", "c.jar", ResourceRole::Link)],
            ),
            (
                "a/libx.so.1#y",
                false,
                &[("a/libx.so.1", "libx.so.1", ResourceRole::Link)],
            ),
            (
                " a , b#",
                false,
                &[
                    ("a", "a", ResourceRole::Link),
                    ("b", "b", ResourceRole::Link),
                ],
            ),
            ("a.zip", true, &[("a.zip", "a.zip", ResourceRole::Archive)]),
            (
                "hdfs://nn/a.tgz#dir",
                true,
                &[("hdfs://nn/a.tgz", "dir", ResourceRole::Archive)],
            ),
            ("", false, &[]),
        ];
        for &(text, is_archive, expected) in cases {
            let found = written(text, is_archive);
            let found: Vec<_> = found
                .iter()
                .map(|written| (&*written.path, &*written.name, written.role))
                .collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn a_path_lies_with_the_application_here_or_on_the_name_node() {
        let folder = tempfile::tempdir().unwrap();
        let app = folder.path().join("app");
        fs::create_dir_all(app.join("bin")).unwrap();
        fs::write(app.join("bin/map.sh"), "").unwrap();
        let outside = folder.path().join("outside");
        fs::write(&outside, "").unwrap();
        let attempt = Attempt::new(folder.path().join("work/1"));
        let is_canceled = AtomicBool::new(false);
        let tool = tool(ToolKind::Streaming, []);
        let locate = |app_path: &str, path: &str| {
            let place = AttemptPlace {
                job_id: "0-W",
                node: "act",
                attempt: &attempt,
                app_folder: &app,
                app_path,
                home: folder.path(),
                is_canceled: &is_canceled,
            };
            locate(&tool, &place, path).map_err(|error| error.code)
        };
        let here = file_uri(&app.join("bin/map.sh"));
        let remote = "hdfs://other:8020/apps/x";
        let local = app.to_str().unwrap();
        for (app_path, path, expected) in [
            (local, "bin/map.sh", here.clone()),
            (remote, "bin/map.sh", here.clone()),
            (remote, "/apps/x/bin/map.sh", here.clone()),
            (remote, "hdfs://other:8020/apps/x/bin/map.sh", here.clone()),
            (remote, "data/x.txt", format!("{remote}/data/x.txt")),
            (
                remote,
                "/data/x.txt",
                "hdfs://other:8020/data/x.txt".to_owned(),
            ),
            (local, "/data/x.txt", "hdfs://nn:8020/data/x.txt".to_owned()),
            (local, "s3a://bucket/x", "s3a://bucket/x".to_owned()),
            (local, outside.to_str().unwrap(), file_uri(&outside)),
        ] {
            assert_eq!(locate(app_path, path), Ok(expected), "{app_path} {path}");
        }
        assert_eq!(locate(local, "bin/none"), Err("JA008".to_owned()));
    }
}
