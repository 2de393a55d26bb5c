//! Property test: a workflow in Rust does what Rust says. Random functions are compiled into one program, which runs them as jobs with
//! scripted answers; an interpreter of the generator's own tree says what Rust means. Both must go the same way, and give each
//! action the same values.
//!
//! `HPDL_CASES` sets the number of functions, `HPDL_SEED` the seed.

use std::{env, process::Command};

use crate::copy::PackageCopy;

mod generate;
mod interpret;
mod print;
mod tree;

use self::{generate::Generator, interpret::Inputs};

/// How often each function is run.
const RUNS: usize = 12;

#[test]
fn jobs_do_what_rust_says() {
    let number = |name: &str| env::var(name).ok().and_then(|it| it.parse().ok());
    let n_cases: u64 = number("HPDL_CASES").unwrap_or(30);
    let seed: u64 = number("HPDL_SEED").unwrap_or(1);
    let mut generator = Generator::new(seed);
    let workflows: Vec<tree::Workflow> = (0..n_cases).map(|n| generator.workflow(n)).collect();
    let mut runs = Vec::new();
    for workflow in &workflows {
        for _ in 0..RUNS {
            runs.push((workflow, generator.inputs(workflow)));
        }
    }
    let copy = PackageCopy::of("rust-workflow", "log-watch", "agreement");
    copy.write("src/main.rs", &print::program(&workflows, &runs));
    let output = Command::new(copy.program())
        .output()
        .expect("the program was just built");
    assert!(output.status.success(), "{output:?}");
    let printed = String::from_utf8(output.stdout).expect("UTF-8");
    let mut found = printed.split("\n\n");
    for (workflow, inputs) in &runs {
        let expected = interpret::run(workflow, inputs);
        let found = found.next().unwrap_or_default();
        assert_eq!(
            found,
            expected,
            "{}\nwith {inputs:?}",
            print::function(workflow)
        );
    }
    check_that_much_is_reached(&runs);
}

/// A generator whose jobs all end at once would find nothing.
fn check_that_much_is_reached(runs: &[(&tree::Workflow, Inputs)]) {
    let said: Vec<String> = runs
        .iter()
        .map(|(workflow, inputs)| interpret::run(workflow, inputs))
        .collect();
    let n_lines: usize = said.iter().map(|it| it.lines().count()).sum();
    assert!(
        n_lines > 2 * runs.len(),
        "{n_lines} lines of {} runs",
        runs.len()
    );
    let n_killed = said.iter().filter(|it| it.starts_with("Killed")).count();
    assert!(n_killed > 0 && n_killed < runs.len(), "{n_killed} killed");
}
