//! One resource manager takes over from the other.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::{MANAGERS, active, admin, fail_over, states, web};
use crate::{
    alone,
    cluster::Cluster,
    containers::{await_program, gated, in_containers, open, pid, runs, start},
    finish,
    harness::{is_running, node},
    resource_managers::reconfigured,
    wait_for,
};

/// The application master goes on with the other one, and so do the owner's requests: there and back.
#[test]
fn a_container_outlives_a_failover() {
    let _alone = alone();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "failover"));
    await_program(&world);
    fail_over(&cluster);
    wait_for("the other one to hear of it", || {
        (states(&cluster, &world) == ["RUNNING UNDEFINED"]).then_some(())
    });
    fail_over(&cluster);
    open(&world.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    assert_eq!(runs(&world), 1);
    assert_eq!(
        node(&world.info(&world.job().expect("a job")), "a")["data"]["ends"],
        "well"
    );
}

/// The program ends while no resource manager is active; the one that was is gone.
#[test]
fn an_end_is_told_to_the_one_that_takes_over() {
    let _alone = alone();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "takes-over"));
    await_program(&world);
    let from = active(&cluster);
    cluster.stop(MANAGERS[from].1);
    open(&world.out());
    let id = world.job().expect("a job");
    assert_eq!(world.info(&id)["status"], "RUNNING");
    admin(
        &cluster,
        "yarn",
        &[
            "rmadmin",
            "-transitionToActive",
            "--forceactive",
            MANAGERS[1 - from].0,
        ],
    );
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"]);
    assert_eq!(runs(&world), 1);
    // One that is configured and not there is no hindrance for a new one, whose master may need it later.
    let later = gated(&cluster);
    let owner = start(&later, &in_containers(&cluster, "takes-back"));
    await_program(&later);
    cluster.start(MANAGERS[from].1);
    assert_eq!(fail_over(&cluster), from);
    open(&later.out());
    finish(owner).expect(0);
    assert_eq!(states(&cluster, &later), ["FINISHED SUCCEEDED"]);
    assert_eq!(runs(&later), 1);
}

/// The job is killed while no resource manager is active.
#[test]
fn kill_reaches_a_container_after_a_failover() {
    let _alone = alone();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    let world = gated(&cluster);
    let owner = start(&world, &in_containers(&cluster, "failover-kill"));
    await_program(&world);
    let (stray, master) = (pid(&world, "stray"), pid(&world, "master"));
    let from = active(&cluster);
    let turn = |to: &str, number: usize| {
        admin(&cluster, "yarn", &["rmadmin", to, MANAGERS[number].0]);
    };
    turn("-transitionToStandby", from);
    let id = world.job().expect("a job");
    world.call(&["kill", &id]).expect(0);
    thread::sleep(Duration::from_secs(3));
    turn("-transitionToActive", 1 - from);
    finish(owner).expect(1);
    wait_for("the application to be killed", || {
        (states(&cluster, &world) == ["KILLED KILLED"]).then_some(())
    });
    for pid in [master, stray] {
        wait_for("its processes to end", || (!is_running(pid)).then_some(()));
    }
    assert_eq!(runs(&world), 1);
}

/// The owner has stored the id of the application. The active resource manager goes before it hears of it, or before it answers.
#[test]
fn a_failover_at_submission_makes_no_second_application() {
    let _alone = alone();
    let Some(cluster) = Cluster::doubled() else {
        return;
    };
    for (name, is_heard) in [("unheard", false), ("unanswered", true)] {
        // The first one is asked first; the other one, as a standby, would redirect past what is in front of it.
        let from = 0;
        if active(&cluster) != from {
            fail_over(&cluster);
        }
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let pages = format!("yarn.resourcemanager.webapp.address.{}", MANAGERS[from].0);
        let folder = reconfigured(&cluster, |site| {
            site.insert(pages, address);
        });
        let mut world = gated(&cluster);
        world.set("HADOOP_CONF_DIR", &folder.path().display().to_string());
        let has_failed = before_submission_is_answered(listener, from, is_heard);
        let owner = start(&world, &in_containers(&cluster, name));
        await_program(&world);
        open(&world.out());
        finish(owner).expect(0);
        assert!(has_failed.load(Ordering::SeqCst), "{name}");
        assert_ne!(active(&cluster), from, "{name}");
        assert_eq!(states(&cluster, &world), ["FINISHED SUCCEEDED"], "{name}");
        assert_eq!(runs(&world), 1, "{name}");
    }
}

/// What goes through.
#[derive(Clone, Copy, PartialEq)]
enum Passing {
    Both,
    Request,
    Nothing,
}

/// In front of the active resource manager: its first submission of an application makes the other one active, before or after that. Whether
/// this has happened.
fn before_submission_is_answered(
    listener: TcpListener,
    from: usize,
    is_heard: bool,
) -> Arc<AtomicBool> {
    let has_failed = Arc::new(AtomicBool::new(false));
    let told = Arc::clone(&has_failed);
    thread::spawn(move || {
        let cluster = Cluster::doubled().expect("it was there");
        let judge = |head: &str| {
            let is_submission = head.starts_with("POST /ws/v1/cluster/apps?");
            match is_heard {
                _ if !is_submission || told.swap(true, Ordering::SeqCst) => Passing::Both,
                true => Passing::Request,
                false => Passing::Nothing,
            }
        };
        for stream in listener.incoming().flatten() {
            let passed = pass(&stream, web(&cluster, from), judge);
            if passed.is_some_and(|it| it != Passing::Both) {
                fail_over(&cluster);
            }
        }
    });
    has_failed
}

/// Passes one request on to `web`, as far as `judge` says; `None` if there is none.
fn pass(mut stream: &TcpStream, web: &str, judge: impl Fn(&str) -> Passing) -> Option<Passing> {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return None;
        }
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse().ok())?
    });
    let mut body = vec![0; length.unwrap_or(0)];
    reader.read_exact(&mut body).ok()?;
    let passing = judge(&head);
    if passing == Passing::Nothing {
        return Some(passing);
    }
    let head = head.trim_end().to_owned() + "\r\nConnection: close\r\n\r\n";
    let address = web.trim_start_matches("http://");
    let mut answer = Vec::new();
    if let Ok(mut server) = TcpStream::connect(address) {
        let _ = server.write_all(head.as_bytes());
        let _ = server.write_all(&body);
        let _ = server.read_to_end(&mut answer);
    }
    if passing == Passing::Both {
        let _ = stream.write_all(&answer);
    }
    Some(passing)
}
