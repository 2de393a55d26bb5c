//! `timeline`: draws when each node of a job ran; for a coordinator, a calendar of its actions.

use std::{
    io::{self, IsTerminal},
    path::{Path, PathBuf},
};

use clap::Args;
use hpdlc_engine::{owner::Session, progress::style};
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_store::{JobRow, coordinators as rows, query};

use crate::{
    commands::{
        find, find_job,
        graph::write_whole,
        info::{
            columns,
            scheduled::{Explainer, coordinator_of},
        },
        print, write_out,
    },
    masks::Masks,
    timeline::{self, CalendarEntry, TextCanvas, TimelineRecords},
};

#[derive(Debug, Args)]
pub struct Timeline {
    #[arg(help = find::JOB)]
    id: String,
    /// A file that ends in `.svg` or `.txt`; without it, text on a terminal, SVG elsewhere
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The output format of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PictureForm {
    Svg,
    Text(TextCanvas),
}

/// The format by the extension of a file name.
pub(super) fn form_of(path: &Path) -> Result<PictureForm, RunError> {
    let problem = match path.extension().and_then(|extension| extension.to_str()) {
        Some("txt") => return Ok(PictureForm::Text(TextCanvas::FILE)),
        // Also for a special file, such as `/dev/stdout`.
        Some("svg") | None => return Ok(PictureForm::Svg),
        Some(other) => format!("timelines in `.{other}` are not drawn"),
    };
    Err(RunError::usage(problem).with_help("name a file that ends in `.svg` or `.txt`"))
}

/// The canvas for text on standard output.
fn paper() -> TextCanvas {
    TextCanvas {
        width: columns::width().unwrap_or(TextCanvas::FILE.width),
        has_color: style::stdout(),
    }
}

impl Timeline {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let form = match &self.output {
            Some(path) => form_of(path)?,
            None if io::stdout().is_terminal() => PictureForm::Text(paper()),
            None => PictureForm::Svg,
        };
        let job = find_job(session, &self.id)?;
        let text = match JobKind::of(&job.id) {
            JobKind::Workflow => of_workflow(session, &job, form)?,
            JobKind::Coordinator => of_coordinator(session, &job, form)?,
            JobKind::Bundle => {
                return Err(RunError::usage(format!(
                    "job {} is a bundle: its coordinators have a calendar each",
                    job.id
                ))
                .with_help(format!("their ids: info {}", job.id)));
            }
        };
        match &self.output {
            None => match form {
                PictureForm::Text(_) => print(&text)?,
                PictureForm::Svg => write_out(&text)?,
            },
            Some(path) => write_whole(path, text.as_bytes())?,
        }
        Ok(Exit::Success)
    }
}

/// The timeline of a workflow job, or the calendar of a coordinator, as an element of a page that has [`timeline::STYLE`].
///
/// # Errors
///
/// Exit 2 for a bundle; exit 5 if the store cannot be read.
pub fn timeline_element(session: &Session, job: &JobRow) -> Result<String, RunError> {
    let svg = match JobKind::of(&job.id) {
        JobKind::Workflow => of_workflow(session, job, PictureForm::Svg)?,
        JobKind::Coordinator => of_coordinator(session, job, PictureForm::Svg)?,
        JobKind::Bundle => {
            return Err(RunError::usage(format!("job {} is a bundle", job.id)));
        }
    };
    // Texts are escaped: this is our own element.
    Ok(match (svg.find("<style>"), svg.find("</style>")) {
        (Some(from), Some(to)) => format!("{}{}", &svg[..from], &svg[to + "</style>".len()..]),
        (_, _) => svg,
    })
}

fn of_workflow(session: &Session, job: &JobRow, form: PictureForm) -> Result<String, RunError> {
    let connection = session.store()?;
    let failed = |error| session.describe(error);
    let tree = query::job_tree(&connection, &job.root_id).map_err(failed)?;
    let masks = Masks::of_tree(session, &tree)?;
    let jobs = below(job, tree);
    let mut actions = std::collections::BTreeMap::new();
    for job in &jobs {
        let rows = query::actions(&connection, &job.id).map_err(failed)?;
        actions.insert(job.id.clone(), rows);
    }
    // The log of the whole tree: the lines of each job are selected by its id.
    let log = query::log(&connection, &job.root_id, 0).map_err(failed)?;
    let source = TimelineRecords {
        jobs,
        actions,
        log: log.into_iter().map(|(_, line)| line).collect(),
        now: clock::now_millis(),
    };
    let timeline = timeline::of(&source, &masks)
        .ok_or_else(|| RunError::usage(format!("job {} no longer exists", job.id)))?;
    Ok(match form {
        PictureForm::Svg => timeline::svg(&timeline),
        PictureForm::Text(paper) => timeline::text(&timeline, paper),
    })
}

/// The calendar of the coordinator's actions.
fn of_coordinator(session: &Session, job: &JobRow, form: PictureForm) -> Result<String, RunError> {
    let connection = session.store()?;
    let describe = |error: hpdlc_store::sql::Error| session.describe(error);
    let row = coordinator_of(session, &connection, job)?;
    let explainer = Explainer::new(session, &connection, job, &row)?;
    let mut entries = Vec::new();
    rows::each_action(&connection, &job.id, |action| {
        entries.push(CalendarEntry {
            number: action.record.number,
            nominal: action.record.nominal,
            status: action.record.status,
        });
        Ok::<(), hpdlc_store::sql::Error>(())
    })
    .map_err(describe)?;
    let notes = match (explainer.current(&row), entries.first(), entries.last()) {
        (Some(coordinator), Some(first), Some(last)) => {
            timeline::notes(coordinator, first.nominal, last.nominal)
        }
        _ => Vec::new(),
    };
    let masks = Masks::of(session, job)?;
    let title = format!("{} {}, {}", job.app, job.id, row.record.status);
    let title = masks.text(&title);
    let zone = explainer.zone;
    Ok(match form {
        PictureForm::Svg => timeline::calendar(&title, zone, entries, &notes),
        PictureForm::Text(paper) => timeline::calendar_text(&title, zone, entries, &notes, paper),
    })
}

/// `job` first, then the jobs below it in order of creation.
fn below(job: &JobRow, tree: Vec<JobRow>) -> Vec<JobRow> {
    let mut jobs = vec![job.clone()];
    for row in tree {
        let is_below = row
            .parent_id
            .as_ref()
            .is_some_and(|parent| jobs.iter().any(|one| &one.id == parent));
        if is_below {
            jobs.push(row);
        }
    }
    jobs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_the_file_decides() {
        let of = |path: &str| form_of(Path::new(path)).map_err(|error| error.exit);
        for path in ["a.svg", "/dev/stdout", "b.x.svg"] {
            assert_eq!(of(path), Ok(PictureForm::Svg), "{path}");
        }
        assert_eq!(of("a.txt"), Ok(PictureForm::Text(TextCanvas::FILE)));
        assert_eq!(of("a.png"), Err(Exit::Usage));
    }
}
