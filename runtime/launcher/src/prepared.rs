//! A prepared attempt: its folder, the output files of its process, and a claim that is not visible yet.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::unix::process::{CommandExt, ExitStatusExt},
    path::{Path, PathBuf},
    process::{Command, ExitStatus},
};

use hpdlc_host::clock;
use rustix::{io::Errno, process::Pid};

use crate::{
    attempt::{Attempt, ExitRecord},
    claim::{Claim, ClaimDraft},
    protocol::StartRequest,
    spawn::{SpawnedProgram, Spawner},
};

/// Everything that can be done before the claim appears.
pub(super) struct PreparedAttempt {
    /// `None` if it will start in a reused folder, or in one that is created then.
    pub(super) made: Option<(ClaimableFiles, Beside)>,
    pub(super) start: Start,
}

/// The open files of an attempt, with a claim that is not visible yet.
pub(super) struct ClaimableFiles {
    claim: ClaimDraft,
    outputs: [File; 2],
}

/// Whether the folder of an attempt's node contains other files than the attempt's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    Nothing,
    /// Possibly: the folder existed before.
    Something,
}

/// A process that will be spawned.
pub(super) struct Start {
    pub(super) attempt: Attempt,
    pub(super) request: StartRequest,
}

/// The files of an attempt that has been claimed.
pub(super) struct Opened {
    pub(super) claim: Claim,
    /// Standard output and standard error.
    pub(super) outputs: [File; 2],
}

impl PreparedAttempt {
    /// # Errors
    ///
    /// A folder or file cannot be created.
    pub(super) fn new(request: StartRequest) -> io::Result<PreparedAttempt> {
        let mut prepared = PreparedAttempt::later(request);
        prepared.made = Some(prepared.start.make()?);
        Ok(prepared)
    }

    /// Creates nothing on disk before it starts.
    pub(super) fn later(request: StartRequest) -> PreparedAttempt {
        let attempt = Attempt::new(&request.attempt);
        PreparedAttempt {
            made: None,
            start: Start { attempt, request },
        }
    }

    /// Removes what was created, since it will not be started.
    pub(super) fn discard(self) {
        if self.made.is_none() {
            return;
        }
        let attempt = &self.start.attempt;
        // What cannot be removed is removed with the job.
        let _ = fs::remove_dir_all(attempt.folder());
        let _ = fs::remove_file(attempt.stdout());
        let _ = fs::remove_file(attempt.stderr());
        if let Some(node) = attempt.folder().parent() {
            let _ = fs::remove_dir(node);
        }
    }
}

/// Creates an empty folder; an existing one is left from an owner that died before it could request the attempt.
fn make_folder(folder: &Path) -> io::Result<Beside> {
    // The node's folder exists if it was attempted before, the job's always.
    let mut beside = Beside::Nothing;
    if let Some(node) = folder.parent() {
        match fs::create_dir(node) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(node)?,
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) => beside = Beside::Something,
            Ok(()) => {}
        }
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_dir_all(folder)?;
            fs::create_dir(folder)?;
        }
        made => made?,
    }
    Ok(beside)
}

impl ClaimableFiles {
    /// Creates the files beside an attempt's folder.
    fn beside(attempt: &Attempt) -> io::Result<ClaimableFiles> {
        // Not truncated: until the claim has appeared they may belong to another process. What several processes write is appended.
        let output = |path| File::options().create(true).append(true).open(path);
        Ok(ClaimableFiles {
            claim: ClaimDraft::new(attempt)?,
            outputs: [output(attempt.stdout())?, output(attempt.stderr())?],
        })
    }

    /// Makes the claim visible; `None` if another process has claimed the attempt already.
    ///
    /// # Errors
    ///
    /// As [`ClaimDraft::appear`].
    pub(super) fn appear(self, attempt: &Attempt) -> io::Result<Option<Opened>> {
        let ClaimableFiles { claim, outputs } = self;
        let claim = claim.appear(attempt)?;
        Ok(claim.map(|claim| Opened { claim, outputs }))
    }
}

