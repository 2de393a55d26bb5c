//! The measurements, row by row.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

mod build;
mod check;
mod decisions;
mod jobs;
mod large;
mod macros;
mod postgres;
mod schedule;
mod server;

use hpdlc_tests::repository;

use crate::measure::BudgetRow;

/// Measures one row of the table, or several that share their work.
type Measure = fn(&Bench) -> Vec<BudgetRow>;

/// A group of rows by the name that selects it.
pub const ALL: [(&str, Measure); 19] = [
    ("check", check::generated),
    ("check corpus", check::corpus),
    ("eval", check::eval),
    ("schedule", schedule::year),
    ("simulate", schedule::simulated_month),
    ("decision", decisions::rows),
    ("build", build::rows),
    ("large", large::rows),
    ("workflow", macros::rows),
    ("executable", build::size),
    ("start", jobs::start),
    ("chain", jobs::chain),
    ("postgres", postgres::chain),
    ("fork memory", jobs::fork),
    ("server jobs", server::reading),
    ("server submission", server::submission),
    ("server in a browser", server::browser::rows),
    ("server beside oozie", server::oozie::rows),
    ("containers beside oozie", server::containers::rows),
];

/// Paths and programs that the rows share.
pub struct Bench {
    pub folder: PathBuf,
    pub hpdlc: PathBuf,
    pub is_quick: bool,
}

impl Bench {
    pub fn new(folder: &Path, is_quick: bool) -> Bench {
        // target/release/deps/budgets-HASH
        let own = env::current_exe().expect("a process knows its executable");
        let release = own
            .parent()
            .and_then(Path::parent)
            .expect("cargo puts benchmarks into deps");
        let named = env::var_os("HPDLC").map(PathBuf::from);
        let hpdlc = named.unwrap_or_else(|| release.join("hpdlc"));
        assert!(
            hpdlc.is_file(),
            "{} is missing: start tests/bench/run",
            hpdlc.display()
        );
        Bench {
            folder: folder.to_owned(),
            hpdlc,
            is_quick,
        }
    }

    pub fn hpdlc(&self) -> Command {
        Command::new(&self.hpdlc)
    }

    /// This program, run as the floor of that name.
    pub fn floor(&self, name: &str) -> Command {
        let mut command = Command::new(env::current_exe().expect("a process knows its executable"));
        command.arg(name);
        command
    }

    /// The number of runs, reduced in quick mode.
    pub fn times(&self, n_times: usize) -> usize {
        if self.is_quick {
            1 + n_times / 4
        } else {
            n_times
        }
    }

    /// An application folder with one workflow; a name always means the same application.
    pub fn application(&self, name: &str, xml: &str) -> PathBuf {
        self.document(name, "workflow.xml", xml)
    }

    fn document(&self, name: &str, file: &str, xml: &str) -> PathBuf {
        let folder = self.folder.join("apps").join(name);
        fs::create_dir_all(&folder).expect("the folder for measuring can be written");
        fs::write(folder.join(file), xml).expect("the folder for measuring can be written");
        folder
    }

    /// The executable of a workflow.
    pub fn program(&self, name: &str, xml: &str) -> PathBuf {
        self.program_with(name, xml, &[])
    }

    /// As [`program`](Bench::program), with arguments for the compiler.
    pub fn program_with(&self, name: &str, xml: &str, arguments: &[&str]) -> PathBuf {
        self.built(name, &self.application(name, xml), arguments)
    }

    /// The executable of a coordinator.
    pub fn coordinator(&self, name: &str, xml: &str) -> PathBuf {
        self.built(name, &self.document(name, "coordinator.xml", xml), &[])
    }

    /// The executable of an example.
    pub fn example(&self, name: &str) -> PathBuf {
        let examples = repository().join("examples");
        self.built(name, &examples.join(name), &[])
    }

    fn built(&self, name: &str, application: &Path, arguments: &[&str]) -> PathBuf {
        let program = self.folder.join(name);
        let mut command = self.hpdlc();
        command
            .arg("build")
            .arg(application)
            .args(arguments)
            .arg("-o")
            .arg(&program);
        crate::measure::time(&mut command);
        program
    }

    /// `program run` with its own store in the folder for measuring.
    pub fn run(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .arg("run")
            .env("HPDL_HOME", self.folder.join("home"))
            .stdin(Stdio::null());
        command
    }

    /// The reference material, if this machine has it.
    pub fn shared(&self, name: &str) -> Option<PathBuf> {
        hpdlc_tests::shared(name)
    }

    /// The folder of hpdlc's cache.
    pub fn cache(&self) -> PathBuf {
        env::var_os("HPDLC_CACHE")
            .filter(|folder| !folder.is_empty())
            .map_or_else(
                || {
                    let target = self.hpdlc.parent().and_then(Path::parent);
                    target.unwrap_or(Path::new("/")).join("hpdlc-cache")
                },
                PathBuf::from,
            )
    }

    /// Removes the programs that were compiled for measuring from hpdlc's cache.
    pub fn clean(&self) {
        let programs = fs::read_dir(self.cache().join("programs"))
            .into_iter()
            .flatten()
            .flatten();
        for program in programs {
            if program
                .file_name()
                .to_string_lossy()
                .starts_with("hpdlc-bench-")
            {
                // Another run may have removed it first.
                drop(fs::remove_dir_all(program.path()));
            }
        }
    }
}
