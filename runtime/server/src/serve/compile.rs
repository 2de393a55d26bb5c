//! Compile on submission: an application that nobody has registered is fetched and compiled, and its executable is registered.
//!
//! [`application`] (which one) -> [`copies`] (its files, and those of the documents that it names, in the private folder of [`work`]) -> the
//! compiler ([`tool`], a [`process`](super::process) with [`limits`]) -> the registry, with a [`records`] of what it was compiled from. Nothing is compiled
//! where the same files were compiled before. Jobs that exist keep their executables.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Instant,
};

use axum::http::StatusCode;
use hpdlc_core::app_uri::{self, APP_PATH};
use hpdlc_engine::{owner::Session, registry};
use hpdlc_files::{Uri, tree};
use hpdlc_host::{job_id::JobKind, shown::say};
use hpdlc_store::{
    definitions::{self, Registration},
    query::{self, DefinitionRow},
};
use serde::Deserialize;

use self::{
    application::Application,
    copies::{Copies, What},
    fetcher::Fetcher,
    limits::Limits,
    records::Record,
    slots::{Place, Slot, Slots},
    tool::Tool,
    work::Work,
};
use crate::{
    api::configuration,
    serve::{failure::Failure, process, program},
};

pub(crate) mod application;
mod copies;
mod fetcher;
mod limits;
mod mistakes;
mod records;
pub(crate) mod reports;
mod sent;
mod slots;
mod tool;
mod validation;
mod warm_up;
mod work;

pub(crate) use validation::validate;

/// Rounds of looking for further documents: one may name another, and that a third.
const MOST_ROUNDS: usize = 16;
/// Documents that an application may name.
const MOST_NAMED: usize = 1000;
/// The settings of all compilations. Oozie takes an application whose files are not there yet, and so does the server: the action fails.
/// Those of a project that happens to be above the state folder are not the application's.
const SETTINGS: &str = "[lints]\nmissing_files = \"warn\"\nfs_paths_without_scheme = \"warn\"\n";

/// The properties of a submitted job.
type Properties = BTreeMap<String, String>;

/// What compiles for a server.
#[derive(Debug, Default)]
pub(crate) struct Compiler {
    slots: Slots,
}

/// A document that another one names, as `hpdlc references` prints it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Reference {
    kind: String,
    uri: String,
    found: bool,
}

impl Compiler {
    /// Removes what a server has left that was killed while it compiled.
    pub(crate) fn new(session: &Session) -> Compiler {
        work::sweep(&session.home);
        Compiler::default()
    }

    /// The executable of the application at `path`: the one that the user has registered for it, else one that is compiled now unless it
    /// was before.
    ///
    /// # Errors
    ///
    /// What Oozie answers to a mistake of the document, with the report of the compiler; E0307 with what to register if there is no
    /// compiler, 503 if too many compile.
    pub(crate) fn executable(
        &self,
        session: &Session,
        path: &str,
        kind: JobKind,
        properties: &Properties,
    ) -> Result<DefinitionRow, Failure> {
        let qualified = application::qualified(path, properties, &session.site);
        for path in [path, qualified.as_str()] {
            if let Some(definition) = registered_by_user(session, path)? {
                return Ok(definition);
            }
        }
        let path = qualified.as_str();
        let application = Application::of(path, kind);
        let Some(tool) = Tool::find(&session.site) else {
            return Err(not_registered(&application));
        };
        let turn = self.turn(session, tool, &work::name_of(&application.uri))?;
        let compilation = Compilation {
            session,
            application: &application,
            turn: &turn,
            properties,
        };
        compilation.executable(None)
    }

    /// Waits until it may compile, in a folder that is always the same for `name`.
    ///
    /// # Errors
    ///
    /// 503 if too many compile.
    fn turn(&self, session: &Session, tool: Tool, name: &str) -> Result<Turn<'_>, Failure> {
        let limits = Limits::of(&session.site);
        let deadline = Instant::now() + limits.time;
        let busy = || {
            Failure::runtime("the server compiles other applications already; try again later")
                .with_status(StatusCode::SERVICE_UNAVAILABLE)
        };
        let place = self.slots.place().ok_or_else(busy)?;
        let work = Work::begin(&session.home, name, deadline)
            .map_err(|error| io_failure(session, &error))?
            .ok_or_else(busy)?;
        let slot = self
            .slots
            .take(limits.parallel, deadline)
            .ok_or_else(busy)?;
        Ok(Turn {
            tool,
            limits,
            deadline,
            work,
            _slot: slot,
            _place: place,
        })
    }

    /// The executable that a coordinator continues with: that of its application as it is now, if it was compiled here, else the newest
    /// of its name.
    pub(crate) fn newest(
        &self,
        session: &Session,
        job: &hpdlc_store::JobRow,
        given: &Properties,
    ) -> Result<DefinitionRow, Failure> {
        let mut properties: Properties = serde_json::from_str(&job.conf).unwrap_or_default();
        properties.extend(given.clone());
        let path = properties.get("oozie.coord.application.path");
        let Some(path) = path.filter(|path| !path.is_empty()).cloned() else {
            return program::newest(session, job);
        };
        let qualified = application::qualified(&path, &properties, &session.site);
        let uri = Application::of(&qualified, JobKind::Coordinator).uri;
        match Record::read(&session.home, &uri) {
            Some(_) => self.executable(session, &path, JobKind::Coordinator, &properties),
            None => program::newest(session, job),
        }
    }
}

