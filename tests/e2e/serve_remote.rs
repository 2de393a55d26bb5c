//! `hpdl --url`: commands by a server print what they print on its machine.

use std::{
    fs,
    process::{Command, Output, Stdio},
};

use hpdlc_tests::hpdl;

use crate::{
    harness::{World, call_program, wait_for},
    serve::{Server, gated},
};

/// `hpdl` in another place than the server's state folder.
fn remote(world: &World, server: &Server, token: Option<&str>, arguments: &[&str]) -> Command {
    let elsewhere = world.out().join("elsewhere");
    fs::create_dir_all(&elsewhere).expect("a folder");
    let mut command = Command::new(hpdl());
    command
        .args(arguments)
        .env("HPDL_URL", format!("http://{}/oozie", server.address))
        .envs(hpdlc_tests::command::home_variables(elsewhere.join("home")))
        .env_remove("HPDL_TOKEN")
        .current_dir(&elsewhere)
        .stdin(Stdio::null());
    if let Some(token) = token {
        command.env("HPDL_TOKEN", token);
    }
    command
}

fn texts(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        output.status.code(),
        text(&output.stdout),
        text(&output.stderr),
    )
}

#[test]
fn a_life_of_a_job_by_a_server() {
    let world = gated();
    let server = Server::start(&world);
    let call = |arguments: &[&str]| {
        let output = remote(&world, &server, None, arguments).output();
        texts(&output.expect("hpdl can be started"))
    };
    let folder = world.out().join("elsewhere");
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(
        folder.join("job.properties"),
        format!("out={}\n", world.out().display()),
    )
    .expect("written");
    fs::write(folder.join("wrong.xml"), "<configuration><x>").expect("written");
    let (code, _, messages) = call(&["submit", "case", "-c", "wrong.xml"]);
    assert_eq!(code, Some(2));
    assert!(
        messages.starts_with("error: wrong.xml: line 1"),
        "{messages}"
    );
    let (code, id, messages) = call(&["submit", "case", "-c", "job.properties", "-D", "x=1"]);
    assert_eq!(code, Some(0), "{messages}");
    let id = id.trim();
    assert_eq!(call(&["start", id]).0, Some(0));
    // A reader who goes leaves no process behind.
    let mut watcher = remote(&world, &server, None, &["watch", id])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("hpdl can be started");
    wait_for("the command of the server", || {
        (!server.children().is_empty()).then_some(())
    });
    watcher.kill().expect("it runs");
    watcher.wait().expect("it ends");
    world.open_gate("a");
    let (code, _, messages) = call(&["start", id, "--wait"]);
    assert!(code == Some(0) || code == Some(2), "{messages}");
    wait_for("the end of the job", || {
        call(&["info", id]).1.contains("SUCCEEDED").then_some(())
    });
    wait_for("the end of what the server has started", || {
        server.children().is_empty().then_some(())
    });
    let root = world
        .home()
        .parent()
        .expect("it lies in the world's folder");
    for arguments in [
        &["info", id][..],
        &["info", id, "--json"],
        &["jobs"],
        &["log", id],
        &["graph", id],
        &["definition", id],
        &["apps"],
        &["info", "99"],
        &["jobs", "--nothing"],
        &["kill", id],
    ] {
        let here = call_program(&hpdl(), root, arguments);
        let (code, out, err) = call(arguments);
        assert_eq!(
            (code, out, err),
            (here.code, here.stdout.clone(), here.stderr.clone()),
            "{arguments:?}"
        );
    }
    let (code, audit, _) = call(&["audit", "--json"]);
    assert_eq!(code, Some(0));
    let job = format!("\"job\":\"{id}\"");
    let mut submitted = audit
        .lines()
        .filter(|line| line.contains("\"operation\":\"submit\""));
    assert!(submitted.any(|line| line.contains(&job)), "{audit}");
    assert!(!audit.contains("x=1"), "{audit}");
}

#[test]
fn a_command_line_without_a_proof_is_refused() {
    let world = gated();
    let server = Server::start_with(&world, &["--auth", "token"]);
    let root = world
        .home()
        .parent()
        .expect("it lies in the world's folder");
    let token = call_program(&hpdl(), root, &["token", "new", "ci", "--role", "read"]).expect(0);
    let token = token.stdout.trim();
    for (token, arguments, code, part) in [
        (None, &["jobs"][..], 2, "HPDL_TOKEN"),
        (Some("hpdl_x_y"), &["jobs"], 2, "HPDL_TOKEN"),
        (Some(token), &["jobs"], 0, ""),
        (Some(token), &["kill", "1"], 2, "has the role read"),
        (
            Some(token),
            &["backup", "x"],
            2,
            "on the machine of the server",
        ),
    ] {
        let output = remote(&world, &server, token, arguments).output();
        let (ended, _, messages) = texts(&output.expect("hpdl can be started"));
        assert_eq!(ended, Some(code), "{arguments:?}: {messages}");
        assert!(messages.contains(part), "{arguments:?}: {messages}");
    }
    let away = ["--url", "http://127.0.0.1:1/oozie", "jobs"];
    let mut nobody = remote(&world, &server, None, &away);
    let (code, _, messages) = texts(&nobody.output().expect("hpdl can be started"));
    assert_eq!(code, Some(5), "{messages}");
    assert!(messages.contains("hpdl serve"), "{messages}");
}
