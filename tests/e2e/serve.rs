//! `hpdl serve`: jobs of real executables, by the requests that Oozie's clients send.

use std::{
    fs,
    io::{Read, Write},
    net::TcpStream,
    path::Path,
    process::{Child, Command},
};

use hpdlc_tests::{hpdl, served};
use serde_json::Value;

use crate::harness::{World, kill_dash_nine, signal, state_of, step, text, wait_for};

/// A running server on the state folder of a world.
pub(crate) struct Server {
    pub(crate) child: Option<Child>,
    /// Host and port.
    pub(crate) address: String,
}

impl Server {
    pub(crate) fn start(world: &World) -> Server {
        Server::at(world.home(), &[])
    }

    /// With further options.
    pub(crate) fn start_with(world: &World, options: &[&str]) -> Server {
        Server::at(world.home(), options)
    }

    pub(crate) fn at(home: &Path, options: &[&str]) -> Server {
        let (child, address) = served::serve(&hpdl(), home, "127.0.0.1:0", options);
        Server {
            child: Some(child),
            address,
        }
    }

    /// The status and the body of an answer.
    pub(crate) fn ask(&self, method: &str, path: &str, body: &str) -> (u16, String) {
        let path = format!("/oozie{path}");
        self.send(method, &path, "application/xml", body.as_bytes())
    }

    /// As [`Server::ask`], of any path and type.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        content_type: &str,
        body: &[u8],
    ) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\
             Content-Type: {content_type}\r\nContent-Length: {}\r\n\r\n",
            self.address,
            body.len()
        );
        stream
            .write_all(&[head.as_bytes(), body].concat())
            .expect("it reads the request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let answer = String::from_utf8_lossy(&answer);
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
        let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
        (status.expect("a status"), body.to_owned())
    }

    /// The processes that it has started and that it has not collected.
    pub(crate) fn children(&self) -> Vec<i32> {
        let pid = self.child.as_ref().map_or(0, Child::id);
        let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("it runs");
        let lists = threads
            .filter_map(|thread| fs::read_to_string(thread.ok()?.path().join("children")).ok());
        let lists: Vec<String> = lists.collect();
        let words = lists.iter().flat_map(|list| list.split_whitespace());
        words.filter_map(|word| word.parse().ok()).collect()
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    #[track_caller]
    pub(crate) fn json(&self, path: &str) -> Value {
        let (status, body) = self.ask("GET", path, "");
        assert_eq!(status, 200, "{body}");
        serde_json::from_str(&body).expect("JSON")
    }

    #[track_caller]
    pub fn put(&self, id: &str, action: &str) {
        let (status, body) = self.ask("PUT", &format!("/v2/job/{id}?action={action}"), "");
        assert_eq!(status, 200, "{action}: {body}");
    }

    #[track_caller]
    pub(crate) fn await_status(&self, id: &str, status: &str) {
        wait_for(&format!("job {id} to be {status}"), || {
            let now = self.json(&format!("/v2/job/{id}?show=status"));
            (now["status"] == status).then_some(())
        });
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Some(child) = self.child.take() {
            kill_dash_nine(child);
        }
    }
}

/// Properties of a job, as a client sends them.
fn configuration(world: &World, path: &str) -> String {
    let out = world.out().display().to_string();
    let properties = [("oozie.wf.application.path", path), ("out", &out)].map(|(name, value)| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    });
    format!("<configuration>{}</configuration>", properties.concat())
}

const PATH: &str = "hdfs://nn/apps/case";

/// A new job of the caller's own.
pub(crate) fn submit(server: &Server, world: &World, action: &str) -> String {
    let user = Command::new("id").arg("-un").output().expect("id runs");
    let user = String::from_utf8_lossy(&user.stdout).trim().to_owned();
    let path = format!("/v1/jobs?user.name={user}{action}");
    let (status, body) = server.ask("POST", &path, &configuration(world, PATH));
    assert_eq!(status, 201, "{body}");
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    text(&answer["id"])
}

pub(crate) fn gated() -> World {
    let world = World::of_nodes(&[step("a", "gated", "b"), step("b", "0", "end")].concat());
    world.call(&["register", "--as", PATH]).expect(0);
    world
}

#[test]
fn a_job_is_created_commanded_and_looked_at_by_requests() {
    let world = gated();
    let server = Server::start(&world);
    let id = submit(&server, &world, "");
    server.await_status(&id, "PREP");
    server.put(&id, "start");
    world.await_running("a");
    server.put(&id, "suspend");
    server.await_status(&id, "SUSPENDED");
    world.open_gate("a");
    server.put(&id, "resume");
    server.await_status(&id, "SUCCEEDED");
    assert_eq!(world.effects(), ["a", "b"]);
    // What its state does not allow is no error.
    server.put(&id, "kill");
    server.await_status(&id, "SUCCEEDED");

    let info = server.json(&format!("/v2/job/{id}"));
    let names: Vec<String> = info["actions"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|action| text(&action["name"]))
        .collect();
    assert_eq!(names, [":start:", "a", "b", "end"]);
    for (show, part) in [
        ("definition", "<workflow-app"),
        ("graph", "PNG\r\n"),
        ("graph&format=png", "PNG\r\n"),
        ("graph&format=svg", "<svg"),
        ("graph&format=dot", "digraph"),
        ("log", "SUCCEEDED"),
        ("auditlog", "OPERATION [suspend]"),
    ] {
        let (status, body) = server.ask("GET", &format!("/v2/job/{id}?show={show}"), "");
        assert_eq!(status, 200, "{show}: {body}");
        assert!(body.contains(part), "{show}: {body}");
    }

    // Owners that it has started do not stay as zombies.
    wait_for("the server to collect its children", || {
        server
            .children()
            .iter()
            .all(|pid| state_of(*pid) != Some('Z'))
            .then_some(())
    });

    world.afresh_out();
    let (status, body) = server.ask(
        "PUT",
        &format!("/v2/job/{id}?action=rerun"),
        "<configuration/>",
    );
    assert_eq!(status, 200, "{body}");
    world.await_running("a");
    world.open_gate("a");
    server.await_status(&id, "SUCCEEDED");
    assert_eq!(server.json(&format!("/v2/job/{id}"))["run"], 1);
}

#[test]
fn a_server_that_is_killed_harms_no_job() {
    let world = gated();
    let mut server = Server::start(&world);
    let id = submit(&server, &world, "&action=start");
    world.await_running("a");
    kill_dash_nine(server.child.take().expect("it runs"));
    world.open_gate("a");
    world.await_status(&id, "SUCCEEDED");
    let server = Server::start(&world);
    server.await_status(&id, "SUCCEEDED");
}

#[test]
fn a_server_ends_by_itself_when_it_is_asked_to() {
    let world = gated();
    let mut server = Server::start(&world);
    let mut child = server.child.take().expect("it runs");
    signal("TERM", i32::try_from(child.id()).expect("a process id"));
    let status = child.wait().expect("it is our child");
    assert!(status.success(), "{status}");
}