/// The executable that the user has registered for the path of an application, or whose name it is.
fn registered_by_user(session: &Session, path: &str) -> Result<Option<DefinitionRow>, Failure> {
    let connection = session.store()?;
    let failed = |error| Failure::from(session.describe(error));
    let registration = definitions::registration(&connection, path).map_err(failed)?;
    match registration {
        Some(found) if !Record::made(&session.home, &found) => {
            query::definition(&connection, &found.hash).map_err(failed)
        }
        // Names are no paths: what was compiled is looked up by its files.
        _ if path.contains('/') => Ok(None),
        _ => definitions::registered_by_name(&connection, path).map_err(failed),
    }
}

fn not_registered(application: &Application) -> Failure {
    let (path, word) = (&application.path, application.word());
    Failure::runtime(&format!(
        "no executable is registered for [{path}]: build the {word} with `hpdlc build`, and type `./NAME register --as {path}`; or put hpdlc beside hpdl, which compiles it then"
    ))
}

fn io_failure(session: &Session, error: &std::io::Error) -> Failure {
    let folder = work::root(&session.home);
    Failure::runtime(&format!("{}: {error}", folder.display()))
        .with_status(StatusCode::INTERNAL_SERVER_ERROR)
}

/// What one compilation has while it lasts.
struct Turn<'c> {
    tool: Tool,
    limits: Limits,
    deadline: Instant,
    work: Work,
    _slot: Slot<'c>,
    _place: Place<'c>,
}

impl Turn<'_> {
    fn compile(&self, arguments: &[OsString]) -> Result<process::Ended, Failure> {
        let folder = self.work.folder();
        self.tool
            .run(folder, arguments, &self.limits, self.deadline)
    }

    /// Has what was compiled do a command of its own, which ends soon.
    fn run_built(
        &self,
        session: &Session,
        built: &Path,
        arguments: &[&str],
    ) -> Result<process::Ended, process::Stopped> {
        let mut command = Command::new(built);
        command
            .args(arguments)
            .env("HPDL_HOME", session.home.root())
            .current_dir(self.work.folder());
        let deadline = self.deadline.max(Instant::now() + self.limits.time);
        process::run(&mut command, u64::MAX, u64::MAX, deadline)
    }
}

/// One run of [`Compiler::executable`].
struct Compilation<'a> {
    session: &'a Session,
    application: &'a Application,
    turn: &'a Turn<'a>,
    properties: &'a Properties,
}

