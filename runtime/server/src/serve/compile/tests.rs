//! Compile on submission with a compiler that is a script: what is asked of it, and what becomes of one that fails.

use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use super::*;
use crate::serve::tests::{Answer, TestServer};

const WORKFLOW: &str = "<workflow-app name='a' xmlns='uri:oozie:workflow:0.5'/>";

/// A server whose compiler is a script, and an application.
struct Case {
    server: TestServer,
    folder: tempfile::TempDir,
}

impl Case {
    fn new(script: &str, settings: &[(&str, &str)]) -> Case {
        let folder = tempfile::tempdir().unwrap();
        let compiler = folder.path().join("hpdlc");
        fs::write(&compiler, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&compiler, fs::Permissions::from_mode(0o755)).unwrap();
        let app = folder.path().join("app");
        fs::create_dir(&app).unwrap();
        fs::write(app.join("workflow.xml"), WORKFLOW).unwrap();
        let mut site: BTreeMap<String, String> = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        site.insert(limits::COMPILER.to_owned(), compiler.display().to_string());
        Case {
            server: TestServer::with_site(site),
            folder,
        }
    }

    fn app(&self) -> PathBuf {
        self.folder.path().join("app")
    }

    fn submit(&self, path: &str) -> Answer {
        let body = format!(
            "<configuration><property><name>oozie.wf.application.path</name><value>{path}</value></property></configuration>"
        );
        let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
        let path = "/oozie/v2/jobs?user.name=ann";
        self.server.send("POST", path, &xml, &body)
    }

    fn submit_app(&self) -> Answer {
        self.submit(&self.app().display().to_string())
    }

    /// What compilations have left in the state folder.
    fn left(&self) -> Vec<String> {
        let entries = fs::read_dir(work::root(&self.server.session.home));
        let entries = entries.into_iter().flatten().flatten();
        entries
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect()
    }
}

#[test]
fn a_compiler_that_fails_is_an_answer_and_leaves_nothing() {
    let slow: &[(&str, &str)] = &[("hpdl.server.compiler.timeout", "1")];
    let small: &[(&str, &str)] = &[("hpdl.server.compiler.memory", "64")];
    for (script, settings, part) in [
        ("[ $1 = setup ] || sleep 600", slow, "took longer than 1 s"),
        ("kill -SEGV $$", &[][..], "was ended by signal 11"),
        ("kill -9 $$", &[], "was ended by signal 9"),
        (
            "sleep 0.2; x=aaaaaaaaaaaaaaaa; while :; do x=$x$x; done",
            small,
            "the compiler",
        ),
        (
            "echo 'error: no space left on device' >&2; exit 2",
            &[],
            "no space left on device",
        ),
        (
            "echo 'error: internal' >&2; exit 101",
            &[],
            "exit code 101: error: internal",
        ),
        ("exit 0", &[], "cannot be registered"),
        (
            "echo lost > \"$5\"; mkdir -p more/and/more; exit 101",
            &[],
            "exit code 101",
        ),
    ] {
        let case = Case::new(script, settings);
        let answer = case.submit_app();
        assert_eq!(answer.status, 500, "{script}: {}", answer.body);
        assert_eq!(answer.code(), Some("E0307"), "{script}");
        assert!(answer.body.contains(part), "{script}: {}", answer.body);
        assert_eq!(case.left(), [] as [&str; 0], "{script}");
    }
}

/// A compiler that is new on the machine compiles its runtime first: no request has the time for it.
#[test]
fn the_runtime_is_compiled_in_the_background_once() {
    let script = "if [ $1 = setup ]; then echo \"$@\" >> $0.setups; else sleep 600; fi";
    let case = Case::new(script, &[("hpdl.server.compiler.timeout", "1")]);
    let answer = case.submit_app();
    assert!(answer.body.contains("try again"), "{}", answer.body);
    let setups = case.folder.path().join("hpdlc.setups");
    let read = || fs::read_to_string(&setups).unwrap_or_default();
    let patience = Instant::now() + Duration::from_secs(60);
    while read().is_empty() && Instant::now() < patience {
        std::thread::sleep(Duration::from_millis(5));
    }
    case.submit_app();
    assert_eq!(read(), "setup --full\n");
}

