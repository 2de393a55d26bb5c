//! An attempt that is ready: its folder, the files that its process prints to, a claim that nobody can see yet.

use std::{
    fs::{self, File},
    io::{self, Read},
    os::{
        fd::OwnedFd,
        unix::process::{CommandExt, ExitStatusExt},
    },
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
};

use rustix::{
    io::Errno,
    process::{Pid, PidfdFlags, pidfd_open},
};

use crate::{
    clock,
    launcher::{
        attempt::{Attempt, ClaimDraft, ExitRecord},
        limits::TimeLimit,
        protocol::StartRequest,
        spare::{Made, Spare},
    },
};

/// Everything that can be done before the claim appears.
pub(super) struct Prepared {
    pub(super) claim: ClaimDraft,
    pub(super) start: Start,
}

/// A process that is to be spawned.
pub(super) struct Start {
    pub(super) attempt: Attempt,
    /// Named to people where it cannot be executed.
    pub(super) program: String,
    pub(super) limit: Option<TimeLimit>,
    command: Command,
}

impl Prepared {
    /// `null` is `/dev/null`, which the process reads. A folder that was made ahead is taken where it fits.
    ///
    /// # Errors
    ///
    /// The disk does not take a folder or file.
    pub(super) fn new(
        request: StartRequest,
        null: &File,
        spare: &mut Option<Spare>,
    ) -> io::Result<Prepared> {
        let attempt = Attempt::new(&request.attempt);
        let taken = spare.take().map(|spare| spare.take(&request));
        let Made {
            claim,
            stdout,
            stderr,
        } = match taken {
            Some(Ok(made)) => made,
            other => {
                *spare = other.and_then(Result::err);
                if let Some(text) = &request.action_xml {
                    make_folder(attempt.folder())?;
                    fs::write(attempt.action_xml(), text)?;
                }
                Made::beside(&attempt)?
            }
        };
        Ok(Prepared {
            claim,
            start: Start {
                command: command(&request, &attempt, null.try_clone()?, stdout, stderr)?,
                attempt,
                program: request.program,
                limit: request.limit,
            },
        })
    }

    /// Removes what was made: it is not to be started.
    pub(super) fn discard(self) {
        let attempt = &self.start.attempt;
        // What stays behind goes with the job.
        let _ = fs::remove_dir_all(attempt.folder());
        let _ = fs::remove_file(attempt.stdout());
        let _ = fs::remove_file(attempt.stderr());
        if let Some(node) = attempt.folder().parent() {
            let _ = fs::remove_dir(node);
        }
    }
}

/// Makes an empty folder; one that stands there is of an owner that died before it could ask for the attempt.
fn make_folder(folder: &Path) -> io::Result<()> {
    // That of the node is there if it was attempted before, that of the job always.
    if let Some(node) = folder.parent() {
        match fs::create_dir(node) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => fs::create_dir_all(node)?,
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            Err(_) | Ok(()) => {}
        }
    }
    match fs::create_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            fs::remove_dir_all(folder)?;
            fs::create_dir(folder)
        }
        made => made,
    }
}

fn command(
    request: &StartRequest,
    attempt: &Attempt,
    stdin: File,
    stdout: File,
    stderr: File,
) -> io::Result<Command> {
    let mut command = Command::new(&request.program);
    let mut argv = request.argv.iter();
    if let Some(name) = argv.next() {
        command.arg0(name);
    }
    command.args(argv);
    place(&mut command, attempt, [stdin, stdout, stderr]);
    for (name, value) in &request.env {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    Ok(command)
}

/// Has a program run in the attempt's folder as the first of a group of its own, with these standard files.
fn place(command: &mut Command, attempt: &Attempt, [stdin, stdout, stderr]: [File; 3]) {
    command
        .current_dir(attempt.folder())
        .stdin(stdin)
        .stdout(stdout)
        .stderr(stderr)
        .process_group(0);
}

impl Start {
    /// Starts the process; the handle becomes readable when it ends.
    pub(super) fn spawn(mut self) -> io::Result<(Child, OwnedFd)> {
        let mut child = match self.command.spawn() {
            Err(error) if self.is_script(&error) => self.by_shell()?.spawn()?,
            spawned => spawned?,
        };
        let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        match pid
            .ok_or(Errno::SRCH)
            .and_then(|pid| pidfd_open(pid, PidfdFlags::empty()))
        {
            Ok(pidfd) => Ok((child, pidfd)),
            Err(error) => {
                // Nobody would hear of its end.
                let _ = child.kill();
                let _ = child.wait();
                Err(io::Error::other(error))
            }
        }
    }

    /// The kernel does not know how to run the program, and it is none for another machine: a script that does not say for which
    /// shell it is.
    fn is_script(&self, error: &io::Error) -> bool {
        if Errno::from_io_error(error) != Some(Errno::NOEXEC) {
            return false;
        }
        let mut start = [0; 4];
        let read = File::open(&self.program).and_then(|mut file| file.read(&mut start));
        read.is_ok() && start != *b"\x7fELF"
    }

    /// The same with `/bin/sh` before it, as Java starts such a script (`execve_as_traditional_shell_script`).
    fn by_shell(&self) -> io::Result<Command> {
        let output = |path: PathBuf| File::options().append(true).open(path);
        let mut command = Command::new("/bin/sh");
        command.arg(&self.program).args(self.command.get_args());
        let files = [
            File::open("/dev/null")?,
            output(self.attempt.stdout())?,
            output(self.attempt.stderr())?,
        ];
        place(&mut command, &self.attempt, files);
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        Ok(command)
    }
}

/// The machine has no room for another process, or this one for another file: not the program's fault.
pub(super) fn is_exhausted(error: &io::Error) -> bool {
    matches!(
        Errno::from_io_error(error),
        Some(Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE)
    )
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
