//! Who may connect, and what is said to whom may not.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use super::{PostgresServer, Start, chain, has_no_file, server};
use crate::harness::{World, bare};

#[test]
fn a_password_is_that_of_the_variable_the_url_or_the_file_and_never_shown() {
    let access = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n";
    let start = Start {
        access: Some(access.to_owned()),
        ..Start::default()
    };
    let Some(server) = PostgresServer::start(&start) else {
        return;
    };
    server.query("CREATE ROLE ada LOGIN PASSWORD 's3cr:et'; CREATE SCHEMA hpdl AUTHORIZATION ada");
    let mut world = chain(&server, 2);
    let port = server.port();
    let url = format!("postgres://ada@127.0.0.1:{port}/postgres");
    world.set("HPDL_STORE_URL", &url);
    let refused = world.call(&["jobs"]).expect(5);
    assert!(refused.stderr.contains("password"), "{}", refused.stderr);
    world.set("PGPASSWORD", "wrong");
    let refused = world.call(&["jobs"]).expect(5);
    assert!(
        refused.stderr.contains("the user or the password is wrong"),
        "{}",
        refused.stderr
    );
    world.set("PGPASSWORD", "s3cr:et");
    world.call(&["jobs"]).expect(0);
    world.set("PGPASSWORD", "");
    let file = world.out().join("pgpass");
    fs::write(&file, format!("127.0.0.1:{port}:*:ada:s3cr\\:et\n")).expect("it is ours");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("it is ours");
    world.set("PGPASSFILE", &file.display().to_string());
    world.run(&[]).expect(0);
    world.set("PGPASSFILE", "/nonexistent");
    let with_password = format!("postgres://ada:s3cr%3Aet@127.0.0.1:{port}/postgres");
    world.set("HPDL_STORE_URL", &with_password);
    let doctor = world.call(&["doctor"]).expect(0);
    assert!(doctor.stdout.contains(&url), "{}", doctor.stdout);
    assert!(!doctor.stdout.contains("s3cr"), "{}", doctor.stdout);
    assert!(has_no_file(&world));
}

/// Makes a certificate for `localhost` and one for the user `ada` by a root, and another root; returns the server's and the root: PEM texts.
fn certificates(folder: &std::path::Path) -> Option<[String; 3]> {
    let openssl = |arguments: &str| {
        let arguments = arguments.split(' ');
        let made = Command::new("openssl")
            .args(arguments)
            .current_dir(folder)
            .output();
        made.is_ok_and(|made| made.status.success())
    };
    fs::write(folder.join("names"), "subjectAltName=DNS:localhost").expect("it is ours");
    let is_made = ["root", "other"].iter().all(|name| {
        openssl(&format!(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN={name} -keyout {name}.key -out {name}.crt"
        ))
    }) && openssl(
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=localhost -keyout server.key -out server.csr",
    ) && openssl(
        "x509 -req -in server.csr -CA root.crt -CAkey root.key -CAcreateserial -days 2 -extfile names -out server.crt",
    ) && openssl(
        "req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=ada -keyout client.key -out client.csr",
    ) && openssl(
        "x509 -req -in client.csr -CA root.crt -CAkey root.key -CAcreateserial -days 2 -extfile names -out client.crt",
    );
    let text = |name: &str| super::server::read(&folder.join(name));
    is_made.then(|| ["server.crt", "server.key", "root.crt"].map(text))
}

