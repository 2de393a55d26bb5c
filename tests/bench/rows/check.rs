//! `check` and `eval`: nothing is compiled.

use std::{
    fmt::Write as _,
    fs::{self, File},
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload::{self, WorkloadVersion},
};

pub fn generated(bench: &Bench) -> Vec<BudgetRow> {
    let mut rows = Vec::new();
    for (n_nodes, limit) in [(1_000, 20), (10_000, 80)] {
        let folder = bench.application(
            &format!("check-{n_nodes}"),
            &workload::realistic(n_nodes, WorkloadVersion::First),
        );
        let file = folder.join("workflow.xml");
        let check = || measure::time(bench.hpdlc().arg("check").arg(&file));
        let n_times = bench.times(21);
        let scan = || measure::time(bench.floor("floor-scan").arg(&file));
        let times = measure::in_turn(n_times, check, scan);
        let budget = (n_nodes == 10_000).then_some(4.0);
        rows.push(BudgetRow::ratio(format!("check {n_nodes}"), times, budget));
        rows.push(BudgetRow::absolute(
            format!("check {n_nodes}, time"),
            measure::format_time(times.0),
            format!("{limit} ms"),
            Some(times.0 <= Duration::from_millis(limit)),
        ));
        rows.push(xmllint(bench, n_nodes, &file, n_times, check));
    }
    rows
}

fn xmllint(
    bench: &Bench,
    n_nodes: usize,
    file: &Path,
    n_times: usize,
    check: impl FnMut() -> Duration,
) -> BudgetRow {
    let name = format!("check {n_nodes} / xmllint");
    let Some(schemas) = bench.shared("schemas") else {
        return BudgetRow::skipped(name, "no schemas");
    };
    let found = Command::new("xmllint")
        .arg("--version")
        .stderr(Stdio::null())
        .status();
    if found.is_err() {
        return BudgetRow::skipped(name, "no xmllint");
    }
    let wrapper = bench.folder.join("all.xsd");
    let mut text = "<xs:schema xmlns:xs=\"http://www.w3.org/2001/XMLSchema\">\n".to_owned();
    for (namespace, schema) in [
        ("workflow", "oozie-workflow-1.0.xsd"),
        ("shell-action", "shell-action-1.0.xsd"),
    ] {
        let place = schemas.join(schema);
        let _ = writeln!(
            text,
            "<xs:import namespace=\"uri:oozie:{namespace}:1.0\" schemaLocation=\"{}\"/>",
            place.display()
        );
    }
    text.push_str("</xs:schema>\n");
    fs::write(&wrapper, text).expect("the folder for measuring can be written");
    let lint = || {
        let mut command = Command::new("xmllint");
        measure::time(
            command
                .args(["--noout", "--schema"])
                .arg(&wrapper)
                .arg(file),
        )
    };
    BudgetRow::ratio(name, measure::in_turn(n_times, check, lint), Some(1.0))
}

pub fn corpus(bench: &Bench) -> Vec<BudgetRow> {
    let Some(corpus) = bench.shared("corpus") else {
        return vec![BudgetRow::skipped("check corpus", "no corpus")];
    };
    // Real documents have errors: the exit code is not checked here.
    let check = || {
        let began = Instant::now();
        let status = bench
            .hpdlc()
            .arg("check")
            .arg(&corpus)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("hpdlc can be started");
        assert!(
            matches!(status.code(), Some(0 | 1)),
            "check of the corpus: {status}"
        );
        began.elapsed()
    };
    let took = measure::median((0..bench.times(7)).map(|_| check()).collect());
    let is_within = took <= Duration::from_millis(500);
    vec![BudgetRow::absolute(
        "check corpus",
        measure::format_time(took),
        "500 ms".to_owned(),
        Some(is_within),
    )]
}

pub fn eval(bench: &Bench) -> Vec<BudgetRow> {
    let n_lines: u32 = if bench.is_quick { 20_000 } else { 100_000 };
    let lines = bench.folder.join("templates");
    let count = usize::try_from(n_lines).expect("a small number");
    fs::write(&lines, workload::templates(count)).expect("the folder for measuring can be written");
    let evaluate = || {
        let began = Instant::now();
        let output = bench
            .hpdlc()
            .arg("eval")
            .args([
                "-D",
                "region=north",
                "-D",
                "day=2026-11-20",
                "-D",
                "shards=8",
                "-D",
                "queue=etl",
            ])
            .stdin(File::open(&lines).expect("the templates were written"))
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .output()
            .expect("hpdlc can be started");
        let took = began.elapsed();
        let answers = String::from_utf8_lossy(&output.stdout);
        assert_eq!(answers.lines().count(), count, "an answer a line");
        assert!(!answers.contains("\"error\""), "every template has a value");
        took
    };
    let took = measure::median((0..bench.times(5)).map(|_| evaluate()).collect());
    let rate = f64::from(n_lines) / took.as_secs_f64();
    vec![BudgetRow::absolute(
        "eval",
        format!("{rate:.0} /s"),
        "200000 /s".to_owned(),
        Some(rate >= 200_000.0),
    )]
}
