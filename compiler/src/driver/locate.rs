//! From the PATH of a command line to the document of an application.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    diagnostics::Sink,
    driver::{
        archive::Archive,
        below::below,
        location::Location,
        mistakes::{
            invalid_archive::{ArchiveFault, InvalidArchive},
            no_application::NoApplication,
            remote_application::RemoteApplication,
            unreadable_file::UnreadableFile,
        },
        rust_file,
    },
};

mod rust_files;
mod search;

pub use self::search::documents;

/// The document's usual name.
pub const WORKFLOW_XML: &str = "workflow.xml";

pub const COORDINATOR_XML: &str = "coordinator.xml";

/// The usual names of documents that are not workflows: a bundle before the coordinators that it runs.
const OTHER_DOCUMENTS: [&str; 2] = ["bundle.xml", COORDINATOR_XML];

/// The property that tells a job the path of its application, and the document that is used if it is a folder.
pub const STARTED_BY: [(&str, &str); 3] = [
    ("oozie.bundle.application.path", "bundle.xml"),
    ("oozie.coord.application.path", "coordinator.xml"),
    ("oozie.wf.application.path", WORKFLOW_XML),
];

/// What a PATH refers to.
#[derive(Debug)]
pub struct FoundLocation {
    pub location: Location,
    /// The other documents of the folder, if no property specifies which one is meant.
    pub left_aside: Vec<PathBuf>,
}

/// The application in a ZIP; if there is none, a diagnostic is emitted.
fn in_archive(path: &Path, sink: &mut Sink) -> Option<Location> {
    let unpacked = Archive::unpack(path).and_then(|archive| {
        let folder = archive.application_folder();
        let names = std::iter::once(WORKFLOW_XML).chain(OTHER_DOCUMENTS);
        let document = names
            .map(|name| folder.join(name))
            .find(|path| path.is_file())
            .ok_or(ArchiveFault::NoApplication)?;
        Ok(Location {
            folder,
            document,
            archive: Some(Arc::new(archive)),
        })
    });
    match unpacked {
        Ok(location) => Some(location),
        Err(fault) => {
            sink.emit(InvalidArchive {
                path: path.display().to_string(),
                fault,
            });
            None
        }
    }
}

/// The application that `path` refers to, in a folder of several documents the one that the given properties start. If there
/// is none, a diagnostic is emitted.
pub fn source<'p>(
    path: &Path,
    property: impl Fn(&str) -> Option<&'p str>,
    sink: &mut Sink,
) -> Option<FoundLocation> {
    let location = application(&started(path, &property), sink)?;
    Some(FoundLocation {
        left_aside: left_aside(path, &location.document, property),
        location,
    })
}

/// The location of the workflow `src/main.rs#daily`; `None` if the file has none of this name.
pub fn rust_function(document: &Path) -> Option<Location> {
    rust_files::existing_function(document)
}

/// Like [`source`], without properties.
pub fn application(path: &Path, sink: &mut Sink) -> Option<Location> {
    let path = &local(path, sink)?;
    if let Some(location) = rust_files::function(path) {
        return Some(location);
    }
    let shown = path.display().to_string();
    let metadata = match fs::metadata(path) {
        Ok(metadata) => metadata,
        Err(error) => {
            sink.emit(UnreadableFile {
                path: shown,
                error: &error,
            });
            return None;
        }
    };
    if !metadata.is_dir() {
        return document(path, sink);
    }
    if path.join(WORKFLOW_XML).exists() {
        return document(&below(path, Path::new(WORKFLOW_XML)), sink);
    }
    // Their kind is determined by the room that reads them.
    if let Some(other) = OTHER_DOCUMENTS
        .iter()
        .map(|name| below(path, Path::new(name)))
        .find(|path| path.exists())
    {
        return document(&other, sink);
    }
    let nearby = search::search(path)
        .unwrap_or_default()
        .iter()
        .filter_map(|document| document.parent())
        .map(|folder| folder.display().to_string())
        .collect();
    sink.emit(NoApplication {
        folder: shown,
        nearby,
    });
    None
}

/// The document that the given properties start in the folder `path`, which may have several; otherwise `path` itself.
fn started<'p>(path: &Path, property: impl Fn(&str) -> Option<&'p str>) -> PathBuf {
    let is_there = |name: &str| Some(below(path, Path::new(name))).filter(|path| path.is_file());
    let document = STARTED_BY.iter().find_map(|(name, usual)| {
        let named = property(name)?
            .rsplit('/')
            .next()
            .filter(|it| is_xml(Path::new(it)));
        named.map_or_else(|| is_there(usual), is_there)
    });
    document.unwrap_or_else(|| path.to_owned())
}

/// The documents of the folder `path` that were not chosen, if no property specifies which one is meant.
fn left_aside<'p>(
    path: &Path,
    taken: &Path,
    property: impl Fn(&str) -> Option<&'p str>,
) -> Vec<PathBuf> {
    if STARTED_BY.iter().any(|(name, _)| property(name).is_some()) {
        return Vec::new();
    }
    STARTED_BY
        .iter()
        .map(|(_, usual)| below(path, Path::new(usual)))
        .filter(|document| document != taken && document.is_file())
        .collect()
}

