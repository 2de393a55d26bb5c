//! The cost of a decision's compiled expressions: of each one evaluated, and of those that are not.

use std::time::Duration;

use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload,
};

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    let n_cases: u32 = if bench.is_quick { 5_000 } else { 20_000 };
    let count = usize::try_from(n_cases).expect("a small number");
    let many = bench.program("cases", &workload::decision(count));
    let one = bench.program("case", &workload::decision(1));
    let run = |program, region: &str| {
        let mut command = bench.run(program);
        command.args(["-D", "shards=8", "-D", &format!("region={region}")]);
        measure::time(&mut command)
    };
    let n_times = bench.times(15);
    // Only the last case is true, and then the first.
    let (all, floor) = measure::in_turn(n_times, || run(&many, "last"), || run(&one, "last"));
    let each = all.saturating_sub(floor) / n_cases;
    let thousand = bench.program("cases-1000", &workload::decision(1_000));
    let unread = measure::in_turn(n_times, || run(&thousand, "first"), || run(&one, "first"));
    vec![
        BudgetRow::absolute(
            "decision, each compiled case",
            format!("{} ns", each.as_nanos()),
            "1 us".to_owned(),
            Some(each <= Duration::from_micros(1)),
        ),
        BudgetRow::ratio("start with 1,000 cases", unread, Some(1.1)),
    ]
}
