//! Eight terminals that start, suspend, resume, kill and rerun the same jobs, as fast as possible.
//!
//! `HPDLC_TERMINALS_SEED` selects what each types, `HPDLC_TERMINALS_COMMANDS` how much. The interleaving depends on the machine:
//! whatever it is, every command is answered, and no effect happens twice in a run.

use std::{
    collections::BTreeMap,
    fs,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    thread,
    time::Duration,
};

use crate::{
    harness::{PATIENCE, World, action, finish, pid_of, signal, text, wait_within, workflow},
    moments::{Random, number},
};

const N_TERMINALS: u64 = 8;
const N_JOBS: usize = 3;

/// Number of commands that each types by default.
const N_COMMANDS: u64 = 12;

/// Writes the job, its run and the name.
fn leaving(name: &str, next: &str) -> String {
    let line = "echo $0 $1 $2 >> $3/effects; sleep 0.03";
    let arguments = ["${wf:id()}", "${wf:run()}", name, "${out}"]
        .map(|argument| format!("<argument>{argument}</argument>"));
    let body = format!(
        "<shell xmlns='uri:oozie:shell-action:1.0'><exec>sh</exec><argument>-c</argument><argument>{}</argument>{}</shell>",
        line.replace('>', "&gt;"),
        arguments.concat()
    );
    action(name, &body, next)
}

fn world() -> World {
    let sub = r#"<sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>"#;
    let nodes = [
        leaving("a", "both"),
        "<fork name=\"both\"><path start=\"b\"/><path start=\"c\"/></fork>\n".to_owned(),
        leaving("b", "met"),
        action("c", sub, "met"),
        "<join name=\"met\" to=\"d\"/>\n".to_owned(),
        leaving("d", "end"),
    ];
    World::of(&[
        ("workflow.xml", &workflow(&nodes.concat())),
        ("child/workflow.xml", &workflow(&leaving("e", "end"))),
    ])
}

/// Types the commands of one terminal; returns those with an invalid answer.
fn type_commands(world: &World, jobs: &[String], mut random: Random, n: u64) -> Vec<String> {
    let mut wrong = Vec::new();
    for _ in 0..n {
        let id = &jobs[random.below(jobs.len())];
        let failed = "-Doozie.wf.rerun.failnodes=true";
        let words: Vec<&str> = match random.below(8) {
            0 => vec!["start", id],
            1 | 2 => vec!["suspend", id],
            3 | 4 => vec!["resume", id],
            5 => vec!["kill", id],
            6 => vec!["rerun", id],
            _ => vec!["rerun", id, failed],
        };
        let ended = finish(world.spawn(&words));
        let is_answered = match ended.code {
            Some(0) => ended.stderr.contains(id.as_str()),
            Some(2) => ended.stderr.contains(&format!("job {id} ")) && ended.stderr.contains("(E"),
            Some(_) | None => false,
        };
        if !is_answered {
            wrong.push(format!("{words:?}: {ended:?}"));
        }
    }
    wrong
}

/// Takes a job to its end, as a user would who is alone.
fn bring_to_an_end(world: &World, id: &str) -> String {
    for _ in 0..10 {
        match text(&world.info(id)["status"]).as_str() {
            "PREP" => drop(world.call(&["start", id, "--wait"])),
            "SUSPENDED" => drop(world.call(&["resume", id, "--wait"])),
            "RUNNING" => {
                let goes_on = || (world.info(id)["status"] != "RUNNING").then_some(());
                if wait_within(PATIENCE, goes_on).is_none() {
                    let processes = Command::new("ps")
                        .arg("-eo")
                        .arg("pid,ppid,stat,wchan:24,etimes,args")
                        .output();
                    let processes = processes.map(|output| output.stdout).unwrap_or_default();
                    panic!(
                        "job {id} does not go on: {:#}\n{}\n{}\n{}",
                        world.info(id),
                        world.log(id),
                        complaints(world),
                        String::from_utf8_lossy(&processes)
                    );
                }
            }
            other => return other.to_owned(),
        }
        // A child that was suspended itself waits for its own resume.
        for job in world.jobs() {
            let is_waiting = job["status"] == "SUSPENDED" && !job["parent"].is_null();
            if is_waiting {
                world.call(&["resume", &text(&job["id"]), "--wait"]);
            }
        }
    }
    panic!("job {id} is stuck: {:#}\n{}", world.info(id), world.log(id));
}

/// The detached owners of these jobs. A process that one of them has just forked as a launcher has the same command line until
/// it calls `execve`: it leads no session yet.
fn owners(jobs: &[String]) -> Vec<i32> {
    let processes = fs::read_dir("/proc").expect("Linux").flatten();
    let numbers = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    numbers
        .filter(|pid| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let session = stat
                .rsplit(')')
                .next()
                .and_then(|rest| rest.split_whitespace().nth(3)?.parse().ok());
            session == Some(*pid) && jobs.iter().any(|id| line.contains(&format!("own {id}")))
        })
        .collect()
}