#[test]
fn a_mistake_is_the_code_of_oozie_with_a_report_in_the_body_alone() {
    let script = r#"case $1 in
        build) echo "error[H0301]: undefined node \`a<b>\`
  --> $2:1:1" >&2 ;;
        check) echo '{"severity":"error","message":"undefined node `a<b>`","file":"workflow.xml","line":1,"column":1,"oozie":["E0708"]}' ;;
    esac
    exit 1"#;
    let case = Case::new(script, &[]);
    let answer = case.submit_app();
    assert_eq!(answer.status, 400);
    assert_eq!(answer.code(), Some("E0708"));
    let line = "E0708: workflow.xml:1:1: undefined node `a<b>`";
    assert_eq!(answer.header("oozie-error-message"), Some(line));
    let document = format!("{}/workflow.xml:1:1", case.app().display());
    let body = answer.json();
    let message = body["errorMessage"].as_str().unwrap();
    assert!(message.contains(&document), "{message}");
    assert_eq!(case.left(), [] as [&str; 0]);
}

/// CVE-2025-26796: what an application contains is text in an answer, and no markup.
#[test]
fn nothing_of_a_document_is_markup_in_an_answer() {
    let script = r#"echo '{"severity":"error","message":"unknown <script>alert(1)</script>","oozie":["E0701"]}'
    echo '<script>alert(2)</script>' >&2
    exit 1"#;
    let case = Case::new(script, &[]);
    let answer = case.submit_app();
    assert_eq!(answer.status, 400);
    assert!(!answer.body.contains("<script>"), "{}", answer.body);
    assert!(
        answer.body.contains("&lt;script&gt;alert(2)"),
        "{}",
        answer.body
    );
    assert!(!answer.reason.unwrap().contains("<script>"));
    let kind = answer.headers.get("content-type").unwrap();
    assert!(kind.to_str().unwrap().starts_with("application/json"));
}

/// CVE-2017-15712: a file of the server that is named as an application, or linked to, is in no answer.
#[test]
fn files_of_the_server_are_in_no_answer() {
    let case = Case::new("cat \"$2\" >&2; exit 1", &[]);
    let alone = case.folder.path().join("alone");
    fs::create_dir(&alone).unwrap();
    let secret = alone.join("secret.xml");
    fs::write(&secret, "password=swordfish").unwrap();
    let folder = case.folder.path().join("linked");
    fs::create_dir(&folder).unwrap();
    symlink(&secret, folder.join("workflow.xml")).unwrap();
    let beside = case.folder.path().join("beside");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("workflow.xml"), WORKFLOW).unwrap();
    symlink(&secret, beside.join("script.sh")).unwrap();
    let entity = case.folder.path().join("entity");
    fs::create_dir(&entity).unwrap();
    let document = format!(
        "<!DOCTYPE w [<!ENTITY e SYSTEM \"file://{}\">]><workflow-app name='&e;'/>",
        secret.display()
    );
    fs::write(entity.join("workflow.xml"), document).unwrap();
    let home = case.server.session.home.root().to_owned();
    fs::create_dir(home.join("app")).unwrap();
    fs::write(home.join("app/workflow.xml"), WORKFLOW).unwrap();
    for (path, status, code) in [
        (secret.as_path(), 400, "E0701"),
        (&folder, 400, "E0701"),
        (&beside, 401, "E0507"),
        (&entity, 400, "E0701"),
        (&home.join("app"), 401, "E0507"),
        (&home.join("server.key"), 401, "E0507"),
        (Path::new("/etc"), 400, "E0307"),
        (Path::new("/no/such/folder"), 400, "E0307"),
    ] {
        let answer = case.submit(&path.display().to_string());
        let shown = path.display();
        assert_eq!(answer.status, status, "{shown}: {}", answer.body);
        assert_eq!(answer.code(), Some(code), "{shown}");
        assert!(
            !answer.body.contains("swordfish"),
            "{shown}: {}",
            answer.body
        );
    }
}

#[test]
fn a_site_may_name_the_folders_that_applications_are_in() {
    let allowed = tempfile::tempdir().unwrap();
    let roots = format!("/no/such, {}", allowed.path().display());
    let case = Case::new("exit 101", &[(limits::ROOTS, &roots)]);
    assert_eq!(case.submit_app().code(), Some("E0507"));
    let app = allowed.path().join("app");
    fs::create_dir(&app).unwrap();
    fs::write(app.join("workflow.xml"), WORKFLOW).unwrap();
    assert_eq!(
        case.submit(&app.display().to_string()).code(),
        Some("E0307")
    );
    let way = format!(
        "{}/../../{}",
        allowed.path().display(),
        case.app().display()
    );
    assert_eq!(case.submit(&way).code(), Some("E0507"));
}

