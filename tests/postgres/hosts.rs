//! Several hosts with one database: network namespaces, each with a machine's name and a state folder of its own.
//!
//! A host dies when all its processes are killed, is cut off when its link is down, and sleeps when its processes are stopped.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use crate::{
    PostgresServer, Start,
    harness::{
        Background, Ended, STEP, World, bare, finish, is_running, signal, wait_for, workflow,
    },
    network::{Network, Node},
};

/// `hpdl.host.timeout` of these hosts, in seconds.
const TIMEOUT: u64 = 3;

/// How much later than that a job is taken over.
const LATER: Duration = Duration::from_secs(2);

/// The time that this machine may take to start the processes of that, beside other tests.
const SLOWNESS: Duration = Duration::from_secs(4);

/// A server and two hosts. The hosts' processes end before the server, and that before the network.
pub struct Cluster {
    pub hosts: [Host; 2],
    /// The text of their settings.
    settings: String,
    pub server: PostgresServer,
    pub network: Network,
}

/// A host with the executable.
pub struct Host {
    pub world: World,
    pub node: Node,
    pub out: PathBuf,
}

impl Cluster {
    /// `None`, with a line, where this is not possible.
    fn of(nodes: &str, settings: &[(&str, &str)]) -> Option<Cluster> {
        let world =
            || World::built_in_full(&[("workflow.xml", &workflow(nodes)), ("step.sh", STEP)]);
        Cluster::with(world, settings, &[])
    }

    /// Hosts with an executable, their settings, and those of the server.
    pub fn with(
        built: impl FnOnce() -> World,
        settings: &[(&str, &str)],
        of_server: &[&str],
    ) -> Option<Cluster> {
        let network = Network::new()?;
        let of_server = of_server.iter().copied().chain(["listen_addresses = '*'"]);
        let server = PostgresServer::start(&Start {
            settings: of_server.map(str::to_owned).collect(),
            access: Some("local all all trust\nhost all hpdl 0.0.0.0/0 trust\n".to_owned()),
            within: network.server.within(),
            ..Start::default()
        })?;
        let first = built();
        let second = first.twin();
        let (out, settings) = (first.out(), site(settings));
        let [a, b] = network.hosts.clone();
        let join = |world, node| Host::of(world, node, server.port(), &settings, &out);
        Some(Cluster {
            hosts: [join(first, a), join(second, b)],
            settings,
            server,
            network,
        })
    }

    pub fn hosts(&self) -> (&Host, &Host) {
        let [a, b] = &self.hosts;
        (a, b)
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for host in &self.hosts {
            host.node.signal("KILL");
        }
    }
}

/// The settings of the hosts; the last of a name counts.
fn site(settings: &[(&str, &str)]) -> String {
    let timeout = TIMEOUT.to_string();
    let own = [("hpdl.host.timeout", timeout.as_str())];
    let all = own.into_iter().chain(settings.iter().copied());
    let properties: String = all
        .map(|(name, value)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        })
        .collect();
    format!("<configuration>{properties}</configuration>")
}

/// `recover --watch` on a host.
pub struct Watch(Background);

impl Watch {
    pub fn end(self) -> Ended {
        signal("TERM", self.0.pid());
        self.finish()
    }

    /// Waits until it has ended.
    pub fn finish(self) -> Ended {
        self.0.finish()
    }
}

impl Host {
    fn of(mut world: World, node: Node, port: u16, settings: &str, out: &Path) -> Host {
        let (home, file) = (world.path("state"), world.path("site.xml"));
        fs::write(&file, settings).expect("a file");
        world.move_home(node.within(), home);
        world.set(
            "HPDL_STORE_URL",
            &format!("postgres://hpdl@{}:{port}/postgres", node.server),
        );
        world.set("HPDL_SITE", &file.display().to_string());
        let out = out.to_owned();
        Host { world, node, out }
    }

    /// Submits a job and starts it in the background: its owner is a process of its own.
    pub fn start(&self) -> String {
        let out = format!("-Dout={}", self.out.display());
        let submitted = self.world.call(&["submit", &out]).expect(0);
        let id = submitted.stdout.trim_end().to_owned();
        self.world.call(&["start", &id]).expect(0);
        id
    }

