//! The identity of a program with functions of its own.
//!
//! The hash of a definition covers what the compiler read, and not the Rust code of the functions that `rust` actions and expressions call. A job has
//! to end with the code that it began with, so the jobs of such a program belong to the definition and to the build: their hash is
//! `DEFINITION-BUILD`, where the second part is taken from the executable's own bytes.

use std::{
    collections::BTreeMap,
    fs, io,
    path::Path,
    sync::{Mutex, OnceLock, PoisonError},
};

use hpdlc_executors::rust;
use hpdlc_host::{
    exit::RunError,
    home::{Home, private_file},
};
use hpdlc_program::table::Program;

use super::kept;

/// Digits of a build.
const LENGTH: usize = 16;

/// The digests of executables by the state of their files, so that one is read once.
const CACHE: &str = ".builds";

/// How many executables the cache knows.
const MOST: usize = 16;

/// This executable, as `/proc` shows it even if its file was replaced.
const OWN: &str = "/proc/self/exe";

/// A program under the identity of its jobs: as it is unless it has functions of its own.
///
/// # Errors
///
/// The executable cannot be read.
pub fn identified(program: &'static Program, home: &Home) -> Result<&'static Program, RunError> {
    if !program.has_functions() {
        return Ok(program);
    }
    static BUILD: OnceLock<String> = OnceLock::new();
    let build = match BUILD.get() {
        Some(known) => known,
        None => {
            let found = looked_up(home).map_err(|error| {
                RunError::machine(format!("cannot read this executable ({OWN}): {error}"))
            })?;
            BUILD.get_or_init(|| found)
        }
    };
    rust::know_build(build);
    Ok(under(program, format!("{}-{build}", program.hash)))
}

/// The hash of the jobs of a program, without a state folder.
pub fn hash(program: &Program) -> String {
    match read() {
        Ok(build) if program.has_functions() => format!("{}-{build}", program.hash),
        Ok(_) | Err(_) => program.hash.to_owned(),
    }
}

/// A program of this definition under the hash of a job, which another build of it may have begun; `None` for a job of another definition.
pub fn of_job(program: &'static Program, hash: &str) -> Option<&'static Program> {
    let (definition, _) = program.hash.split_once('-').unwrap_or((program.hash, ""));
    let is_ours = hash == program.hash
        || hash
            .split_once('-')
            .is_some_and(|(other, build)| other == definition && build.len() == LENGTH);
    is_ours.then(|| under(program, hash.to_owned()))
}

/// The program with another hash. There are few, each is made once and kept until the process ends.
fn under(program: &'static Program, hash: String) -> &'static Program {
    static MADE: Mutex<BTreeMap<String, &'static Program>> = Mutex::new(BTreeMap::new());
    if program.hash == hash {
        return program;
    }
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    made.entry(hash).or_insert_with_key(|hash| {
        let hash: &'static str = Box::leak(hash.clone().into_boxed_str());
        Box::leak(Box::new(Program { hash, ..*program }))
    })
}

/// The build, from the cache if its file was read before.
fn looked_up(home: &Home) -> io::Result<String> {
    let cache = home.sums().join(CACHE);
    let known = fs::read_to_string(&cache).unwrap_or_default();
    let stamp = kept::stamp(&fs::metadata(OWN)?);
    let entry = |line: &&str| {
        line.strip_suffix(&stamp)
            .is_some_and(|rest| rest.len() == LENGTH + 1)
    };
    if let Some(line) = known.lines().find(entry) {
        return Ok(line[..LENGTH].to_owned());
    }
    let build = read()?;
    let mut lines = format!("{build} {stamp}\n");
    for line in known.lines().take(MOST - 1) {
        lines.push_str(line);
        lines.push('\n');
    }
    // If that fails it is read again next time.
    let _ = private_file::replace(&cache, lines.as_bytes());
    Ok(build)
}

fn read() -> io::Result<String> {
    let mut digest = kept::digest(Path::new(OWN))?;
    digest.truncate(LENGTH);
    Ok(digest)
}

#[cfg(test)]
mod tests {
    use hpdlc_core::definition::NodeId;
    use hpdlc_program::table::{
        Action, App, Body, Entry, Next, NodeDef, NodeKind, Retry, Row, Rust, Template, definitions,
    };

    use super::*;

    const PLAIN: Program = Program {
        hpdlc_version: "0.1.0",
        hash: "0123456789abcdef",
        entry: Entry::Workflow,
        coordinators: &[],
        apps: &[],
        children: &[],
        files: &[],
    };

    static COUNTING: Program = Program {
        apps: &[&APP],
        ..PLAIN
    };

    static APP: App = App {
        name: Template::Text(0, "counting"),
        source: "workflow.xml",
        folder: "",
        parameters: &[],
        config_default: &[],
        global: &[],
        lines: &[1],
        start: NodeId(0),
        joins: &[],
        slas: &[],
        functions: &[],
        rows: &ROWS,
        definitions: &definitions(&ROWS, [&NODES]),
    };

    static ROWS: [Row; 1] = [Row(NodeId(0), 0, Next::None)];

    static NODES: [NodeDef; 1] = [NodeDef {
        name: "count",
        kind: NodeKind::Action(Action {
            retry: Retry::EMPTY,
            body: Body::Rust(Rust {
                function: Template::Text(0, "count"),
                ..Rust::EMPTY
            }),
        }),
    }];

    #[test]
    fn a_program_with_functions_is_known_by_its_definition_and_its_build() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::open_at(folder.path().join("home")).unwrap();
        static PLAIN_PROGRAM: Program = PLAIN;
        let plain = identified(&PLAIN_PROGRAM, &home).unwrap();
        assert_eq!(plain.hash, PLAIN.hash);

        let counting = identified(&COUNTING, &home).unwrap();
        let (definition, build) = counting.hash.split_once('-').unwrap();
        assert_eq!(definition, COUNTING.hash);
        assert_eq!(build.len(), LENGTH);
        assert_eq!(hash(&COUNTING), counting.hash);
        // Another process takes it from the cache: the executable is read once.
        let cache = home.sums().join(CACHE);
        let known = fs::read_to_string(&cache)
            .unwrap()
            .replace(build, "fedcba9876543210");
        fs::write(&cache, known).unwrap();
        assert_eq!(looked_up(&home).unwrap(), "fedcba9876543210");
    }

    #[test]
    fn jobs_of_all_builds_of_a_definition_are_its_own() {
        let of = |hash: &str| of_job(&COUNTING, hash).map(|program| program.hash.to_owned());
        for own in ["0123456789abcdef", "0123456789abcdef-fedcba9876543210"] {
            assert_eq!(of(own), Some(own.to_owned()));
        }
        for other in [
            "fedcba9876543210",
            "fedcba9876543210-0123456789abcdef",
            "0123456789abcdef-1",
        ] {
            assert_eq!(of(other), None);
        }
    }
}
