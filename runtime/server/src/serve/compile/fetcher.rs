//! Fetches files of other file systems. This program reaches local files alone, so that it stays small; an executable with the large runtime
//! does it, which the compiler makes once.

use std::{fs, path::Path, process::Command, time::Instant};

use axum::http::StatusCode;
use hpdlc_engine::owner::Session;
use hpdlc_files::tree::{Allowance, Copied, TreeError};

use crate::serve::{
    compile::{
        Properties,
        limits::Limits,
        tool::Tool,
        work::{self, Work},
    },
    failure::Failure,
    process::{self, Stopped},
    program,
    properties_file::PropertiesFile,
};

const DOCUMENT: &str = "<workflow-app name=\"fetch\" xmlns=\"uri:oozie:workflow:1.0\">\n    <start to=\"end\"/>\n    <end name=\"end\"/>\n</workflow-app>\n";

/// The executable that fetches, made when it is needed first.
#[derive(Clone, Copy)]
pub(crate) struct Fetcher<'a> {
    pub(crate) session: &'a Session,
    pub(crate) tool: &'a Tool,
    pub(crate) limits: &'a Limits,
    pub(crate) deadline: Instant,
}

impl Fetcher<'_> {
    /// Copies an application with a document of the name `usual`, or one file, into `into`, which stands for the root of its file system.
    pub(crate) fn fetch(
        &self,
        uri: &str,
        usual: Option<&str>,
        into: &Path,
        properties: &Properties,
        allowed: Allowance,
    ) -> Result<Result<Copied, TreeError>, Failure> {
        let executable = self.executable()?;
        let file = PropertiesFile::new(properties)?;
        let mut command = Command::new(&executable);
        command
            .arg("fetch")
            .arg("-c")
            .arg(file.path())
            .args(["--bytes", &allowed.bytes.to_string()])
            .args(["--entries", &allowed.entries.to_string()])
            .env("HPDL_HOME", self.session.home.root());
        if let Some(usual) = usual {
            command.args(["--document", usual]);
        }
        command.arg("--").arg(uri).arg(into);
        let failed = |message: String| {
            Failure::runtime(&message).with_status(StatusCode::INTERNAL_SERVER_ERROR)
        };
        let ended = process::run(
            &mut command,
            self.limits.memory,
            self.limits.file,
            self.deadline,
        );
        match ended {
            Ok(ended) => serde_json::from_slice(&ended.stdout).map_err(|_| {
                let text = String::from_utf8_lossy(&ended.stderr);
                failed(format!("{uri} cannot be fetched: {}", text.trim()))
            }),
            Err(Stopped::Late) => Err(failed(format!(
                "{uri} was not fetched within {} s (hpdl.server.compiler.timeout)",
                self.limits.time.as_secs()
            ))),
            Err(Stopped::NotStarted(error)) => Err(failed(format!(
                "{uri} cannot be fetched: {}: {error}",
                executable.display()
            ))),
        }
    }

    fn executable(&self) -> Result<std::path::PathBuf, Failure> {
        let name = work::name_of(&self.tool.identity()?);
        let folder = work::root(&self.session.home).join("fetcher");
        let path = folder.join(&name);
        let failed =
            |error: std::io::Error| Failure::server(format!("{}: {error}", folder.display()));
        if path.is_file() {
            return Ok(path);
        }
        let work = Work::begin(&self.session.home, "fetcher", self.deadline).map_err(failed)?;
        let Some(work) = work else {
            return Err(Failure::runtime(
                "what fetches files of other file systems is being made; try again later",
            )
            .with_status(StatusCode::SERVICE_UNAVAILABLE));
        };
        if path.is_file() {
            return Ok(path);
        }
        let document = work.folder().join("workflow.xml");
        fs::write(&document, DOCUMENT).map_err(failed)?;
        let built = work.folder().join("fetcher");
        let arguments = program::words([
            "build".as_ref(),
            document.as_os_str(),
            "--full".as_ref(),
            "-o".as_ref(),
            built.as_os_str(),
        ]);
        let ended = self
            .tool
            .run(work.folder(), &arguments, self.limits, self.deadline)?;
        if ended.code() != Some(0) {
            let text = String::from_utf8_lossy(&ended.stderr).into_owned();
            return Err(Failure::server(text));
        }
        // Those of other compilers are not needed any more.
        let _ = fs::remove_dir_all(&folder);
        work::make_private(&folder).map_err(failed)?;
        fs::rename(&built, &path).map_err(failed)?;
        Ok(path)
    }
}
