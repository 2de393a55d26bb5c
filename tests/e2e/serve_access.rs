//! `hpdl serve` as an operator has it: tokens, TLS, connections that say nothing, its end, and jobs whose owner dies.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hpdlc_tests::hpdl;

use crate::{
    harness::{World, call_program, signal, step, wait_for},
    serve::{Server, gated, submit},
};

/// `hpdl` with these arguments on the state folder of a world: what it prints.
#[track_caller]
fn printed(world: &World, arguments: &[&str]) -> String {
    let root = world
        .home()
        .parent()
        .expect("it lies in the world's folder");
    let ended = call_program(&hpdl(), root, arguments).expect(0);
    ended.stdout.trim().to_owned()
}

/// Writes the site's settings.
fn set(world: &World, name: &str, value: &str) {
    let site = format!(
        "<configuration><property><name>{name}</name><value>{value}</value></property></configuration>"
    );
    fs::write(world.home().join("hpdl-site.xml"), site).expect("written");
}

/// The first line of the answer to a request with these headers.
fn first_line(server: &Server, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).expect("it listens");
    let host = &server.address;
    let request =
        format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{headers}\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer.lines().next().unwrap_or_default().to_owned()
}

#[test]
fn a_token_lets_in_until_it_is_revoked() {
    let world = gated();
    let server = Server::start_with(&world, &["--auth", "token"]);
    assert!(first_line(&server, "/oozie/versions", "").contains(" 401 "));
    assert!(first_line(&server, "/readyz", "").contains(" 200 "));
    let token = printed(&world, &["token", "new", "ci", "--role", "read"]);
    let bearer = format!("Authorization: Bearer {token}\r\n");
    let line = first_line(&server, "/oozie/v2/jobs", &bearer);
    assert!(line.contains(" 200 "), "{line}");
    let listed = printed(&world, &["token", "list", "--json"]);
    assert!(
        listed.contains("\"valid\"") && !listed.contains(&token),
        "{listed}"
    );
    for file in fs::read_dir(world.home()).expect("its folder") {
        let path = file.expect("an entry").path();
        let bytes = fs::read(&path).unwrap_or_default();
        let secret = token.rsplit('_').next().expect("a secret").as_bytes();
        let is_there = bytes.windows(secret.len()).any(|part| part == secret);
        assert!(!is_there, "{} has the token", path.display());
    }
    printed(&world, &["token", "revoke", "ci"]);
    let line = first_line(&server, "/oozie/v2/jobs", &bearer);
    assert!(line.contains(" 401 "), "{line}");
}

