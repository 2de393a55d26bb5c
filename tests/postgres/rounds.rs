//! Two hosts that both watch, one of which dies, is cut off or sleeps at a random moment, and jobs whose actions write to a file and to a
//! table: each effect happens once, or the action is reported as lost.

use std::{fs, thread, time::Duration};

use crate::{
    harness::{World, bare, wait_for, workflow},
    hosts::{Cluster, Host, effects},
};

/// Writes its name to a file at once, and to the table at its end.
const STEP: &str = r#"#!/bin/sh
name=$1; out=$2; how=$3
echo "$name" >> "$out/effects"
sleep "$how"
sh "$out/../insert.sh" "$name" || exit 7
mkdir "$out/done-$name" || exit 9
"#;

const N_STEPS: usize = 12;

/// How long the time is over which the failures are spread, in milliseconds: that of a job.
const SPREAD: u64 = 2_900;

/// `HPDL_HOST_ROUNDS` is the number of rounds.
#[test]
fn every_effect_happens_once_or_is_lost_whatever_happens_to_a_host() {
    let names: Vec<String> = (0..N_STEPS).map(|n| format!("s{n:02}")).collect();
    let Some(rounds) = Rounds::new(&names) else {
        return;
    };
    let n_rounds =
        std::env::var("HPDL_HOST_ROUNDS").map_or(3, |text| text.parse().expect("a number"));
    let (mut n_lost, mut n_taken_over) = (0, 0);
    for round in 0..n_rounds {
        let (host, other) = rounds.hosts(round);
        rounds.afresh();
        let watches = [host.watch(), other.watch()];
        let id = host.start();
        thread::sleep(Duration::from_millis(50 + (round * 367) % SPREAD));
        rounds.fail(host, round);
        await_end(other, &id);
        rounds.cluster.network.mend(&host.node);
        host.node.signal("CONT");
        while other.status(&id) == "SUSPENDED" {
            let lost: Vec<&String> = names
                .iter()
                .filter(|name| other.node_of(&id, name)["status"] == "START_MANUAL")
                .collect();
            assert!(
                !lost.is_empty(),
                "round {round}: suspended without a lost action"
            );
            n_lost += lost.len();
            // Reported: what was lost may have done its work.
            lost.into_iter().for_each(|name| rounds.forget(name));
            other.world.call(&["resume", &id]).expect(0);
            await_end(other, &id);
        }
        assert_eq!(effects(&rounds.cluster), names, "round {round}: files");
        assert_eq!(rounds.rows(), names, "round {round}: rows");
        n_taken_over += usize::from(other.world.log(&id).contains("HPDL_LOST"));
        host.node.signal("KILL");
        other.node.signal("KILL");
        watches.into_iter().for_each(|watch| drop(watch.finish()));
        other.world.call(&["doctor"]).expect(0);
    }
    println!("{n_rounds} rounds: {n_lost} actions lost, {n_taken_over} jobs with losses");
}

/// Two hosts whose jobs have an action for each name, and a table of what these have done.
struct Rounds {
    cluster: Cluster,
}

impl Rounds {
    /// `None`, with a line, where this is not possible.
    fn new(names: &[String]) -> Option<Rounds> {
        let nexts = names.iter().skip(1).map(String::as_str).chain(["end"]);
        let nodes: String = names
            .iter()
            .zip(nexts)
            .map(|(name, next)| bare("step.sh", name, "0.1", next))
            .collect();
        let world =
            || World::built_in_full(&[("workflow.xml", &workflow(&nodes)), ("step.sh", STEP)]);
        let cluster = Cluster::with(world, &[("hpdl.action.lost", "suspend")], &[])?;
        cluster
            .server
            .query("CREATE TABLE effects (place serial, name text)");
        let addresses = cluster.hosts.each_ref().map(|host| &*host.node.server);
        // A host reaches one of the addresses. What is cut off waits until it is killed.
        let insert = format!(
            "PGCONNECT_TIMEOUT=60 PGAPPNAME=step exec {} -qAt -h {} -p {} -U hpdl -d postgres \
             -c \"INSERT INTO effects (name) VALUES ('$1')\"\n",
            cluster.server.psql().display(),
            addresses.join(","),
            cluster.server.port(),
        );
        let file = cluster.hosts[0].out.with_file_name("insert.sh");
        fs::write(file, insert).expect("it is ours");
        Some(Rounds { cluster })
    }

    /// The host that fails in a round, and the other one.
    fn hosts(&self, round: u64) -> (&Host, &Host) {
        let (a, b) = self.cluster.hosts();
        match round % 2 {
            0 => (a, b),
            _ => (b, a),
        }
    }

    fn fail(&self, host: &Host, round: u64) {
        match round % 3 {
            0 => host.node.signal("KILL"),
            1 => self.cluster.network.cut(&host.node),
            _ => host.node.signal("STOP"),
        }
    }

    fn afresh(&self) {
        self.cluster.hosts[0].world.afresh_out();
        self.cluster.server.query("TRUNCATE effects");
    }

    /// The names in the table, in the order in which they were written.
    fn rows(&self) -> Vec<String> {
        let printed = self
            .cluster
            .server
            .query("SELECT name FROM effects ORDER BY place");
        printed.lines().map(str::to_owned).collect()
    }

    /// Removes what a lost action has done, as a user does before it is run again.
    fn forget(&self, name: &str) {
        wait_for("its process to end", || (!runs(name)).then_some(()));
        let out = &self.cluster.hosts[0].out;
        let _ = fs::remove_dir(out.join(format!("done-{name}")));
        let file = out.join("effects");
        let text = fs::read_to_string(&file).unwrap_or_default();
        let rest: String = text
            .lines()
            .filter(|line| *line != name)
            .map(|line| format!("{line}\n"))
            .collect();
        fs::write(file, rest).expect("it is ours");
        // What its host had sent may still be on its way: the session ends before the row is looked for.
        let server = &self.cluster.server;
        let sessions = "FROM pg_stat_activity WHERE application_name = 'step'";
        wait_for("its session to end", || {
            server.query(&format!(
                "SELECT count(pg_terminate_backend(pid)) {sessions}"
            ));
            (server.query(&format!("SELECT count(*) {sessions}")) == "0").then_some(())
        });
        server.query(&format!("DELETE FROM effects WHERE name = '{name}'"));
    }
}

fn await_end(host: &Host, id: &str) {
    wait_for("the job to end or wait", || {
        ["SUCCEEDED", "SUSPENDED"]
            .contains(&host.status(id).as_str())
            .then_some(())
    });
}

/// Whether a process of a step runs: its script or what that has started.
fn runs(name: &str) -> bool {
    let row = format!("VALUES ('{name}')");
    let entries = fs::read_dir("/proc").expect("it is there").flatten();
    entries.into_iter().any(|entry| {
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let line = String::from_utf8_lossy(&line);
        let is_script = line.contains(".sh") && line.split('\0').any(|word| word == name);
        is_script || line.contains(&row)
    })
}
