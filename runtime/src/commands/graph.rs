//! `graph`: draws the workflow, or a job with the state of each node.

use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use hpdlc_engine::{owner::Session, progress::style};
use hpdlc_graph::{Options, OutlineOptions, Picture};
use hpdlc_host::{
    exit::{Exit, RunError},
    job_id::JobKind,
};
use hpdlc_program::table::{App, Entry, Program};
use hpdlc_store::{JobRow, query};
use serde_json::json;

use crate::{
    commands::{
        definition::app_of, find_job, info::columns, other_executable, print, print_json, write_out,
    },
    masks::Masks,
    picture::{self, structure::GraphStructure},
};

#[derive(Debug, Args)]
pub struct Graph {
    /// A job: where each of its nodes is
    id: Option<String>,
    /// A file that ends in `.svg`, `.dot`, `.mmd` or `.txt`; without it, text on a terminal, DOT elsewhere
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Error transitions as lines, all of them
    #[arg(long)]
    error_edges: bool,
    /// As JSON: nodes and arrows, without the states of a job
    #[arg(long, conflicts_with_all = ["output", "error_edges"])]
    json: bool,
}

/// The output formats of pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PictureLanguage {
    Dot,
    Mermaid,
    Svg,
    /// For a terminal.
    Text,
}

impl Graph {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        let language = match &self.output {
            Some(path) => language(path)?,
            None if io::stdout().is_terminal() => PictureLanguage::Text,
            None => PictureLanguage::Dot,
        };
        // `hpdl` has none.
        let mut app = program.apps.first().copied();
        app = app.filter(|_| matches!(program.entry, Entry::Workflow));
        let picture = match &self.id {
            None => picture::of_program(program),
            Some(id) => {
                let session = Session::open(program)?;
                let job = find_job(&session, id)?;
                if job.hash != session.program.hash {
                    return self.by_its_own(&session, &job);
                }
                if JobKind::of(&job.id) != JobKind::Workflow {
                    let picture = picture::of_program(program);
                    return self.give(&picture, None, language);
                }
                let of_job = app_of(program, &job.id, job.app_index)?;
                app = Some(of_job);
                let connection = session.store()?;
                let actions = query::actions(&connection, &job.id)
                    .map_err(|error| session.describe(error))?;
                let masks = Masks::of(&session, &job)?;
                picture::of_app(of_job, Some((&job, &actions)), &masks)
            }
        };
        self.give(&picture, app, language)
    }

    /// `app` is the workflow that it shows, if it shows one.
    fn give(
        &self,
        picture: &Picture,
        app: Option<&App>,
        language: PictureLanguage,
    ) -> Result<Exit, RunError> {
        if self.json {
            print_json(&json!(GraphStructure::of(picture, app)))?;
            return Ok(Exit::Success);
        }
        let text = self.drawn(picture, language);
        match &self.output {
            None if language == PictureLanguage::Text => print(&text)?,
            None => write_out(&text)?,
            Some(path) => write_whole(path, text.as_bytes())?,
        }
        Ok(Exit::Success)
    }

    fn drawn(&self, picture: &Picture, language: PictureLanguage) -> String {
        match language {
            PictureLanguage::Dot => hpdlc_graph::dot(picture),
            PictureLanguage::Mermaid => hpdlc_graph::mermaid(picture),
            PictureLanguage::Text => hpdlc_graph::outline(picture, self.outline()),
            PictureLanguage::Svg => hpdlc_graph::svg(
                picture,
                Options {
                    error_edges: self.error_edges,
                    ..Options::default()
                },
            ),
        }
    }

    fn outline(&self) -> OutlineOptions {
        match self.output {
            Some(_) => OutlineOptions::default(),
            None => OutlineOptions {
                width: columns::width(),
                has_color: style::stdout(),
            },
        }
    }

    /// Another executable's job: only that executable has its graph.
    fn by_its_own(&self, session: &Session, job: &JobRow) -> Result<Exit, RunError> {
        let output = match &self.output {
            Some(path) => Some(path_text(path)?),
            None => None,
        };
        let mut words = vec!["graph"];
        words.extend(self.error_edges.then_some("--error-edges"));
        words.extend(self.json.then_some("--json"));
        if let Some(output) = output {
            words.extend(["-o", output]);
        }
        Err(other_executable::ask(session, job, &words))
    }
}

pub(super) fn path_text(path: &Path) -> Result<&str, RunError> {
    path.to_str()
        .ok_or_else(|| RunError::usage(format!("{} is not valid UTF-8", path.display())))
}

/// The format by the extension of a file name.
fn language(path: &Path) -> Result<PictureLanguage, RunError> {
    let problem = match path.extension().and_then(|extension| extension.to_str()) {
        Some("dot" | "gv") => return Ok(PictureLanguage::Dot),
        Some("mmd" | "mermaid") => return Ok(PictureLanguage::Mermaid),
        Some("svg") => return Ok(PictureLanguage::Svg),
        Some("txt") => return Ok(PictureLanguage::Text),
        Some(other) => format!("pictures in `.{other}` are not drawn"),
        None => format!("`{}` has no ending that names a format", path.display()),
    };
    Err(RunError::usage(problem)
        .with_help("name a file that ends in `.svg`, `.dot`, `.mmd` or `.txt`"))
}

/// Writes a file atomically: completely, or not at all.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), RunError> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        Some(_) | None => Path::new("."),
    };
    // A special file, such as `/dev/stdout`, cannot be replaced by a rename.
    if path.exists() && !path.is_file() {
        return fs::write(path, bytes)
            .map_err(|error| RunError::usage(format!("cannot write {}: {error}", path.display())));
    }
    let write = || -> std::io::Result<()> {
        let mut unfinished = tempfile::Builder::new()
            .permissions(std::os::unix::fs::PermissionsExt::from_mode(0o644))
            .tempfile_in(folder)?;
        unfinished.write_all(bytes)?;
        unfinished.persist(path)?;
        Ok(())
    };
    write().map_err(|error| RunError::usage(format!("cannot write {}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_of_the_file_decides() {
        let of = |path: &str| language(Path::new(path)).map_err(|error| error.exit);
        assert_eq!(of("a/b.dot"), Ok(PictureLanguage::Dot));
        assert_eq!(of("b.mmd"), Ok(PictureLanguage::Mermaid));
        assert_eq!(of("b.x.svg"), Ok(PictureLanguage::Svg));
        for refused in ["b.png", "b", ".svg"] {
            assert_eq!(of(refused), Err(Exit::Usage), "{refused}");
        }
    }

    #[test]
    fn a_file_is_replaced_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.svg");
        write_whole(&path, b"one").unwrap();
        write_whole(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = folder.path().join("none/a.svg");
        assert_eq!(write_whole(&nowhere, b"").unwrap_err().exit, Exit::Usage);
    }
}
