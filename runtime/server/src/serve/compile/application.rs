//! Which application a submission names: the document, and the URI that its executable is registered under.

use std::collections::BTreeMap;

use hpdlc_core::{app_uri, el::functions::proposal, file_systems};
use hpdlc_files::Uri;
use hpdlc_host::job_id::JobKind;

/// An application that a property names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Application {
    /// As given.
    pub(crate) path: String,
    pub(crate) kind: JobKind,
    /// The document's URI, for the registry: a folder may have a workflow and a coordinator. That of a `workflow.xml` is its folder.
    pub(crate) uri: String,
}

impl Application {
    pub(crate) fn of(path: &str, kind: JobKind) -> Application {
        let path = path.trim();
        let uri = Uri::parse(path);
        let is_local = uri.is_absolute() && (uri.scheme.is_none() || uri.is_file());
        // One place has one executable, however it is spelled.
        let normalized = match is_local {
            true => app_uri::normalized(&format!("file://{}", uri.path)),
            false => app_uri::normalized(path),
        };
        let is_document = normalized.to_ascii_lowercase().ends_with(".xml");
        let uri = match (is_document, kind) {
            (true, _) | (_, JobKind::Workflow) => normalized,
            (false, _) => format!("{}/{}", normalized.trim_end_matches('/'), usual(kind)),
        };
        Application {
            path: path.to_owned(),
            kind,
            uri,
        }
    }

    /// The word for its kind.
    pub(crate) fn word(&self) -> &'static str {
        word(self.kind)
    }

    /// The name of the document in a folder (`WorkflowAppService`, `CoordSubmitXCommand`, `BundleSubmitXCommand`).
    pub(crate) fn usual(&self) -> &'static str {
        usual(self.kind)
    }
}

/// Names of the same property, the newer first.
const FILE_SYSTEMS: [&str; 2] = ["fs.defaultFS", "fs.default.name"];

/// A path without a scheme on the file system that the job, else the site, has for such paths, as Hadoop's `Path.makeQualified` does.
/// Without one, and where that is this machine's, it stays as it is.
pub(crate) fn qualified(
    path: &str,
    properties: &BTreeMap<String, String>,
    site: &BTreeMap<String, String>,
) -> String {
    let path = path.trim();
    let uri = Uri::parse(path);
    if uri.scheme.is_some() || !uri.is_absolute() {
        return path.to_owned();
    }
    let given = [properties, site].into_iter().find_map(|settings| {
        let values = FILE_SYSTEMS.iter().filter_map(|name| settings.get(*name));
        values
            .map(|value| value.trim())
            .find(|value| !value.is_empty())
    });
    let root = given.map(Uri::parse).filter(|root| !root.is_file());
    match root.and_then(|root| Some((root.scheme?, root.authority.unwrap_or_default()))) {
        Some((scheme, authority)) if file_systems::is_known(scheme) => {
            format!("{scheme}://{authority}{path}")
        }
        _ => path.to_owned(),
    }
}

/// `workflow`, `coordinator` or `bundle`.
pub(crate) fn word(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Workflow => "workflow",
        JobKind::Coordinator => "coordinator",
        JobKind::Bundle => "bundle",
    }
}

fn usual(kind: JobKind) -> &'static str {
    match kind {
        JobKind::Workflow => "workflow.xml",
        JobKind::Coordinator => "coordinator.xml",
        JobKind::Bundle => "bundle.xml",
    }
}

/// The folder of the application at `path`, given its document, as a URI.
pub(crate) fn folder_of(path: &str, document: &str) -> String {
    let uri = Uri::parse(path);
    let folder = document.rsplit_once('/').map_or("", |(folder, _)| folder);
    root_of(&uri) + folder
}

/// Scheme and host of a URI, as written.
pub(crate) fn root_of(uri: &Uri<'_>) -> String {
    match (uri.scheme, uri.authority) {
        (None, _) => String::new(),
        (Some(scheme), None) => format!("{scheme}:"),
        (Some(scheme), Some(authority)) => format!("{scheme}://{authority}"),
    }
}

/// Whether a document with this root element is of that kind.
pub(crate) fn is_of(root: &str, kind: JobKind) -> bool {
    match kind {
        JobKind::Coordinator => root == "coordinator-app",
        JobKind::Bundle => root == "bundle-app",
        JobKind::Workflow => root == "workflow-app" || root == proposal::ROOT_ELEMENT,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_and_its_document_are_one_application() {
        let uri = |path: &str, kind| Application::of(path, kind).uri;
        for (path, kind, expected) in [
            ("hdfs://nn/a/", JobKind::Workflow, "hdfs://nn/a"),
            ("hdfs://nn/a/workflow.xml", JobKind::Workflow, "hdfs://nn/a"),
            ("/a/other.xml", JobKind::Workflow, "file:///a/other.xml"),
            ("file:/a", JobKind::Workflow, "file:///a"),
            ("file://localhost/a", JobKind::Workflow, "file:///a"),
            ("/a", JobKind::Coordinator, "file:///a/coordinator.xml"),
            (
                "/a/coordinator.xml",
                JobKind::Coordinator,
                "file:///a/coordinator.xml",
            ),
            ("/a/../b", JobKind::Bundle, "file:///b/bundle.xml"),
        ] {
            assert_eq!(uri(path, kind), expected, "{path}");
        }
    }

    #[test]
    fn a_path_without_a_scheme_is_on_the_file_system_of_the_job_or_the_site() {
        let map = |pairs: &[(&str, &str)]| {
            let pairs = pairs.iter();
            pairs
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
                .collect()
        };
        let new = ("fs.defaultFS", "hdfs://nn:8020/");
        let old = ("fs.default.name", "hdfs://old");
        for (path, job, site, expected) in [
            ("/a", &[][..], &[][..], "/a"),
            (" /a/b ", &[new], &[], "hdfs://nn:8020/a/b"),
            ("/a", &[old], &[new], "hdfs://old/a"),
            ("/a", &[new, old], &[], "hdfs://nn:8020/a"),
            ("/a", &[], &[new], "hdfs://nn:8020/a"),
            ("/a", &[("fs.defaultFS", "file:///")], &[new], "/a"),
            ("/a", &[("fs.defaultFS", "")], &[new], "hdfs://nn:8020/a"),
            ("/a", &[("fs.defaultFS", "nonsense")], &[], "/a"),
            ("/a", &[("fs.defaultFS", "gopher://h")], &[], "/a"),
            ("file:/a", &[new], &[], "file:/a"),
            ("s3a://b/a", &[new], &[], "s3a://b/a"),
            ("load", &[new], &[], "load"),
        ] {
            assert_eq!(
                qualified(path, &map(job), &map(site)),
                expected,
                "{path} {job:?} {site:?}"
            );
        }
    }

    #[test]
    fn the_folder_of_a_document_is_on_its_file_system() {
        for (path, document, expected) in [
            ("hdfs://nn/a/b", "/a/b/workflow.xml", "hdfs://nn/a/b"),
            ("/a/b/x.xml", "/a/b/x.xml", "/a/b"),
            ("file:/a/b", "/a/b/workflow.xml", "file:/a/b"),
        ] {
            assert_eq!(folder_of(path, document), expected);
        }
    }
}
