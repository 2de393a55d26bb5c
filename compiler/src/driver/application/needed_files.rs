//! The files that the actions of a workflow refer to, compared with the files in its folder.

use std::{
    borrow::Cow,
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path},
};

use hpdlc_core::app_uri::APP_PATH;

use super::{CheckedApp, Session, near_names, workflow::APPLICATION_PATH};
use crate::{
    driver::{
        children::CompileTimeScope,
        embedded,
        ignore::Ignore,
        mistakes::missing_files::{Cause, MissingFile, NearFile},
        properties::Properties,
    },
    model::{Action, ActionKind, Template, action::NamedFile},
};

impl Session {
    /// Reports files that `checked` refers to by a constant relative path, or one below its own path, and its folder does not
    /// contain.
    pub(super) fn check_needed_files(&mut self, checked: &CheckedApp) {
        let own_path = self.resolved_properties().remove(APPLICATION_PATH);
        let uri = if checked.uri == APP_PATH {
            own_path.as_deref()
        } else {
            Some(checked.uri.as_str())
        };
        let patterns = self.ignore_file(checked);
        let mut needed = NeededFiles {
            checked,
            ignore: Ignore::with_defaults(&patterns),
            is_elsewhere: own_path.as_deref().is_some_and(is_remote),
            below: uri.map(|uri| format!("{}/", folder_of(uri))),
            scope: OnceCell::new(),
            properties: &self.properties,
            names: BTreeMap::new(),
            causes: BTreeMap::new(),
            missing: Vec::new(),
        };
        for (_, action) in checked.app.actions() {
            needed.collect(action);
        }
        let mut missing = needed.missing;
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

/// Whether a path is on another file system, where the job's folder is another one.
fn is_remote(path: &str) -> bool {
    let scheme = path.split_once(":/").map(|(scheme, _)| scheme);
    scheme.is_some_and(|scheme| !scheme.eq_ignore_ascii_case("file"))
}

/// The folder of an application that is named by its folder or by its document.
fn folder_of(uri: &str) -> &str {
    let uri = uri.trim_end_matches('/');
    match uri.rsplit_once('/') {
        Some((folder, name)) if name.ends_with(".xml") => folder,
        _ => uri,
    }
}

/// The files that the actions of an application refer to.
struct NeededFiles<'s> {
    checked: &'s CheckedApp,
    ignore: Ignore,
    is_elsewhere: bool,
    /// What the paths of files begin with that the job has in its own folder.
    below: Option<String>,
    scope: OnceCell<CompileTimeScope>,
    properties: &'s Properties,
    /// The names in folders of the application.
    names: BTreeMap<String, Vec<String>>,
    /// By path: many actions name the same files.
    causes: BTreeMap<String, Option<Cause>>,
    missing: Vec<MissingFile>,
}

impl NeededFiles<'_> {
    fn collect(&mut self, action: &Action) {
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
            let Some(value) = self.value(text) else {
                continue;
            };
            for path in value.split(',').map(str::trim) {
                let target = path.split_once('#').map_or(path, |(target, _)| target);
                let own = self.below.as_deref().and_then(|it| target.strip_prefix(it));
                let Some(relative) = own.or_else(|| is_relative(target).then_some(target)) else {
                    continue;
                };
                if relative.is_empty()
                    || relative.contains(['*', '?', '{', '['])
                    || (element == "script" && links.contains(&link_name(relative)))
                    || (own.is_none() && text.literal().is_none())
                {
                    continue;
                }
                // Whether the job may find the file though it is not here.
                let is_elsewhere = self.is_elsewhere || own.is_some();
                let Some(cause) = self.cause_to_lack(relative) else {
                    continue;
                };
                let near = match cause {
                    Cause::Missing => self.near(relative, is_elsewhere),
                    Cause::Outside | Cause::NotEmbedded => None,
                };
                if is_elsewhere && near.is_none() {
                    continue;
                }
                self.missing.push(MissingFile {
                    element,
                    path: relative.to_owned(),
                    folder: self.checked.location.shown(&self.checked.location.folder),
                    cause,
                    span: text.span,
                    near: near.map(|path| NearFile {
                        path,
                        is_whole: text.literal() == Some(relative),
                    }),
                });
            }
        }
    }

    /// Why the executable will not have the file at `path`, which is relative.
    fn cause_to_lack(&mut self, path: &str) -> Option<Cause> {
        if let Some(known) = self.causes.get(path) {
            return *known;
        }
        let cause = cause_to_lack(self.checked, &self.ignore, path);
        self.causes.insert(path.to_owned(), cause);
        cause
    }

    /// The value of a text that may be a path of the application.
    fn value<'t>(&self, text: &'t Template) -> Option<Cow<'t, str>> {
        if let Some(literal) = text.literal() {
            return Some(Cow::Borrowed(literal));
        }
        self.below.as_ref()?;
        let checked = self.checked;
        let scope = self
            .scope
            .get_or_init(|| CompileTimeScope::new(&checked.app, self.properties, &checked.uri));
        scope.text(text).ok().map(Cow::Owned)
    }

    /// A file of the application with nearly this path; where the job may have others, one that is no action's, by a slip in the name.
    fn near(&mut self, path: &str, is_elsewhere: bool) -> Option<String> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let checked = self.checked;
        let names = self
            .names
            .entry(folder.to_owned())
            .or_insert_with(|| near_names::names_in(&checked.location.folder.join(folder)));
        let near = if is_elsewhere {
            near_names::slip(name, names)?
        } else {
            near_names::near(name, names)?
        };
        let near = match folder {
            "" => near.to_owned(),
            folder => format!("{folder}/{near}"),
        };
        (!is_elsewhere || !self.is_named(&near)).then_some(near)
    }

    fn is_named(&self, path: &str) -> bool {
        self.checked.app.actions().any(|(_, action)| {
            let files = named_files(&action.kind);
            files.iter().any(|(_, text)| {
                let text = text.text.as_str();
                text.split(',').any(|it| {
                    let target = it.split_once('#').map_or(it, |(target, _)| target).trim();
                    target
                        .strip_suffix(path)
                        .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
                })
            })
        })
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
