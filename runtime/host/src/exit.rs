//! Exit codes, and the common error type of all user-facing commands.

use std::{fmt, process::ExitCode};

use hpdlc_core::{coordinator::CoordinatorStatus, status::JobStatus};

/// The exit code of a command (DESIGN section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// The job SUCCEEDED, or the command did what was requested.
    Success = 0,
    /// The job was KILLED.
    Killed = 1,
    /// Invalid usage, unknown id, refused.
    Usage = 2,
    /// The job FAILED.
    Failed = 3,
    /// The job is suspended, or has not been started: it waits for the user.
    Suspended = 4,
    /// A failure of the machine: disk, store, lock. Jobs are recoverable.
    Machine = 5,
    /// The coordinator or bundle is DONEWITHERROR.
    DoneWithError = 6,
}

impl Exit {
    /// The exit code of `run` and other waiting commands for a job in this state.
    pub fn of_job(status: JobStatus) -> Exit {
        match status {
            JobStatus::Succeeded => Exit::Success,
            JobStatus::Killed => Exit::Killed,
            JobStatus::Failed => Exit::Failed,
            JobStatus::Suspended | JobStatus::Prep => Exit::Suspended,
            JobStatus::Running => Exit::Machine,
        }
    }
}

impl Exit {
    /// As [`Exit::of_job`], for a coordinator or a bundle.
    pub fn of_coordinator(status: CoordinatorStatus) -> Exit {
        use CoordinatorStatus as C;
        match status {
            C::Succeeded => Exit::Success,
            C::Killed | C::Ignored => Exit::Killed,
            C::Failed => Exit::Failed,
            C::DoneWithError => Exit::DoneWithError,
            C::PrepPaused
            | C::Paused
            | C::PausedWithError
            | C::PrepSuspended
            | C::Suspended
            | C::SuspendedWithError => Exit::Suspended,
            C::Prep | C::Running | C::RunningWithError => Exit::Machine,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// Why a command failed.
#[derive(Debug)]
pub struct RunError {
    pub exit: Exit,
    /// What failed, and where.
    pub message: String,
    /// What the user can do next.
    pub help: Option<String>,
}

impl RunError {
    /// An invalid request of the caller.
    pub fn usage(message: impl Into<String>) -> RunError {
        RunError {
            exit: Exit::Usage,
            message: message.into(),
            help: None,
        }
    }

    /// A failure of the machine.
    pub fn machine(message: impl Into<String>) -> RunError {
        RunError {
            exit: Exit::Machine,
            message: message.into(),
            help: None,
        }
    }

    /// Prefixed with the part that it is about.
    pub fn about(self, part: &str) -> RunError {
        RunError {
            message: format!("{part}: {}", self.message),
            ..self
        }
    }

    /// With the command that continues the job `id`.
    pub fn and_recover(self, id: &str) -> RunError {
        let next = format!("nothing recorded is lost; continue with: recover {id}");
        let help = match &self.help {
            Some(help) => format!("{help}; {next}"),
            None => next,
        };
        RunError {
            help: Some(help),
            ..self
        }
    }

    /// What failed, in one line without the next step: for a message about another job, where that step is another one.
    pub fn line(&self) -> String {
        self.message.replace('\n', "; ")
    }

    pub fn with_help(mut self, help: impl Into<String>) -> RunError {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, "\nhelp: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for RunError {}
