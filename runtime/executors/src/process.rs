//! What `shell` and `java` share: a folder with links, one local process, its exit and its output.

use std::{
    collections::BTreeMap,
    env, fs, io,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use hpdlc_files as files;
use hpdlc_host::{comma_list, settings::LOST};
use hpdlc_launcher::{Attempt, ExitRecord, TimeLimit};
use hpdlc_program::{
    failure::ActionError,
    table::{self, Template},
};
use serde::{Deserialize, Serialize};

use crate::{
    AttemptPlace, Completion, Evaluation, StartError, archives,
    attempt_folder::make_empty_folder,
    configuration::{self, FILE_SYSTEM, RESOURCE_MANAGER, USER},
    empty_parts, environment, fetch,
    file_name::{base_name, is_library},
    launcher_choice::Launcher,
    launcher_config::{self, LauncherConfig},
    prepare::Prepare,
    process_end::MAX_OUTPUT_DATA,
    time_limit::time_limit,
    tool::Applications,
};

mod applications;
pub mod libraries;

/// For a process on this machine, which reads local files alone.
pub fn leave_none(_: RemoteFile<'_>) -> bool {
    false
}

/// The evaluated settings of every local process.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    pub prepare: Prepare,
    pub links: Vec<FolderLink>,
    pub archives: Vec<FolderLink>,
    /// The action's effective configuration.
    pub configuration: BTreeMap<String, String>,
    /// Folders of additional files (`oozie.libpath`).
    #[serde(default)]
    pub libraries: Vec<String>,
    pub capture_output: bool,
    /// Maximum bytes of captured output.
    pub max_output: u64,
    /// Time limit of the process.
    #[serde(default)]
    pub limit: Option<TimeLimit>,
    /// Names of the owner's environment variables that are passed on; see [`environment::PASS`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub passed: String,
    /// The applications that the process may start on a cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applications: Option<Applications>,
}

/// What the bodies of types that run a local process have in common.
pub struct ProcessBody {
    pub settings: &'static table::Settings,
    pub prepare: &'static [table::PrepareOperation],
    pub files: &'static [Template],
    pub archives: &'static [Template],
    pub capture_output: bool,
}

/// A file that is linked into the process's folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FolderLink {
    /// As written, without the `#name`.
    pub target: String,
    pub name: String,
}

/// A file of an action on another file system.
#[derive(Clone, Copy, Debug)]
pub struct RemoteFile<'f> {
    pub uri: &'f str,
    /// Its name in the folder of the attempt.
    pub name: &'f str,
    /// It is unpacked there.
    pub is_archive: bool,
}

