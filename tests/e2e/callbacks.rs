//! `wf:callback`: URLs that only the action knows, accepted once, and answered even after the owner has died.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
};

use crate::{
    harness::{World, finish, kill_dash_nine, signal, wait_for, wait_within},
    serve::Server,
    sh,
};

/// Calls a URL; returns the whole answer, or `None` if no process listens.
fn call(url: &str) -> Option<String> {
    let rest = url.strip_prefix("http://").expect("a URL");
    let (authority, target) = rest.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(authority).ok()?;
    stream
        .write_all(format!("GET /{target} HTTP/1.1\r\nHost: {authority}\r\n\r\n").as_bytes())
        .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some(answer)
}

#[track_caller]
fn expect(url: &str, status: &str, words: &str) {
    let answer = call(url).expect("somebody listens");
    assert!(
        answer.starts_with(&format!("HTTP/1.1 {status}")) && answer.contains(words),
        "{url}: {answer}"
    );
}

/// An action that writes its URL and waits for the gate.
fn world() -> World {
    let line = r#"echo '${wf:callback('$jobStatus')}' > ${out}/.url; mv ${out}/.url ${out}/url; while [ ! -e ${out}/open ]; do [ -d ${out} ] || exit 7; sleep 0.02; done"#;
    World::of_nodes(&sh("a", line, "", "end"))
}

#[track_caller]
fn url_of(world: &World) -> String {
    let file = world.out().join("url");
    wait_for("the action to have its URL", || {
        fs::read_to_string(&file).ok()
    })
    .trim()
    .to_owned()
}

#[test]
fn a_callback_is_taken_once_and_only_with_its_token() {
    let world = world();
    let job = world.start(&[]);
    let url = url_of(&world);
    let id = world.job().expect("a job");
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    assert!(
        url.contains(&format!("/callback?id={id}@a&status=$jobStatus&token=")),
        "{url}"
    );

    let called = url.replace("$jobStatus", "SUCCEEDED");
    let (before, token) = called.split_at(called.len() - 64);
    let other: String = token
        .chars()
        .map(|digit| if digit == '0' { '1' } else { '0' })
        .collect();
    expect(
        &format!("{before}{other}"),
        "400",
        "E0402: no such callback",
    );
    expect(
        &called.replace("@a&", "@b&"),
        "400",
        "E0402: no such callback",
    );
    expect(&called.replace("/callback", "/elsewhere"), "400", "E0402");
    expect(&called, "200", "");
    expect(&called, "400", "E0402: this callback was already accepted");
    let log = world.log(&id);
    assert!(log.contains("CALLBACK     SUCCEEDED"), "{log}");

    fs::write(world.out().join("open"), "").expect("a file");
    finish(job).expect(0);
}

/// The URL leads to the server where the site says so.
#[test]
fn a_callback_by_the_server_needs_its_token_and_is_taken_once() {
    let world = world();
    let server = Server::start(&world);
    let job = world.start(&[]);
    let url = url_of(&world).replace("$jobStatus", "SUCCEEDED");
    let (_, query) = url.split_once("/callback?").expect("a callback");
    let (before, token) = query.split_at(query.len() - 64);
    let other: String = token
        .chars()
        .map(|digit| if digit == '0' { '1' } else { '0' })
        .collect();
    let id = world.job().expect("a job");
    let ask = |query: &str| server.ask("GET", &format!("/callback?{query}"), "");
    for (query, status, words) in [
        (format!("{before}{other}"), 400, "E0402: no such callback"),
        (query.replace("@a&", "@b&"), 400, "E0402: no such callback"),
        (query.to_owned(), 200, ""),
        (query.to_owned(), 400, "already accepted"),
    ] {
        let (found, body) = ask(&query);
        assert_eq!(found, status, "{query}: {body}");
        assert!(body.contains(words), "{query}: {body}");
        let has_come = world.log(&id).contains("CALLBACK     SUCCEEDED");
        assert_eq!(
            has_come,
            found == 200 || words.contains("already"),
            "{query}"
        );
    }
    fs::write(world.out().join("open"), "").expect("a file");
    finish(job).expect(0);
}

#[test]
fn the_port_is_kept_and_a_watcher_answers_where_an_owner_has_died() {
    let world = world();
    let owner = world.start(&[]);
    let url = url_of(&world).replace("$jobStatus", "RUNNING");
    kill_dash_nine(owner);
    assert!(call(&url).is_none(), "nobody listens any more");
    let watcher = world.spawn(&["recover", "--watch"]);
    wait_within(crate::harness::PATIENCE, || call(&url))
        .expect("somebody listens at the same port");
    let id = world.job().expect("a job");
    let log = world.log(&id);
    assert!(log.contains("CALLBACK     RUNNING"), "{log}");
    fs::write(world.out().join("open"), "").expect("a file");
    wait_for("the job to end", || {
        (world.info(&id)["status"] == "SUCCEEDED").then_some(())
    });
    signal("TERM", crate::harness::pid_of(&watcher));
    finish(watcher);
    assert_eq!(world.info(&id)["status"], "SUCCEEDED");
}
