//! Applications that nobody has registered, submitted to `hpdl serve`: compiled by the real compiler, once for the same files.

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
};

use hpdlc_tests::hpdl;
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    cluster::Cluster,
    harness::{text, workflow},
    serve::Server,
};

/// Applications in a folder, and a state folder.
struct Applications {
    folder: TempDir,
}

impl Applications {
    fn new() -> Applications {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Applications { folder }
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().expect("it is below the folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    }

    fn uri(&self, path: &str) -> String {
        format!("file://{}", self.folder.path().join(path).display())
    }

    /// Submits the application at `path`, of a kind `wf`, `coord` or `bundle`.
    fn post(&self, server: &Server, action: &str, kind: &str, path: &str) -> (u16, String) {
        self.post_of(&self.uri(""), server, action, kind, path)
    }

    /// The same, of an application below the folder `apps`.
    fn post_of(
        &self,
        apps: &str,
        server: &Server,
        action: &str,
        kind: &str,
        path: &str,
    ) -> (u16, String) {
        let properties = [
            (
                format!("oozie.{kind}.application.path"),
                format!("{apps}{path}"),
            ),
            ("apps".to_owned(), apps.to_owned()),
            ("out".to_owned(), self.folder.path().display().to_string()),
        ];
        let properties = properties.map(|(name, value)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        });
        let body = format!("<configuration>{}</configuration>", properties.concat());
        let user = Command::new("id").arg("-un").output().expect("id runs");
        let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
        let path = format!("/v2/jobs?user.name={user}&action={action}");
        server.ask("POST", &path, &body)
    }

    #[track_caller]
    fn submit(&self, server: &Server, kind: &str, path: &str) -> String {
        self.submit_of(&self.uri(""), server, kind, path)
    }

    #[track_caller]
    fn submit_of(&self, apps: &str, server: &Server, kind: &str, path: &str) -> String {
        let (status, body) = self.post_of(apps, server, "start", kind, path);
        assert_eq!(status, 201, "{body}");
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        text(&answer["id"])
    }

    /// The executables in the state folder, but for those that fetch files.
    fn executables(&self) -> BTreeSet<String> {
        let entries = fs::read_dir(self.home().join("bin")).expect("it was made");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        names
            .map(|name| name.to_string_lossy().into_owned())
            .collect()
    }

    /// What compilations have left that runs or ran: locks and folders.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(self.home().join("compile")).expect("it was made");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let names = names.map(|name| name.to_string_lossy().into_owned());
        names
            .filter(|name| name.ends_with(".work") || name.ends_with(".lock"))
            .collect()
    }
}

/// A workflow that appends a word to the file `effects`.
fn says(word: &str) -> String {
    workflow(&format!(
        "<action name=\"say\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>say.sh</exec><argument>${{out}}</argument><argument>{word}</argument><file>say.sh</file></shell><ok to=\"end\"/><error to=\"failed\"/></action>"
    ))
}

const SAY: &str = "#!/bin/sh\necho \"$2\" >> \"$1/effects\"\n";

fn effects(applications: &Applications) -> String {
    fs::read_to_string(applications.folder.path().join("effects")).unwrap_or_default()
}

fn add(applications: &Applications, folder: &str, word: &str) {
    applications.write(&format!("{folder}/workflow.xml"), &says(word));
    applications.write(&format!("{folder}/say.sh"), SAY);
}

#[test]
fn a_folder_is_compiled_when_it_is_submitted_and_again_when_it_has_changed() {
    let applications = Applications::new();
    add(&applications, "app", "one");
    let server = Server::at(&applications.home(), &[]);
    let first = applications.submit(&server, "wf", "app");
    server.await_status(&first, "SUCCEEDED");
    assert_eq!(effects(&applications), "one\n");
    let compiled = applications.executables();
    assert_eq!(compiled.len(), 1);

    // The folder, its document, another spelling: nothing is compiled again.
    for path in ["app", "app/workflow.xml", "x/..//app/"] {
        let id = applications.submit(&server, "wf", path);
        server.await_status(&id, "SUCCEEDED");
    }
    assert_eq!(applications.executables(), compiled);
    assert_eq!(effects(&applications), "one\n".repeat(4));

    add(&applications, "app", "two");
    let second = applications.submit(&server, "wf", "app");
    server.await_status(&second, "SUCCEEDED");
    assert!(effects(&applications).ends_with("one\ntwo\n"));
    assert_ne!(applications.executables(), compiled);
    // The job of the old definition still has it.
    let path = format!("/v2/job/{first}?show=definition");
    let (_, definition) = server.ask("GET", &path, "");
    assert!(definition.contains(">one<"), "{definition}");
    assert_eq!(applications.left(), [] as [&str; 0]);
}

