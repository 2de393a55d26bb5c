//! The files that every action of an application gets: those of its `lib` folder (`JavaActionExecutor.setLibFilesArchives`).

use std::{fs, os::unix::fs::symlink, path::Path};

use hpdlc_files::{Access, Uri, error};
use hpdlc_program::failure::ActionError;

use super::{FolderLink, LeaveThere, RemoteFile};
use crate::{AttemptPlace, StartError, fetch};

/// The folder of an application whose files every action gets.
const FOLDER: &str = "lib";

/// Removes duplicates, and adds the files directly in the application's `lib` whose names are not used yet.
pub fn complete(links: &mut Vec<FolderLink>, archives: &[FolderLink], app_folder: &Path) {
    let mut distinct: Vec<FolderLink> = Vec::with_capacity(links.len());
    for link in links.drain(..) {
        if !distinct.contains(&link) {
            distinct.push(link);
        }
    }
    *links = distinct;
    let mut names: Vec<String> = fs::read_dir(app_folder.join(FOLDER))
        .into_iter()
        .flatten()
        .filter_map(Result::ok)
        .filter(|entry| entry.path().is_file())
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    for name in names {
        if !links.iter().chain(archives).any(|link| link.name == name) {
            links.push(FolderLink {
                target: format!("{FOLDER}/{name}"),
                name,
            });
        }
    }
}

/// Puts the files of more folders (`oozie.libpath`) into the attempt's folder: links to local ones, copies of others.
/// Returns their names in the order of the folders; a name that is already used keeps its file. Paths without a scheme are
/// local if they exist, else on `name_node`. Blocks.
///
/// # Errors
///
/// JA008: a folder is missing; JA001 to JA009: its file system fails.
pub fn bring(
    folders: &[String],
    name_node: Option<&str>,
    place: &AttemptPlace<'_>,
    access: &Access<'_>,
    leave: LeaveThere<'_>,
) -> Result<Vec<String>, StartError> {
    let mut brought = Vec::new();
    for folder in folders {
        let is_elsewhere = Uri::parse(folder).scheme.is_none() && !Path::new(folder).exists();
        let uri = match name_node.filter(|_| is_elsewhere) {
            Some(name_node) => format!("{}{folder}", name_node.trim_end_matches('/')),
            None => folder.clone(),
        };
        let located = fetch::locate(access, &uri)?;
        let path = located.path();
        let failure = |error| error::of_file(&error, &format!("cannot read {uri}"));
        let Some(entries) = located.system.list(&path).map_err(failure)? else {
            let problem = format!("oozie.libpath: there is no folder {uri}");
            return Err(ActionError::error("JA008", problem).into());
        };
        let files = entries.into_iter().filter(|entry| !entry.is_folder);
        let mut names: Vec<String> = files
            .filter_map(|entry| entry.name.into_string().ok())
            .collect();
        names.sort();
        for name in names {
            let target = place.attempt.folder().join(&name);
            if target.symlink_metadata().is_ok() {
                continue;
            }
            let file = path.join(&name);
            let parsed = Uri::parse(&uri);
            if parsed.scheme.is_none() || parsed.is_file() {
                symlink(&file, &target).map_err(|error| StartError::machine(&target, &error))?;
            } else {
                let remote = format!("{}/{name}", uri.trim_end_matches('/'));
                let remote = RemoteFile {
                    uri: &remote,
                    name: &name,
                    is_archive: false,
                };
                if !leave(remote) {
                    fetch::bring(&*located.system, &file, &target).map_err(failure)?;
                }
            }
            brought.push(name);
        }
    }
    Ok(brought)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::process::parse_links;

    #[test]
    fn files_of_lib_come_last_and_nothing_comes_twice() {
        let folder = tempfile::tempdir().unwrap();
        for file in ["lib/b.jar", "lib/a.sh", "lib/deep/c", "lib/z", "x"] {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let mut links = parse_links("x, lib/a.sh, x, y#b.jar, libc.so.1#d");
        let archives = parse_links("all.zip#z");
        complete(&mut links, &archives, folder.path());
        let found: Vec<_> = links
            .iter()
            .map(|it| format!("{}>{}", it.target, it.name))
            .collect();
        let expected = ["x>x", "lib/a.sh>a.sh", "y>b.jar", "libc.so.1>libc.so.1"];
        assert_eq!(found, expected);
        let mut links = Vec::new();
        complete(&mut links, &[], folder.path());
        let found: Vec<_> = links.iter().map(|it| it.target.as_str()).collect();
        assert_eq!(found, ["lib/a.sh", "lib/b.jar", "lib/z"]);
        complete(&mut links, &[], &folder.path().join("none"));
        assert_eq!(links.len(), 3);
    }
}