/// Whether a file is left where it is, since the process will get it from there; otherwise it is fetched into the folder of the attempt.
pub type LeaveThere<'f> = &'f mut dyn FnMut(RemoteFile<'_>) -> bool;

impl Setting {
    pub fn evaluate(cx: &Evaluation<'_>, body: &ProcessBody) -> Result<Setting, ActionError> {
        let &ProcessBody {
            settings,
            prepare,
            files,
            archives,
            capture_output,
        } = body;
        let name_node = cx.name_node(settings)?;
        let resource_manager = cx.resource_manager(settings)?;
        let mut configuration = cx.effective_configuration(settings)?;
        configuration::refuse_forbidden(&configuration)?;
        let links = |texts| -> Result<Vec<FolderLink>, ActionError> {
            let texts = cx.texts(texts)?;
            Ok(texts.iter().flat_map(|text| parse_links(text)).collect())
        };
        let (mut links, archives) = (links(files)?, links(archives)?);
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

    /// What the action's configuration says of a lost attempt.
    pub fn when_lost(&self) -> Option<&str> {
        self.configuration.get(LOST).map(String::as_str)
    }

    /// Whether more has to be done than creating a folder and a file.
    pub fn is_slow_to_set_up(&self) -> bool {
        !(self.prepare.operations.is_empty()
            && self.links.is_empty()
            && self.archives.is_empty()
            && self.libraries.is_empty()
            && self.applications.is_none())
    }

    /// Creates the attempt's folder with all its content, but for what `leave` leaves where it is.
    pub fn set_up(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<(), StartError> {
        make_empty_folder(place.attempt.folder())?;
        self.prepare.run(place.is_canceled)?;
        for link in &self.links {
            if let Some(file) = self.here(place, link, false, leave)? {
                make_link(place, link, &file)?;
            }
        }
        for link in &self.archives {
            let Some(archive) = self.here(place, link, true, leave)? else {
                continue;
            };
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

    /// The local path of a link's file: a file on another file system is fetched into the attempt's folder, unless it is left there.
    fn here(
        &self,
        place: &AttemptPlace<'_>,
        link: &FolderLink,
        is_archive: bool,
        leave: LeaveThere<'_>,
    ) -> Result<Option<PathBuf>, StartError> {
        let found = place.find_file(&link.target);
        let name_node = self.configuration.get(FILE_SYSTEM).map(String::as_str);
        let on_cluster = fetch::on_cluster(&link.target, place.app_path, name_node);
        let target = on_cluster.as_ref().unwrap_or(&link.target);
        let uri = files::Uri::parse(target);
        if found.is_ok() || uri.scheme.is_none() || uri.is_file() {
            return Ok(Some(found?));
        }
        let remote = RemoteFile {
            uri: target,
            name: &link.name,
            is_archive,
        };
        if leave(remote) {
            return Ok(None);
        }
        let name = if is_archive {
            format!(".{}", link.name)
        } else {
            link.name.clone()
        };
        let access = files::Access::new(&self.prepare.access, place.is_canceled);
        let to = place.attempt.folder().join(name);
        fetch::fetch(target, &to, &access)?;
        Ok(Some(to))
    }

    /// What the process gets in addition to the owner's environment.
    /// `brought` are the files of [`Setting::bring_libraries`].
    pub fn environment(
        &self,
        attempt: &Attempt,
        launcher_config: &LauncherConfig,
        brought: &[String],
    ) -> Vec<(String, Option<String>)> {
        let mut all = environment::of(attempt);
        let kept_out = environment::kept_out(&self.passed);
        all.extend(kept_out.into_iter().map(|name| (name, None)));
        if self.has_library(brought) {
            let folder = attempt.folder().display().to_string();
            let name = "LD_LIBRARY_PATH";
            let inherited = env::var(name).ok().filter(|path| !path.is_empty());
            let path = inherited.map_or(folder.clone(), |path| format!("{folder}:{path}"));
            all.push((name.to_owned(), Some(path)));
        }
        let variables = launcher_config.variables.iter();
        all.extend(variables.map(|(name, value)| (name.clone(), Some(value.clone()))));
        all
    }

    /// What the process gets in addition to the environment of its container.
    #[cfg(feature = "full")]
    pub fn container_environment(
        &self,
        attempt: &Attempt,
        launcher_config: &LauncherConfig,
        brought: &[String],
    ) -> Vec<(String, String)> {
        let text = |path: &Path| path.display().to_string();
        let mut all = vec![(
            "OOZIE_ACTION_CONF_XML".to_owned(),
            text(&attempt.action_xml()),
        )];
        // Hadoop's clients in the container act for the user of the job.
        if let Some(user) = self.configuration.get(USER) {
            all.push(("HADOOP_USER_NAME".to_owned(), user.clone()));
        }
        if self.has_library(brought) {
            all.push(("LD_LIBRARY_PATH".to_owned(), text(attempt.folder())));
        }
        all.extend(launcher_config.variables.iter().cloned());
        all
    }

    /// Whether the dynamic linker has to search the folder.
    fn has_library(&self, brought: &[String]) -> bool {
        let mut names = self.links.iter().map(|link| &link.name).chain(brought);
        names.any(|name| is_library(name))
    }

    /// The settings for Oozie's launcher.
    ///
    /// # Errors
    ///
    /// As [`LauncherConfig::of`].
    pub fn launcher_config(&self) -> Result<LauncherConfig, ActionError> {
        LauncherConfig::of(&|name| self.configuration.get(name).cloned())
    }

    /// Adds warnings about settings without effect. If the process exceeded its time limit, also ends the applications that it has
    /// started; that blocks.
    pub fn warned(
        &self,
        mut completion: Completion,
        job: &str,
        attempt: &Attempt,
        record: &ExitRecord,
    ) -> Completion {
        let ineffective =
            launcher_config::without_effect("program", Launcher::Local, &self.configuration);
        completion.warnings.extend(ineffective);
        if record.exceeded.is_some()
            && let Err(problem) = self.end_applications(job, attempt)
        {
            completion.warnings.push(problem);
        }
        completion
    }

    /// Adds the files of the folders of `oozie.libpath`; returns their names.
    pub fn bring_libraries(
        &self,
        place: &AttemptPlace<'_>,
        leave: LeaveThere<'_>,
    ) -> Result<Vec<String>, StartError> {
        let access = files::Access::new(&self.prepare.access, place.is_canceled);
        let name_node = self.prepare.name_node.as_deref();
        libraries::bring(&self.libraries, name_node, place, &access, leave)
    }

    /// The action's configuration, for a process that starts no applications.
    pub fn action_xml(&self) -> Result<String, ActionError> {
        configuration::to_xml(&self.configuration)
    }
}

fn make_link(place: &AttemptPlace<'_>, link: &FolderLink, file: &Path) -> Result<(), StartError> {
    let name = place.attempt.folder().join(&link.name);
    // A fetched file already has its name.
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

/// `a/b.txt,c.jar#lib.jar`: paths separated by commas, each with the name of its link.
fn parse_links(text: &str) -> Vec<FolderLink> {
    comma_list::entries(text)
        .map(|path| {
            let (target, name) = match path.split_once('#') {
                // A library must keep its file name, by which the dynamic linker finds it.
                Some((target, _)) if is_library(base_name(target)) => (target, base_name(target)),
                Some((target, name)) if !name.is_empty() => (target, name),
                Some((target, _)) => (target, base_name(target)),
                None => (path, base_name(path)),
            };
            FolderLink {
                target: target.to_owned(),
                name: base_name(name).to_owned(),
            }
        })
        .collect()
}

impl AttemptPlace<'_> {
    /// The path of a file on this machine that the action names: relative to the application's files first, else as written.
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