#[test]
fn many_submissions_to_two_servers_compile_once() {
    let applications = Applications::new();
    add(&applications, "app", "one");
    let servers = [(); 2].map(|()| Server::at(&applications.home(), &[]));
    thread::scope(|scope| {
        let submissions: Vec<_> = (0..8)
            .map(|n| {
                let (server, applications) = (&servers[n % 2], &applications);
                scope.spawn(move || applications.submit(server, "wf", "app"))
            })
            .collect();
        let ids: BTreeSet<String> = submissions
            .into_iter()
            .map(|submission| submission.join().expect("it is answered"))
            .collect();
        assert_eq!(ids.len(), 8);
        for id in &ids {
            servers[0].await_status(id, "SUCCEEDED");
        }
    });
    assert_eq!(applications.executables().len(), 1);
    assert_eq!(effects(&applications).lines().count(), 8);
    let known = fs::read_dir(applications.home().join("compile/known")).expect("a record");
    assert_eq!(known.count(), 1);
}

#[test]
fn what_the_user_registers_comes_before_what_is_compiled() {
    let applications = Applications::new();
    add(&applications, "mine", "mine");
    add(&applications, "app", "compiled");
    let program = applications.folder.path().join("program");
    let built = Command::new(hpdlc_tests::hpdlc())
        .arg("build")
        .arg(applications.folder.path().join("mine"))
        .arg("-o")
        .arg(&program)
        .stderr(Stdio::null())
        .status()
        .expect("hpdlc runs");
    assert!(built.success());
    let server = Server::at(&applications.home(), &[]);
    let run = |expected: &str| {
        let id = applications.submit(&server, "wf", "app");
        server.await_status(&id, "SUCCEEDED");
        let effects = effects(&applications);
        assert_eq!(effects.lines().last(), Some(expected));
    };
    run("compiled");
    let registered = Command::new(&program)
        .args(["register", "--as", &applications.uri("app")])
        .envs(hpdlc_tests::command::home_variables(applications.home()))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("it runs");
    assert!(registered.success());
    add(&applications, "app", "changed");
    run("mine");
}

/// A coordinator of one action, whose workflow is in another folder.
fn coordinator(path: &str) -> String {
    format!(
        "<coordinator-app name=\"c\" frequency=\"${{coord:days(1)}}\" start=\"2026-01-01T00:00Z\" end=\"2026-01-01T12:00Z\" timezone=\"UTC\" xmlns=\"uri:oozie:coordinator:0.4\"><action><workflow><app-path>{path}</app-path></workflow></action></coordinator-app>"
    )
}

#[test]
fn what_an_application_names_in_other_folders_is_compiled_with_it() {
    let applications = Applications::new();
    add(&applications, "shared/leaf", "leaf");
    let calls = "<action name=\"call\"><sub-workflow><app-path>${apps}/shared/leaf</app-path><propagate-configuration/></sub-workflow><ok to=\"end\"/><error to=\"failed\"/></action>";
    applications.write("load/workflow.xml", &workflow(calls));
    applications.write("daily/coordinator.xml", &coordinator("${apps}/load"));
    let bundle = "<bundle-app name=\"b\" xmlns=\"uri:oozie:bundle:0.2\"><coordinator name=\"daily\"><app-path>${apps}/daily</app-path></coordinator></bundle-app>";
    applications.write("all/bundle.xml", bundle);
    let server = Server::at(&applications.home(), &[]);
    let id = applications.submit(&server, "coord", "daily");
    server.await_status(&id, "SUCCEEDED");
    assert_eq!(effects(&applications), "leaf\n");
    let id = applications.submit(&server, "bundle", "all");
    server.await_status(&id, "SUCCEEDED");
    assert_eq!(effects(&applications), "leaf\nleaf\n");

    // A change three folders away is a change.
    add(&applications, "shared/leaf", "other");
    let id = applications.submit(&server, "bundle", "all");
    server.await_status(&id, "SUCCEEDED");
    assert!(effects(&applications).ends_with("other\n"));
}

