//! The life cycle of the proposal of 2009 by `/hws/v1`: the ZIP of an application is deployed, has jobs, and is taken away.

use std::io::{Cursor, Write};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    harness::{text, wait_for, workflow},
    serve::Server,
};

/// A ZIP with these files; a name that ends with `@` is that of a link.
fn zip(files: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    for (name, content) in files {
        match name.strip_suffix('@') {
            Some(name) => writer.add_symlink(name, *content, options).expect("a link"),
            None => {
                writer.start_file(*name, options).expect("an entry");
                writer.write_all(content.as_bytes()).expect("its content");
            }
        }
    }
    writer.finish().expect("it ends").into_inner()
}

fn application() -> String {
    workflow(
        "<action name=\"make\"><fs><mkdir path=\"${out}/made\"/></fs><ok to=\"end\"/><error to=\"failed\"/></action>",
    )
}

struct Site {
    folder: TempDir,
    server: Server,
}

impl Site {
    fn new() -> Site {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let server = Server::at(&folder.path().join("home"), &[]);
        Site { folder, server }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let path = format!("/hws/v1{path}");
        let (status, body) = self
            .server
            .send(method, &path, "application/json", body.as_bytes());
        (status, serde_json::from_str(&body).expect("JSON"))
    }

    fn deploy(&self, archive: &[u8]) -> (u16, Value) {
        let path = "/hws/v1/applications";
        let (status, body) = self.server.send("POST", path, "application/zip", archive);
        (status, serde_json::from_str(&body).expect("JSON"))
    }
}

#[test]
fn a_zip_is_deployed_has_jobs_and_is_undeployed() {
    let site = Site::new();
    let archive = zip(&[("workflow.xml", &application())]);
    let (status, deployed) = site.deploy(&archive);
    assert_eq!(status, 200, "{deployed}");
    let name = text(&deployed["name"]);
    assert_eq!(deployed["status"], "INACTIVE", "{deployed}");
    let (status, again) = site.deploy(&archive);
    assert_eq!(status, 409, "{again}");

    let jobs = format!("/jobs?application={name}");
    let out = format!("file://{}", site.folder.path().display());
    let properties = serde_json::json!({ "out": out }).to_string();
    // Only an active application has new jobs.
    assert_eq!(site.ask("POST", &jobs, &properties).0, 409);
    let put = |action: &str| {
        let path = format!("/applications/{name}?action={action}");
        let (status, answer) = site.ask("PUT", &path, "");
        assert_eq!(status, 200, "{action}: {answer}");
        text(&answer["status"])
    };
    assert_eq!(put("activate"), "ACTIVE");
    let (status, job) = site.ask("POST", &jobs, &properties);
    assert_eq!(
        (status, &job["status"]),
        (200, &Value::from("CREATED")),
        "{job}"
    );
    let id = text(&job["id"]);
    let (status, started) = site.ask("PUT", &format!("/jobs/{id}?action=start"), "");
    assert_eq!(status, 200, "{started}");
    wait_for("the job to succeed", || {
        let (_, job) = site.ask("GET", &format!("/jobs/{id}"), "");
        (job["status"] == "SUCCEEDED").then_some(())
    });
    assert!(site.folder.path().join("made").is_dir());
    let (_, details) = site.ask("GET", &format!("/applications/{name}"), "");
    assert!(text(&details["document"]).contains("<mkdir"), "{details}");

    assert_eq!(
        site.ask("DELETE", &format!("/applications/{name}"), "").0,
        409
    );
    assert_eq!(put("suspend"), "SUSPENDED");
    assert_eq!(put("deactivate"), "INACTIVE");
    let (status, gone) = site.ask("DELETE", &format!("/applications/{name}"), "");
    assert_eq!(status, 200, "{gone}");
    let (_, list) = site.ask(
        "GET",
        &format!("/applications?filter=name%3D{name}%3Bstatus%3DINACTIVE"),
        "",
    );
    assert_eq!(list["total"], 0, "{list}");
}

#[test]
fn what_a_zip_may_not_have_is_refused_and_nothing_is_deployed() {
    let site = Site::new();
    let document = application();
    let own = ("workflow.xml", document.as_str());
    for (files, part) in [
        (vec![own, ("../out", "x")], "leads out"),
        (vec![own, ("/etc/x", "x")], "leads out"),
        (vec![own, ("lib/x@", "/etc/passwd")], "link"),
        (vec![own, ("hpdl.toml", "")], "built by hand"),
        (vec![own, ("a/HPDL.toml", "")], "built by hand"),
        (vec![("other.txt", "x")], ""),
        (vec![("workflow.xml", "<workflow-app>")], ""),
    ] {
        let (status, answer) = site.deploy(&zip(&files));
        assert_eq!(status, 400, "{files:?}: {answer}");
        let message = text(&answer["error"]["message"]);
        assert!(message.contains(part), "{files:?}: {message}");
    }
    for body in [&b"nonsense"[..], b"", b"PK\x05\x06"] {
        assert_eq!(site.deploy(body).0, 400);
    }
    let path = "/hws/v1/applications";
    let (status, _) = site.server.send("POST", path, "text/plain", b"x");
    assert_eq!(status, 415);
    assert_eq!(site.ask("GET", "/applications", "").1["total"], 0);
    let left = std::fs::read_dir(site.folder.path().join("home/compile"));
    assert_eq!(left.map_or(0, Iterator::count), 0);
}
