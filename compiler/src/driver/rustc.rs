//! The single call of rustc that builds a program from generated sources and the compiled runtime.

use std::{path::Path, process::Command};

use crate::driver::{
    Failure, Toolchain,
    glibc::OldGlibc,
    link::{link, prefixed},
    runtime_cache::{CachedRuntime, extensions::add_extern},
};

/// Whether a program has debug information.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbols {
    Stripped,
    Debug,
}

/// The input and output of a compilation.
#[derive(Debug)]
pub struct RustcJob<'a> {
    /// The generated `main.rs`.
    pub main: &'a Path,
    pub symbols: Symbols,
    /// Set if the program has to run on hosts with an older glibc than that of this machine.
    pub glibc: Option<&'a OldGlibc>,
    /// The folder of rustc's incremental compilation.
    pub incremental: &'a Path,
    /// Created atomically.
    pub output: &'a Path,
}

/// Compiles `job`; no other process may compile to the same output at the same time. The inner error is the output of rustc:
/// generated code that it rejects is a bug in hpdlc.
///
/// # Errors
///
/// rustc cannot be started, the output cannot be written, or the program does not link with the older glibc.
pub fn compile(
    toolchain: &Toolchain,
    runtime: &CachedRuntime,
    job: &RustcJob<'_>,
) -> Result<Result<(), String>, Failure> {
    let link = |mut command| {
        for (name, extension) in &runtime.extensions {
            add_extern(&mut command, name, &runtime.folder.join(&extension.rlib));
        }
        link(command, &runtime.folder, &runtime.rlib, job.output)
    };
    // A debugger needs the unwind tables for backtraces.
    let small = match job.symbols {
        Symbols::Stripped => runtime.small.as_ref(),
        Symbols::Debug => None,
    };
    let mut compiled = None;
    if let Some(small) = small {
        let mut command = command(toolchain, job);
        small.add_to(&mut command);
        // On failure, the linker may have been replaced since the runtime was compiled, and may not support this.
        compiled = link(command)?.ok();
    }
    if compiled.is_none()
        && let Err(said) = link(command(toolchain, job))?
    {
        return match (job.glibc, undefined(&said)) {
            (Some(glibc), Some(undefined)) => Err(glibc.failure(&undefined)),
            _ => Ok(Err(said)),
        };
    }
    match job.glibc {
        Some(glibc) => glibc.check(job.output).map(Ok),
        None => Ok(Ok(())),
    }
}

fn command(toolchain: &Toolchain, job: &RustcJob<'_>) -> Command {
    let mut command = toolchain.command(&toolchain.rustc);
    command
        .arg(job.main)
        .args([
            "--crate-name",
            "program",
            "--crate-type",
            "bin",
            "--edition",
            "2024",
        ])
        .args(["-C", "opt-level=0", "-C"])
        .arg(prefixed("incremental=", job.incremental))
        // At a fixed address: a tenth of the executable would be relocations, which would be processed at each start and by
        // every launcher and worker process.
        .args(["-C", "relocation-model=static"]);
    match job.symbols {
        // Without the path of the cache, which differs between machines; a debugger needs it to find the sources.
        Symbols::Stripped => command
            .args(["-C", "debuginfo=0", "-C", "strip=symbols"])
            .arg("--remap-path-prefix")
            .arg(remapped(job.main.parent().unwrap_or(Path::new("")))),
        Symbols::Debug => command.args(["-C", "debuginfo=2"]),
    };
    for argument in job.glibc.iter().flat_map(|glibc| &glibc.link_arguments) {
        let mut option = std::ffi::OsString::from("link-arg=");
        option.push(argument);
        command.arg("-C").arg(option);
    }
    // The user cannot fix what a newer rustc warns about.
    command.args(["--cap-lints", "allow"]);
    command
}

/// The symbols that the linker does not find, one per line; `None` if it fails for another reason.
fn undefined(said: &str) -> Option<String> {
    let is_of_linker = said.contains("error: linking with ");
    let lines: Vec<&str> = said
        .lines()
        .filter_map(|line| Some(line[line.find("undefined ")?..].trim_end()))
        .collect();
    (is_of_linker && !lines.is_empty()).then(|| lines.join("\n"))
}

/// Remaps the folder of a program's sources to a name that is the same everywhere.
fn remapped(folder: &Path) -> std::ffi::OsString {
    let mut text = folder.as_os_str().to_owned();
    text.push("=program");
    text
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, fs, os::unix::ffi::OsStrExt};

    use super::*;
    use crate::{
        analysis::FeatureSet,
        driver::{
            link::{Small, WITHOUT_UNWINDING, try_to_link},
            place,
            progress::ProgressLines,
            runtime_cache, toolchain,
        },
    };

    /// Runs its command, then panics in another thread.
    const SPOILED: &str = r#"