impl Start {
    /// Creates the folder, if requested, and the files beside it.
    ///
    /// # Errors
    ///
    /// A folder or file cannot be created.
    pub(super) fn make(&self) -> io::Result<(ClaimableFiles, Beside)> {
        let beside = match &self.request.action_xml {
            Some(text) => {
                let beside = make_folder(self.attempt.folder())?;
                fs::write(self.attempt.action_xml(), text)?;
                beside
            }
            None => Beside::Something,
        };
        Ok((ClaimableFiles::beside(&self.attempt)?, beside))
    }

    /// Starts the process with these standard files; returns its id. `spawner` is given if this thread has a working folder of its own.
    ///
    /// # Errors
    ///
    /// It cannot be executed.
    pub(super) fn spawn(
        &self,
        spawner: Option<&Spawner>,
        stdin: &File,
        [stdout, stderr]: [File; 2],
    ) -> io::Result<Pid> {
        let StartRequest {
            program, argv, env, ..
        } = &self.request;
        let known =
            spawner.and_then(|spawner| Some((spawner, SpawnedProgram::new(program, argv, env)?)));
        let spawned = match known {
            Some((spawner, program)) => {
                spawner.spawn(&program, self.attempt.folder(), [stdin, &stdout, &stderr])
            }
            None => {
                let mut command = self.command(program);
                if let Some((name, arguments)) = argv.split_first() {
                    command.arg0(name).args(arguments);
                }
                let stdin = stdin.try_clone()?;
                begin(command.stdin(stdin).stdout(stdout).stderr(stderr))
            }
        };
        match spawned {
            Err(error) if self.is_script(&error) => self.spawn_by_shell(),
            spawned => spawned,
        }
    }

    /// Whether the kernel cannot execute the program, though it is not an executable of another machine: it is a script without an
    /// interpreter line.
    fn is_script(&self, error: &io::Error) -> bool {
        if Errno::from_io_error(error) != Some(Errno::NOEXEC) {
            return false;
        }
        let mut start = [0; 4];
        let program = File::open(&self.request.program);
        let read = program.and_then(|mut file| file.read(&mut start));
        read.is_ok() && start != *b"\x7fELF"
    }

    /// As [`Start::spawn`] with `/bin/sh` as interpreter, as Java starts such a script (`execve_as_traditional_shell_script`).
    fn spawn_by_shell(&self) -> io::Result<Pid> {
        let output = |path: PathBuf| File::options().append(true).open(path);
        let mut command = self.command("/bin/sh");
        command
            .arg(&self.request.program)
            .args(self.request.argv.iter().skip(1))
            .stdin(File::open("/dev/null")?)
            .stdout(output(self.attempt.stdout())?)
            .stderr(output(self.attempt.stderr())?);
        begin(&mut command)
    }

    /// A command in the attempt's folder, as the leader of a new process group.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.attempt.folder()).process_group(0);
        for (name, value) in &self.request.env {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command
    }
}

/// Starts a command that is awaited by its process id.
fn begin(command: &mut Command) -> io::Result<Pid> {
    let child = command.spawn()?;
    let number = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    Ok(number.expect("a process has a number"))
}

