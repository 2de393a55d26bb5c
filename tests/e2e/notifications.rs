//! Notifications: their recipients, content and order, with dead servers and crashes.

use std::{
    io::{BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
    time::{Duration, Instant},
};

use crate::{
    harness::{World, action, finish, kill_dash_nine, node, step, text, wait_for, workflow},
    sh,
};

/// A server that records requests and gives one answer after the other, repeating the last one.
pub struct NotificationServer {
    address: String,
    asked: Arc<Mutex<Vec<String>>>,
}

impl NotificationServer {
    pub fn new(answers: &[&str]) -> NotificationServer {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answers, own) = (
            answers
                .iter()
                .map(|answer| (*answer).to_owned())
                .collect::<Vec<String>>(),
            Arc::clone(&asked),
        );
        // It ends with the test process.
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let place = own.lock().expect("no panic").len().min(answers.len() - 1);
                serve(stream, &answers[place], &own);
            }
        });
        NotificationServer { address, asked }
    }

    pub fn url(&self, rest: &str) -> String {
        format!("http://{}/{rest}", self.address)
    }

    pub fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no panic").clone()
    }

    #[track_caller]
    pub fn await_asked(&self, n: usize) -> Vec<String> {
        wait_for(&format!("{n} notifications"), || {
            Some(self.asked()).filter(|asked| asked.len() >= n)
        })
    }
}

fn serve(mut stream: TcpStream, answer: &str, asked: &Mutex<Vec<String>>) {
    let mut first = String::new();
    let mut reader = BufReader::new(stream.try_clone().expect("a stream"));
    if reader.read_line(&mut first).is_err() {
        return;
    }
    let mut line = String::new();
    while reader.read_line(&mut line).is_ok_and(|n| n > 2) {
        line.clear();
    }
    let target = first.split(' ').nth(1).unwrap_or_default();
    asked.lock().expect("no panic").push(target.to_owned());
    // The caller may have disconnected.
    let _ = stream.write_all(format!("HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n").as_bytes());
}

#[test]
fn everybody_is_told_in_order_with_oozies_words() {
    let server = NotificationServer::new(&["200 OK"]);
    let nodes = [
        "<decision name=\"which\"><switch><case to='a'>${true}</case><default to='b'/></switch></decision>\n".to_owned(),
        step("a", "0", "b"),
        action("b", "<fs><mkdir path='file://${out}/made'/></fs>", "end"),
    ]
    .concat();
    let world = World::of_nodes(&nodes);
    let job = format!(
        "-Doozie.wf.workflow.notification.url={}",
        server.url("job?id=$jobId&s=$status&p=$parentId")
    );
    let nodes = format!(
        "-Doozie.wf.action.notification.url={}",
        server.url("node?n=$nodeName&s=$status")
    );
    world.run(&[&job, &nodes]).expect(0);
    let id = world.job().expect("a job");
    assert_eq!(
        server.await_asked(8),
        [
            format!("/job?id={id}&s=RUNNING&p="),
            "/node?n=:start:&s=T:which".to_owned(),
            "/node?n=which&s=T:a".to_owned(),
            "/node?n=a&s=S:RUNNING".to_owned(),
            "/node?n=a&s=T:b".to_owned(),
            "/node?n=b&s=T:end".to_owned(),
            "/node?n=end&s=T:null".to_owned(),
            format!("/job?id={id}&s=SUCCEEDED&p="),
        ]
    );
}

#[test]
fn the_proposal_of_2009_has_its_own_words() {
    let server = NotificationServer::new(&["200 OK"]);
    let nodes = [step("a", "0", "b"), sh("b", "exit 3", "", "end")].concat();
    let world = World::of_nodes(&nodes);
    let job = format!(
        "-Dhws.workflow.notification.url={}",
        server.url("job?$wfId=$wfstatus")
    );
    let nodes = format!(
        "-Dhws.action.notification.url={}",
        server.url("$nodeName/$nodeStatus")
    );
    world.run(&[&job, &nodes]).expect(1);
    let id = world.job().expect("a job");
    assert_eq!(
        server.await_asked(5),
        [
            "/a/started".to_owned(),
            "/a/OK".to_owned(),
            "/b/started".to_owned(),
            "/b/ERROR".to_owned(),
            format!("/job?{id}=KILLED"),
        ]
    );
}

