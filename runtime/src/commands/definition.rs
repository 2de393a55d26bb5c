//! `definition`: the document that the executable, or a job, was made from.

use clap::Args;

use crate::{
    commands::{elsewhere, find_job, print},
    exit::{Exit, RunError},
    owner::Session,
    table::{App, Program},
};

#[derive(Debug, Args)]
pub(super) struct Definition {
    /// A job: the document that it follows, which may be another one by now
    id: Option<String>,
}

impl Definition {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let app = match &self.id {
            None => program.apps[0],
            Some(id) => {
                let session = Session::open(program)?;
                let job = find_job(&session, id)?;
                if job.hash != program.hash {
                    return Err(elsewhere::ask(&session, &job, &["definition"]));
                }
                app_of(program, &job.id, job.app_index)?
            }
        };
        print(&document(program, app)?)?;
        Ok(Exit::Success)
    }
}

/// The application that a job of this very program follows.
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

/// The text of an application's document, as it is embedded.
fn document(program: &Program, app: &App) -> Result<String, RunError> {
    // Of a file in an archive, the name stands behind a colon.
    let name = app
        .source
        .rsplit(['/', '\\', ':'])
        .next()
        .unwrap_or_default();
    let path = match app.folder {
        "" => name.to_owned(),
        folder => format!("{folder}/{name}"),
    };
    let file = program.files.iter().find(|file| file.path == path);
    let bytes = file.map(|file| file.bytes).ok_or_else(|| {
        RunError::usage(format!(
            "`{}` is not embedded in this executable",
            app.source
        ))
        .with_help("`.hpdlignore` names it: take it out there and build again")
    })?;
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