#[test]
fn a_coordinator_that_begins_long_ago_says_so_to_who_submits_it_and_in_its_log() {
    let applications = Applications::new();
    add(&applications, "load", "now");
    let old = coordinator("${apps}/load").replace("2026-01-01T00:00Z", "1999-01-01T00:00Z");
    applications.write("daily/coordinator.xml", &old);
    let server = Server::at(&applications.home(), &[]);
    let (status, body) = applications.post(&server, "start", "coord", "daily");
    assert_eq!(status, 201, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    let said =
        "9863 actions are due already, the first for 1999-01-01T00:00Z; all of them will run";
    assert_eq!(answer["warnings"], serde_json::json!([said]));
    let id = text(&answer["id"]);
    let (_, log) = server.ask("GET", &format!("/v2/job/{id}?show=log"), "");
    assert!(log.contains(said), "{log}");
    let (status, body) = server.ask("PUT", &format!("/v2/job/{id}?action=kill"), "");
    assert_eq!(status, 200, "{body}");
}

#[test]
fn what_the_compiler_says_is_told_of_the_application() {
    let applications = Applications::new();
    let spare = "<action name=\"spare\"><fs><delete path=\"/x\"/></fs><ok to=\"end\"/><error to=\"failed\"/></action><kill";
    let warned = says("one").replacen("<kill", spare, 1);
    applications.write("app/say.sh", SAY);
    applications.write("app/workflow.xml", &warned);
    let server = Server::at(&applications.home(), &[]);
    let id = applications.submit(&server, "wf", "app");
    server.await_status(&id, "SUCCEEDED");
    let name = text(&server.json(&format!("/v2/job/{id}"))["appName"]);
    let told = || {
        let (status, body) = server.send("GET", &format!("/hws/v1/applications/{name}"), "", b"");
        assert_eq!(status, 200, "{body}");
        let answer: Value = serde_json::from_str(&body).expect("JSON");
        let (_, page) = server.ask("GET", &format!("/console/app/{name}"), "");
        (answer, page)
    };
    let (answer, page) = told();
    let messages = text(&answer["messages"]);
    assert!(
        messages.starts_with("warning[unreachable_nodes]"),
        "{messages}"
    );
    assert!(
        messages.contains(&applications.uri("app/workflow.xml")[7..]),
        "{messages}"
    );
    assert!(page.contains("warning[unreachable_nodes]"), "{page}");
    assert_eq!(answer["refused"], serde_json::json!([]));

    let wrong = warned.replace("ok to=\"end\"", "ok to=\"nowhere\"");
    applications.write("app/workflow.xml", &wrong);
    let (status, _) = applications.post(&server, "start", "wf", "app");
    assert_eq!(status, 400);
    let (answer, page) = told();
    assert_eq!(answer["refused"][0]["uri"], applications.uri("app"));
    assert!(
        text(&answer["refused"][0]["messages"]).contains("nowhere"),
        "{answer}"
    );
    assert!(
        page.contains("cannot be compiled") && page.contains("nowhere"),
        "{page}"
    );

    // As they were: nothing is compiled for that.
    applications.write("app/workflow.xml", &warned);
    let id = applications.submit(&server, "wf", "app");
    server.await_status(&id, "SUCCEEDED");
    let (answer, page) = told();
    assert_eq!(answer["refused"], serde_json::json!([]));
    assert!(page.contains("warning[unreachable_nodes]"), "{page}");

    add(&applications, "app", "one");
    let id = applications.submit(&server, "wf", "app");
    server.await_status(&id, "SUCCEEDED");
    let (answer, page) = told();
    assert_eq!(answer["messages"], "", "{answer}");
    assert_eq!(answer["refused"], serde_json::json!([]));
    assert!(page.contains("no errors, no warnings"), "{page}");
}

#[test]
fn applications_in_hdfs_are_compiled_when_they_are_submitted_and_again_when_they_have_changed() {
    let Some(cluster) = Cluster::shared() else {
        return;
    };
    let applications = Applications::new();
    let apps = format!("{}/", cluster.folder("HDFS", "submitted"));
    let add = |folder: &str, word: &str| {
        cluster.write(&format!("{apps}{folder}/workflow.xml"), &says(word));
        cluster.write(&format!("{apps}{folder}/say.sh"), SAY);
    };
    add("leaf", "leaf");
    let calls = "<action name=\"call\"><sub-workflow><app-path>${apps}leaf</app-path><propagate-configuration/></sub-workflow><ok to=\"end\"/><error to=\"failed\"/></action>";
    cluster.write(&format!("{apps}load/workflow.xml"), &workflow(calls));
    cluster.write(
        &format!("{apps}daily/coordinator.xml"),
        &coordinator("${apps}load"),
    );
    let server = Server::at(&applications.home(), &[]);
    let run = |kind: &str, path: &str, expected: &str| {
        let id = applications.submit_of(&apps, &server, kind, path);
        server.await_status(&id, "SUCCEEDED");
        assert_eq!(effects(&applications).lines().last(), Some(expected));
    };
    run("wf", "leaf", "leaf");
    let n_compiled = applications.executables().len();
    run("wf", "leaf/workflow.xml", "leaf");
    assert_eq!(applications.executables().len(), n_compiled);
    run("coord", "daily", "leaf");
    // The workflow of the workflow of the coordinator.
    add("leaf", "other");
    run("coord", "daily/coordinator.xml", "other");
    assert_eq!(effects(&applications).lines().count(), 4);

    let wrong = says("x").replace("ok to=\"end\"", "ok to=\"nowhere\"");
    cluster.write(&format!("{apps}wrong/workflow.xml"), &wrong);
    let (status, body) = applications.post_of(&apps, &server, "start", "wf", "wrong");
    assert_eq!(status, 400, "{body}");
    assert!(
        body.contains("E0708") && body.contains(&format!("{apps}wrong/workflow.xml")),
        "{body}"
    );
}

#[test]
fn a_coordinator_is_updated_with_its_folder_as_it_is_now() {
    let applications = Applications::new();
    add(&applications, "load", "load");
    let late = |concurrency: &str| {
        let controls = format!("<controls><concurrency>{concurrency}</concurrency></controls>");
        coordinator("${apps}/load")
            .replace("2026-", "2126-")
            .replace("<action>", &format!("{controls}<action>"))
    };
    applications.write("daily/coordinator.xml", &late("2"));
    let server = Server::at(&applications.home(), &[]);
    let id = applications.submit(&server, "coord", "daily");
    applications.write("daily/coordinator.xml", &late("7"));
    let (status, body) = server.ask(
        "PUT",
        &format!("/v2/job/{id}?action=update"),
        "<configuration/>",
    );
    assert_eq!(status, 200, "{body}");
    let job = server.json(&format!("/v2/job/{id}?timezone=UTC"));
    assert_eq!(job["concurrency"], 7, "{job}");
    // Its owner would wait for a hundred years.
    server.put(&id, "kill");
    server.await_status(&id, "KILLED");
}

#[test]
fn mistakes_are_answered_with_the_report_of_the_compiler() {
    let applications = Applications::new();
    let server = Server::at(&applications.home(), &[]);
    let document =
        |name: &str, text: &str| applications.write(&format!("{name}/workflow.xml"), text);
    document(
        "schema",
        &says("x")
            .replace("<exec>", "<exce>")
            .replace("</exec>", "</exce>"),
    );
    document(
        "dangling",
        &says("x").replace("ok to=\"end\"", "ok to=\"nowhere\""),
    );
    document("xml", "<workflow-app name=\"a\"><");
    for (name, code, part) in [
        ("schema", "E0701", "exce"),
        ("dangling", "E0708", "nowhere"),
        ("xml", "E0701", "workflow.xml"),
        ("missing", "E0307", "does not exist"),
    ] {
        for action in ["start", "dryrun"] {
            let (status, body) = applications.post(&server, action, "wf", name);
            assert_eq!(status, 400, "{name}: {body}");
            let answer: Value = serde_json::from_str(&body).expect("JSON");
            let message = text(&answer["errorMessage"]);
            assert!(message.starts_with(code), "{name}: {message}");
            assert!(message.contains(part), "{name}: {message}");
            // Files are called what the user calls them.
            assert!(!message.contains("/compile/"), "{name}: {message}");
        }
    }
    assert_eq!(server.json("/v2/jobs")["total"], 0);
    assert_eq!(applications.left(), [] as [&str; 0]);
}

#[test]
fn validate_and_dryrun_look_at_what_is_not_registered() {
    let applications = Applications::new();
    add(&applications, "app", "one");
    let server = Server::at(&applications.home(), &[]);
    let (status, body) = applications.post(&server, "dryrun", "wf", "app");
    assert_eq!((status, body.as_str()), (201, "{\"id\":\"OK\"}"));
    assert_eq!(effects(&applications), "");
    let validate = |text: &str| {
        let path = "/v2/validate?user=ann&file=/apps/a/workflow.xml";
        server.ask("POST", path, text)
    };
    // The schema alone decides, as with Oozie.
    for valid in [
        &says("x"),
        &says("x").replace("ok to=\"end\"", "ok to=\"nowhere\""),
        &coordinator("/x"),
    ] {
        let (status, body) = validate(valid);
        assert_eq!(
            (status, body.as_str()),
            (200, "{\"validate\":\"Valid workflow-app\"}")
        );
    }
    let (status, body) = validate(&says("x").replace("<start", "<begin"));
    assert_eq!(status, 400);
    assert!(
        body.contains("E0701: XML schema error, /apps/a/workflow.xml, "),
        "{body}"
    );
    assert!(body.contains("begin"), "{body}");
}

#[test]
fn a_server_without_a_compiler_says_what_to_register() {
    let applications = Applications::new();
    fs::create_dir(applications.home()).expect("a folder");
    let site = "<configuration><property><name>hpdl.server.compiler</name><value>none</value></property></configuration>";
    fs::write(applications.home().join("hpdl-site.xml"), site).expect("a file");
    private(&applications.home());
    add(&applications, "app", "one");
    let server = Server::at(&applications.home(), &[]);
    let (status, body) = applications.post(&server, "start", "wf", "app");
    assert_eq!(status, 400, "{body}");
    assert!(
        body.contains("E0307") && body.contains("register --as file:"),
        "{body}"
    );
    // The program is the one that is tested.
    assert!(hpdl().exists());
}

fn private(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o700)).expect("it is ours");
}