use hpdlc_runtime::table::{Entry, Program};

static PROGRAM: Program = Program {
    hpdlc_version: "1.2.3",
    hash: "01ab",
    entry: Entry::Workflow,
    apps: &[],
    coordinators: &[],
    children: &[],
    files: &[],
};

fn main() {
    hpdlc_runtime::init().command_line(&PROGRAM);
    let thread = std::thread::spawn(|| panic!("spoiled"));
    println!("unwound: {}", thread.join().is_err());
}
"#;

    fn real() -> (Toolchain, CachedRuntime) {
        let places = place::find().expect("tests lie in a target folder");
        let toolchain = toolchain::find(&places).expect("it runs these tests");
        let runtime = runtime_cache::ready(
            &places,
            &toolchain,
            FeatureSet::Local,
            &[],
            &ProgressLines::silent(),
        )
        .unwrap_or_else(|failure| panic!("{failure:?}"));
        (toolchain, runtime)
    }

    #[test]
    fn a_script_that_the_linker_does_not_understand_is_found_out() {
        let (toolchain, runtime) = real();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let script = folder.path().join("a, b.ld");
        for (text, is_understood) in [(WITHOUT_UNWINDING, true), ("SECTIONS {", false)] {
            fs::write(&script, text).expect("writes");
            let small = Small {
                script: script.clone(),
                folds: false,
            };
            let linked = try_to_link(
                &toolchain,
                &runtime.folder,
                &runtime.rlib,
                Some(&small),
                folder.path(),
            );
            let is_linked = linked
                .unwrap_or_else(|failure| panic!("{failure:?}"))
                .is_ok();
            // A linker without support for scripts rejects both.
            assert_eq!(is_linked, is_understood && runtime.small.is_some());
        }
    }

    #[test]
    fn a_panic_anywhere_ends_a_program_and_asks_for_a_report() {
        let (toolchain, runtime) = real();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let main = folder.path().join("main.rs");
        fs::write(&main, SPOILED).expect("writes");
        for symbols in [Symbols::Stripped, Symbols::Debug] {
            let job = RustcJob {
                main: &main,
                symbols,
                glibc: None,
                incremental: &folder.path().join("incremental"),
                output: &folder.path().join("program"),
            };
            compile(&toolchain, &runtime, &job)
                .unwrap_or_else(|failure| panic!("{failure:?}"))
                .unwrap_or_else(|stderr| panic!("{stderr}"));
            let ended = Command::new(job.output)
                .arg("--version")
                .arg(OsStr::from_bytes(b"secret\xff"))
                .output()
                .expect("it starts");
            assert_eq!(ended.status.code(), Some(101), "{symbols:?}");
            let stdout = String::from_utf8_lossy(&ended.stdout);
            assert_eq!(stdout.trim(), "hpdlc 1.2.3 definition 01ab");
            let stderr = String::from_utf8_lossy(&ended.stderr);
            for part in [
                "error: internal error: spoiled, ",
                "main.rs:16:",
                "definition 01ab",
                "command `--version`",
                "report it",
            ] {
                assert!(stderr.contains(part), "{part} in {stderr}");
            }
            assert!(!stderr.contains("secret"), "{stderr}");
            let program = fs::read(job.output).expect("reads");
            let name = b"\0.gcc_except_table\0";
            let can_unwind = program.windows(name.len()).any(|bytes| bytes == name);
            let is_left_out = symbols == Symbols::Stripped && runtime.small.is_some();
            assert_eq!(can_unwind, !is_left_out, "{symbols:?}");
        }
    }

    #[test]
    fn a_linker_that_is_another_since_links_without_the_script() {
        let (toolchain, mut runtime) = real();
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::write(path("main.rs"), "fn main() {}").expect("writes");
        fs::write(path("script.ld"), "SECTIONS {").expect("writes");
        runtime.small = Some(Small {
            script: path("script.ld"),
            folds: true,
        });
        let job = RustcJob {
            main: &path("main.rs"),
            symbols: Symbols::Stripped,
            glibc: None,
            incremental: &path("incremental"),
            output: &path("program"),
        };
        let compiled = compile(&toolchain, &runtime, &job);
        assert_eq!(compiled.expect("there is a linker"), Ok(()));
        assert!(path("program").is_file());
    }

    #[test]
    fn what_the_linker_does_not_find_is_told_without_its_command() {
        let said = "exit status: 1\nerror: linking with `cc` failed: exit status: 1\n  = note:  \"cc\" \"-m64\"\n  \
                    = note: rust-lld: error: undefined symbol: arc4random\n          >>> referenced by a.rs:689";
        assert_eq!(
            undefined(said).as_deref(),
            Some("undefined symbol: arc4random")
        );
        assert_eq!(undefined("error[E0425]: undefined name"), None);
    }
}
