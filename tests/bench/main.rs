//! Measures the budgets, each beside its floor. `tests/bench/README.md` describes the rows.

#[path = "../e2e/cluster.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod cluster;
mod floors;
mod measure;
#[path = "../postgres/server.rs"]
#[allow(dead_code, reason = "the tests use the rest of it")]
mod postgres_server;
mod rows;
mod workload;

use std::{env, path::PathBuf, process::ExitCode};

use self::rows::Bench;

fn main() -> ExitCode {
    // Cargo appends `--bench` to the user's arguments.
    let arguments: Vec<String> = env::args()
        .skip(1)
        .filter(|argument| argument != "--bench")
        .collect();
    if let Some(code) = floors::serve(&arguments) {
        return code;
    }
    let is_option = |argument: &&String| argument.starts_with("--") && *argument != "--quick";
    if let Some(unknown) = arguments.iter().find(is_option) {
        eprintln!(
            "error: there is no option {unknown}\n  help: name rows, or --quick for fewer repetitions"
        );
        return ExitCode::from(2);
    }
    let is_quick = arguments.iter().any(|argument| argument == "--quick");
    let words: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .filter(|word| !word.starts_with("--"))
        .collect();
    let is_known = |word: &&&str| rows::ALL.iter().any(|(name, _)| name.contains(**word));
    if let Some(unknown) = words.iter().find(|word| !is_known(word)) {
        let names = rows::ALL.map(|(name, _)| name).join(", ");
        eprintln!("error: no row has \"{unknown}\" in its name\n  help: the rows are {names}");
        return ExitCode::from(2);
    }
    let parent = env::var_os("HPDLC_BENCH_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
    std::fs::create_dir_all(&parent).expect("the folder for measuring can be made");
    let folder = tempfile::Builder::new()
        .prefix("hpdlc-bench-")
        .tempdir_in(parent)
        .expect("the folder for measuring can be written");
    let bench = Bench::new(folder.path(), is_quick);
    measure::print_head(&measure::load().unwrap_or_default());
    let is_wanted = |name: &str| words.is_empty() || words.iter().any(|word| name.contains(word));
    for (name, measure) in rows::ALL {
        if is_wanted(name) {
            for row in measure(&bench) {
                row.print();
            }
        }
    }
    println!("load after: {}", measure::load().unwrap_or_default());
    bench.clean();
    ExitCode::SUCCESS
}
