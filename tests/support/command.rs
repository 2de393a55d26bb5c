//! Runs programs, among them the compiler, with a time limit.

use std::{
    env,
    ffi::OsString,
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    io::{Read, Seek},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// Longer than anything takes that does not hang, on a busy machine.
pub const LIMIT: Duration = Duration::from_secs(300);

/// The variables that change what hpdlc and its programs do or print.
const SETTINGS: [&str; 7] = [
    "HPDL_HOME",
    "HPDL_STORE_URL",
    "HPDL_SITE",
    "NO_COLOR",
    "CLICOLOR",
    "CLICOLOR_FORCE",
    "COLUMNS",
];

/// The result of a program.
#[derive(Debug)]
pub struct FinishedCommand {
    /// The exit code; `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// The compiler that `tests/run` has built.
pub fn hpdlc() -> PathBuf {
    built("hpdlc")
}

/// The program `hpdl` that `tests/run` has built.
pub fn hpdl() -> PathBuf {
    built("hpdl")
}

/// A program that `tests/run` has built: beside the folder of the test's own executable.
fn built(name: &str) -> PathBuf {
    let test = env::current_exe().expect("a test knows its executable");
    let profile = test
        .ancestors()
        .nth(2)
        .expect("cargo puts tests into <target>/<profile>/deps");
    let program = profile.join(name);
    assert!(
        program.is_file(),
        "there is no `{}`: run `tests/run`, or `cargo build --release -p {name}` first",
        program.display()
    );
    program
}

/// The variables with which a program keeps its jobs in `home`: in the folder itself, or with `HPDL_TEST_POSTGRES`, the URL of a database,
/// in a schema there.
pub fn home_variables(home: impl AsRef<Path>) -> Vec<(&'static str, OsString)> {
    let home = home.as_ref();
    let mut variables = vec![("HPDL_HOME", home.as_os_str().to_owned())];
    if let Some(url) = store_url(home) {
        variables.push(("HPDL_STORE_URL", url.into()));
    }
    variables
}

/// The URL of the store of a state folder, if it is in a database.
pub fn store_url(home: &Path) -> Option<String> {
    let url = env::var("HPDL_TEST_POSTGRES").ok()?;
    let mut hasher = DefaultHasher::new();
    home.hash(&mut hasher);
    let mark = if url.contains('?') { '&' } else { '?' };
    Some(format!("{url}{mark}schema=test_{:016x}", hasher.finish()))
}

/// A command whose jobs and settings are in `home`, unaffected by the user's own settings.
pub fn command(program: impl AsRef<Path>, home: &Path) -> Command {
    let mut command = Command::new(program.as_ref());
    for setting in SETTINGS {
        command.env_remove(setting);
    }
    command.envs(home_variables(home)).stdin(Stdio::null());
    command
}

/// Runs a program to its end, within [`LIMIT`].
#[track_caller]
pub fn run(command: &mut Command) -> FinishedCommand {
    run_within(command, LIMIT)
}

/// Runs a program to its end. If it exceeds the limit, it is killed with its process group, and the test fails.
#[track_caller]
pub fn run_within(command: &mut Command, limit: Duration) -> FinishedCommand {
    // Files, not pipes: a process left in the background may keep them open without blocking the test.
    let mut stdout = tempfile::tempfile().expect("a temporary file");
    let mut stderr = tempfile::tempfile().expect("a temporary file");
    let mut child = command
        .stdout(stdout.try_clone().expect("a second handle"))
        .stderr(stderr.try_clone().expect("a second handle"))
        .process_group(0)
        .spawn()
        .unwrap_or_else(|error| panic!("cannot start {command:?}: {error}"));
    let started = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        if let Some(status) = child.try_wait().expect("it is our child") {
            break Some(status);
        }
        if started.elapsed() > limit {
            let group = format!("-{}", child.id());
            drop(Command::new("kill").args(["-KILL", "--", &group]).status());
            drop(child.wait());
            break None;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    };
    let (stdout, stderr) = (text(&mut stdout), text(&mut stderr));
    match status {
        Some(status) => FinishedCommand {
            code: status.code(),
            stdout,
            stderr,
        },
        None => panic!(
            "{command:?} has not ended within {limit:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}"
        ),
    }
}

/// The whole content of a file.
fn text(file: &mut fs::File) -> String {
    let mut bytes = Vec::new();
    file.rewind().expect("a file can be rewound");
    file.read_to_end(&mut bytes).expect("the file can be read");
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = command("sh", Path::new("/nonexistent"));
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_and_exit_code_are_kept_apart() {
        let finished = run(&mut shell("echo out; echo err >&2; exit 3"));
        assert_eq!(finished.code, Some(3));
        assert_eq!(finished.stdout, "out\n");
        assert_eq!(finished.stderr, "err\n");
        assert_eq!(run(&mut shell("kill -TERM $$")).code, None);
    }

    #[test]
    fn process_in_the_background_does_not_hold_the_test() {
        let started = Instant::now();
        let finished = run(&mut shell("sleep 20 & echo done"));
        assert_eq!(finished.stdout, "done\n");
        assert!(started.elapsed() < Duration::from_secs(20));
    }

    #[test]
    fn endless_program_fails_with_what_it_said() {
        let endless = || {
            run_within(
                &mut shell("echo before; sleep 60"),
                Duration::from_millis(200),
            )
        };
        let panic = std::panic::catch_unwind(endless).expect_err("it is killed");
        let message = panic.downcast_ref::<String>().expect("a formatted message");
        assert!(message.contains("before"), "{message}");
    }
}
