//! Running jobs: latency until the first action, the overhead of bookkeeping, memory.

use std::{
    fmt::Write as _,
    fs,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant, SystemTime},
};

use serde_json::Value;

use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload,
};

/// From the start of the executable until `date`, its first action, reads the clock.
pub fn start(bench: &Bench) -> Vec<BudgetRow> {
    let program = bench.program("clock", &workload::clock());
    measure::time(&mut bench.run(&program));
    let ours = || {
        let began = now();
        let output = bench
            .run(&program)
            .arg("--json")
            .output()
            .expect("an executable that was just built starts");
        let text = String::from_utf8_lossy(&output.stdout);
        let job: Value = serde_json::from_str(text.lines().last().unwrap_or_default())
            .unwrap_or_else(|error| panic!("{error}: {text}"));
        let looked = job["actions"]
            .as_array()
            .into_iter()
            .flatten()
            .find_map(|action| action["data"]["began"].as_str()?.parse().ok());
        Duration::from_nanos(looked.unwrap_or_else(|| panic!("no time in {text}")))
            .saturating_sub(began)
    };
    let direct = || {
        let began = now();
        let output = Command::new("date")
            .arg("+%s%N")
            .output()
            .expect("there is a `date`");
        let looked = String::from_utf8_lossy(&output.stdout)
            .trim()
            .parse()
            .expect("a number");
        Duration::from_nanos(looked).saturating_sub(began)
    };
    let times = measure::in_turn(bench.times(21), ours, direct);
    let mut row = BudgetRow::ratio("start, until the first action", times, None);
    row.budget = "15 ms".to_owned();
    row.is_within = Some(times.0 <= Duration::from_millis(15));
    vec![row]
}

fn now() -> Duration {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .expect("it is after 1970")
}

pub fn chain(bench: &Bench) -> Vec<BudgetRow> {
    let n_actions = if bench.is_quick { 200 } else { 1_000 };
    let program = bench.program("chain", &workload::chain(n_actions));
    let record = bench.folder.join("record");
    let times = measure::in_turn(
        bench.times(5),
        || measure::time(&mut bench.run(&program)),
        || {
            measure::time(
                bench
                    .floor("floor-spawn")
                    .arg(n_actions.to_string())
                    .arg(&record),
            )
        },
    );
    vec![BudgetRow::ratio(
        format!("chain of {n_actions}"),
        times,
        Some(1.3),
    )]
}

pub fn fork(bench: &Bench) -> Vec<BudgetRow> {
    let n_actions = if bench.is_quick { 200 } else { 1_000 };
    let program = bench.program("fork", &workload::fork(n_actions));
    let two_at_once = || {
        let mut command = bench.run(&program);
        command.args(["-D", "hpdl.local.processes.max=2"]);
        command
    };
    let name = format!("fork of {n_actions}, 2 at once");
    let mut n_folders = 0;
    // The same processes, each with new files and folders like those that an attempt needs for users and for recovery.
    let leaving = || {
        n_folders += 1;
        let folder = bench.folder.join(format!("files-{n_folders}"));
        let mut command = bench.floor("floor-files");
        command.arg(n_actions.to_string()).arg("2").arg(folder);
        measure::time(&mut command)
    };
    let mut rows = Vec::new();
    if Command::new("make")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok()
    {
        let makefile = bench.folder.join("Makefile");
        fs::write(&makefile, rules(n_actions)).expect("the folder for measuring can be written");
        let make = || {
            let mut command = Command::new("make");
            measure::time(command.args(["-s", "-j2", "-f"]).arg(&makefile))
        };
        let ours = || measure::time(&mut two_at_once());
        let times = measure::in_turn(bench.times(5), ours, make);
        rows.push(BudgetRow::ratio(name, times, Some(1.2)));
    } else {
        rows.push(BudgetRow::skipped(name, "no make"));
    }
    let ours = || measure::time(&mut two_at_once());
    let times = measure::in_turn(bench.times(5), ours, leaving);
    rows.push(BudgetRow::ratio(
        "the fork, beside new files for each",
        times,
        None,
    ));
    let (owner, launcher) = peaks(&mut two_at_once());
    for (who, peak) in [("owner", owner), ("launcher", launcher)] {
        let value = format!("{}.{} MB", peak / 1000, peak % 1000 / 100);
        let budget = (who == "owner").then_some(peak <= 15_000);
        rows.push(BudgetRow::absolute(
            format!("memory, {who}"),
            value,
            "15 MB".to_owned(),
            budget,
        ));
    }
    rows
}

fn rules(n_actions: usize) -> String {
    let mut text = "all:".to_owned();
    for number in 0..n_actions {
        let _ = write!(text, " t{number}");
    }
    text.push('\n');
    for number in 0..n_actions {
        let _ = write!(text, "t{number}:\n\t@/bin/true\n");
    }
    text
}

/// The peak resident memory of a job's owner and its launcher, in KiB.
fn peaks(command: &mut Command) -> (u64, u64) {
    let mut owner = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("an executable that was just built starts");
    let began = Instant::now();
    let (mut own, mut launchers) = (0, 0);
    while owner.try_wait().expect("our own child").is_none() {
        assert!(
            began.elapsed() < Duration::from_secs(600),
            "the job does not end"
        );
        own = own.max(measure::peak_memory(owner.id()).unwrap_or_default());
        for child in measure::children(owner.id()) {
            launchers = launchers.max(measure::peak_memory(child).unwrap_or_default());
        }
        thread::sleep(Duration::from_millis(5));
    }
    assert!(
        own > 0 && launchers > 0,
        "the job ended before anybody could look at it"
    );
    (own, launchers)
}