    pub fn watch(&self) -> Watch {
        Watch(Background::of(self.world.spawn(&["recover", "--watch"])))
    }

    pub fn status(&self, id: &str) -> String {
        let info = self.world.info(id);
        info["status"].as_str().unwrap_or_default().to_owned()
    }

    pub fn node_of(&self, id: &str, name: &str) -> serde_json::Value {
        let info = self.world.info(id);
        let actions = info["actions"].as_array().cloned().unwrap_or_default();
        let found = actions.into_iter().find(|action| action["name"] == name);
        found.unwrap_or_default()
    }
}

/// What the actions have done, in their order.
pub fn effects(cluster: &Cluster) -> Vec<String> {
    cluster.hosts[0].world.effects()
}

/// Waits until the process of a gated action is there; returns its id.
fn await_running(cluster: &Cluster, name: &str) -> i32 {
    cluster.hosts[0].world.await_running(name)
}

/// A gated action, and one after it.
fn gated() -> String {
    format!(
        "{}{}",
        bare("step.sh", "a", "gated", "b"),
        bare("step.sh", "b", "0", "end")
    )
}

#[test]
fn each_host_sees_and_commands_the_jobs_of_the_other() {
    let Some(cluster) = Cluster::of(&gated(), &[]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let id = a.start();
    await_running(&cluster, "a");
    wait_for("the other host to see it run", || {
        (b.node_of(&id, "a")["host"] == a.node.name).then_some(())
    });
    let info = b.world.call(&["info", &id]).expect(0);
    let driven = format!("on host {}", a.node.name);
    assert!(info.stdout.contains(&driven), "{}", info.stdout);
    let refused = b.world.call(&["recover", &id]).expect(2);
    assert!(refused.stderr.contains(&driven), "{}", refused.stderr);
    let there = b.world.call(&["log", &id, "a"]).expect(2);
    assert!(there.stderr.contains(&a.node.name), "{}", there.stderr);
    // Longer than the timeout: a living host keeps its jobs.
    let watches = [a.watch(), b.watch()];
    thread::sleep(Duration::from_secs(TIMEOUT) + LATER);
    assert!(is_running(await_running(&cluster, "a")));
    let begun = Instant::now();
    b.world.call(&["suspend", &id]).expect(0);
    let notified = begun.elapsed();
    assert_eq!(b.status(&id), "SUSPENDED");
    cluster.hosts[0].world.open_gate("a");
    b.world.call(&["resume", &id]).expect(0);
    b.world.await_status(&id, "SUCCEEDED");
    assert_eq!(effects(&cluster), ["a", "b"]);
    // Notified by the database: an owner looks by itself every five seconds.
    println!(
        "a command for another host took {} ms",
        notified.as_millis()
    );
    watches.into_iter().for_each(|watch| drop(watch.end()));
    a.world.call(&["doctor"]).expect(0);
    b.world.call(&["doctor"]).expect(0);
}

#[test]
fn jobs_of_a_host_that_dies_are_taken_over_and_what_ran_there_is_lost() {
    let Some(cluster) = Cluster::of(&gated(), &[("hpdl.action.lost", "suspend")]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let id = a.start();
    await_running(&cluster, "a");
    let watch = b.watch();
    a.node.signal("KILL");
    let died = Instant::now();
    wait_for("the job to be taken over", || {
        (b.status(&id) == "SUSPENDED").then_some(())
    });
    let most = Duration::from_secs(TIMEOUT) + LATER + SLOWNESS;
    assert!(died.elapsed() < most, "{:?}", died.elapsed());
    assert!(died.elapsed() > Duration::from_secs(TIMEOUT) / 2);
    let lost = b.node_of(&id, "a").to_string();
    let gone = format!("host {}", a.node.name);
    assert!(lost.contains(&gone), "{lost}");
    assert_eq!(effects(&cluster), ["a"]);
    watch.end();
    b.world.call(&["kill", &id]).expect(0);
    // It comes back.
    assert_eq!(a.status(&id), "KILLED");
    a.world.call(&["doctor"]).expect(0);
}

#[test]
fn a_host_that_is_cut_off_ends_its_processes_before_its_jobs_are_taken_over() {
    let Some(cluster) = Cluster::of(&gated(), &[("hpdl.action.lost", "retry")]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let id = a.start();
    let process = await_running(&cluster, "a");
    let watch = b.watch();
    cluster.network.cut(&a.node);
    let cut = Instant::now();
    wait_for("its process to be ended", || {
        (!is_running(process)).then_some(())
    });
    // By its own clock, before anybody may take the job over.
    assert!(
        cut.elapsed() <= Duration::from_secs(TIMEOUT),
        "{:?}",
        cut.elapsed()
    );
    assert_eq!(effects(&cluster), ["a"]);
    fs::remove_file(cluster.hosts[0].out.join("runs-a")).expect("it ran");
    let second = await_running(&cluster, "a");
    assert_ne!(second, process);
    cluster.network.mend(&a.node);
    // The former owner notices that it is none any more, and leaves the job alone.
    wait_for("the former owner to end", || {
        (!a.node.has("own")).then_some(())
    });
    cluster.hosts[0].world.open_gate("a");
    b.world.await_status(&id, "SUCCEEDED");
    assert_eq!(effects(&cluster), ["a", "a", "b"]);
    watch.end();
}

#[test]
fn a_host_that_sleeps_and_wakes_up_leaves_the_jobs_to_the_other() {
    let Some(cluster) = Cluster::of(&gated(), &[("hpdl.action.lost", "retry")]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let id = a.start();
    let process = await_running(&cluster, "a");
    let watch = b.watch();
    a.node.signal("STOP");
    fs::remove_file(cluster.hosts[0].out.join("runs-a")).expect("it ran");
    await_running(&cluster, "a");
    a.node.signal("CONT");
    wait_for("the former process and owner to end", || {
        (!is_running(process) && !a.node.has("own")).then_some(())
    });
    cluster.hosts[0].world.open_gate("a");
    b.world.await_status(&id, "SUCCEEDED");
    assert_eq!(effects(&cluster), ["a", "a", "b"]);
    watch.end();
}

#[test]
fn a_job_whose_owner_dies_waits_for_the_host_where_its_actions_run() {
    let Some(cluster) = Cluster::of(&gated(), &[]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let id = a.start();
    let process = await_running(&cluster, "a");
    a.node.kill_owner();
    let watch = b.watch();
    // The launcher that is left keeps its host alive.
    thread::sleep(Duration::from_secs(TIMEOUT) + LATER);
    assert!(is_running(process));
    assert_eq!(b.status(&id), "RUNNING");
    let refused = b.world.call(&["recover", &id]).expect(2);
    assert!(
        refused.stderr.contains("where its actions run"),
        "{}",
        refused.stderr
    );
    let recovery = a.world.spawn(&["recover", &id]);
    cluster.hosts[0].world.open_gate("a");
    finish(recovery).expect(0);
    assert_eq!(effects(&cluster), ["a", "b"]);
    watch.end();
}

#[test]
fn a_host_without_the_executable_says_so_and_takes_over_once_it_is_registered() {
    let Some(cluster) = Cluster::of(&gated(), &[("hpdl.action.lost", "suspend")]) else {
        return;
    };
    let (a, b) = cluster.hosts();
    let id = a.start();
    await_running(&cluster, "a");
    let other = workflow(&bare("step.sh", "other", "0", "end"));
    let other = World::built_in_full(&[("workflow.xml", &other), ("step.sh", STEP)]);
    let node = b.node.clone();
    let port = cluster.server.port();
    let stranger = Host::of(other, node, port, &cluster.settings, &a.out);
    let watch = stranger.watch();
    a.node.signal("KILL");
    let examined = wait_for("the host to be gone", || {
        let examined = stranger.world.call(&["doctor"]);
        let is_noted = examined
            .stdout
            .contains("of other hosts is not on this one");
        is_noted.then_some(examined)
    });
    examined.expect(0);
    thread::sleep(Duration::from_secs(TIMEOUT) + LATER);
    assert_eq!(stranger.status(&id), "RUNNING");
    let program = b.world.program();
    stranger.world.call_other(&program, &["register"]).expect(0);
    stranger.world.await_status(&id, "SUSPENDED");
    let said = watch.end().stderr;
    assert!(
        said.contains("its executable is not on this host"),
        "{said}"
    );
}
