//! What `shell` and `java` share: a folder with links, one local process, its exit and what it printed.

use std::{
    collections::BTreeMap,
    env,
    ffi::{OsStr, OsString},
    fs::{self, File},
    io::{self, BufRead, Read, Seek, SeekFrom},
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use hpdlc_core::properties;
use hpdlc_files as files;
use hpdlc_host::{clock, comma_list, settings::KILL_GRACE};
use hpdlc_launcher::{Attempt, ExitRecord, TimeLimit};
use hpdlc_program::{failure::ActionError, table};
use serde::{Deserialize, Serialize};

use crate::{
    Completion, Evaluation, Place, StartError, archives,
    configuration::{self, FILE_SYSTEM, RESOURCE_MANAGER, USER},
    empty_parts, environment, fetch,
    launcher_config::{self, LauncherConfig},
    prepare::Prepare,
    tool::Applications,
};

mod applications;
pub mod libraries;

/// The most bytes of captured output where nothing says otherwise.
pub const MAX_OUTPUT: u64 = 1024 * 1024;

/// The setting that says otherwise.
pub const MAX_OUTPUT_DATA: &str = "oozie.action.max.output.data";

/// What Oozie shows of a process that did not end well.
pub const FAILED: &str = "FAILED/KILLED";

/// Seconds that a process may run.
pub const TIMEOUT: &str = "hpdl.action.timeout";

/// How much of the end of standard error is looked at for a message.
const ERROR_TAIL: u64 = 4096;

/// What every local process is started with, evaluated.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    pub prepare: Prepare,
    pub links: Vec<Link>,
    pub archives: Vec<Link>,
    /// The action's effective configuration.
    pub configuration: BTreeMap<String, String>,
    /// Folders of more files (`oozie.libpath`).
    #[serde(default)]
    pub libraries: Vec<String>,
    pub capture_output: bool,
    /// Bytes.
    pub max_output: u64,
    /// How long the process may run.
    #[serde(default)]
    pub limit: Option<TimeLimit>,
    /// Names of the owner's variables; see [`environment::PASS`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub passed: String,
    /// What the process may start on a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applications: Option<Applications>,
}

/// A file that the process finds in its folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// As written, without the `#name`.
    pub target: String,
    pub name: String,
}

impl Setting {
    pub fn evaluate(
        cx: &Evaluation<'_>,
        settings: &'static table::Settings,
        prepare: &[table::PrepareOperation],
        capture_output: bool,
    ) -> Result<Setting, ActionError> {
        let name_node = cx.name_node(settings)?;
        let resource_manager = cx.resource_manager(settings)?;
        let mut configuration = cx.effective_configuration(settings)?;
        configuration::refuse_forbidden(&configuration)?;
        let links = |name| -> Result<Vec<Link>, ActionError> {
            let texts = cx.texts(settings.elements(name))?;
            Ok(texts.iter().flat_map(|text| parse_links(text)).collect())
        };
        let (mut links, archives) = (links("file")?, links("archive")?);
        libraries::complete(&mut links, &archives, cx.app_folder);
        let max_output = configuration
            .get(MAX_OUTPUT_DATA)
            .and_then(|limit| limit.trim().parse().ok())
            .unwrap_or_else(|| cx.max_output());
        let limit = time_limit(&|name| cx.action_setting(&configuration, name))?;
        empty_parts::refuse(cx, empty_parts::of_prepare(prepare))?;
        let mut prepare = Prepare::evaluate(prepare, cx.scope)?;
        prepare.glob_max = cx.glob_max();
        prepare.access = cx.access.settings.clone().with(&configuration);
        let of_job = cx.scope.job().ok().map(|job| job.user.as_str());
        for (name, value) in [
            (USER, prepare.access.user.as_deref().or(of_job)),
            (FILE_SYSTEM, name_node.as_deref()),
            (RESOURCE_MANAGER, resource_manager.as_deref()),
        ] {
            if let Some(value) = value.map(str::trim).filter(|value| !value.is_empty()) {
                configuration.insert(name.to_owned(), value.to_owned());
            }
        }
        let of_action = configuration.get("oozie.launcher.oozie.libpath");
        let libraries = [cx.setting("oozie.libpath"), of_action.cloned()];
        Ok(Setting {
            libraries: libraries
                .iter()
                .flatten()
                .flat_map(|folders| comma_list::entries(folders))
                .map(str::to_owned)
                .collect(),
            prepare: match name_node {
                Some(name_node) => prepare.on(&name_node),
                None => prepare,
            },
            links,
            archives,
            capture_output,
            max_output,
            limit,
            passed: cx
                .action_setting(&configuration, environment::PASS)
                .unwrap_or_default(),
            configuration,
            applications: None,
        })
    }

