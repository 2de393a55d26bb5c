//! The libraries of an action, in their order of precedence: the application's `lib`, the folders of `oozie.libpath`, the
//! sharelib (`JavaActionExecutor.setLibFilesArchives`, `ShareLibService`).

use fancy_regex::Regex;
use hpdlc_files::{Access, error, system::DirEntry};
use hpdlc_host::comma_list;
use hpdlc_program::failure::ActionError;

use crate::{
    AttemptPlace, ToolKind, fetch, file_name,
    tool::{
        Tool,
        resources::{self, Resource, written},
    },
};

const ROOT: &str = "oozie.service.WorkflowAppService.system.libpath";

/// Prefix of the timestamped folders that Oozie creates for the sharelib.
const STAMPED: &str = "lib_";

/// Adds the files of all library folders to those that the action itself names.
///
/// # Errors
///
/// A folder cannot be read; EJ001, failed: the requested sharelib is missing.
pub fn add(
    all: &mut Vec<Resource>,
    tool: &Tool,
    place: &AttemptPlace<'_>,
    access: &Access<'_>,
) -> Result<(), ActionError> {
    // A missing folder is ignored.
    add_folder(
        all,
        &resources::file_uri(&place.app_folder.join("lib")),
        access,
        None,
    )?;
    for name in ["oozie.libpath", "oozie.launcher.oozie.libpath"] {
        let folders = tool.setting(name).unwrap_or_default();
        for folder in comma_list::entries(folders) {
            let uri = resources::locate(tool, place, folder)?;
            if !add_folder(all, &uri, access, None)? {
                let problem = format!("{name}: there is no folder {uri}");
                return Err(ActionError::error("JA008", problem));
            }
        }
    }
    add_share_library(all, tool, place, access)
}

/// Adds the files of one folder; whether it exists.
fn add_folder(
    all: &mut Vec<Resource>,
    uri: &str,
    access: &Access<'_>,
    exclude: Option<&Regex>,
) -> Result<bool, ActionError> {
    let Some(entries) = list(uri, access)? else {
        return Ok(false);
    };
    let mut names: Vec<String> = entries
        .into_iter()
        .filter(|entry| !entry.is_folder)
        .filter_map(|entry| entry.name.into_string().ok())
        .collect();
    names.sort();
    for name in names {
        let file = format!("{}/{name}", uri.trim_end_matches('/'));
        let is_excluded = exclude.is_some_and(|exclude| {
            let folder = file_name::base_name(uri);
            exclude
                .is_match(&format!("{folder}/{name}"))
                .unwrap_or_default()
        });
        if is_excluded {
            continue;
        }
        for written in written(&name, false) {
            resources::add(all, written, file.clone());
        }
    }
    Ok(true)
}

fn list(uri: &str, access: &Access<'_>) -> Result<Option<Vec<DirEntry>>, ActionError> {
    let located = fetch::locate(access, uri)?;
    let listed = located.system.list(&located.path());
    listed.map_err(|error| error::of_file(&error, &format!("cannot read {uri}")))
}

/// The sharelib, if the action or its job requests it. The folder of a sharelib name is the one that the setting
/// `hpdl.sharelib.NAME` gives, or the one below Oozie's own root.
fn add_share_library(
    all: &mut Vec<Resource>,
    tool: &Tool,
    place: &AttemptPlace<'_>,
    access: &Access<'_>,
) -> Result<(), ActionError> {
    if !tool.is_set("oozie.use.system.libpath") {
        return Ok(());
    }
    let exclude = format!(
        "oozie.action.sharelib.for.{}.exclude",
        tool.kind.type_name()
    );
    let exclude = match tool.setting(&exclude) {
        Some(pattern) => Some(Regex::new(&format!("^(?:{pattern})$")).map_err(|error| {
            let problem = format!("{exclude} is `{pattern}`, and no pattern: {error}");
            ActionError::error("JA018", problem)
        })?),
        None => None,
    };
    let root = match tool.setting(ROOT) {
        Some(root) => {
            let root = root.replace("${user.name}", &tool.user);
            Some(newest(&resources::locate(tool, place, &root)?, access)?)
        }
        None => None,
    };
    for name in names(tool) {
        let n_others = all.len();
        let setting = format!("hpdl.sharelib.{name}");
        let folders: Vec<String> = match (tool.setting(&setting), &root) {
            (Some(folders), _) => comma_list::entries(folders)
                .map(|folder| resources::locate(tool, place, folder))
                .collect::<Result<_, _>>()?,
            (None, Some(root)) => vec![format!("{root}/{name}")],
            // An installed tool has what it needs.
            (None, None) => continue,
        };
        for folder in folders {
            if !add_folder(all, &folder, access, exclude.as_ref())? {
                let problem = format!(
                    "there is no sharelib `{name}`: no folder {folder} ({setting}, {ROOT})"
                );
                return Err(ActionError::failed("EJ001", problem));
            }
        }
        for resource in all.iter_mut().skip(n_others) {
            resource.is_of_tool = name == tool.kind.type_name();
        }
    }
    Ok(())
}

