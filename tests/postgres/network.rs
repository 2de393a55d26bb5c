//! Machines as network namespaces: one with a server, and two hosts that reach only that.

use std::{
    process::{Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
};

use crate::harness::signal;

/// Removed when this is dropped, with what runs in it.
pub struct Network {
    pub server: Node,
    pub hosts: [Node; 2],
}

/// One of its machines.
#[derive(Clone)]
pub struct Node {
    /// Of the machine and of its namespace.
    pub name: String,
    /// The server's address, as this machine reaches it.
    pub server: String,
}

impl Network {
    /// `None`, with a line, where this process may not create namespaces.
    pub fn new() -> Option<Network> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let own = format!(
            "{}-{}",
            std::process::id(),
            COUNT.fetch_add(1, Ordering::Relaxed)
        );
        let node = |letter: &str, n: u32| Node {
            name: format!("hpdl-{letter}-{own}"),
            server: format!("10.213.{n}.1"),
        };
        let network = Network {
            server: node("db", 0),
            hosts: [node("a", 1), node("b", 2)],
        };
        if !ip(&format!("netns add {}", network.server.name)) {
            println!("skipped: no network namespace can be created here");
            return None;
        }
        let db = &network.server.name;
        let mut is_made = ip(&format!("-n {db} link set lo up"));
        for (n, host) in network.hosts.iter().enumerate() {
            let (name, subnet) = (&host.name, format!("10.213.{}", n + 1));
            for line in [
                format!("netns add {name}"),
                format!("-n {name} link set lo up"),
                format!("link add wire netns {name} type veth peer name to{n} netns {db}"),
                format!("-n {name} addr add {subnet}.2/24 dev wire"),
                format!("-n {db} addr add {subnet}.1/24 dev to{n}"),
                format!("-n {name} link set wire up"),
                format!("-n {db} link set to{n} up"),
            ] {
                is_made &= ip(&line);
            }
        }
        assert!(is_made, "a namespace that was created can be set up");
        Some(network)
    }

    fn link(&self, host: &Node) -> usize {
        let place = self.hosts.iter().position(|it| it.name == host.name);
        place.expect("it is of this network")
    }

    /// Cuts a host off: packets are lost.
    pub fn cut(&self, host: &Node) {
        assert!(ip(&format!(
            "-n {} link set to{} down",
            self.server.name,
            self.link(host)
        )));
    }

    pub fn mend(&self, host: &Node) {
        assert!(ip(&format!(
            "-n {} link set to{} up",
            self.server.name,
            self.link(host)
        )));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for node in self.hosts.iter().chain([&self.server]) {
            node.signal("KILL");
            ip(&format!("netns del {}", node.name));
        }
    }
}

impl Node {
    /// The command that others are run by in this machine.
    pub fn within(&self) -> Vec<String> {
        let (name, enter) = (&self.name, "hostname \"$0\"; exec \"$@\"");
        [
            "ip", "netns", "exec", name, "unshare", "--uts", "sh", "-c", enter, name,
        ]
        .map(str::to_owned)
        .to_vec()
    }

    /// All its processes.
    fn processes(&self) -> Vec<i32> {
        let listed = Command::new("ip")
            .args(["netns", "pids", &self.name])
            .output();
        let listed = listed.expect("ip was found before").stdout;
        let listed = String::from_utf8_lossy(&listed);
        listed
            .lines()
            .filter_map(|line| line.trim().parse().ok())
            .collect()
    }

    /// Sends a signal to all its processes, and to those that they have started meanwhile.
    pub fn signal(&self, name: &str) {
        for _ in 0..3 {
            let pids: Vec<String> = self.processes().iter().map(i32::to_string).collect();
            if pids.is_empty() {
                return;
            }
            // Some of them have ended.
            let line = format!("kill -{name} {} 2>/dev/null", pids.join(" "));
            let _ = Command::new("sh").args(["-c", &line]).status();
        }
    }

    /// Those with a word on their command line.
    fn with(&self, word: &str) -> Vec<i32> {
        let has = |pid: &i32| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            line.split(|&byte| byte == 0)
                .any(|it| it == word.as_bytes())
        };
        self.processes().into_iter().filter(has).collect()
    }

    pub fn has(&self, word: &str) -> bool {
        !self.with(word).is_empty()
    }

    /// Kills the detached owner of a job.
    pub fn kill_owner(&self) {
        let owners = self.with("own");
        assert_eq!(owners.len(), 1, "one job has one owner");
        signal("KILL", owners[0]);
    }
}

fn ip(line: &str) -> bool {
    let done = Command::new("ip")
        .args(line.split(' '))
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .status();
    done.is_ok_and(|status| status.success())
}