#[test]
fn what_fails_is_tried_again_and_given_up_in_the_end() {
    let server = NotificationServer::new(&["503 Busy", "204 No Content", "200 OK", "500 Broken"]);
    let world = World::of_nodes(&step("a", "0", "end"));
    let url = format!(
        "-Dhws.workflow.notification.url={}",
        server.url("$wfstatus")
    );
    world
        .run(&[&url, "-Dhpdl.notification.retry.interval=0"])
        .expect(0);
    assert_eq!(
        server.await_asked(3).len(),
        3,
        "twice in vain, and once more"
    );

    let mut world = world;
    world.afresh();
    world
        .run(&[&url, "-Dhpdl.notification.retry.interval=0"])
        .expect(0);
    server.await_asked(7);
    let id = world.job().expect("a job");
    let log = wait_for("the log to say so", || {
        Some(world.log(&id)).filter(|log| log.contains("after 4 attempts"))
    });
    assert!(log.contains("the answer is 500, not 200"), "{log}");
    assert_eq!(server.asked().len(), 7, "and no more");
}

#[test]
fn a_dead_server_delays_nobody() {
    // It accepts connections and never answers.
    let dead = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = dead.local_addr().expect("an address");
    let chain: String = (0..10)
        .map(|n| {
            let next = if n == 9 {
                "end".to_owned()
            } else {
                format!("a{}", n + 1)
            };
            step(&format!("a{n}"), "0", &next)
        })
        .collect();
    let mut world = World::of_nodes(&chain);
    let begun = Instant::now();
    world.run(&[]).expect(0);
    let without = begun.elapsed();
    world.afresh();
    let job = format!("-Doozie.wf.workflow.notification.url=http://{address}/$status");
    let nodes = format!("-Doozie.wf.action.notification.url=http://{address}/$nodeName");
    let begun = Instant::now();
    world
        .run(&[
            &job,
            &nodes,
            "-Dhpdl.notification.retries=0",
            "-Doozie.notification.url.connection.timeout=300",
        ])
        .expect(0);
    let with = begun.elapsed();
    // Waiting for each answer would take as long as the sum of all time-outs.
    assert!(
        with < without * 3 + Duration::from_secs(2),
        "{without:?} without, {with:?} with"
    );
    let id = world.job().expect("a job");
    wait_for("everything to be given up", || {
        let n_given_up = world.log(&id).matches("no notification of").count();
        (n_given_up == 24).then_some(())
    });
}

#[test]
fn what_an_owner_left_is_told_by_recover() {
    let server = NotificationServer::new(&["200 OK"]);
    let nodes = [step("a", "0", "b"), step("b", "gated", "end")].concat();
    let world = World::of_nodes(&nodes);
    // No process listens there yet: the server takes the port only after the owner has died.
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address")
    };
    let url = format!("-Doozie.wf.action.notification.url=http://{closed}/$nodeName/$status");
    let owner = world.start(&[&url, "-Dhpdl.notification.retry.interval=1"]);
    world.await_running("b");
    kill_dash_nine(owner);
    let listener = TcpListener::bind(closed).expect("the same port");
    let asked = Arc::clone(&server.asked);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            serve(stream, "200 OK", &asked);
        }
    });
    let recovered = world.spawn(&["recover"]);
    world.open_gate("b");
    finish(recovered).expect(0);
    let mut told = server.await_asked(6);
    told.sort();
    told.dedup();
    assert_eq!(
        told,
        [
            "/:start:/T:a",
            "/a/S:RUNNING",
            "/a/T:b",
            "/b/S:RUNNING",
            "/b/T:end",
            "/end/T:null",
        ]
    );
}

#[test]
fn children_tell_of_their_nodes_and_not_of_themselves() {
    let server = NotificationServer::new(&["200 OK"]);
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let world = World::of(&[
        ("workflow.xml", &workflow(&action("sub", sub, "end"))),
        ("child/workflow.xml", &workflow(&step("below", "0", "end"))),
        ("child/step.sh", crate::harness::STEP),
    ]);
    let job = format!(
        "-Doozie.wf.workflow.notification.url={}",
        server.url("job/$status")
    );
    let nodes = format!(
        "-Doozie.wf.action.notification.url={}",
        server.url("$nodeName/$status")
    );
    world.run(&[&job, &nodes]).expect(0);
    let told = server.await_asked(10);
    let count = |target: &str| told.iter().filter(|one| *one == target).count();
    assert_eq!(count("/job/RUNNING"), 1, "{told:?}");
    assert_eq!(count("/job/SUCCEEDED"), 1, "{told:?}");
    assert_eq!(count("/below/T:end"), 1, "{told:?}");
    assert_eq!(count("/sub/S:RUNNING"), 1, "{told:?}");
    let id = world.job().expect("a job");
    let info = world.info(&id);
    assert_eq!(text(&node(&info, "sub")["status"]), "OK");
}
