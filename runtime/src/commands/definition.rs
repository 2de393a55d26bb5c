//! `definition`: the document from which the executable, or a job, was made.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
    mask, shown,
};
use hpdlc_program::table::{App, Entry, Program};

use crate::commands::{find_job, other_executable, write_out};

#[derive(Debug, Args)]
pub(super) struct Definition {
    /// A job: the document that it follows, which may be another one by now
    id: Option<String>,
    /// With the secrets that are in it; masked unless given
    #[arg(long)]
    raw: bool,
}

impl Definition {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let (source, folder) = match &self.id {
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
                        (app.source, app.folder)
                    }
                    // A coordinator of a bundle.
                    JobKind::Coordinator => {
                        let index = usize::try_from(job.app_index).unwrap_or(usize::MAX);
                        match program.coordinators.get(index) {
                            Some(coordinator) => (coordinator.source, coordinator.folder),
                            None => own(program),
                        }
                    }
                    JobKind::Bundle => own(program),
                }
            }
        };
        let document = document(program, source, folder)?;
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

/// The document of the program itself, and its folder.
fn own(program: &Program) -> (&'static str, &'static str) {
    match program.entry {
        Entry::Workflow => program.apps.first().map(|app| (app.source, app.folder)),
        Entry::Coordinator => {
            let own = program.coordinators.first();
            own.map(|coordinator| (coordinator.source, coordinator.folder))
        }
        Entry::Bundle(bundle) => Some((bundle.source, "")),
    }
    .unwrap_or_default()
}

/// The embedded text of an application's document.
fn document(program: &Program, source: &str, folder: &str) -> Result<String, RunError> {
    // For a file in an archive, the name follows a colon.
    let name = source.rsplit(['/', '\\', ':']).next().unwrap_or_default();
    // A workflow in Rust was compiled as this document.
    let name = if name.ends_with(".rs") {
        "workflow.xml"
    } else {
        name
    };
    let path = match folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    let file = program.files.iter().find(|file| file.path == path);
    let bytes = file.map(|file| file.bytes).ok_or_else(|| {
        RunError::usage(format!("`{}` is not embedded in this executable", source))
            .with_help("`.hpdlignore` excludes it: remove it from that file and build again")
    })?;
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
