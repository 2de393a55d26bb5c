//! `build` of very large workflows: time, memory and size grow no faster than the number of nodes.

use std::{
    fs,
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use crate::{
    measure::{self, BudgetRow},
    rows::{Bench, build::LOCAL},
    workload::{self, WorkloadVersion},
};

const SMALL: usize = 1_000;
const LARGE: usize = 10_000;
/// How much more a node of the large workflow may cost than one of the small.
const LINEAR: f64 = 1.5;

/// What a build costs.
struct Cost {
    time: Duration,
    /// Of the largest process, in KiB.
    memory: u64,
    /// Of the executable, in bytes.
    size: u64,
}

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    // The first build ensures that the runtime exists, and measures what has nothing to do with nodes.
    let empty = build(bench, 1);
    let [small, large] = [SMALL, LARGE].map(|n_nodes| build(bench, n_nodes));
    let growth = |part: fn(&Cost) -> f64| {
        let per_node = |cost: &Cost, n_nodes: usize| {
            (part(cost) - part(&empty)) / f64::from(u32::try_from(n_nodes).unwrap_or(u32::MAX))
        };
        per_node(&large, LARGE) / per_node(&small, SMALL)
    };
    let row = |what: &str, value: [String; 2], ratio: f64| {
        let [value, floor] = value;
        BudgetRow {
            name: format!("build {LARGE}, {what}"),
            value,
            floor,
            ratio: Some(ratio),
            budget: format!("{LINEAR} x"),
            is_within: Some(ratio <= LINEAR),
        }
    };
    let both = |text: fn(&Cost) -> String| [text(&large), text(&small)];
    vec![
        row(
            "time a node",
            both(|cost| measure::format_time(cost.time)),
            growth(|cost| cost.time.as_secs_f64()),
        ),
        row(
            "memory a node",
            both(|cost| format!("{} MB", cost.memory / 1_000)),
            growth(|cost| number(cost.memory)),
        ),
        row(
            "size a node",
            both(|cost| format!("{}.{} MB", cost.size / 1_000_000, cost.size / 100_000 % 10)),
            growth(|cost| number(cost.size)),
        ),
    ]
}

fn number(n: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "far below 2^52")]
    let number = n as f64;
    number
}

fn build(bench: &Bench, n_nodes: usize) -> Cost {
    let xml = workload::realistic(n_nodes, WorkloadVersion::First);
    // Another folder is another application, which no earlier run has built.
    let serial = std::process::id();
    let application = bench.application(&format!("large-{n_nodes}-{serial}"), &xml);
    let output = bench.folder.join("large");
    let began = Instant::now();
    let mut child = bench
        .hpdlc()
        .arg("build")
        .arg(application)
        .args(LOCAL)
        .arg("-o")
        .arg(&output)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .expect("hpdlc can be started");
    let memory = watch(&mut child);
    Cost {
        time: began.elapsed(),
        memory,
        size: fs::metadata(output).expect("it was just built").len(),
    }
}

/// Waits for a build. Returns the peak memory of its largest process.
fn watch(child: &mut Child) -> u64 {
    let mut peak = 0;
    loop {
        let ended = child.try_wait().expect("it is a child of this process");
        if let Some(status) = ended {
            assert!(status.success(), "hpdlc build ended with {status}");
            return peak;
        }
        let mut left = vec![child.id()];
        while let Some(pid) = left.pop() {
            peak = peak.max(measure::peak_memory(pid).unwrap_or(0));
            left.extend(measure::children(pid));
        }
        thread::sleep(Duration::from_millis(10));
    }
}