#[test]
fn a_certificate_is_verified_as_the_mode_says() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let Some([certificate, key, authority]) = certificates(folder.path()) else {
        println!("skipped: there is no openssl");
        return;
    };
    let start = Start {
        settings: vec!["ssl = on".to_owned(), "ssl_ca_file = 'root.crt'".to_owned()],
        access: Some(
            "local all all trust\nhostssl all hpdl 127.0.0.1/32 trust\nhostssl all ada 127.0.0.1/32 cert\n"
                .to_owned(),
        ),
        files: vec![
            ("server.crt", certificate),
            ("server.key", key),
            ("root.crt", authority),
        ],
        ..Start::default()
    };
    let Some(server) = PostgresServer::start(&start) else {
        return;
    };
    let mut world = chain(&server, 2);
    let port = server.port();
    let root = |name: &str| folder.path().join(name).display().to_string();
    for (host, parameters, expected) in [
        ("localhost", "sslmode=disable".to_owned(), "no encryption"),
        ("localhost", "sslmode=require".to_owned(), ""),
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={}", root("root.crt")),
            "",
        ),
        (
            "127.0.0.1",
            format!("sslmode=verify-ca&sslrootcert={}", root("root.crt")),
            "",
        ),
        (
            "127.0.0.1",
            format!("sslmode=verify-full&sslrootcert={}", root("root.crt")),
            "certificate",
        ),
        (
            "localhost",
            format!("sslmode=verify-ca&sslrootcert={}", root("other.crt")),
            "certificate",
        ),
        (
            "localhost",
            format!("sslmode=verify-full&sslrootcert={}", root("none.crt")),
            "none.crt",
        ),
    ] {
        world.set(
            "HPDL_STORE_URL",
            &format!("postgres://hpdl@{host}:{port}/postgres?{parameters}"),
        );
        let code = if expected.is_empty() { 0 } else { 5 };
        let done = world.call(&["jobs"]).expect(code);
        assert!(
            done.stderr.contains(expected),
            "{parameters}: {}",
            done.stderr
        );
    }
    server.query("CREATE ROLE ada LOGIN; CREATE SCHEMA ada AUTHORIZATION ada");
    let url = format!("postgres://ada@localhost:{port}/postgres?schema=ada");
    let verified = format!("{url}&sslmode=verify-full&sslrootcert={}", root("root.crt"));
    world.set("HPDL_STORE_URL", &verified);
    let refused = world.call(&["jobs"]).expect(5);
    assert!(
        refused.stderr.contains("client certificate"),
        "{}",
        refused.stderr
    );
    let (certificate, key) = (root("client.crt"), root("client.key"));
    let proven = format!("{verified}&sslcert={certificate}&sslkey={key}");
    world.set("HPDL_STORE_URL", &proven);
    world.call(&["jobs"]).expect(0);
    // Variables have what the URL leaves open.
    world.set("HPDL_STORE_URL", &url);
    for (name, value) in [
        ("PGSSLMODE", "verify-full"),
        ("PGSSLCERT", &certificate),
        ("PGSSLKEY", &key),
        ("PGSSLROOTCERT", &root("other.crt")),
    ] {
        world.set(name, value);
    }
    let refused = world.call(&["jobs"]).expect(5);
    assert!(
        refused.stderr.contains("invalid peer certificate"),
        "{}",
        refused.stderr
    );
    world.set("PGSSLROOTCERT", &root("root.crt"));
    world.call(&["jobs"]).expect(0);
}

#[test]
fn the_first_of_several_hosts_that_writes_is_taken() {
    let Some(server) = server() else { return };
    let mut world = chain(&server, 2);
    let hosts = format!("127.0.0.1:1,127.0.0.1:{}", server.port());
    let url = format!("postgres://hpdl@{hosts}/postgres?target_session_attrs=read-write");
    world.set("HPDL_STORE_URL", &url);
    world.run(&[]).expect(0);
    assert!(has_no_file(&world));
}

#[test]
fn an_executable_without_a_client_says_how_to_get_one() {
    let Some(server) = server() else { return };
    let url = server.url();
    let mut world = World::of_nodes(&bare("step.sh", "a", "0", "end"));
    world.set("HPDL_STORE_URL", &url);
    let refused = world.run(&[]).expect(2);
    assert!(
        refused.stderr.contains("hpdlc build --full"),
        "{}",
        refused.stderr
    );
    assert!(has_no_file(&world));
    // Where the variable is set when it is built, it has one.
    let program = world.path("with-client");
    let built = Command::new(hpdlc_tests::hpdlc())
        .arg("build")
        .arg(world.path("app"))
        .arg("-o")
        .arg(&program)
        .env("HPDL_STORE_URL", &url)
        .output();
    assert!(built.is_ok_and(|built| built.status.success()));
    world.call_other(&program, &["jobs"]).expect(0);
}