pub(super) fn exit_record(status: ExitStatus) -> ExitRecord {
    ExitRecord {
        code: status.code(),
        signal: status.signal(),
        error: None,
        exceeded: None,
        ended: clock::now_millis(),
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, os::unix::fs::PermissionsExt, thread};

    use rustix::process::{WaitOptions, waitpid};

    use super::*;
    use crate::spawn;

    fn start(job: &Path, program: &Path, argv: &[&str], env: &[(&str, Option<&str>)]) -> Start {
        let owned = |text: &&str| (*text).to_owned();
        PreparedAttempt::later(StartRequest {
            attempt: job.join("node/1").display().to_string(),
            program: program.display().to_string(),
            argv: argv.iter().map(owned).collect(),
            env: env
                .iter()
                .map(|(name, value)| (owned(name), value.as_ref().map(owned)))
                .collect(),
            action_xml: Some("<configuration/>".to_owned()),
            limit: None,
        })
        .start
    }

    #[test]
    fn what_another_process_has_added_to_the_output_is_kept() {
        let job = tempfile::tempdir().unwrap();
        let start = start(job.path(), Path::new("/bin/true"), &["true"], &[]);
        let (made, _) = start.make().unwrap();
        let mut opened = made.appear(&start.attempt).unwrap().unwrap();
        let log = start.attempt.stderr();
        let mut other = File::options().append(true).open(&log).unwrap();
        other.write_all(b"brought\n").unwrap();
        opened.outputs[1].write_all(b"said\n").unwrap();
        assert_eq!(fs::read_to_string(&log).unwrap(), "brought\nsaid\n");
    }

    /// The output of a process, started by a thread with a working folder of its own, or without.
    fn printed(start: &Start, is_apart: bool) -> io::Result<String> {
        let attempt = &start.attempt;
        let _ = fs::remove_dir_all(attempt.folder().parent().expect("of a node"));
        let (made, _) = start.make()?;
        let opened = made.appear(attempt)?.expect("nobody has claimed it");
        let spawned = thread::scope(|scope| {
            let worker = scope.spawn(|| {
                let spawner =
                    Spawner::new().filter(|_| is_apart && spawn::unshare_working_folder());
                assert_eq!(spawner.is_some(), is_apart, "this machine allows it");
                start.spawn(spawner.as_ref(), &File::open("/dev/null")?, opened.outputs)
            });
            worker.join().expect("it does not panic")
        });
        waitpid(Some(spawned?), WaitOptions::empty())?;
        fs::read_to_string(attempt.stdout())
    }

    /// Expects both ways to give the same output, and returns it.
    #[track_caller]
    fn check(start: &Start) -> Result<String, Option<Errno>> {
        let [apart, together] = [true, false]
            .map(|is_apart| printed(start, is_apart).map_err(|error| Errno::from_io_error(&error)));
        assert_eq!(apart, together);
        apart
    }

    #[test]
    fn a_process_gets_its_words_variables_signals_folder_and_group() {
        let job = tempfile::tempdir().unwrap();
        let script = r#"echo "$0|$*|$ADDED|${CHANGED}|${CARGO_MANIFEST_DIR-removed}|${HOME:+kept}"
            pwd; env | sort; grep -E 'Sig(Ign|Blk)' /proc/self/status
            read -r pid name state parent group rest < /proc/$$/stat; [ "$pid" = "$group" ] && echo leads; cat"#;
        let argv = ["name", "-c", script, "first", "a b", ""];
        let env = [
            ("ADDED", Some("x=y z")),
            ("CHANGED", Some("before")),
            ("CHANGED", Some("after")),
            ("CARGO_MANIFEST_DIR", None),
        ];
        let said = check(&start(job.path(), Path::new("/bin/sh"), &argv, &env)).unwrap();
        let first = said.lines().next();
        assert_eq!(first, Some("first|a b |x=y z|after|removed|kept"), "{said}");
        let folder = fs::canonicalize(job.path()).unwrap().join("node/1");
        let second = said.lines().nth(1).map(PathBuf::from);
        assert_eq!(second, Some(folder), "{said}");
        assert!(said.ends_with("leads\n"), "{said}");
    }

    #[test]
    fn a_script_that_names_no_shell_is_run_by_one() {
        let job = tempfile::tempdir().unwrap();
        let script = job.path().join("script");
        fs::write(&script, "echo \"of $1\"\n").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o700)).unwrap();
        let said = check(&start(job.path(), &script, &["script", "it"], &[]));
        assert_eq!(said.unwrap(), "of it\n");
    }

    #[test]
    fn what_cannot_be_executed_is_told_as_the_system_tells_it() {
        let job = tempfile::tempdir().unwrap();
        let missing = job.path().join("missing");
        let told = check(&start(job.path(), &missing, &["missing"], &[]));
        assert_eq!(told, Err(Some(Errno::NOENT)));
        let told = check(&start(job.path(), job.path(), &["folder"], &[]));
        assert_eq!(told, Err(Some(Errno::ACCESS)));
        let true_ = Path::new("/bin/true");
        let told = check(&start(job.path(), true_, &["true", "a\0b"], &[]));
        assert_eq!(told, Err(None), "no error of the system's");
        let long = "x".repeat(200_000);
        let told = check(&start(job.path(), true_, &["true", &long], &[]));
        assert_eq!(told, Err(Some(Errno::TOOBIG)));
    }
}
