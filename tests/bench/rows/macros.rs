//! `cargo build` of a program after an edit of its workflow in Rust, against the same workflow in XML by `include_workflow!`.

use std::{env, fs, path::PathBuf, process::Command, time::Duration};

use hpdlc_tests::repository;

use crate::{
    measure::{self, BudgetRow},
    rows::Bench,
    workload::{self, WorkloadVersion},
};

/// What a workflow of so many nodes may add to an incremental build, in milliseconds.
const BUDGETS: [(usize, u128); 2] = [(100, 500), (1_000, 3_000)];

pub fn rows(bench: &Bench) -> Vec<BudgetRow> {
    let smallest = Program::new(bench, 1, Language::Rust);
    let mut rows = Vec::new();
    for (n_nodes, budget) in BUDGETS {
        let rust = Program::new(bench, n_nodes, Language::Rust);
        let xml = Program::new(bench, n_nodes, Language::Xml);
        let (mut with_rust, mut with_xml, mut without) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..bench.times(5) {
            without.push(smallest.build_edited());
            with_xml.push(xml.build_edited());
            with_rust.push(rust.build_edited());
        }
        let [rust, xml, without] = [with_rust, with_xml, without].map(measure::median);
        rows.push(BudgetRow::ratio(
            format!("#[workflow] {n_nodes}, after an edit"),
            (rust, xml),
            None,
        ));
        let added = rust.saturating_sub(without).as_millis();
        rows.push(BudgetRow::absolute(
            format!("#[workflow] {n_nodes}, adds to one of 1"),
            format!("{added} ms"),
            format!("{budget} ms"),
            Some(added <= budget),
        ));
    }
    rows
}

#[derive(Clone, Copy)]
enum Language {
    Rust,
    Xml,
}

/// A package whose workflow is edited between builds.
struct Program {
    package: PathBuf,
    target: PathBuf,
    /// The edited file.
    file: PathBuf,
    versions: [String; 2],
    is_edited: std::cell::Cell<bool>,
}

impl Program {
    /// With a workflow of about `n_nodes` nodes, built once.
    fn new(bench: &Bench, n_nodes: usize, language: Language) -> Program {
        let checkout = repository();
        let (word, dependency, folder) = match language {
            Language::Rust => ("rust", "hpdlc-flow", "macros/flow"),
            Language::Xml => ("xml", "hpdlc-macros", "macros"),
        };
        let name = format!("bench-{word}-{n_nodes}");
        let package = bench.folder.join(&name);
        let write = |path: &str, text: &str| {
            let path = package.join(path);
            let folder = path.parent().expect("a file lies in a folder");
            fs::create_dir_all(folder).expect("the folder for measuring can be written");
            fs::write(path, text).expect("the folder for measuring can be written");
        };
        let path = |folder: &str| checkout.join(folder).display().to_string();
        write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n[dependencies]\n\
                 {dependency} = {{ path = \"{}\" }}\nhpdlc-runtime = {{ path = \"{}\" }}\n",
                path(folder),
                path("runtime"),
            ),
        );
        fs::copy(checkout.join("Cargo.lock"), package.join("Cargo.lock"))
            .expect("the folder for measuring can be written");
        let xml = [WorkloadVersion::First, WorkloadVersion::Edited]
            .map(|version| workload::realistic(n_nodes, version));
        let (file, versions) = match language {
            Language::Rust => {
                let versions = xml.map(|xml| {
                    let text = in_rust(bench, &name, &xml);
                    format!("{text}\nfn main() -> std::process::ExitCode {{\n    hpdlc_bench_bench::command_line(&hpdlc_bench_bench::init())\n}}\n")
                });
                ("src/main.rs", versions)
            }
            Language::Xml => {
                write(
                    "src/main.rs",
                    "mod bench {\n    hpdlc_macros::include_workflow!(\"app\");\n}\n\n\
                     fn main() -> std::process::ExitCode {\n    bench::command_line(&hpdlc_runtime::init())\n}\n",
                );
                ("app/workflow.xml", xml)
            }
        };
        write(file, &versions[0]);
        let program = Program {
            file: package.join(file),
            package,
            // What all of them have in common is compiled once.
            target: bench.cache().with_file_name("bench-macros"),
            versions,
            is_edited: false.into(),
        };
        program.build();
        program
    }

    fn build_edited(&self) -> Duration {
        self.is_edited.set(!self.is_edited.get());
        let text = &self.versions[usize::from(self.is_edited.get())];
        fs::write(&self.file, text).expect("the folder for measuring can be written");
        self.build()
    }

    fn build(&self) -> Duration {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        hpdlc::driver::toolchain::forget_cargo_run(&mut command);
        command
            .arg("build")
            .current_dir(&self.package)
            .env("CARGO_TARGET_DIR", &self.target);
        measure::time(&mut command)
    }
}

/// The workflow as a function.
fn in_rust(bench: &Bench, name: &str, xml: &str) -> String {
    let application = bench.application(name, xml);
    let output = bench.folder.join("in-rust");
    if output.exists() {
        fs::remove_dir_all(&output).expect("the folder for measuring can be written");
    }
    let mut command = bench.hpdlc();
    command
        .args(["migrate", "--to", "rust"])
        .arg(&application)
        .arg("-o")
        .arg(&output);
    measure::time(&mut command);
    fs::read_to_string(output.join("workflow.rs")).expect("migrate has written it")
}