/// CVE-2018-11799: an application cannot say whose jobs it has; the compiler and its documents have no say in it.
#[test]
fn an_application_does_not_choose_its_user() {
    let case = Case::new("cat job-properties.xml >&2; exit 1", &[]);
    let document = "<workflow-app name='a' xmlns='uri:oozie:workflow:0.5'><global><configuration><property><name>user.name</name><value>root</value></property></configuration></global></workflow-app>";
    fs::write(case.app().join("workflow.xml"), document).unwrap();
    let body = format!(
        "<configuration><property><name>oozie.wf.application.path</name><value>{}</value></property><property><name>user.name</name><value>mallory</value></property></configuration>",
        case.app().display()
    );
    let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
    let answer = case
        .server
        .send("POST", "/oozie/v2/jobs?user.name=ann", &xml, &body);
    assert_eq!(answer.status, 400);
    assert!(
        answer.body.contains("ann") && !answer.body.contains("mallory"),
        "{}",
        answer.body
    );
}

#[test]
fn sizes_and_kinds_are_checked_before_anything_is_compiled() {
    let case = Case::new(
        "touch \"$0.called\"; exit 101",
        &[
            ("hpdl.server.compiler.bytes", "100"),
            ("hpdl.server.compiler.entries", "5"),
        ],
    );
    fs::write(case.app().join("large"), vec![b'x'; 101]).unwrap();
    let answer = case.submit_app();
    assert!(
        answer.body.contains("hpdl.server.compiler.bytes"),
        "{}",
        answer.body
    );
    fs::remove_file(case.app().join("large")).unwrap();
    fs::write(case.app().join("workflow.xml"), "<coordinator-app/>").unwrap();
    let answer = case.submit_app();
    assert_eq!(answer.code(), Some("E0701"));
    assert!(
        answer.body.contains("a workflow is expected"),
        "{}",
        answer.body
    );
    let answer = case.submit("ftp://host/app");
    assert_eq!(answer.code(), Some("E0904"));
    assert!(!case.folder.path().join("hpdlc.called").exists());
}

#[test]
fn a_reference_may_not_lead_above_the_root() {
    for (uri, expected) in [
        ("${wf:appPath()}/sub", Some(Some("hdfs://nn/apps/a/sub"))),
        ("${wf:appPath()}/../b", Some(Some("hdfs://nn/apps/b"))),
        ("${wf:appPath()}/../../x", Some(Some("hdfs://nn/x"))),
        ("${wf:appPath()}/../../../etc", None),
        ("${wf:appPath()}/x/../../../../etc", None),
        ("hdfs://nn/c", Some(Some("hdfs://nn/c"))),
        ("/c", Some(Some("/c"))),
        ("sub/x", Some(None)),
        ("../../../etc", None),
    ] {
        let found = absolute(uri, "hdfs://nn/apps/a");
        let found = found.as_ref().map(|found| found.as_deref());
        assert_eq!(found, expected, "{uri}");
    }
}

#[test]
fn without_a_compiler_the_answer_says_what_to_register() {
    let site = BTreeMap::from([(limits::COMPILER.to_owned(), "none".to_owned())]);
    let folder = tempfile::tempdir().unwrap();
    let mut case = Case {
        server: TestServer::with_site(site),
        folder,
    };
    let answer = case.submit("hdfs://nn/apps/load");
    assert_eq!(
        (answer.status.as_u16(), answer.code()),
        (400, Some("E0307"))
    );
    assert!(
        answer.body.contains("register --as hdfs:"),
        "{}",
        answer.body
    );
    let site = BTreeMap::from([(limits::COMPILER.to_owned(), "/no/such/hpdlc".to_owned())]);
    case.server = TestServer::with_site(site);
    fs::create_dir(case.app()).unwrap();
    fs::write(case.app().join("workflow.xml"), WORKFLOW).unwrap();
    let answer = case.submit_app();
    assert_eq!(answer.status, 500);
    assert!(answer.body.contains("/no/such/hpdlc"), "{}", answer.body);
}

fn validate(server: &TestServer, file: &str, body: &str) -> Answer {
    let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
    let path = format!("/oozie/v2/validate?user=ann&file={file}");
    server.send("POST", &path, &xml, body)
}

