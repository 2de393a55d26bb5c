//! `schedule`, for which nothing is compiled, and `simulate` for comparison.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
};

/// A coordinator that runs every minute of a year.
const PLAIN: &str = r#"<coordinator-app xmlns="uri:oozie:coordinator:0.4" name="minutely" frequency="1"
        start="2026-01-01T00:00Z" end="2027-01-01T00:00Z" timezone="America/Los_Angeles">
    @DATA@
    <action><workflow><app-path>/apps/minutely</app-path></workflow></action>
</coordinator-app>
"#;

const DATA: &str = r#"<datasets>
        <dataset name="logs" frequency="1" initial-instance="2025-01-01T00:00Z" timezone="UTC">
            <uri-template>hdfs://n/logs/${YEAR}/${MONTH}/${DAY}/${HOUR}/${MINUTE}</uri-template>
        </dataset>
        <dataset name="days" frequency="${coord:days(1)}" initial-instance="2025-01-01T08:00Z" timezone="America/Los_Angeles">
            <uri-template>hdfs://n/days/${YEAR}-${MONTH}-${DAY}</uri-template>
        </dataset>
    </datasets>
    <input-events>
        <data-in name="log" dataset="logs"><instance>${coord:current(0)}</instance></data-in>
    </input-events>
    <output-events>
        <data-out name="day" dataset="days"><instance>${coord:current(0)}</instance></data-out>
    </output-events>"#;

pub fn year(bench: &Bench) -> Vec<BudgetRow> {
    [("", ""), (" with data", DATA)]
        .map(|(what, data)| {
            let folder = bench
                .folder
                .join(format!("schedule{}", what.replace(' ', "-")));
            fs::create_dir_all(&folder).expect("the folder for measuring can be written");
            let file = folder.join("coordinator.xml");
            fs::write(&file, PLAIN.replace("@DATA@", data)).expect("the folder can be written");
            let times = (0..bench.times(7)).map(|_| listing(bench, &file)).collect();
            let took = measure::median(times);
            BudgetRow::absolute(
                format!("schedule, a year of minutes{what}"),
                measure::format_time(took),
                "1 s".to_owned(),
                Some(took <= Duration::from_secs(1)),
            )
        })
        .into()
}

/// A month of minutes on virtual time; the floor only lists the same times.
pub fn simulated_month(bench: &Bench) -> Vec<BudgetRow> {
    let month = ["--from", "2026-01-01T00:00Z", "--to", "2026-01-31T00:00Z"];
    [("", ""), (" with data", DATA)]
        .into_iter()
        .flat_map(|(what, data)| {
            let name = format!("minutely{}", what.replace(' ', "-"));
            let program = bench.coordinator(&name, &PLAIN.replace("@DATA@", data));
            let file = bench
                .folder
                .join("apps")
                .join(&name)
                .join("coordinator.xml");
            let simulate = || {
                let mut command = Command::new(&program);
                command
                    .args(["simulate", "--json"])
                    .args(month)
                    .env("HPDL_HOME", bench.folder.join("home"));
                measure::time(&mut command)
            };
            let list = || {
                let mut command = bench.hpdlc();
                command
                    .args(["schedule", "--format", "json"])
                    .args(month)
                    .arg(&file);
                measure::time(&mut command)
            };
            let (took, floor) = measure::in_turn(bench.times(7), simulate, list);
            [
                BudgetRow::absolute(
                    format!("simulate, a month of minutes{what}"),
                    measure::format_time(took),
                    "1 s".to_owned(),
                    Some(took <= Duration::from_secs(1)),
                ),
                BudgetRow::ratio(format!("simulate / schedule{what}"), (took, floor), None),
            ]
        })
        .collect()
}

fn listing(bench: &Bench, file: &Path) -> Duration {
    let began = Instant::now();
    let output = bench
        .hpdlc()
        .args(["schedule", "--format", "json", "--to", "2027-01-01T00:00Z"])
        .arg(file)
        .stderr(Stdio::inherit())
        .output()
        .expect("hpdlc can be started");
    let took = began.elapsed();
    assert!(output.status.success(), "schedule: {}", output.status);
    let n_lines = output.stdout.split(|byte| *byte == b'\n').count() - 1;
    assert_eq!(n_lines, 525_600, "a line an action");
    took
}