/// The logs of these jobs' launchers.
fn complaints(world: &World) -> String {
    let folders = fs::read_dir(world.home().join("work"))
        .into_iter()
        .flatten();
    folders
        .flatten()
        .filter_map(|folder| fs::read_to_string(folder.path().join("launcher.log")).ok())
        .collect()
}

/// Kills owners at random moments until `is_enough` is set; returns how many.
fn end_owners(jobs: &[String], mut random: Random, is_enough: &AtomicBool) -> usize {
    let mut n_ended = 0;
    while !is_enough.load(Ordering::Relaxed) {
        thread::sleep(random.part_of(Duration::from_millis(120)));
        if let Some(&pid) = owners(jobs).first() {
            // It may have exited already.
            let sent = Command::new("sh")
                .args(["-c", &format!("kill -KILL {pid} 2>/dev/null")])
                .status();
            n_ended += usize::from(sent.is_ok_and(|status| status.success()));
        }
    }
    n_ended
}

#[test]
fn every_command_is_answered_and_no_effect_happens_twice() {
    check(false);
}

#[test]
fn the_same_holds_where_owners_are_killed_all_the_time() {
    check(true);
}

fn check(kills_owners: bool) {
    let seed = number("HPDLC_TERMINALS_SEED").unwrap_or(5);
    let n_commands = number("HPDLC_TERMINALS_COMMANDS").unwrap_or(N_COMMANDS);
    let world = world();
    let jobs: Vec<String> = (0..N_JOBS)
        .map(|_| world.submit(&["-Dhpdl.kill.grace=1"]))
        .collect();
    let watch = kills_owners.then(|| world.spawn(&["recover", "--watch"]));
    let is_enough = AtomicBool::new(false);
    let wrong: Vec<String> = thread::scope(|scope| {
        let killer = kills_owners.then(|| {
            let (jobs, is_enough) = (&jobs, &is_enough);
            scope.spawn(move || end_owners(jobs, Random(seed), is_enough))
        });
        let terminals: Vec<_> = (0..N_TERMINALS)
            .map(|n| {
                let random = Random(seed.wrapping_mul(1000).wrapping_add(n));
                let (world, jobs) = (&world, &jobs);
                scope.spawn(move || type_commands(world, jobs, random, n_commands))
            })
            .collect();
        let wrong = terminals
            .into_iter()
            .flat_map(|terminal| terminal.join().expect("it types on"))
            .collect();
        is_enough.store(true, Ordering::Relaxed);
        if let Some(killer) = killer {
            println!("{} owners killed", killer.join().expect("it kills on"));
        }
        wrong
    });
    assert!(wrong.is_empty(), "seed {seed}: {}", wrong.join("\n"));

    for id in &jobs {
        let status = bring_to_an_end(&world, id);
        let info = world.info(id);
        let is_good = matches!(status.as_str(), "SUCCEEDED" | "KILLED");
        assert!(is_good, "seed {seed}: {info:#}\n{}", world.log(id));
        for node in info["actions"].as_array().expect("actions") {
            assert_eq!(node["retries"], 0, "seed {seed}: {node:#}");
        }
    }
    let mut counted: BTreeMap<String, usize> = BTreeMap::new();
    let effects = fs::read_to_string(world.out().join("effects")).unwrap_or_default();
    for line in effects.lines() {
        *counted.entry(line.to_owned()).or_default() += 1;
    }
    let twice: Vec<&String> = counted
        .iter()
        .filter(|(_, n)| **n > 1)
        .map(|(line, _)| line)
        .collect();
    assert!(twice.is_empty(), "seed {seed}: {twice:?}");
    // What the last run reports as done was done in it.
    for id in &jobs {
        let info = world.info(id);
        for node in info["actions"].as_array().expect("actions") {
            if node["type"] == "shell" && node["status"] == "OK" {
                let line = format!("{id} {} {}", node["run"], text(&node["name"]));
                assert!(counted.contains_key(&line), "seed {seed}: {line}: {info:#}");
            }
        }
    }
    for job in world.jobs() {
        let is_over = matches!(text(&job["status"]).as_str(), "SUCCEEDED" | "KILLED");
        assert!(is_over, "seed {seed}: {job:#}");
    }
    if let Some(watch) = watch {
        signal("TERM", pid_of(&watch));
        finish(watch).expect(0);
    }
    println!("{} effects in {} jobs", counted.len(), world.jobs().len());
}
