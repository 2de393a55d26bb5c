//! Applications that are nowhere but in a request: a document that the server has written, and the ZIP of an application.

use std::{fs, io::Cursor, time::Instant};

use axum::http::StatusCode;
use hpdlc_engine::{owner::Session, registry};
use hpdlc_host::{exit::Exit, job_id::JobKind, shown::say};
use hpdlc_store::{
    definitions::{self, Registration},
    query::DefinitionRow,
};
use sha2::{Digest, Sha256};
use zip::ZipArchive;

use crate::serve::{
    compile::{
        Compilation, Compiler, Properties, application::Application, build_options, io_failure,
        mistakes, records::Record, reports, tool::Tool, work,
    },
    failure::Failure,
};

/// What the URIs of documents begin with that the server has written.
const WRITTEN: &str = "hpdl:written/";
/// How many of them stay registered: without jobs, the executables of older ones are removed.
const MOST_WRITTEN: usize = 100;
/// The settings of a project of the compiler.
const SETTINGS: &str = "hpdl.toml";

impl Compiler {
    /// The executable of a workflow that the server has written, compiled now unless an equal one was before.
    ///
    /// # Errors
    ///
    /// As [`Compiler::executable`].
    pub(crate) fn of_document(
        &self,
        session: &Session,
        name: &str,
        text: &str,
        properties: &Properties,
    ) -> Result<DefinitionRow, Failure> {
        let digest = hex::encode(Sha256::digest(text.as_bytes()));
        let application = Application {
            path: name.to_owned(),
            kind: JobKind::Workflow,
            uri: format!("{WRITTEN}{name}/{digest}"),
        };
        let turn = self.turn(
            session,
            expect_tool(session)?,
            &work::name_of(&application.uri),
        )?;
        let compilation = Compilation {
            session,
            application: &application,
            turn: &turn,
            properties,
        };
        let definition = compilation.executable(Some(text))?;
        forget_old(session)?;
        Ok(definition)
    }

