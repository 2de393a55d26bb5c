//! Resolves the URI of a child to its document.

use std::path::{Component, Path, PathBuf};

use hpdlc_core::app_uri;

use crate::driver::{
    application::{identity, near_names},
    locate::WORKFLOW_XML,
    location::Location,
    mapping::Mappings,
    mistakes::unresolved_sub_workflows::Cause,
};

/// The document that a URI denotes: below the folder of the requesting application, of the program's own, or mapped.
pub(super) fn child_location(
    uri: &str,
    folders: [(&Location, &str); 2],
    mappings: &Mappings,
) -> Result<Location, Cause> {
    // Oozie's `wf:appPath()` is what was submitted: of an application that is a file, that file.
    let itself = folders
        .into_iter()
        .find(|(_, own_uri)| app_uri::below(uri, own_uri) == Some(""));
    if let Some((location, _)) = itself {
        return Ok(location.clone());
    }
    let below = folders
        .into_iter()
        .find_map(|(location, own_uri)| Some(location.below(app_uri::below(uri, own_uri)?)));
    let archives = folders
        .into_iter()
        .filter_map(|(location, _)| location.archive.as_ref());
    let path = below
        .or_else(|| mappings.local(uri))
        .ok_or_else(|| Cause::Unmapped {
            uri: uri.to_owned(),
        })?;
    let path = without_detours(path);
    let document = if path.is_dir() {
        path.join(WORKFLOW_XML)
    } else {
        path.clone()
    };
    if !document.is_file() {
        return Err(Cause::Missing {
            uri: uri.to_owned(),
            near: near(&path),
            path: path.display().to_string(),
        });
    }
    let archives = archives.chain(mappings.archive_of(&document));
    Ok(Location::of(document, archives))
}

/// A name beside a path that is nearly its own.
fn near(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let names = near_names::names_in(path.parent()?);
    near_names::near(name, &names).map(str::to_owned)
}

/// The path without `x/..`, if that denotes the same file: one file has one name in messages, however it is requested.
fn without_detours(path: PathBuf) -> PathBuf {
    let mut short = PathBuf::new();
    for part in path.components() {
        match (part, short.components().next_back()) {
            (Component::ParentDir, Some(Component::Normal(_))) => {
                short.pop();
            }
            (part, _) => short.push(part),
        }
    }
    let is_same = short != path && identity(&short) == identity(&path);
    if is_same { short } else { path }
}