impl Compilation<'_> {
    /// `text` is the document, if it is nowhere but in the request.
    fn executable(&self, text: Option<&str>) -> Result<DefinitionRow, Failure> {
        let failed = |error: std::io::Error| io_failure(self.session, &error);
        let folder = self.turn.work.folder();
        let given = folder.join("job-properties.xml");
        fs::write(&given, configuration::text(self.properties)).map_err(failed)?;
        let fetcher = Fetcher {
            session: self.session,
            tool: &self.turn.tool,
            limits: &self.turn.limits,
            deadline: self.turn.deadline,
        };
        let allowed = self.turn.limits.fetched;
        let mut copies = Copies::new(self.session, self.properties, fetcher, folder, allowed);
        fs::write(folder.join("hpdl.toml"), SETTINGS).map_err(failed)?;
        let path = &self.application.path;
        let (document, folder) = match text {
            Some(text) => {
                let folder = copies.folder.join("sent");
                fs::create_dir_all(&folder).map_err(failed)?;
                let document = folder.join(self.application.usual());
                fs::write(&document, text).map_err(failed)?;
                (document, String::new())
            }
            None => {
                let fetched = copies.fetch(path, What::Application(self.application.usual()))?;
                let document = copies.copy_of(path, &fetched.document);
                (document, application::folder_of(path, &fetched.document))
            }
        };
        self.check_document(&document)?;
        let references = self.fetch_named(&mut copies, &document, &given, &folder)?;
        let identity = self.turn.tool.identity()?;
        let named: Vec<&str> = references.iter().map(|it| it.uri.as_str()).collect();
        let facts = [identity.as_str(), &self.application.uri, &named.join("\n")];
        let key = records::key(&copies.folder, &facts).map_err(failed)?;
        if let Some(known) = self.known(&key)? {
            reports::accept(&self.session.home, &self.application.uri).map_err(failed)?;
            return Ok(known);
        }
        let (built, report) = self.build(&copies, &document, &given)?;
        let registered = self.register(&built, key)?;
        let report = self.masked(&registered.hash, &document, &report)?;
        let (home, uri) = (&self.session.home, &self.application.uri);
        reports::keep(home, uri, &registered.hash, &report).map_err(failed)?;
        Ok(registered)
    }

    /// Refuses a document of another kind.
    fn check_document(&self, document: &Path) -> Result<(), Failure> {
        let text = fs::read(document).map_err(|error| io_failure(self.session, &error))?;
        let (path, kind) = (&self.application.path, self.application.kind);
        let word = application::word(kind);
        match tree::root_element(&text) {
            Some(root) if application::is_of(root, kind) => Ok(()),
            Some(root) => Err(Failure::coded(
                "E0701",
                format!("XML schema error, {path}: a {word} is expected, and this is a {root}"),
            )),
            None => Err(copies::no_document(path)),
        }
    }

    /// Fetches the documents that the application names, and those that they name, as far as they exist; returns all that is named.
    fn fetch_named(
        &self,
        copies: &mut Copies<'_>,
        document: &Path,
        given: &Path,
        folder: &str,
    ) -> Result<BTreeSet<Reference>, Failure> {
        let mut tried = BTreeSet::new();
        for _ in 0..MOST_ROUNDS {
            let references = self.references(copies, document, given)?;
            if references.len() > MOST_NAMED {
                return Err(Failure::runtime(&format!(
                    "the application names more than {MOST_NAMED} documents"
                )));
            }
            let mut is_complete = true;
            for reference in &references {
                let uri = absolute(&reference.uri, folder).ok_or_else(|| {
                    Failure::runtime(&format!(
                        "the application names {}, which leads out of its file system",
                        reference.uri
                    ))
                })?;
                let Some(uri) = uri.filter(|_| !reference.found) else {
                    continue;
                };
                if !tried.insert(uri.clone()) {
                    continue;
                }
                let what = match reference.kind.as_str() {
                    "coordinator" => What::Application("coordinator.xml"),
                    "include" => What::File,
                    _ => What::Application("workflow.xml"),
                };
                // What does not exist may do so when it is needed, as with Oozie.
                is_complete &= !copies.fetch_if_present(&uri, what)?;
            }
            if is_complete {
                return Ok(references);
            }
        }
        Err(Failure::runtime(
            "the application names documents that name others, too many times",
        ))
    }

    /// What the documents that are there name.
    fn references(
        &self,
        copies: &Copies<'_>,
        document: &Path,
        given: &Path,
    ) -> Result<BTreeSet<Reference>, Failure> {
        let text = fs::read(document).map_err(|error| io_failure(self.session, &error))?;
        let has = |word: &[u8]| text.windows(word.len()).any(|window| window == word);
        if !has(b"app-path") && !has(b"include") {
            return Ok(BTreeSet::new());
        }
        let arguments = self.arguments(&["references"], copies, document, given, &[]);
        let ended = self.turn.compile(&arguments)?;
        let lines = String::from_utf8_lossy(&ended.stdout).into_owned();
        let references = lines.lines().map(serde_json::from_str);
        references.collect::<Result<_, _>>().map_err(|error| {
            Failure::runtime(&format!("hpdlc is of another version than hpdl: {error}"))
                .with_status(StatusCode::INTERNAL_SERVER_ERROR)
        })
    }

    fn arguments(
        &self,
        words: &[&str],
        copies: &Copies<'_>,
        document: &Path,
        given: &Path,
        more: &[OsString],
    ) -> Vec<OsString> {
        let words = words.iter().map(OsString::from);
        let own = [
            document.as_os_str(),
            "--only-find".as_ref(),
            "-c".as_ref(),
            given.as_os_str(),
        ];
        words
            .chain(own.map(ToOwned::to_owned))
            .chain(copies.mappings())
            .chain(more.iter().cloned())
            .collect()
    }

    /// The executable of the same files, if it is registered and can be run.
    fn known(&self, key: &str) -> Result<Option<DefinitionRow>, Failure> {
        let home = &self.session.home;
        let Some(record) = Record::read(home, &self.application.uri) else {
            return Ok(None);
        };
        if record.key != key || !registry::is_runnable(home, &record.hash) {
            return Ok(None);
        }
        let registration = self.registration()?;
        match registration.filter(|registration| registration.hash == record.hash) {
            Some(found) => self.definition(&found),
            None => Ok(None),
        }
    }

    /// What the compiler said about `document`, without secrets, as far as the definition with this hash has them.
    fn masked(&self, hash: &str, document: &Path, report: &str) -> Result<String, Failure> {
        let text = fs::read_to_string(document).unwrap_or_default();
        let connection = self.session.store()?;
        reports::masked(&connection, hash, self.properties, &text, report)
            .map_err(|error| self.session.describe(error).into())
    }

    /// The executable, and what the compiler said.
    fn build(
        &self,
        copies: &Copies<'_>,
        document: &Path,
        given: &Path,
    ) -> Result<(PathBuf, String), Failure> {
        let begun = Instant::now();
        let output = self.turn.work.folder().join("program");
        let more = ["-o".into(), output.clone().into_os_string()];
        let more: Vec<OsString> = more
            .into_iter()
            .chain(build_options(self.session))
            .collect();
        let arguments = self.arguments(&["build"], copies, document, given, &more);
        let ended = self.turn.compile(&arguments)?;
        let report = String::from_utf8_lossy(&ended.stderr).into_owned();
        let report = copies.with_originals(&report);
        let path = &self.application.path;
        if ended.code() == Some(0) {
            let time = begun.elapsed().as_secs_f64();
            say(&format!("compiled {path} in {time:.2} s"));
            return Ok((output, report));
        }
        let check = ["check", "--format", "json"];
        let arguments = self.arguments(&check, copies, document, given, &[]);
        let lines = self.turn.compile(&arguments)?;
        let failure = mistakes::of_application(&lines.stdout, &report);
        say(&format!("{path} cannot be compiled\n{}", report.trim_end()));
        let (home, uri) = (&self.session.home, &self.application.uri);
        // What was never compiled is no application that anybody looks at.
        if let Some(record) = Record::read(home, uri) {
            let shown = self.masked(&record.hash, document, &report)?;
            let kept = reports::refuse(home, uri, &shown);
            kept.map_err(|error| io_failure(self.session, &error))?;
        }
        Err(failure)
    }

    /// Registers what was compiled, and remembers of what.
    fn register(&self, built: &Path, key: String) -> Result<DefinitionRow, Failure> {
        let uri = &self.application.uri;
        let arguments = ["register", "--as", uri];
        let ended = self.turn.run_built(self.session, built, &arguments);
        let failed = |text: &str| {
            Failure::runtime(&format!(
                "the executable of {uri} cannot be registered: {text}"
            ))
            .with_status(StatusCode::INTERNAL_SERVER_ERROR)
        };
        match ended {
            Ok(ended) if ended.code() == Some(0) => {}
            Ok(ended) => return Err(failed(String::from_utf8_lossy(&ended.stderr).trim())),
            Err(stopped) => return Err(failed(&format!("{stopped:?}"))),
        }
        let registration = self
            .registration()?
            .ok_or_else(|| failed("it was taken away"))?;
        let record = Record {
            uri: registration.uri.clone(),
            key,
            hash: registration.hash.clone(),
            created: registration.created,
        };
        record
            .write(&self.session.home)
            .map_err(|error| io_failure(self.session, &error))?;
        self.definition(&registration)?
            .ok_or_else(|| failed("it was taken away"))
    }

    fn registration(&self) -> Result<Option<Registration>, Failure> {
        let connection = self.session.store()?;
        definitions::registration(&connection, &self.application.uri)
            .map_err(|error| self.session.describe(error).into())
    }

    fn definition(&self, found: &Registration) -> Result<Option<DefinitionRow>, Failure> {
        let connection = self.session.store()?;
        query::definition(&connection, &found.hash)
            .map_err(|error| self.session.describe(error).into())
    }
}