/// The sharelib names that the action uses.
fn names(tool: &Tool) -> Vec<String> {
    let of_type = format!("oozie.action.sharelib.for.{}", tool.kind.type_name());
    let asked = ["oozie.launcher.sharelib", &of_type]
        .into_iter()
        .find_map(|name| tool.setting(name));
    let default = match tool.kind {
        ToolKind::Streaming => "mapreduce-streaming",
        // Hadoop has everything that they need.
        ToolKind::MapReduce | ToolKind::Pipes => "",
        kind => kind.type_name(),
    };
    comma_list::entries(asked.unwrap_or(default))
        .map(str::to_owned)
        .collect()
}

/// The latest folder in that root that Oozie's `sharelib create` has made, else the root itself.
fn newest(root: &str, access: &Access<'_>) -> Result<String, ActionError> {
    let root = root.trim_end_matches('/');
    let names = list(root, access)?.unwrap_or_default();
    let newest = names
        .into_iter()
        .filter_map(|entry| entry.name.into_string().ok())
        .filter(|name| name.starts_with(STAMPED))
        .max();
    Ok(match newest {
        Some(name) => format!("{root}/{name}"),
        None => root.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeMap, fs, path::Path, sync::atomic::AtomicBool};

    use super::*;
    use crate::tool::{
        call::testing::{map, tool},
        resources::ResourceRole,
    };
    use hpdlc_launcher::Attempt;

    /// The names of the files that an action gets from folders below `folder`.
    fn found(folder: &Path, settings: BTreeMap<String, String>) -> Result<Vec<String>, String> {
        let mut tool = tool(ToolKind::Pig, []);
        tool.name_node = None;
        tool.settings = settings;
        let (attempt, is_canceled) = (Attempt::new(folder.join("w/1")), AtomicBool::new(false));
        let app = folder.join("app");
        let place = AttemptPlace {
            job_id: "0-W",
            node: "act",
            attempt: &attempt,
            app_folder: &app,
            app_path: app.to_str().unwrap(),
            home: folder,
            is_canceled: &is_canceled,
        };
        let mut all = Vec::new();
        add(&mut all, &tool, &place, &Access::default()).map_err(|error| error.code)?;
        Ok(all
            .iter()
            .map(|resource| {
                let below = resource.uri.rsplit('/').nth(1).unwrap();
                let is_of_pig = ["pig", "own"].contains(&below);
                assert_eq!(resource.is_of_tool, is_of_pig, "{}", resource.uri);
                let mark = if resource.role == ResourceRole::Jar {
                    "*"
                } else {
                    ""
                };
                format!("{below}/{}{mark}", resource.name)
            })
            .collect())
    }

    #[test]
    fn libraries_come_in_their_order_and_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for file in [
            "app/workflow.xml",
            "app/lib/b.jar",
            "app/lib/a.jar",
            "app/lib/libx.so",
            "app/lib/deep/c.jar",
            "more/a.jar",
            "more/d.jar",
            "share/lib_1/pig/old.jar",
            "share/lib_2/pig/new.jar",
            "share/lib_2/pig/guava-1.jar",
            "share/lib_2/extra/e.jar",
            "own/o.jar",
        ] {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let path = |name: &str| root.join(name).display().to_string();
        let own = ["lib/a.jar*", "lib/b.jar*", "lib/libx.so"].map(str::to_owned);
        let with = |more: &[&str]| {
            let more = more.iter().map(|it| (*it).to_owned());
            Ok(own.iter().cloned().chain(more).collect::<Vec<_>>())
        };
        assert_eq!(found(root, map([])), with(&[]));
        let more = path("more");
        let share = path("share");
        let used = ("oozie.use.system.libpath", "true");
        assert_eq!(
            found(root, map([("oozie.libpath", &more)])),
            with(&["more/d.jar*"])
        );
        assert_eq!(found(root, map([(ROOT, &share)])), with(&[]));
        assert_eq!(found(root, map([used])), with(&[]));
        assert_eq!(
            found(root, map([used, (ROOT, &share)])),
            with(&["pig/guava-1.jar*", "pig/new.jar*"])
        );
        assert_eq!(
            found(
                root,
                map([
                    used,
                    (ROOT, &share),
                    ("oozie.action.sharelib.for.pig", "pig,extra"),
                    ("oozie.action.sharelib.for.pig.exclude", "pig/guava.*"),
                ])
            ),
            with(&["pig/new.jar*", "extra/e.jar*"])
        );
        let own_folder = path("own");
        assert_eq!(
            found(root, map([used, ("hpdl.sharelib.pig", &own_folder)])),
            with(&["own/o.jar*"])
        );
        let with_comma = format!("{own_folder}, ");
        assert_eq!(
            found(root, map([used, ("hpdl.sharelib.pig", &with_comma)])),
            with(&["own/o.jar*"]),
            "what is empty is no folder"
        );
        let none = path("none");
        let missing = |name| found(root, map([used, (name, &none)]));
        assert_eq!(missing("hpdl.sharelib.pig"), Err("EJ001".to_owned()));
        assert_eq!(missing("oozie.libpath"), Err("JA008".to_owned()));
    }
}