    /// Whether more is to be done than making a folder and a file.
    pub fn is_slow_to_set_up(&self) -> bool {
        !(self.prepare.operations.is_empty()
            && self.links.is_empty()
            && self.archives.is_empty()
            && self.libraries.is_empty()
            && self.applications.is_none())
    }

    /// Makes the attempt's folder with everything in it.
    pub fn set_up(&self, place: &Place<'_>) -> Result<(), StartError> {
        make_empty_folder(place.attempt.folder())?;
        self.prepare.run(place.is_canceled)?;
        for link in &self.links {
            let file = self.here(place, link, &link.name)?;
            make_link(place, link, &file)?;
        }
        for link in &self.archives {
            let archive = self.here(place, link, &format!(".{}", link.name))?;
            let target = place.attempt.folder().join(&link.name);
            archives::unpack(&archive, &target).map_err(|error| match error.kind() {
                io::ErrorKind::StorageFull => StartError::machine(&target, &error),
                _ => {
                    let problem = format!("archive {}: {error}", archive.display());
                    StartError::from(ActionError::error("JA018", problem))
                }
            })?;
        }
        let write = |file: &Path, text: String| {
            fs::write(file, text).map_err(|error| StartError::machine(file, &error))
        };
        let action_xml = place.attempt.action_xml();
        let Some(applications) = &self.applications else {
            return write(&action_xml, self.action_xml()?);
        };
        let mut configuration = self.configuration.clone();
        configuration.extend(applications.for_action(place));
        write(&action_xml, configuration::to_xml(&configuration)?)?;
        self.propagate(place, applications::PROPAGATION)
    }

    /// The file of a link on this machine: what lies elsewhere is fetched into the attempt's folder and called `name`.
    fn here(&self, place: &Place<'_>, link: &Link, name: &str) -> Result<PathBuf, StartError> {
        let found = place.find_file(&link.target);
        let uri = files::Uri::parse(&link.target);
        if found.is_ok() || uri.scheme.is_none() || uri.is_file() {
            return Ok(found?);
        }
        let access = files::Access::new(&self.prepare.access, place.is_canceled);
        let to = place.attempt.folder().join(name);
        fetch::fetch(&link.target, &to, &access)?;
        Ok(to)
    }

    /// What the process gets on top of the owner's environment.
    /// `brought` are the files of [`Setting::bring_libraries`].
    pub fn environment(
        &self,
        attempt: &Attempt,
        wishes: &LauncherConfig,
        brought: &[String],
    ) -> Vec<(String, Option<String>)> {
        let mut all = environment::of(attempt);
        let kept_out = environment::kept_out(&self.passed);
        all.extend(kept_out.into_iter().map(|name| (name, None)));
        let mut names = self.links.iter().map(|link| &link.name).chain(brought);
        if names.any(|name| is_library(name)) {
            let folder = attempt.folder().display().to_string();
            let name = "LD_LIBRARY_PATH";
            let inherited = env::var(name).ok().filter(|path| !path.is_empty());
            let path = inherited.map_or(folder.clone(), |path| format!("{folder}:{path}"));
            all.push((name.to_owned(), Some(path)));
        }
        let variables = wishes.variables.iter();
        all.extend(variables.map(|(name, value)| (name.clone(), Some(value.clone()))));
        all
    }