/// The URI of a reference of the application whose folder is `folder`. The outer `None`: it leads above the root of its file system, to
/// where the copies are no more. The inner: it is relative to the document that names it, and was copied with it or is missing.
fn absolute(uri: &str, folder: &str) -> Option<Option<String>> {
    if let Some(rest) = app_uri::below(uri, APP_PATH) {
        let path = Uri::parse(folder).path;
        let mut depth = path.split('/').filter(|part| !part.is_empty()).count();
        for part in rest
            .split('/')
            .filter(|part| !part.is_empty() && *part != ".")
        {
            depth = match part {
                ".." => depth.checked_sub(1)?,
                _ => depth + 1,
            };
        }
        return Some(Some(app_uri::normalized(&format!("{folder}/{rest}"))));
    }
    let parsed = Uri::parse(uri);
    if parsed.scheme.is_some() || parsed.is_absolute() {
        return Some(Some(uri.to_owned()));
    }
    let leads_up = uri.split('/').any(|part| part == "..");
    (!leads_up).then_some(None)
}

/// The options with which executables are built: a store in a database is reached by the full runtime alone.
fn build_options(session: &Session) -> Option<OsString> {
    (!session.home.store_location().is_file()).then(|| "--full".into())
}

#[cfg(test)]
mod tests;
