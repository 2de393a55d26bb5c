//! `email` actions with a mail server of the test.

use std::{
    fs,
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

use crate::{
    harness::{World, action, node, text, wait_for},
    run,
};

/// A mail server that records the messages it receives.
pub struct MailServer {
    folder: TempDir,
    process: Child,
    port: String,
}

impl Drop for MailServer {
    fn drop(&mut self) {
        // It may have exited already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Starts a server from a script beside this file, which prints its port.
fn serve(script: &str, arguments: impl FnOnce(&mut Command)) -> (Child, String) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("e2e");
    let mut command = Command::new("python3");
    command.arg(folder.join(script));
    arguments(&mut command);
    let mut process = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 can be started");
    let mut port = String::new();
    let stdout = process.stdout.take().expect("it is a pipe");
    BufReader::new(stdout)
        .read_line(&mut port)
        .expect("it prints its port");
    (process, port.trim().to_owned())
}

impl MailServer {
    pub fn start(how: &str) -> MailServer {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [certificate, key] =
            ["certificate.pem", "key.pem"].map(|name| folder.path().join(name));
        if how != "plain" {
            let made = Command::new("openssl")
                .args([
                    "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                ])
                .args([
                    "-subj",
                    "/CN=localhost",
                    "-addext",
                    "subjectAltName=DNS:localhost",
                ])
                .args(["-addext", "basicConstraints=critical,CA:FALSE", "-keyout"])
                .arg(&key)
                .arg("-out")
                .arg(&certificate)
                .stderr(Stdio::null())
                .status();
            assert!(made.expect("openssl comes with ssh").success());
        }
        let mails = folder.path().join("mails");
        fs::create_dir(&mails).expect("made");
        let (process, port) = serve("smtp_sink.py", |command| {
            command.arg(&mails).arg(how).args([&certificate, &key]);
        });
        MailServer {
            folder,
            process,
            port,
        }
    }

    fn certificate(&self) -> PathBuf {
        self.folder.path().join("certificate.pem")
    }

    pub fn property(&self) -> String {
        format!("-Doozie.email.smtp.port={}", self.port)
    }

    pub fn mails(&self) -> Vec<Value> {
        let mails = fs::read_dir(self.folder.path().join("mails")).expect("a folder");
        let paths = mails.map(|mail| mail.expect("a file").path());
        paths
            // A file with another extension is still being written.
            .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
            .map(|path| {
                let text = fs::read_to_string(path).expect("a mail");
                serde_json::from_str(&text).expect("the sink writes JSON")
            })
            .collect()
    }
}

fn email(body: &str) -> String {
    action(
        "a",
        &format!("<email xmlns='uri:oozie:email-action:0.2'>{body}</email>"),
        "end",
    )
}

fn to(recipients: &str) -> String {
    email(&format!(
        "<to>{recipients}</to><subject>s</subject><body>b</body>"
    ))
}

#[test]
fn a_message_arrives_with_everything_that_belongs_to_it() {
    let sink = MailServer::start("plain");
    let body = "<to>ann@x.org, \"Doe, Bob\" &lt;bob@y.org&gt;</to><cc>cc@x.org</cc><bcc>hidden@x.org</bcc>\
        <subject>Grüße von ${wf:name()}</subject><body>&lt;b&gt;für dich&lt;/b&gt;</body><content_type>text/html</content_type>\
        <attachment>report.csv,file://${out}/more.txt</attachment>";
    let world = World::of(&[
        ("workflow.xml", &crate::harness::workflow(&email(body))),
        ("report.csv", "a,b\n1,2\n"),
    ]);
    fs::write(world.out().join("more.txt"), "more of it").expect("written");
    let more = ["-Doozie.email.from.address=jobs@x.org", &sink.property()];
    let (_, info) = run(&world, &more, 0);
    assert_eq!(node(&info, "a")["external_id"], "-");
    let [mail] = &*sink.mails() else {
        panic!("one message: {:?}", sink.mails());
    };
    assert_eq!(mail["sender"], "jobs@x.org");
    let recipients = ["ann@x.org", "bob@y.org", "cc@x.org", "hidden@x.org"];
    assert_eq!(mail["recipients"], serde_json::json!(recipients));
    let data = text(&mail["data"]);
    assert!(!data.contains("hidden@x.org"), "{data}");
    for part in [
        "From: jobs@x.org",
        "Cc: cc@x.org",
        "Subject: =?utf-8?b?",
        "Content-Type: multipart/mixed",
        "Content-Type: text/html; charset=utf-8",
        "filename=\"report.csv\"",
        "filename=\"more.txt\"",
        "application/octet-stream",
    ] {
        assert!(data.contains(part), "{part}: {data}");
    }
}

#[test]
fn a_name_is_somebody_on_the_server_and_the_text_is_what_its_type_says() {
    let sink = MailServer::start("plain");
    let body = "<to> root </to><subject>s</subject><body>${text}</body><content_type>text/html; charset=iso-8859-1</content_type>";
    let mut world = World::of_nodes(&email(body));
    let from = "-Doozie.email.from.address=oozie";
    run(&world, &[&sink.property(), from, "-Dtext=für dich"], 0);
    let [mail] = &*sink.mails() else {
        panic!("one message: {:?}", sink.mails());
    };
    assert_eq!(mail["sender"], "oozie@localhost");
    assert_eq!(mail["recipients"], serde_json::json!(["root@localhost"]));
    let data = text(&mail["data"]);
    assert!(
        data.contains("Content-Type: text/html; charset=utf-8\n"),
        "{data}"
    );
    world.afresh();
    run(&world, &[&sink.property(), from, "-Dtext=for you"], 0);
    let mails = sink.mails();
    let has_own = |mail: &Value| text(&mail["data"]).contains("charset=iso-8859-1\n");
    assert!(mails.iter().any(has_own), "{mails:?}");
}

#[test]
fn the_password_of_the_site_goes_over_tls_and_is_stored_nowhere() {
    for (how, setting) in [
        ("starttls", "oozie.email.smtp.starttls.enable"),
        ("tls", "hpdl.email.smtp.ssl.enable"),
    ] {
        let sink = MailServer::start(how);
        let mut world = World::of_nodes(&to("ann@x.org"));
        let site = world.path("site.xml");
        let file = world.path("password");
        fs::write(&file, "right-one\n").expect("written");
        // The settings may have it, or say where it is.
        let password = match how {
            "tls" => format!("${{file:{}}}", file.display()),
            _ => "right-one".to_owned(),
        };
        let property = |name: &str, value: &str| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        };
        let settings = [
            property("oozie.email.smtp.auth", "true"),
            property("oozie.email.smtp.username", "me"),
            property("oozie.email.smtp.password", &password),
            property(setting, "true"),
        ]
        .concat();
        fs::write(&site, format!("<configuration>{settings}</configuration>")).expect("written");
        world.set("HPDL_SITE", &site.display().to_string());
        world.set("SSL_CERT_FILE", &sink.certificate().display().to_string());
        let (_, info) = run(&world, &[&sink.property()], 0);
        let [mail] = &*sink.mails() else {
            panic!("one message: {:?}", sink.mails());
        };
        assert_eq!(mail["login"], "me");
        assert_eq!(mail["encrypted"], true);
        let shown = world.call(&["settings"]).expect(0);
        assert!(!shown.stdout.contains("right-one"), "{}", shown.stdout);
        let store = fs::read(world.home().join("jobs.db")).expect("a store");
        let log = fs::read(world.home().join("jobs.db-wal")).unwrap_or_default();
        let has = |bytes: &[u8]| bytes.windows(9).any(|part| part == b"right-one");
        assert!(!has(&store) && !has(&log), "{info:#}");
    }
}

#[test]
fn failures_have_oozies_codes_and_nothing_is_sent() {
    let sink = MailServer::start("plain");
    let port = sink.property();
    let world = World::of_nodes(&email(
        "<to>${to}</to><subject>s</subject><body>b</body><content_type>${wf:conf('kind')}</content_type>",
    ));
    let login = [
        "-Doozie.email.smtp.auth=true",
        "-Doozie.email.smtp.username=me",
    ];
    let wrong = "-Doozie.email.smtp.password=wrong-one";
    for (more, code, words) in [
        (vec!["-Dto= , "], "EM001", "no recipient"),
        (
            vec!["-Dto=a@x.org", "-Doozie.email.from.address=no body"],
            "EM002",
            "no body",
        ),
        (vec!["-Dto=a@x.org;b@x.org"], "EM004", "a@x.org;b@x.org"),
        (vec!["-Dto=a@x.org,,b@x.org"], "EM004", "before a comma"),
        (vec!["-Dto=a@x.org", "-Dkind=nonsense"], "EM005", "nonsense"),
        (
            vec!["-Dto=a@x.org", "-Doozie.email.smtp.port=many"],
            "EM006",
            "many",
        ),
        (
            vec!["-Dto=a@x.org", login[0]],
            "EM006",
            "username is missing",
        ),
        (
            vec!["-Dto=a@x.org", login[0], login[1]],
            "EM006",
            "password is missing",
        ),
        (
            vec!["-Dto=a@x.org", login[0], login[1], wrong],
            "EM007",
            "535",
        ),
        (
            vec!["-Dto=a@x.org", "-Doozie.email.smtp.port=1"],
            "EM007",
            "refused",
        ),
        (
            vec!["-Dto=refused@x.org,a@x.org"],
            "EM007",
            "nobody of that name",
        ),
        (
            vec!["-Dto=a@x.org", "-Doozie.email.smtp.starttls.enable=true"],
            "EM007",
            "offers no STARTTLS",
        ),
    ] {
        let given: Vec<&str> = std::iter::once(port.as_str())
            .chain(more.iter().copied())
            .collect();
        let ended = world.run(&given).expect(1);
        assert!(!ended.stderr.contains("wrong-one") && !ended.stdout.contains("wrong-one"));
        let info = world.info(&text(&world.jobs()[0]["id"]));
        let failed = node(&info, "a");
        assert_eq!(failed["error_code"], code, "{more:?} {info:#}");
        // Invalid settings are detected before anything starts.
        if code != "EM006" {
            assert_eq!(failed["external_id"], "-", "{more:?} {info:#}");
        }
        let message = text(&failed["error_message"]);
        assert!(message.contains(words), "{more:?}: {message}");
        assert!(!message.contains("wrong-one"), "{message}");
    }
    let world = World::of_nodes(&email(
        "<to>a@x.org</to><subject>s</subject><body>b</body><!-- hpdlc: allow(missing_files) --><attachment>none.csv</attachment>",
    ));
    let (_, info) = run(&world, &[&port], 1);
    let failed = node(&info, "a");
    assert_eq!(failed["error_code"], "EM008", "{info:#}");
    assert!(text(&failed["error_message"]).contains("none.csv"));
    assert_eq!(sink.mails().len(), 0);
}

#[test]
fn a_message_of_which_nobody_knows_is_not_sent_twice() {
    let sink = MailServer::start("plain");
    let world = World::of_nodes(&to("broken@x.org"));
    let (_, info) = run(&world, &[&sink.property()], 4);
    let lost = node(&info, "a");
    assert_eq!(lost["error_code"], "HPDL_LOST", "{info:#}");
    assert_eq!(lost["status"], "START_MANUAL");
    assert_eq!(sink.mails().len(), 1);
}

#[test]
fn a_site_may_send_no_attachments() {
    let sink = MailServer::start("plain");
    let body = "<to>a@x.org</to><subject>s</subject><body>b</body><!-- hpdlc: allow(missing_files) --><attachment>none.csv</attachment>";
    let world = World::of_nodes(&email(body));
    let off = "-Doozie.email.attachment.enabled=false";
    let (_, info) = run(&world, &[&sink.property(), off], 0);
    let data = text(&sink.mails()[0]["data"]);
    assert!(data.contains("attachments"), "{data}");
    let log = world.log(&text(&info["id"]));
    assert!(log.contains("without its attachments"), "{log}");
}

#[test]
fn an_executable_with_mail_notifies_over_tls_whom_the_machine_trusts() {
    let sink = MailServer::start("tls");
    let asked = sink.folder.path().join("asked");
    let key = sink.folder.path().join("key.pem");
    let (mut server, port) = serve("https_server.py", |command| {
        command.args([&sink.certificate(), &key, &asked]);
    });
    let mut world = World::of_nodes(&to("ann@x.org"));
    world.set("SSL_CERT_FILE", &sink.certificate().display().to_string());
    let notified = |host: &str| {
        format!("-Doozie.wf.workflow.notification.url=https://{host}:{port}/job?s=$status")
    };
    let mail = [&sink.property(), "-Dhpdl.email.smtp.ssl.enable=true"];
    let (_, info) = run(&world, &[mail[0], mail[1], &notified("localhost")], 0);
    let told = wait_for("two notifications", || {
        let told = fs::read_to_string(&asked).ok()?;
        (told.lines().count() >= 2).then_some(told)
    });
    assert_eq!(told, "/job?s=RUNNING\n/job?s=SUCCEEDED\n", "{info:#}");
    // The certificate is for another name.
    world.afresh();
    let refused = notified("127.0.0.1");
    let properties = [mail[0], mail[1], &refused, "-Dhpdl.notification.retries=0"];
    let (_, info) = run(&world, &properties, 0);
    let log = wait_for("the log of what was not told", || {
        let log = world.log(&text(&info["id"]));
        log.contains("https://127.0.0.1").then_some(log)
    });
    assert!(log.contains("invalid peer certificate"), "{log}");
    // It runs until it is killed.
    let _ = server.kill();
    let _ = server.wait();
}