    /// What the author says of Oozie's launcher.
    ///
    /// # Errors
    ///
    /// As [`LauncherConfig::of`].
    pub fn wishes(&self) -> Result<LauncherConfig, ActionError> {
        LauncherConfig::of(&|name| self.configuration.get(name).cloned())
    }

    /// With what is written and has no effect. Where the process was ended because its time was over, so is what it has started;
    /// that blocks.
    pub fn warned(
        &self,
        mut completion: Completion,
        job: &str,
        attempt: &Attempt,
        record: &ExitRecord,
    ) -> Completion {
        let ineffective = launcher_config::without_effect("program", &self.configuration);
        completion.warnings.extend(ineffective);
        if record.exceeded.is_some()
            && let Err(problem) = self.end_applications(job, attempt)
        {
            completion.warnings.push(problem);
        }
        completion
    }

    /// Puts the files of the folders of `oozie.libpath` beside the others; their names.
    pub fn bring_libraries(&self, place: &Place<'_>) -> Result<Vec<String>, StartError> {
        let access = files::Access::new(&self.prepare.access, place.is_canceled);
        let name_node = self.prepare.name_node.as_deref();
        libraries::bring(&self.libraries, name_node, place, &access)
    }

    /// The action's configuration as a process reads it that starts no applications.
    pub fn action_xml(&self) -> Result<String, ActionError> {
        configuration::to_xml(&self.configuration)
    }
}

/// How long a process may run, by `hpdl.action.timeout` of its action, its job or the site; `None` is for ever.
pub fn time_limit(
    setting: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<TimeLimit>, ActionError> {
    let Some(text) = setting(TIMEOUT) else {
        return Ok(None);
    };
    let text = text.trim();
    let seconds = if text.is_empty() {
        Ok(0)
    } else {
        text.parse::<u64>()
    };
    let Ok(seconds) = seconds else {
        let problem = format!(
            "{TIMEOUT} is `{text}`; it is a whole number of seconds, 0 for as long as it takes"
        );
        return Err(ActionError::failed("JA010", problem));
    };
    let grace = setting("hpdl.kill.grace").and_then(|grace| grace.trim().parse().ok());
    Ok((seconds > 0).then_some(TimeLimit {
        seconds,
        grace: grace.unwrap_or(KILL_GRACE),
    }))
}

/// Why something was ended that has run for as long as it may.
pub fn time_over(who: &str, seconds: u64) -> ActionError {
    let problem = format!("{who} was ended after {seconds} s: its time was over ({TIMEOUT})");
    ActionError::error("HPDL_TIMEOUT", problem)
}

/// Makes the folder of an attempt, without what an owner that died may have left in it.
pub fn make_empty_folder(folder: &Path) -> Result<(), StartError> {
    match fs::remove_dir_all(folder) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(StartError::machine(folder, &error)),
    }
    fs::create_dir_all(folder).map_err(|error| StartError::machine(folder, &error))
}

fn make_link(place: &Place<'_>, link: &Link, file: &Path) -> Result<(), StartError> {
    let name = place.attempt.folder().join(&link.name);
    // What was fetched has its name.
    if file == name {
        return Ok(());
    }
    symlink(file, &name).map_err(|error| {
        if error.kind() == io::ErrorKind::AlreadyExists {
            let problem = format!("two files are to be called `{}`", link.name);
            StartError::from(ActionError::error("JA009", problem))
        } else {
            StartError::machine(&name, &error)
        }
    })
}

/// Where a program leaves what `wf:actionData` will give.
pub fn output_properties(attempt: &Attempt) -> PathBuf {
    attempt.folder().join("output.properties")
}

/// The properties that Oozie's launcher gives to Java programs (`LauncherAM`).
pub fn system_properties(place: &Place<'_>) -> [(&'static str, String); 10] {
    let file = |name: &str| place.attempt.folder().join(name).display().to_string();
    [
        ("oozie.job.id", place.job_id.to_owned()),
        ("oozie.launcher.job.id", place.job_id.to_owned()),
        (
            "oozie.action.id",
            format!("{}@{}", place.job_id, place.node),
        ),
        (
            "oozie.action.conf.xml",
            place.attempt.action_xml().display().to_string(),
        ),
        (
            "oozie.action.output.properties",
            output_properties(place.attempt).display().to_string(),
        ),
        ("oozie.action.externalChildIDs", file("externalChildIDs")),
        ("oozie.action.stats.properties", file("stats.properties")),
        ("oozie.action.newId", file("newId")),
        ("oozie.action.error.properties", file("error.properties")),
        ("oozie.job.launch.time", clock::now_millis().to_string()),
    ]
}

