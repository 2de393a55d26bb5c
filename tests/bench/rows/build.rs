//! `build` with a warm cache, against linking an empty program with the same libraries.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::Value;

use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload::{self, WorkloadVersion},
};

/// These make the workload's paths and processes local: the program is linked with the runtime without HDFS, like the
/// floor.
pub const LOCAL: [&str; 2] = ["-DnameNode=file://", "-DresourceManager=local"];

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    // The first build ensures that the runtime exists.
    bench.program("warm", &workload::chain(1));
    let floor = Floor::find(bench);
    let mut rows = Vec::new();
    for n_nodes in [10, 40, 100, 1_000] {
        let (first_budget, edit_budget) = match n_nodes {
            40 => (None, Some(2.0)),
            1_000 => (Some(10.0), Some(4.5)),
            _ => (None, None),
        };
        let [plain, edited, inserted] = [
            WorkloadVersion::First,
            WorkloadVersion::Edited,
            WorkloadVersion::Inserted,
        ]
        .map(|version| workload::realistic(n_nodes, version));
        let output = bench.folder.join("built");
        let build = |application: &Path| {
            measure::time(
                bench
                    .hpdlc()
                    .arg("build")
                    .arg(application)
                    .args(LOCAL)
                    .arg("-o")
                    .arg(&output),
            )
        };
        let n_times = bench.times(if n_nodes == 1_000 { 5 } else { 9 });
        let mut serial = 0;
        let first = || {
            // Another folder is another application.
            serial += 1;
            build(&bench.application(&format!("first-{n_nodes}-{serial}"), &plain))
        };
        let times = measure::in_turn(n_times, first, || floor.link());
        rows.push(BudgetRow::ratio(
            format!("build {n_nodes}, first time"),
            times,
            first_budget,
        ));

        let name = format!("edit-{n_nodes}");
        build(&bench.application(&name, &plain));
        for (what, other, budget) in [
            ("after an edit", &edited, edit_budget),
            ("node inserted at the top", &inserted, None),
        ] {
            let mut is_other = false;
            let change = || {
                is_other = !is_other;
                build(&bench.application(&name, if is_other { other } else { &plain }))
            };
            let times = measure::in_turn(n_times, change, || floor.link());
            rows.push(BudgetRow::ratio(
                format!("build {n_nodes}, {what}"),
                times,
                budget,
            ));
        }
        let same = bench.application(&name, &plain);
        build(&same);
        let times = measure::in_turn(n_times, || build(&same), || floor.link());
        rows.push(BudgetRow::ratio(
            format!("build {n_nodes}, nothing changed"),
            times,
            None,
        ));
    }
    rows
}

/// Maximum megabytes of an executable, and of one that reaches other file systems.
const LOCAL_BUDGET: u64 = 10;
const FULL_BUDGET: u64 = 20;

pub fn size(bench: &Bench) -> Vec<BudgetRow> {
    let xml = workload::realistic(100, WorkloadVersion::First);
    let row = |name: String, program: PathBuf, budget: u64| {
        let size = fs::metadata(program).expect("it was just built").len();
        let megabytes = size / 10_000;
        BudgetRow::absolute(
            name,
            format!("{}.{:02} MB", megabytes / 100, megabytes % 100),
            format!("{budget} MB"),
            Some(size <= budget * 1_000_000),
        )
    };
    let of_example = |name: &str| {
        let program = bench.example(name);
        row(
            format!("executable, examples/{name}"),
            program,
            LOCAL_BUDGET,
        )
    };
    let with_100_nodes = |name: &str, arguments: &[&str], budget| {
        let program = bench.program_with("size", &xml, arguments);
        row(format!("{name}, 100 nodes"), program, budget)
    };
    vec![
        // A workflow, one that sends mail, and a bundle.
        of_example("hello"),
        of_example("mail-report"),
        of_example("weather"),
        with_100_nodes("executable", &LOCAL, LOCAL_BUDGET),
        with_100_nodes("executable with HDFS", &[], FULL_BUDGET),
    ]
}

/// Does nothing, but makes the linker include what a generated program includes.
const EMPTY: &str = "fn main() {
    std::hint::black_box(hpdlc_runtime::Runtime::command_line as *const ());
}
";

/// An empty `main`, and what it is linked with.
struct Floor {
    rustc: PathBuf,
    libraries: PathBuf,
    rlib: PathBuf,
    main: PathBuf,
    output: PathBuf,
}

impl Floor {
    /// Reads from hpdlc's cache which rustc and which libraries the last build used.
    fn find(bench: &Bench) -> Floor {
        let cache = bench.cache();
        let toolchain = read(&cache.join("toolchain.json"));
        let runtime = fs::read_dir(cache.join("runtime"))
            .expect("a build leaves its runtime in the cache")
            .flatten()
            .map(|entry| entry.path())
            .filter(|folder| folder.join("stamp.json").is_file())
            .filter(|folder| !has_hdfs(&libraries_in(folder)))
            .max_by_key(|folder| {
                fs::metadata(folder.join("stamp.json"))
                    .and_then(|stamp| stamp.modified())
                    .ok()
            })
            .expect("a build leaves its runtime in the cache");
        let stamp = read(&runtime.join("stamp.json"));
        let libraries = libraries_in(&runtime);
        let main = bench.folder.join("empty.rs");
        fs::write(&main, EMPTY).expect("the folder for measuring can be written");
        Floor {
            rustc: PathBuf::from(text(&toolchain["toolchain"]["rustc"])),
            rlib: libraries.join(text(&stamp["rlib"])),
            libraries,
            main,
            output: bench.folder.join("empty"),
        }
    }

    fn link(&self) -> Duration {
        let mut command = Command::new(&self.rustc);
        command
            .arg(&self.main)
            .args([
                "--crate-name",
                "empty",
                "--edition",
                "2024",
                "-C",
                "opt-level=0",
            ])
            .args(["-C", "debuginfo=0", "-C", "strip=symbols"])
            .arg("--extern")
            .arg(format!("hpdlc_runtime={}", self.rlib.display()))
            .arg("-L")
            .arg(format!("dependency={}", self.libraries.display()))
            .arg("-o")
            .arg(&self.output);
        measure::time(&mut command)
    }
}

fn libraries_in(runtime: &Path) -> PathBuf {
    runtime.join(text(&read(&runtime.join("stamp.json"))["folder"]))
}

/// Whether these are the libraries of the runtime with remote file systems.
fn has_hdfs(libraries: &Path) -> bool {
    fs::read_dir(libraries)
        .expect("the stamp names a folder")
        .flatten()
        .any(|entry| entry.file_name().to_string_lossy().contains("hdfs_native"))
}

fn read(path: &Path) -> Value {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn text(value: &Value) -> &str {
    value
        .as_str()
        .expect("hpdlc's cache says where the runtime is")
}
