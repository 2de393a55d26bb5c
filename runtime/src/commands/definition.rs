//! `definition`: the document from which the executable, or a job, was made.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
    mask, shown,
};
use hpdlc_program::table::{App, Coordinator, Entry, Program};

use crate::commands::{find_job, other_executable, write_out};

#[derive(Debug, Args)]
pub struct Definition {
    /// A job: the document that it follows, which may be another one by now
    id: Option<String>,
    /// With the secrets that are in it; masked unless given
    #[arg(long)]
    raw: bool,
}

impl Definition {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let document = match &self.id {
            None => own(program),
            Some(id) => {
                let session = Session::open(program)?;
                let job = find_job(&session, id)?;
                if job.hash != session.program.hash {
                    let words: &[&str] = if self.raw {
                        &["definition", "--raw"]
                    } else {
                        &["definition"]
                    };
                    return Err(other_executable::ask(&session, &job, words));
                }
                match JobKind::of(&job.id) {
                    JobKind::Workflow => {
                        let app = app_of(program, &job.id, job.app_index)?;
                        Document::of_workflow(app)
                    }
                    // A coordinator of a bundle.
                    JobKind::Coordinator => {
                        let index = usize::try_from(job.app_index).unwrap_or(usize::MAX);
                        match program.coordinators.get(index) {
                            Some(coordinator) => Document::of_coordinator(coordinator),
                            None => own(program),
                        }
                    }
                    JobKind::Bundle => own(program),
                }
            }
        };
        let document = document.text(program)?;
        let text = if self.raw {
            document
        } else {
            mask::masked_document(&document)
        };
        write_out(&shown::document(&text))?;
        Ok(Exit::Success)
    }
}

/// The application that a job of this very program runs.
pub(super) fn app_of(
    program: &'static Program,
    job: &str,
    index: i64,
) -> Result<&'static App, RunError> {
    usize::try_from(index)
        .ok()
        .and_then(|index| program.apps.get(index).copied())
        .ok_or_else(|| {
            RunError::usage(format!(
                "job {job} belongs to no application of this executable"
            ))
        })
}

/// A document of the program.
#[derive(Clone, Copy, Debug)]
struct Document {
    source: &'static str,
    folder: &'static str,
    /// The name of its file if it was written in Rust.
    in_rust: &'static str,
}

/// The document of the program itself.
fn own(program: &Program) -> Document {
    let own = match program.entry {
        Entry::Workflow => program.apps.first().map(|app| Document::of_workflow(app)),
        Entry::Coordinator => {
            let own = program.coordinators.first();
            own.map(|coordinator| Document::of_coordinator(coordinator))
        }
        Entry::Bundle(bundle) => Some(Document {
            source: bundle.source,
            folder: "",
            in_rust: "bundle.xml",
        }),
    };
    own.unwrap_or(Document {
        source: "",
        folder: "",
        in_rust: "",
    })
}

impl Document {
    fn of_workflow(app: &App) -> Document {
        Document {
            source: app.source,
            folder: app.folder,
            in_rust: "workflow.xml",
        }
    }

    fn of_coordinator(coordinator: &Coordinator) -> Document {
        Document {
            source: coordinator.source,
            folder: coordinator.folder,
            in_rust: "coordinator.xml",
        }
    }

    /// The text that is embedded.
    fn text(self, program: &Program) -> Result<String, RunError> {
        // For a file in an archive, the name follows a colon.
        let name = self
            .source
            .rsplit(['/', '\\', ':'])
            .next()
            .unwrap_or_default();
        let name = if name.ends_with(".rs") {
            self.in_rust
        } else {
            name
        };
        let path = match self.folder {
            "" => name.to_owned(),
            folder => format!("{folder}/{name}"),
        };
        let file = program.files.iter().find(|file| file.path == path);
        let bytes = file.map(|file| file.bytes).ok_or_else(|| {
            RunError::usage(format!(
                "`{}` is not embedded in this executable",
                self.source
            ))
            .with_help("`.hpdlignore` excludes it: remove it from that file and build again")
        })?;
        let mut text = String::from_utf8_lossy(bytes).into_owned();
        if !text.ends_with('\n') {
            text.push('\n');
        }
        Ok(text)
    }
}