/// Finds a program as `execvp` would with `.` first: in the attempt's folder, then in `PATH`.
pub fn find_program(attempt: &Attempt, name: &str) -> Result<PathBuf, ActionError> {
    if is_program(&attempt.folder().join(name)) {
        return Ok(attempt.folder().join(name));
    }
    find_in_path(attempt, name)
}

/// Finds the program of an attempt in whose folder nothing will stand but its configuration.
pub fn find_in_path(attempt: &Attempt, name: &str) -> Result<PathBuf, ActionError> {
    let key = (environment::search_path(), name.to_owned());
    if let Some(program) = found_programs().get(&key)
        && is_program(program)
    {
        return Ok(program.clone());
    }
    let program = search_program(attempt, name, &key.0)?;
    found_programs().insert(key, program.clone());
    Ok(program)
}

/// What was found for which `PATH` and name. It is kept as shells keep it: until it is gone.
fn found_programs() -> MutexGuard<'static, BTreeMap<(OsString, String), PathBuf>> {
    static FOUND: Mutex<BTreeMap<(OsString, String), PathBuf>> = Mutex::new(BTreeMap::new());
    FOUND.lock().unwrap_or_else(PoisonError::into_inner)
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path)
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

fn search_program(attempt: &Attempt, name: &str, path: &OsStr) -> Result<PathBuf, ActionError> {
    let mut not_executable = None;
    let folders = std::iter::once(attempt.folder().to_owned()).chain(env::split_paths(path));
    for folder in folders {
        let program = folder.join(name);
        match fs::metadata(&program) {
            Ok(metadata) if metadata.is_file() && metadata.permissions().mode() & 0o111 != 0 => {
                return Ok(program);
            }
            Ok(metadata) if metadata.is_file() => not_executable = Some(program),
            Ok(_) | Err(_) => {}
        }
    }
    Err(match not_executable {
        Some(program) => {
            let file = fs::canonicalize(&program).unwrap_or(program);
            let problem = format!(
                "cannot run program `{name}`: {} is not executable",
                file.display()
            );
            ActionError::error("JA018", problem)
        }
        None => ActionError::error(
            "JA018",
            format!(
                "cannot run program `{name}`: it is neither a `file` of the action nor in PATH"
            ),
        ),
    })
}

/// `a/b.txt,c.jar#lib.jar`: paths separated by commas, each with the name of its link.
fn parse_links(text: &str) -> Vec<Link> {
    comma_list::entries(text)
        .map(|path| {
            let (target, name) = match path.split_once('#') {
                // Whoever links a library finds it by the name that it was built with.
                Some((target, _)) if is_library(base_name(target)) => (target, base_name(target)),
                Some((target, name)) if !name.is_empty() => (target, name),
                Some((target, _)) => (target, base_name(target)),
                None => (path, base_name(path)),
            };
            Link {
                target: target.to_owned(),
                name: base_name(name).to_owned(),
            }
        })
        .collect()
}

/// Whether it is a library for the system's linker.
pub fn is_library(name: &str) -> bool {
    name.ends_with(".so") || name.contains(".so.")
}

/// The part behind the last slash.
pub fn base_name(path: &str) -> &str {
    path.trim_end_matches('/')
        .rsplit('/')
        .next()
        .unwrap_or(path)
}

