//! Which application a submission names: the document, and the URI that its executable is registered under.

use hpdlc_core::{app_uri, el::functions::proposal};
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
        let normalized = app_uri::normalized(path);
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

    /// The name of the document in a folder (`WorkflowAppService`, `CoordSubmitXCommand`, `BundleSubmitXCommand`).
    pub(crate) fn usual(&self) -> &'static str {
        usual(self.kind)
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

/// The root element of an hPDL document, without prefix; `None` if the text is something else. Nothing of a text that is no document may
/// be in an answer: it may be any file that the server can read.
pub(crate) fn root_element(text: &[u8]) -> Option<&str> {
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(text);
    let mut rest = text.trim_ascii_start();
    loop {
        let end: &[u8] = match rest {
            _ if rest.starts_with(b"<?") => b"?>",
            _ if rest.starts_with(b"<!--") => b"-->",
            _ => break,
        };
        let at = rest.windows(end.len()).position(|window| window == end)?;
        rest = rest[at + end.len()..].trim_ascii_start();
    }
    let name = rest.strip_prefix(b"<")?;
    let end = name
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || b"/>".contains(byte))?;
    let name = std::str::from_utf8(&name[..end]).ok()?;
    let name = name.rsplit_once(':').map_or(name, |(_, name)| name);
    let known = [
        "workflow-app",
        "coordinator-app",
        "bundle-app",
        proposal::ROOT_ELEMENT,
    ];
    known.contains(&name).then_some(name)
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
            ("/a/other.xml", JobKind::Workflow, "/a/other.xml"),
            ("/a", JobKind::Coordinator, "/a/coordinator.xml"),
            (
                "/a/coordinator.xml",
                JobKind::Coordinator,
                "/a/coordinator.xml",
            ),
            ("/a/../b", JobKind::Bundle, "/b/bundle.xml"),
        ] {
            assert_eq!(uri(path, kind), expected, "{path}");
        }
    }

    #[test]
    fn only_a_document_is_taken_for_one() {
        for (text, expected) in [
            ("<workflow-app name='a'/>", Some("workflow-app")),
            (
                "\u{feff}<?xml version='1.0'?>\n<!-- <x> -->\n<c:coordinator-app>",
                Some("coordinator-app"),
            ),
            ("<bundle-app>", Some("bundle-app")),
            ("root:x:0:0:root:/root:/bin/bash\n", None),
            ("<configuration/>", None),
            (
                "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><workflow-app/>",
                None,
            ),
            ("<workflow-app", None),
            ("<!-- <workflow-app/>", None),
            ("", None),
        ] {
            assert_eq!(root_element(text.as_bytes()), expected, "{text}");
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
