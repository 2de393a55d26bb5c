//! Jobs in a database: the chain, beside as many commits of one record.

use crate::{
    measure::{self, BudgetRow},
    postgres_server::{PostgresServer, Start},
    rows::Bench,
    workload,
};

pub fn chain(bench: &Bench) -> Vec<BudgetRow> {
    let n_actions = if bench.is_quick { 200 } else { 1_000 };
    let name = format!("chain of {n_actions}, in PostgreSQL");
    let Some(server) = PostgresServer::start(&Start::default()) else {
        return vec![BudgetRow::skipped(name, "no PostgreSQL")];
    };
    let url = server.url();
    let program = bench.program_with("chain-full", &workload::chain(n_actions), &["--full"]);
    let ours = || measure::time(bench.run(&program).env("HPDL_STORE_URL", &url));
    let floor = || {
        let mut command = bench.floor("floor-spawn-postgres");
        measure::time(command.arg(n_actions.to_string()).arg(&url))
    };
    let times = measure::in_turn(bench.times(5), ours, floor);
    vec![BudgetRow::ratio(name, times, Some(1.5))]
}