impl Place<'_> {
    /// A file that the action names: below the application's own files first, then where the path says.
    pub fn find_file(&self, path: &str) -> Result<PathBuf, ActionError> {
        let missing = |tried: &Path| {
            ActionError::error(
                "JA008",
                format!("file `{path}` does not exist: {}", tried.display()),
            )
        };
        let is_relative = !path.starts_with('/') && !path.contains(':');
        if is_relative {
            let embedded = self.app_folder.join(path);
            if embedded.exists() {
                return Ok(embedded);
            }
            let Ok(app_path) = files::local_path(self.app_path) else {
                return Err(missing(&embedded));
            };
            let beside = app_path.join(path);
            return if beside.exists() {
                Ok(beside)
            } else {
                Err(missing(&embedded))
            };
        }
        if let Some(below) = path
            .strip_prefix(self.app_path)
            .and_then(|rest| rest.strip_prefix('/'))
        {
            let embedded = self.app_folder.join(below);
            if embedded.exists() {
                return Ok(embedded);
            }
        }
        let local = files::local_path(path).map_err(|error| fetch::out_of_reach(&error))?;
        if local.exists() {
            Ok(local)
        } else {
            Err(missing(&local))
        }
    }
}

/// Data for `wf:actionData`, and what is to be said of it.
pub type Captured = (BTreeMap<String, String>, Vec<String>);

/// What a program left in a properties file or printed. It stays where it is.
///
/// The inner error is JA018, as in Oozie: there are more than `limit` bytes. Data that is cut would send decisions the wrong way.
pub fn captured(
    attempt: &Attempt,
    path: &Path,
    limit: u64,
) -> io::Result<Result<Captured, ActionError>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Ok(Captured::default()));
        }
        Err(error) => return Err(error),
    };
    let size = file.metadata()?.len();
    if size > limit {
        let node = attempt.folder().parent().and_then(Path::file_name);
        let node = node.unwrap_or_default().to_string_lossy();
        let problem = format!(
            "the captured output of action `{node}` is {size} bytes long, and {MAX_OUTPUT_DATA} allows {limit}; \
             have the action print less, or set {MAX_OUTPUT_DATA} to more, in its configuration, for the job or for the site"
        );
        return Ok(Err(ActionError::error("JA018", problem)));
    }
    let mut bytes = Vec::new();
    // Whatever writes on is not waited for.
    file.take(limit).read_to_end(&mut bytes)?;
    let captured = properties::parse_captured(&String::from_utf8_lossy(&bytes));
    let warnings = captured
        .warnings
        .iter()
        .map(|warning| format!("captured output: {warning}"));
    let warnings = warnings.collect();
    Ok(Ok((captured.data, warnings)))
}

/// The last line that says something at the end of a file.
pub fn last_line(path: &Path) -> Option<String> {
    let mut file = File::open(path).ok()?;
    let size = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(size.saturating_sub(ERROR_TAIL)))
        .ok()?;
    let mut last = None;
    for line in io::BufReader::new(file).split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim().to_owned();
        if !line.is_empty() {
            last = Some(line);
        }
    }
    last
}

/// Judges the end of a process whose exit code `exit_error` turns into an error.
pub fn completion(
    record: &ExitRecord,
    exit_error: impl FnOnce(i32) -> ActionError,
    data: impl FnOnce() -> io::Result<Result<Captured, ActionError>>,
) -> io::Result<Completion> {
    let error = match (record.code, record.signal, &record.error) {
        _ if record.exceeded.is_some() => {
            let seconds = record.exceeded.unwrap_or_default();
            Some(time_over("the process", seconds))
        }
        (Some(0), _, _) => None,
        (Some(code), _, _) => Some(exit_error(code)),
        (None, Some(signal), _) => Some(ActionError::error(
            "JA018",
            format!("the process was ended by signal {signal}"),
        )),
        (None, None, problem) => Some(ActionError::error(
            "JA018",
            problem
                .clone()
                .unwrap_or_else(|| "the process left no exit status".to_owned()),
        )),
    };
    Ok(match error {
        Some(error) => Completion::failed(error, FAILED),
        None => match data()? {
            Ok((data, warnings)) => Completion {
                error: None,
                external_id: None,
                external_status: "SUCCEEDED".to_owned(),
                data,
                warnings,
            },
            Err(error) => Completion::failed(error, FAILED),
        },
    })
}