#[test]
fn a_server_that_strangers_can_reach_asks_for_a_proof() {
    let world = gated();
    let refused = Command::new(hpdl())
        .args(["serve", "--listen", "192.0.2.1:0", "--auth", "simple"])
        .envs(hpdlc_tests::command::home_variables(world.home()))
        .output()
        .expect("hpdl can be started");
    assert_eq!(refused.status.code(), Some(2));
    let messages = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(messages.contains("--insecure"), "{messages}");
    // In a network of its own, where the address is not that of this machine alone.
    let script = "ip link set lo up && ip address add 192.0.2.1/32 dev lo || exit 77
        \"$0\" serve --listen 192.0.2.1:11000 2>messages &
        server=$!
        for i in $(seq 100); do grep -q serving messages && break; sleep 0.1; done
        token=$(\"$0\" token new x 2>/dev/null)
        ask() { curl -s -o /dev/null -w '%{http_code} ' \"$@\"; }
        for path in oozie/versions oozie/v2/jobs?user.name=root metrics oozie/v2/admin/os-env; do
            ask http://192.0.2.1:11000/$path
        done
        ask -H \"Authorization: Bearer $token\" http://192.0.2.1:11000/oozie/versions
        ask -u :$token http://192.0.2.1:11000/oozie/versions
        kill $server; wait $server";
    let done = Command::new("unshare")
        .args(["--user", "--map-root-user", "--net", "sh", "-c", script])
        .arg(hpdl())
        .envs(hpdlc_tests::command::home_variables(world.home()))
        .current_dir(world.home().parent().expect("a folder"))
        .output()
        .expect("unshare is a part of every system");
    if done.status.code() == Some(77) || done.stdout.is_empty() {
        println!("skipped: there are no networks of one's own here, or no curl");
        return;
    }
    let answers = String::from_utf8_lossy(&done.stdout).into_owned();
    assert_eq!(answers.trim(), "401 401 401 401 200 200");
}

#[test]
fn connections_that_say_nothing_keep_nobody_out() {
    let world = gated();
    set(&world, "hpdl.server.connections.max", "50");
    let server = Server::start(&world);
    let mut silent = Vec::new();
    for i in 0..400 {
        let mut stream = TcpStream::connect(&server.address).expect("it listens");
        if i % 2 == 0 {
            // The beginning of a head.
            let _ = stream.write_all(b"GET /oozie/versions HTTP/1.1\r\nHost: loc");
        }
        silent.push(stream);
    }
    let begun = Instant::now();
    for _ in 0..20 {
        assert_eq!(server.ask("GET", "/versions", "").0, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(10));
    drop(silent);
}

#[test]
fn the_end_waits_for_nobody_who_says_nothing() {
    let world = gated();
    let mut server = Server::start(&world);
    let id = submit(&server, &world, "&action=start");
    world.await_running("a");
    let idle = TcpStream::connect(&server.address).expect("it listens");
    let mut slow = TcpStream::connect(&server.address).expect("it listens");
    slow.write_all(b"GET /oozie/vers").expect("sent");
    let mut body = TcpStream::connect(&server.address).expect("it listens");
    let head =
        "POST /oozie/v2/jobs HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999\r\n\r\n<conf";
    body.write_all(head.as_bytes()).expect("sent");
    thread::sleep(Duration::from_millis(200));
    let mut child = server.child.take().expect("it runs");
    let begun = Instant::now();
    signal("TERM", i32::try_from(child.id()).expect("a process id"));
    let status = child.wait().expect("it is our child");
    assert!(status.success(), "{status}");
    assert!(
        begun.elapsed() < Duration::from_secs(6),
        "{:?}",
        begun.elapsed()
    );
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    drop((idle, slow, body));
}

#[test]
fn a_job_whose_owner_dies_is_taken_up_by_the_server() {
    let world = gated();
    let server = Server::start(&world);
    let id = submit(&server, &world, "&action=start");
    world.await_running("a");
    let info = printed(&world, &["info", &id, "--json"]);
    assert!(info.contains("RUNNING"), "{info}");
    let lock = world.home().join("locks").join(&id);
    let owner = wait_for("the owner of the job", || holder(&world, &id));
    assert!(lock.exists());
    signal("KILL", owner);
    wait_for("another owner", || {
        holder(&world, &id).filter(|pid| *pid != owner)
    });
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
    drop(server);
}

/// The process that owns a job.
fn holder(_: &World, id: &str) -> Option<i32> {
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    let mut pids = processes.filter_map(|it| it.file_name().to_str()?.parse::<i32>().ok());
    pids.find(|pid| {
        let words = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
        let mut words = words.split(|byte| *byte == 0).skip(1);
        words.next() == Some(b"own") && words.next() == Some(id.as_bytes())
    })
}

/// A certificate that is valid for these days, and its key.
fn certificate(folder: &Path, name: &str, days: &str) -> Option<(String, String)> {
    let [certificate, key] = ["pem", "key"].map(|ending| {
        let path = folder.join(format!("{name}.{ending}"));
        path.display().to_string()
    });
    let made = Command::new("openssl")
        .args([
            "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", days,
        ])
        .args([
            "-subj",
            "/CN=localhost",
            "-addext",
            "subjectAltName=DNS:localhost",
        ])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .args(["-keyout", &key, "-out", &certificate])
        .stderr(Stdio::null())
        .status();
    made.ok().filter(std::process::ExitStatus::success)?;
    Some((certificate, key))
}

#[test]
fn a_server_with_a_certificate_speaks_https_alone() {
    let world = World::of_nodes(&step("a", "0", "end"));
    let folder = world.path("tls");
    fs::create_dir(&folder).expect("made");
    let Some((own, key)) = certificate(&folder, "own", "2") else {
        println!("skipped: there is no openssl");
        return;
    };
    let (other, other_key) = certificate(&folder, "other", "2").expect("as before");
    let text = folder.join("text").display().to_string();
    fs::write(&text, "no key").expect("written");
    let missing = folder.join("missing").display().to_string();
    for (certificate, key, part) in [
        (&own, &other_key, "is not that of the certificate"),
        (&other, &text, "has no private key in PEM"),
        (&text, &key, "has no certificate in PEM"),
        (&missing, &key, "No such file"),
        (&own, &missing, "No such file"),
    ] {
        let refused = Command::new(hpdl())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(["--tls-cert", certificate, "--tls-key", key])
            .envs(hpdlc_tests::command::home_variables(world.home()))
            .output()
            .expect("hpdl can be started");
        let messages = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{messages}");
        assert!(messages.contains(part), "{part}: {messages}");
    }
    let server = Server::start_with(&world, &["--tls-cert", &own, "--tls-key", &key]);
    let port = server.address.rsplit(':').next().expect("a port");
    let fetched = Command::new("curl")
        .args([
            "-s",
            "--cacert",
            &own,
            &format!("https://localhost:{port}/oozie/versions"),
        ])
        .output();
    match fetched {
        Ok(fetched) => assert_eq!(String::from_utf8_lossy(&fetched.stdout), "[0,1,2]"),
        Err(_) => println!("skipped: there is no curl"),
    }
    let mut plain = TcpStream::connect(&server.address).expect("it listens");
    plain
        .write_all(b"GET /oozie/versions HTTP/1.0\r\n\r\n")
        .expect("sent");
    let mut answer = Vec::new();
    let _ = plain.read_to_end(&mut answer);
    assert!(!answer.starts_with(b"HTTP"), "{answer:?}");
}
