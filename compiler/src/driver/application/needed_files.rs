//! The files that the actions of a workflow refer to, compared with the files in its folder.

use std::{
    collections::BTreeSet,
    path::{Component, Path},
};

use hpdlc_core::app_uri::APP_PATH;

use super::{CheckedApp, Session, workflow::APPLICATION_PATH};
use crate::{
    driver::{
        embedded,
        ignore::Ignore,
        mistakes::missing_files::{Cause, MissingFile},
    },
    model::{Action, ActionKind, action::NamedFile},
};

impl Session {
    /// Reports files that `checked` refers to by a constant relative path and its folder does not contain.
    pub(super) fn check_needed_files(&mut self, checked: &CheckedApp) {
        // If the application path is remote, the job's folder is another one.
        let own_path = self.resolved_properties().remove(APPLICATION_PATH);
        let is_elsewhere = own_path.is_some_and(|path| {
            let scheme = path.split_once(":/").map(|(scheme, _)| scheme.to_owned());
            scheme.is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file"))
        });
        if is_elsewhere {
            return;
        }
        let patterns = self.ignore_file(checked);
        let mut missing = Vec::new();
        let with_defaults = Ignore::with_defaults(&patterns);
        for (_, action) in checked.app.actions() {
            collect_missing(checked, action, &with_defaults, &mut missing);
        }
        // What `global` specifies for every action is reported once.
        let mut seen = BTreeSet::new();
        missing.retain(|mistake| seen.insert((mistake.span, mistake.path.clone())));
        if missing.is_empty() {
            return;
        }
        self.enter(&checked.location);
        let ignore = Ignore::parse(&patterns);
        for mistake in missing {
            if !is_ignored(&ignore, &mistake.path) {
                self.sink.emit(mistake);
            }
        }
    }

    /// The text of `.hpdlignore`.
    fn ignore_file(&mut self, checked: &CheckedApp) -> String {
        let path = checked.location.below(".hpdlignore");
        let shown = checked.location.shown(&path);
        let file = self.files.text_if_present(&path, &shown, &mut self.sink);
        file.map(|file| self.files.sources.text(file).to_owned())
            .unwrap_or_default()
    }
}

/// Whether a path, or a folder above it, is listed there.
fn is_ignored(ignore: &Ignore, path: &str) -> bool {
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    let mut folders = folders.filter(|folder| !folder.is_empty());
    folders.any(|folder| ignore.is_ignored(folder, true)) || ignore.is_ignored(path, false)
}

fn collect_missing(
    checked: &CheckedApp,
    action: &Action,
    ignore: &Ignore,
    missing: &mut Vec<MissingFile>,
) {
    let files = named_files(&action.kind);
    // A file that is linked into the action's folder from elsewhere exists by the name of the link.
    let links: Vec<&str> = files
        .iter()
        .filter(|(element, _)| matches!(*element, "file" | "archive"))
        .filter_map(|(_, text)| text.literal())
        .flat_map(|text| text.split(','))
        .filter(|path| !is_relative(path))
        .map(link_name)
        .collect();
    for (element, text) in files {
        let Some(literal) = text.literal() else {
            continue;
        };
        for path in literal.split(',').map(str::trim) {
            let target = path.split_once('#').map_or(path, |(target, _)| target);
            if target.is_empty()
                || !is_relative(target)
                || target.contains(['*', '?', '{', '['])
                || (element == "script" && links.contains(&link_name(target)))
            {
                continue;
            }
            if let Some(cause) = cause_to_lack(checked, ignore, target) {
                let folder = checked.location.shown(&checked.location.folder);
                missing.push(MissingFile {
                    element,
                    path: target.to_owned(),
                    folder,
                    cause,
                    span: text.span,
                });
            }
        }
    }
}

/// Why the executable will not have the file at `path`, which is relative.
fn cause_to_lack(checked: &CheckedApp, ignore: &Ignore, path: &str) -> Option<Cause> {
    let location = &checked.location;
    if !location.below(path).exists() {
        return Some(Cause::Missing);
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in Path::new(path).components() {
        match part {
            Component::Normal(name) => parts.push(name.to_str()?),
            Component::ParentDir => {
                if parts.pop().is_none() {
                    // The folder of a child may be below that of its parent, which is embedded too.
                    return (checked.uri == APP_PATH).then_some(Cause::Outside);
                }
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    let path = parts.join("/");
    let is_folder = location.below(&path).is_dir();
    let is_left_out = embedded::is_left_out(&path, is_folder) || is_ignored(ignore, &path);
    is_left_out.then_some(Cause::NotEmbedded)
}

fn is_relative(path: &str) -> bool {
    let path = path.trim();
    !path.starts_with('/') && !path.contains(':')
}

/// The name by which a program finds a file: what follows `#`, or the last name of the path.
fn link_name(path: &str) -> &str {
    let path = path.trim();
    let name = path.rsplit('#').next().unwrap_or(path);
    name.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(name)
}

fn named_files(kind: &ActionKind) -> Vec<NamedFile<'_>> {
    let mut named = kind.body().map_or_else(Vec::new, |body| body.files());
    let job_xml = kind.settings().map(|settings| settings.job_xml.as_slice());
    named.extend(
        job_xml
            .unwrap_or_default()
            .iter()
            .map(|text| ("job-xml", text)),
    );
    named.retain(|(_, text)| !text.is_invalid);
    named
}