#[test]
fn what_cannot_be_is_said_with_its_cause() {
    let Some(server) = server() else { return };
    let mut world = chain(&server, 2);
    let port = server.port();
    for (url, code, words) in [
        (
            "postgres://127.0.0.1:1/jobs".to_owned(),
            5,
            "cannot be reached",
        ),
        (
            format!("postgres://hpdl@127.0.0.1:{port}/nothing"),
            5,
            "there is no such database",
        ),
        (
            format!("postgres://hpdl@127.0.0.1:{port}/postgres?sslmode=perhaps"),
            2,
            "sslmode",
        ),
        (
            "mysql://127.0.0.1/jobs".to_owned(),
            2,
            "no URL of PostgreSQL",
        ),
    ] {
        world.set("HPDL_STORE_URL", &url);
        let refused = world.call(&["jobs"]).expect(code);
        assert!(refused.stderr.contains(words), "{url}: {}", refused.stderr);
    }
    let site = world.path("site.xml");
    let text = "<configuration><property><name>hpdl.host.timeout</name><value>5m</value></property></configuration>";
    fs::write(&site, text).expect("a file");
    world.set("HPDL_STORE_URL", &server.url());
    world.set("HPDL_SITE", &site.display().to_string());
    let refused = world.run(&[]).expect(2);
    assert!(
        refused.stderr.contains("hpdl.host.timeout"),
        "{}",
        refused.stderr
    );
    assert_eq!(world.jobs().len(), 0, "nothing was created");
}

/// Its processes and work folders are its own.
#[test]
fn a_second_state_folder_is_another_host() {
    let Some(server) = server() else { return };
    let first = chain(&server, 2);
    first.run(&[]).expect(0);
    let second = chain(&server, 2);
    second.run(&[]).expect(0);
    assert_eq!(first.jobs().len(), 2);
    assert_eq!(second.jobs(), first.jobs());
    // Both find what the other has started on a cluster, and know its callbacks and cookies.
    for key in ["tag.key", "callback.key", "server.key"] {
        let [one, other] = [&first, &second].map(|it| fs::read(it.home().join(key)));
        assert_eq!(one.expect("a key"), other.expect("a key"), "{key}");
    }
    assert_eq!(server.query("SELECT count(*) FROM hpdl.hosts"), "2");
}

/// Nothing of the former is there any more: its jobs need not wait for `hpdl.host.timeout`.
#[test]
fn a_state_folder_that_was_made_anew_takes_the_jobs_of_the_former() {
    let Some(server) = server() else { return };
    let world = super::of_nodes(
        &server,
        &crate::harness::bare("step.sh", "a", "gated", "end"),
    );
    let out = world.out_property();
    let id = world.call(&["submit", &out]).expect(0);
    let id = id.stdout.trim_end();
    world.call(&["start", id]).expect(0);
    world.await_running("a");
    let owner = world.jobs()[0]["owner"].as_i64().expect("an owner");
    crate::harness::signal("KILL", i32::try_from(owner).expect("a pid"));
    crate::harness::signal("KILL", world.launcher_of(id, "a"));
    crate::harness::wait_for("its connections to end", || {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'hpdl %'";
        (server.query(sql) == "0").then_some(())
    });
    fs::remove_dir_all(world.home()).expect("it is ours");
    world.call(&["recover", id]).expect(4);
    let info = world.call(&["info", id]).expect(0);
    assert!(info.stdout.contains("is gone"), "{}", info.stdout);
}

#[test]
fn a_server_without_a_free_connection_is_waited_for() {
    let start = Start {
        settings: vec![
            "max_connections = 5".to_owned(),
            "superuser_reserved_connections = 1".to_owned(),
        ],
        ..Start::default()
    };
    let Some(server) = PostgresServer::start(&start) else {
        return;
    };
    server.query("CREATE ROLE ada LOGIN; CREATE SCHEMA hpdl AUTHORIZATION ada");
    let mut world = chain(&server, 2);
    world.set(
        "HPDL_STORE_URL",
        &format!("postgres://ada@127.0.0.1:{}/postgres", server.port()),
    );
    world.call(&["jobs"]).expect(0);
    let sleep = |seconds: u32| {
        let port = server.port();
        Command::new("psql")
            .args([
                "-h",
                "127.0.0.1",
                "-p",
                &port.to_string(),
                "-U",
                "ada",
                "-d",
                "postgres",
            ])
            .args(["-qc", &format!("SELECT pg_sleep({seconds})")])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
    };
    let mut sleepers = Vec::new();
    crate::harness::wait_for("the server to be full", || {
        let sql = "SELECT count(*) FROM pg_stat_activity WHERE usename = 'ada'";
        if server.query(sql) == "4" {
            return Some(());
        }
        sleepers.push(sleep(3).expect("psql is beside its server"));
        thread::sleep(Duration::from_millis(100));
        None
    });
    world.run(&[]).expect(0);
    for mut sleeper in sleepers {
        sleeper.wait().expect("it is our child");
    }
}