#[test]
fn validate_answers_as_oozie_with_the_report() {
    let script = r#"[ "$2" = --schema-only ] || exit 101
    for last in "$@"; do :; done
    grep -q good "$last" && exit 0
    case $4 in
        json) echo '{"severity":"error","message":"bad","file":"workflow.xml","line":1,"column":2,"oozie":["E0701"]}' ;;
        human) echo "error: bad
  --> $last:1:2" >&2 ;;
    esac
    exit 1"#;
    let case = Case::new(script, &[]);
    let answer = validate(&case.server, "/apps/a/workflow.xml", "<good/>");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.body, "{\"validate\":\"Valid workflow-app\"}");
    let answer = validate(&case.server, "/apps/a/workflow.xml", "<bad/>");
    assert_eq!(
        (answer.status.as_u16(), answer.code()),
        (400, Some("E0701"))
    );
    let line = "E0701: XML schema error, /apps/a/workflow.xml, workflow.xml:1:2: bad";
    assert_eq!(answer.header("oozie-error-message"), Some(line));
    assert!(
        answer.body.contains("/apps/a/workflow.xml:1:2"),
        "{}",
        answer.body
    );
    assert_eq!(case.left(), [] as [&str; 0]);
    // A folder of the server is no name.
    for file in ["/apps/../../x.xml", "..", ".xml", "/", "a/b.txt"] {
        assert_eq!(
            validate(&case.server, file, "<good/>").status,
            200,
            "{file}"
        );
    }
}

/// CVE-2023-36419: a document that is validated has no entities of files.
#[test]
fn a_file_that_is_named_to_validate_is_not_read() {
    let case = Case::new(
        "for last in \"$@\"; do :; done; cat \"$last\" >&2; exit 1",
        &[],
    );
    let secret = case.folder.path().join("secret.xml");
    fs::write(&secret, "swordfish").unwrap();
    let answer = validate(
        &case.server,
        &secret.display().to_string(),
        "<workflow-app/>",
    );
    assert!(!answer.body.contains("swordfish"), "{}", answer.body);
}

/// A compiler that keeps what it is given, and builds nothing.
const KEEPS: &str = r#"case $1 in build) cp "$2" "$(dirname "$0")/given" ;; esac
    echo '{"severity":"error","message":"enough","oozie":["E0701"]}'
    exit 1"#;

#[test]
fn the_document_of_a_proxy_submission_is_compiled() {
    let case = Case::new(KEEPS, &[]);
    let libraries = case.app().display().to_string();
    let properties: BTreeMap<String, String> = [
        ("yarn.resourcemanager.address", "rm"),
        ("fs.default.name", "file:///"),
        ("oozie.libpath", libraries.as_str()),
        ("oozie.proxysubmission", "true"),
        ("oozie.hive.script", "select 1;"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    let xml = [("Content-Type".to_owned(), "application/xml".to_owned())];
    let path = "/oozie/v1/jobs?jobtype=hive&user.name=ann";
    let answer = case
        .server
        .send("POST", path, &xml, &configuration::text(&properties));
    assert_eq!(answer.code(), Some("E0701"), "{}", answer.body);
    let given = fs::read_to_string(case.folder.path().join("given")).unwrap();
    assert!(given.contains("<script>dummy.hive</script>"), "{given}");
    assert!(!given.contains("select 1"), "{given}");
    assert_eq!(case.left(), [] as [&str; 0]);
}

#[test]
fn a_zip_is_for_the_compiler_to_judge_but_not_its_settings() {
    use std::io::Write;

    let zip = |names: &[&str]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for name in names {
            let options = zip::write::SimpleFileOptions::default();
            writer.start_file(*name, options).unwrap();
            writer.write_all(b"x").unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let case = Case::new(KEEPS, &[("hpdl.server.compiler.entries", "2")]);
    let session = &case.server.session;
    let compiler = Compiler::new(session);
    let given = case.folder.path().join("given");
    for (archive, part, is_judged) in [
        (zip(&["workflow.xml", "../x"]), "enough", true),
        (zip(&["a", "b", "c"]), "more than 2 entries", false),
        (
            zip(&["workflow.xml", "a/hpdl.toml"]),
            "built by hand",
            false,
        ),
        (zip(&["workflow.xml", "HPDL.TOML"]), "built by hand", false),
        (b"nonsense".to_vec(), "no ZIP", false),
        (Vec::new(), "no ZIP", false),
    ] {
        let _ = fs::remove_file(&given);
        let failure = compiler.deploy(session, &archive).unwrap_err();
        assert_eq!(failure.status, 400);
        assert!(failure.message.contains(part), "{}", failure.message);
        assert_eq!(fs::read(&given).ok(), is_judged.then_some(archive));
        assert_eq!(case.left(), [] as [&str; 0]);
    }
}
