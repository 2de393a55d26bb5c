//! Measures times, and prints the table of results.

use std::{
    io,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

/// Runs `command` to its end, discarding its output.
///
/// # Panics
///
/// It cannot be started or fails: a failed run has no valid time.
pub fn time(command: &mut Command) -> Duration {
    let began = Instant::now();
    let output = command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let took = began.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?} ended with {}\n{stderr}",
        output.status
    );
    took
}

pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Measures both alternately, so that noise affects both, and returns the medians.
pub fn in_turn(
    n_times: usize,
    mut measured: impl FnMut() -> Duration,
    mut floor: impl FnMut() -> Duration,
) -> (Duration, Duration) {
    let (mut ours, mut floors) = (Vec::new(), Vec::new());
    for _ in 0..n_times {
        floors.push(floor());
        ours.push(measured());
    }
    (median(ours), median(floors))
}

/// A row of the table.
pub struct BudgetRow {
    pub name: String,
    pub value: String,
    pub floor: String,
    pub ratio: Option<f64>,
    pub budget: String,
    pub is_within: Option<bool>,
}

impl BudgetRow {
    /// A time beside its floor; the budget is a ratio.
    pub fn ratio(
        name: impl Into<String>,
        (value, floor): (Duration, Duration),
        budget: Option<f64>,
    ) -> BudgetRow {
        let ratio = value.as_secs_f64() / floor.as_secs_f64();
        BudgetRow {
            name: name.into(),
            value: format_time(value),
            floor: format_time(floor),
            ratio: Some(ratio),
            budget: budget.map_or_else(String::new, |budget| format!("{budget} x")),
            is_within: budget.map(|budget| ratio <= budget),
        }
    }

    /// A value with its own limit.
    pub fn absolute(
        name: impl Into<String>,
        value: String,
        budget: String,
        is_within: Option<bool>,
    ) -> BudgetRow {
        BudgetRow {
            name: name.into(),
            value,
            floor: String::new(),
            ratio: None,
            budget,
            is_within,
        }
    }

    pub fn skipped(name: impl Into<String>, why: &str) -> BudgetRow {
        BudgetRow::absolute(name, format!("skipped: {why}"), String::new(), None)
    }

    pub fn print(&self) {
        let ratio = self
            .ratio
            .map_or_else(String::new, |ratio| format!("{ratio:.2} x"));
        let is_within = match self.is_within {
            Some(true) => "yes",
            Some(false) => "NO",
            None => "",
        };
        println!(
            "{:<34} {:>12} {:>12} {:>9} {:>12}  {is_within}",
            self.name, self.value, self.floor, ratio, self.budget
        );
    }
}

pub fn print_head(load: &str) {
    println!("load before: {load}");
    println!(
        "{:<34} {:>12} {:>12} {:>9} {:>12}  within",
        "", "value", "floor", "ratio", "budget"
    );
}

pub fn format_time(time: Duration) -> String {
    if time < Duration::from_secs(1) {
        format!("{:.1} ms", time.as_secs_f64() * 1000.0)
    } else {
        format!("{:.2} s", time.as_secs_f64())
    }
}

/// The machine's load, as the kernel gives it.
pub fn load() -> io::Result<String> {
    std::fs::read_to_string("/proc/loadavg").map(|load| load.trim().to_owned())
}

/// The peak resident memory of a process, in KiB.
pub fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches("kB").trim().parse().ok()
}

/// The child processes of `pid`.
pub fn children(pid: u32) -> Vec<u32> {
    std::fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"))
        .unwrap_or_default()
        .split_ascii_whitespace()
        .filter_map(|child| child.parse().ok())
        .collect()
}
