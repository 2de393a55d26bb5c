//! `hpdl.action.timeout` of actions that wait for others: servers that never answer, programs that never exit.

use std::{
    fs,
    io::Read,
    net::TcpListener,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    sync::mpsc::{self, Receiver},
    thread,
};

use crate::{
    harness::{PATIENCE, World, action, finish, is_running, node, text, wait_for},
    ssh,
};

const LIMIT: &str = "-Dhpdl.action.timeout=1";

/// The action has taken its error transition, because it exceeded its time limit.
#[track_caller]
fn check_ended(world: &World, who: &str) {
    let id = world.job().expect("a job");
    let info = world.info(&id);
    let ended = node(&info, "a");
    assert_eq!(ended["status"], "ERROR", "{info:#}");
    assert_eq!(ended["transition"], "failed", "{info:#}");
    assert_eq!(ended["error_code"], "HPDL_TIMEOUT", "{info:#}");
    let message = text(&ended["error_message"]);
    let expected = format!("{who} was ended after 1 s: its time was over (hpdl.action.timeout)");
    assert_eq!(message, expected);
}

/// A server that accepts a connection and sends nothing; returns its port, and what it received until the connection ended.
fn silent_server() -> (u16, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a caller");
        let mut told = Vec::new();
        // A connection that is reset has ended, too.
        let _ = stream.read_to_end(&mut told);
        let _ = sender.send(told);
    });
    (port, receiver)
}

#[test]
fn a_request_without_an_answer_is_given_up() {
    let world = World::of(&[(
        "workflow.xml",
        r#"<hadoop-workflow name="case"><start to="a"/><http name="a"><url>http://127.0.0.1:${port}/x</url><mode>CONTINUE</mode>
<transition name="OK" to="end"/><transition name="ERROR" to="failed"/></http>
<fail name="failed"><message>bad</message></fail><end name="end"/></hadoop-workflow>"#,
    )]);
    let (port, told) = silent_server();
    world.run(&[&format!("-Dport={port}"), LIMIT]).expect(3);
    check_ended(&world, "the process");
    let request = told.recv_timeout(PATIENCE).expect("the connection ended");
    assert!(request.starts_with(b"GET /x "), "{request:?}");
}

#[test]
fn a_mail_server_that_does_not_greet_is_given_up() {
    let body = "<email xmlns='uri:oozie:email-action:0.2'><to>a@x.org</to><subject>s</subject><body>b</body></email>";
    let world = World::of_nodes(&action("a", body, "end"));
    let (port, told) = silent_server();
    let port = format!("-Doozie.email.smtp.port={port}");
    let host = "-Doozie.email.smtp.host=127.0.0.1";
    world.run(&[&port, host, LIMIT]).expect(1);
    check_ended(&world, "the process");
    let greeting = told.recv_timeout(PATIENCE).expect("the connection ended");
    assert_eq!(greeting, b"", "it waited for the server to speak first");
}

/// Puts a program of the test before those of the system.
fn put_program(world: &mut World, name: &str, script: &str) {
    let folder = world.path("bin");
    fs::create_dir_all(&folder).expect("made");
    let program = folder.join(name);
    fs::write(&program, script).expect("written");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
    let path = std::env::var("PATH").expect("a path");
    world.set("PATH", &format!("{}:{path}", folder.display()));
}

fn numbers(file: PathBuf) -> Vec<i32> {
    let text = fs::read_to_string(file).expect("the program has run");
    text.split_whitespace()
        .map(|pid| pid.parse().expect("a number"))
        .collect()
}

#[test]
fn a_clone_without_an_end_is_ended_with_all_that_it_has_started() {
    let body = "<git xmlns='uri:oozie:git-action:1.0'><git-uri>ssh://nowhere/x.git</git-uri>\
        <destination-uri>file://${out}/copy</destination-uri>\
        <configuration><property><name>hpdl.action.timeout</name><value>1</value></property></configuration></git>";
    let body = body.replace("<git-uri>", "<name-node>file:///</name-node><git-uri>");
    let mut world = World::of_nodes(&action("a", &body, "end"));
    let pids = world.out().join("pids");
    let script = format!(
        "#!/bin/sh\nsleep 1000 & echo $! $$ $PPID > {0}.new; mv {0}.new {0}\nwait\n",
        pids.display()
    );
    put_program(&mut world, "git", &script);
    world.run(&["-Dhpdl.action.timeout=0"]).expect(1);
    check_ended(&world, "the process");
    for pid in numbers(pids) {
        assert!(!is_running(pid), "{pid} runs on");
    }
}

#[test]
fn a_connection_that_stalls_is_ended_and_the_command_there_too() {
    let body =
        "<ssh xmlns='uri:oozie:ssh-action:0.2'><host>there</host><command>true</command></ssh>";
    let mut world = World::of_nodes(&action("a", body, "end"));
    let out = world.out();
    // Records its scripts. The command starts, and then the connection stalls; the command can be killed.
    let script = format!(
        "#!/bin/sh\nscript=$(cat)\ncase $script in\n*' begun'*) echo $$ $PPID > {0}/pids; exec sleep 1000;;\n*'kill -TERM'*) echo ended >> {0}/asked;;\n*) echo other >> {0}/asked;;\nesac\n",
        out.display()
    );
    put_program(&mut world, "ssh", &script);
    world.run(&[LIMIT]).expect(1);
    check_ended(&world, "the command on there");
    for pid in numbers(out.join("pids")) {
        wait_for("ssh and who waits for it to be gone", || {
            (!is_running(pid)).then_some(())
        });
    }
    let asked = fs::read_to_string(out.join("asked")).expect("it was ended");
    assert_eq!(asked, "ended\n", "once, and nothing else");
}

#[test]
fn a_command_on_another_host_is_ended_there() {
    let Some(server) = ssh::SshServer::start() else {
        return;
    };
    let body = "<ssh xmlns='uri:oozie:ssh-action:0.2'><host>there</host><command>echo $$ > ${out}/.pid; mv ${out}/.pid ${out}/runs-a; exec sleep 1000</command></ssh>";
    let world = World::of_nodes(&action("a", body, "end"));
    // The connection may be slow on a busy machine.
    let owner = world.start(&[&server.property(), "-Dhpdl.action.timeout=5"]);
    let pid = world.await_running("a");
    finish(owner).expect(1);
    assert!(!is_running(pid), "the command runs on");
    let id = world.job().expect("a job");
    assert!(!ssh::home_of(&id).exists(), "the folder stays");
    let info = world.info(&id);
    assert_eq!(node(&info, "a")["error_code"], "HPDL_TIMEOUT", "{info:#}");
}

#[test]
fn a_file_system_that_does_not_answer_is_given_up() {
    let body = "<fs><mkdir path='webhdfs://127.0.0.1:${port}/x'/></fs>";
    let world = World::of_nodes(&action("a", body, "end"));
    let (port, told) = silent_server();
    world.run(&[&format!("-Dport={port}"), LIMIT]).expect(1);
    check_ended(&world, "the action");
    let request = told.recv_timeout(PATIENCE).expect("the connection ended");
    assert!(!request.is_empty(), "it was asked");
}