/// A local path; a URI of another file system is rejected.
fn local(path: &Path, sink: &mut Sink) -> Option<PathBuf> {
    let Some((scheme, rest)) = path.to_str().and_then(|text| text.split_once(":/")) else {
        return Some(path.to_owned());
    };
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|char| char.is_ascii_alphanumeric() || "+-.".contains(char));
    if !is_scheme {
        return Some(path.to_owned());
    }
    if scheme.eq_ignore_ascii_case("file") {
        let rest = rest.strip_prefix("//").unwrap_or(rest);
        return Some(PathBuf::from(format!("/{rest}")));
    }
    sink.emit(RemoteApplication {
        uri: path.display().to_string(),
    });
    None
}

/// A document that was named or found. Its contents are checked when it is read; its name may already exclude it.
fn document(path: &Path, sink: &mut Sink) -> Option<Location> {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default();
    if name.to_ascii_lowercase().ends_with(".zip") {
        return in_archive(path, sink);
    }
    if rust_file::is_rust(path) {
        return Some(rust_files::only_function(path));
    }
    Some(Location::of(path.to_owned(), []))
}

fn is_xml(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("xml"))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn tree(paths: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for path in paths {
            crate::driver::writer::replace(&folder.path().join(path), b"").expect("writes");
        }
        folder
    }

    /// The result for `PATH` among `paths`, or the code of the diagnostic.
    #[track_caller]
    fn check(paths: &[&str], path: &str, expected: Result<&str, &str>) {
        let folder = tree(paths);
        let mut sink = Sink::default();
        let found = application(&folder.path().join(path), &mut sink);
        let codes: Vec<&str> = sink
            .into_sorted()
            .iter()
            .map(|diagnostic| diagnostic.rule.id())
            .collect();
        match expected {
            Ok(document) => {
                assert_eq!(codes, [] as [&str; 0]);
                assert_eq!(
                    found.map(|found| found.document),
                    Some(folder.path().join(document))
                );
            }
            Err(code) => assert_eq!((codes, found), (vec![code], None)),
        }
    }

    #[test]
    fn folder_and_file_name_the_same_application() {
        check(&["app/workflow.xml"], "app", Ok("app/workflow.xml"));
        check(
            &["app/workflow.xml"],
            "app/workflow.xml",
            Ok("app/workflow.xml"),
        );
        check(&["app/other.xml"], "app/other.xml", Ok("app/other.xml"));
    }

    #[test]
    fn coordinator_is_left_to_the_room_that_reads_it() {
        check(&["app/coordinator.xml"], "app", Ok("app/coordinator.xml"));
        check(
            &["app/coordinator.xml", "app/workflow.xml"],
            "app",
            Ok("app/workflow.xml"),
        );
    }

    #[test]
    fn what_is_no_workflow_is_refused() {
        check(&["app/readme"], "app", Err("H0002"));
        check(&["app/readme"], "application", Err("H0001"));
        check(&["app.zip"], "app.zip", Err("H0008"));
    }

    #[test]
    fn uris_of_other_file_systems_are_refused() {
        for (path, is_local) in [
            ("hdfs://nn/app", false),
            ("S3A://bucket/app", false),
            ("hdfs:/app", false),
            ("file:///no/such/app", true),
            ("c:/no/such/app", true),
        ] {
            let mut sink = Sink::default();
            assert_eq!(application(Path::new(path), &mut sink), None);
            let code = sink.into_sorted()[0].rule.id();
            assert_eq!(code, if is_local { "H0001" } else { "H0003" }, "{path}");
        }
    }

    #[test]
    fn applications_nearby_are_named() {
        let folder = tree(&["one/workflow.xml"]);
        let mut sink = Sink::default();
        assert_eq!(application(folder.path(), &mut sink), None);
        let help = sink.into_sorted().remove(0).help;
        assert!(help[0].ends_with("/one`"), "{help:?}");
    }

    #[test]
    fn documents_that_nobody_has_named_are_left_aside() {
        let folder = tree(&["coordinator.xml", "workflow.xml"]);
        let taken = folder.path().join(WORKFLOW_XML);
        let aside = |property: Option<&'static str>| {
            left_aside(folder.path(), &taken, |asked| {
                (property == Some(asked)).then_some("hdfs://nn/apps")
            })
        };
        assert_eq!(aside(None), [folder.path().join("coordinator.xml")]);
        assert!(aside(Some("oozie.wf.application.path")).is_empty());
        assert!(left_aside(&taken, &taken, |_| None).is_empty());
    }

    /// The document of a folder that a job with this property starts.
    #[track_caller]
    fn check_started(paths: &[&str], name: &str, value: &str, expected: &str) {
        let folder = tree(paths);
        let found = started(folder.path(), |asked| (asked == name).then_some(value));
        assert_eq!(found, folder.path().join(expected));
    }

    #[test]
    fn properties_tell_which_document_of_a_folder_starts() {
        let all = ["workflow.xml", "other.xml", "coordinator.xml", "bundle.xml"];
        let check = |kind, value, expected| {
            check_started(
                &all,
                &format!("oozie.{kind}.application.path"),
                value,
                expected,
            );
        };
        check("bundle", "${root}/apps/cron", "bundle.xml");
        check("coord", "${root}/apps/cron", "coordinator.xml");
        check("wf", "${root}/apps/cron/", "workflow.xml");
        check("wf", "hdfs://nn/apps/cron/other.xml", "other.xml");
        // A document that does not exist here is treated as if none were specified.
        check("coord", "hdfs://nn/apps/cron/hourly.xml", "");
        check("else", "hdfs://nn/apps/cron", "");
        let name = "oozie.coord.application.path";
        check_started(&["workflow.xml"], name, "hdfs://nn/apps/cron", "");
    }
}