    /// Compiles the ZIP of an application, by the compiler's own rules for what it may have in it, and deploys the executable.
    ///
    /// # Errors
    ///
    /// 400 with the report of the compiler, 409 if an application of its name is deployed already.
    pub(crate) fn deploy(&self, session: &Session, archive: &[u8]) -> Result<String, Failure> {
        let digest = hex::encode(Sha256::digest(archive));
        let name = work::name_of(&format!("hpdl:deployed/{digest}"));
        let turn = self.turn(session, expect_tool(session)?, &name)?;
        check_archive(archive, turn.limits.fetched.entries)?;
        let failed = |error: std::io::Error| io_failure(session, &error);
        let begun = Instant::now();
        let folder = turn.work.folder();
        let file = folder.join("application.zip");
        fs::write(&file, archive).map_err(failed)?;
        fs::write(folder.join(SETTINGS), "").map_err(failed)?;
        let built = folder.join("program");
        let arguments = |word: &str, more: [&std::ffi::OsStr; 2]| {
            let words = [word.as_ref(), file.as_os_str()];
            let words = words.into_iter().chain(more);
            words.map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        let mut build = arguments("build", ["-o".as_ref(), built.as_os_str()]);
        build.extend(build_options(session));
        let ended = turn.compile(&build)?;
        let report = String::from_utf8_lossy(&ended.stderr).into_owned();
        if ended.code() != Some(0) {
            let report = report.replace(&format!("{}/", folder.display()), "");
            let lines =
                turn.compile(&arguments("check", ["--format".as_ref(), "json".as_ref()]))?;
            return Err(mistakes::of_application(&lines.stdout, &report));
        }
        let broken = |text: &str| {
            Failure::runtime(&format!("the executable cannot be deployed: {text}"))
                .with_status(StatusCode::INTERNAL_SERVER_ERROR)
        };
        let ended = turn.run_built(session, &built, &["register", "--deploy"]);
        let ended = ended.map_err(|stopped| broken(&format!("{stopped:?}")))?;
        let said = String::from_utf8_lossy(&ended.stderr).trim().to_owned();
        match ended.code() {
            Some(0) => {}
            Some(code) if code == Exit::Usage as i32 => {
                let said = said.lines().next().unwrap_or_default();
                let said = said.strip_prefix("error: ").unwrap_or(said);
                return Err(refused(StatusCode::CONFLICT, said.to_owned()));
            }
            _ => return Err(broken(&said)),
        }
        // Notes may come before it.
        let mut lines = said.lines();
        let app = lines.find_map(|line| {
            let rest = line.strip_prefix("application ")?;
            rest.rsplit_once(" INACTIVE:").map(|(name, _)| name)
        });
        let app = app.ok_or_else(|| broken(&said))?.to_owned();
        let time = begun.elapsed().as_secs_f64();
        say(&format!("compiled and deployed {app} in {time:.2} s"));
        let connection = session.store()?;
        let deployed = definitions::registered_by_name(&connection, &app);
        if let Some(deployed) = deployed.map_err(|error| Failure::from(session.describe(error)))? {
            let report = report.replace(&format!("{}/", folder.display()), "");
            let report =
                reports::masked(&connection, &deployed.hash, &Properties::new(), "", &report)
                    .map_err(|error| Failure::from(session.describe(error)))?;
            reports::keep(&session.home, "", &deployed.hash, &report).map_err(failed)?;
        }
        Ok(app)
    }
}

/// Refuses what the compiler would take from its user, and not from others: `hpdl.toml` may have it run code. What else an archive may
/// not have is the compiler's to say.
fn check_archive(archive: &[u8], most: u64) -> Result<(), Failure> {
    let wrong = |what: String| refused(StatusCode::BAD_REQUEST, what);
    // Reading the directory of millions of entries would take too much already.
    if n_entries(archive) > most {
        return Err(wrong(format!(
            "the archive has more than {most} entries (hpdl.server.compiler.entries)"
        )));
    }
    let archive = ZipArchive::new(Cursor::new(archive))
        .map_err(|error| wrong(format!("the body is no ZIP that can be read: {error}")))?;
    let is_settings = |name: &str| {
        let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
        name.eq_ignore_ascii_case(SETTINGS)
    };
    for name in archive.file_names() {
        let name = name.map_err(|error| wrong(format!("the names of the archive: {error}")))?;
        if is_settings(&name) {
            return Err(wrong(format!(
                "the archive has `{name}`, and an application with {SETTINGS} is built by hand: hpdlc build, then hpdl apps deploy"
            )));
        }
    }
    Ok(())
}

/// A refusal that Oozie has no code for: it takes no archives.
fn refused(status: StatusCode, message: String) -> Failure {
    Failure {
        status,
        code: None,
        message,
    }
}

/// How many entries an archive says that it has, in the record at its end, before a comment of at most 64 KiB.
fn n_entries(archive: &[u8]) -> u64 {
    const RECORD: usize = 22;
    let tail = archive.len().saturating_sub(usize::from(u16::MAX) + RECORD);
    let windows = archive.get(tail..).unwrap_or_default().windows(RECORD);
    let records = windows.filter(|window| window.starts_with(b"PK\x05\x06"));
    let counts = records.map(|record| u64::from(u16::from_le_bytes([record[10], record[11]])));
    counts.max().unwrap_or(0)
}

fn expect_tool(session: &Session) -> Result<Tool, Failure> {
    Tool::find(&session.site).ok_or_else(|| {
        Failure::runtime(
            "the server has no compiler: put hpdlc beside hpdl, or name it by hpdl.server.compiler",
        )
    })
}

/// Takes the oldest written documents out of the registry: there may be a new one for every request.
fn forget_old(session: &Session) -> Result<(), Failure> {
    let failed = |error| Failure::from(session.describe(error));
    let connection = session.store()?;
    let mut written = definitions::registrations_below(&connection, WRITTEN).map_err(failed)?;
    written.sort_by_key(|it| std::cmp::Reverse(it.created));
    let old: Vec<Registration> = written.into_iter().skip(MOST_WRITTEN).collect();
    if old.is_empty() {
        return Ok(());
    }
    {
        let lock = session.write_lock();
        let _lock = lock.wait();
        for registration in &old {
            definitions::unregister(&connection, registration).map_err(failed)?;
        }
    }
    for registration in old {
        Record::remove(&session.home, &registration.uri);
        registry::sweep(session, &registration.hash)?;
    }
    Ok(())
}
