//! The staging folder of an attempt: what its container gets, and what it leaves, on the cluster's file system.
//!
//! Only the user of the job can read it: it has the action's configuration. The executable is beside all of them, once for each content.

use std::{
    collections::BTreeMap,
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use hpdlc_files::{Access, AccessSettings, Uri, kerberos, normalize, system::FileSystem, uri_on};
use hpdlc_launcher::ExitRecord;
use hpdlc_program::failure::ActionError;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{
    configuration::{FILE_SYSTEM, USER},
    fetch,
    process::Setting,
};

mod exit_name;

/// Below the user's home, if no setting names another place.
const BASE: &str = ".hpdl";
const EXECUTABLES: &str = "bin";
const ATTEMPTS: &str = "containers";

/// A folder with an empty file whose name is that of the container which has begun. Of former versions: a file with that name.
const CLAIM: &str = "claim";
/// Who claims an attempt that is over before a container has claimed it, so that none does later.
pub const OWNER: &str = "owner";
/// How the program ended, made last: a file with that, where [`exit_name`] cannot say it, as former versions always have it.
const EXIT: &str = "exit.json";
/// Precedes the id of an application that the program has started, in the name of an empty file.
const CHILD: &str = "child.";
/// What the program printed.
pub const STDOUT: &str = "stdout";
pub const STDERR: &str = "stderr";

/// Characters that a path has and a URI has not.
const NOT_OF_PATHS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Where staging folders are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StagingPlace {
    /// The setting `hpdl.launcher.yarn.staging`.
    base: Option<String>,
    /// The file system of the action.
    file_system: Option<String>,
}

/// A file as YARN localises it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalResource {
    pub uri: String,
    /// In bytes.
    pub size: i64,
    /// When it was changed last, in milliseconds since 1970: YARN refuses it if that is not so.
    pub timestamp: i64,
}

impl StagingPlace {
    pub fn of(
        setting: &dyn Fn(&str) -> Option<String>,
        configuration: &BTreeMap<String, String>,
    ) -> StagingPlace {
        let base = setting("hpdl.launcher.yarn.staging");
        StagingPlace {
            base: base.filter(|base| !base.trim().is_empty()),
            file_system: configuration.get(FILE_SYSTEM).cloned(),
        }
    }

    /// The settings for access to it: as the user of the job, or where Kerberos proves who that is, as the owner of the ticket.
    pub fn access(&self, setting: &Setting) -> AccessSettings {
        let mut settings = setting.prepare.access.clone();
        if kerberos::is_asked_by(&settings) {
            return settings;
        }
        let user = settings.user.take();
        settings.user = user.or_else(|| setting.configuration.get(USER).cloned());
        settings
    }

    fn uri(&self) -> &str {
        match (&self.base, &self.file_system) {
            (Some(base), _) => base.trim(),
            (None, Some(system)) => system,
            // The default file system.
            (None, None) => "hdfs:///",
        }
    }
}

/// The staging folder of one attempt.
pub struct Staging<'a> {
    system: Box<dyn FileSystem + 'a>,
    base: PathBuf,
    folder: PathBuf,
}

impl<'a> Staging<'a> {
    /// The folder of the attempt with this tag. No connection is made yet.
    ///
    /// # Errors
    ///
    /// No file system of a cluster has such a place.
    pub fn of(
        access: &Access<'a>,
        place: &StagingPlace,
        tag: &str,
    ) -> Result<Staging<'a>, ActionError> {
        let uri = Uri::parse(place.uri());
        if uri.scheme.is_none() || uri.is_file() {
            let problem = format!(
                "{} is on no file system that the nodes of a cluster share; hpdl.launcher.yarn.staging can name a folder that is",
                place.uri()
            );
            return Err(ActionError::error("HadoopAccessorException", problem));
        }
        let system = access
            .system(&uri)
            .map_err(|error| fetch::out_of_reach(&error))?;
        let base = match &place.base {
            Some(_) => PathBuf::from(normalize(uri.path)),
            None => system.home().unwrap_or_default().join(BASE),
        };
        let folder = base.join(ATTEMPTS).join(tag);
        Ok(Staging {
            system,
            base,
            folder,
        })
    }

    /// As an application master finds it by its URI.
    ///
    /// # Errors
    ///
    /// As [`Staging::of`].
    pub fn at(access: &Access<'a>, uri: &str) -> Result<Staging<'a>, ActionError> {
        let located = fetch::locate(access, uri)?;
        Ok(Staging {
            folder: located.path(),
            base: PathBuf::new(),
            system: located.system,
        })
    }

    pub fn uri(&self) -> String {
        uri_on(&*self.system, &self.folder)
    }

    /// The name of its file system, such as `hdfs://host:8020`.
    pub fn system_name(&self) -> &str {
        self.system.name()
    }

    /// Creates the folder, for the user alone.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn make(&self) -> io::Result<()> {
        self.system.make_private_folders(&self.folder)
    }

    /// Puts a local file into the folder.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn put(&self, file: &Path, name: &str) -> io::Result<LocalResource> {
        let path = self.folder.join(name);
        self.system.put(file, &path)?;
        self.resource(&path)
    }

    /// This executable, put there if no equal one is.
    ///
    /// # Errors
    ///
    /// It cannot be read, or the file system fails.
    pub fn executable(&self) -> io::Result<LocalResource> {
        let own = Path::new("/proc/self/exe");
        let (name, length) = digest(own)?;
        let path = self.base.join(EXECUTABLES).join(name);
        let there = self.system.status(&path)?;
        if there.is_none_or(|status| u64::try_from(status.length) != Ok(length)) {
            self.system
                .make_private_folders(&self.base.join(EXECUTABLES))?;
            // Whole under its name, whoever else puts it there now.
            let new = self.folder.join("executable");
            self.system.put(own, &new)?;
            if let Err(error) = self.system.rename(&new, &path, false)
                && self.system.status(&path)?.is_none()
            {
                return Err(error);
            }
        }
        self.resource(&path)
    }

    fn resource(&self, path: &Path) -> io::Result<LocalResource> {
        resource(&*self.system, path)
    }

    /// Claims the attempt for `container`, or [`OWNER`]; `false` if another one has it.
    ///
    /// # Errors
    ///
    /// The file system fails; the claim may have been made.
    pub fn claim(&self, container: &str) -> io::Result<bool> {
        let own = self.folder.join(format!("{CLAIM}.{container}"));
        self.system.touch(&own.join(container))?;
        let claim = self.folder.join(CLAIM);
        match self.system.rename(&own, &claim, false) {
            Ok(()) => Ok(true),
            // Perhaps by this container, if only the answer was lost.
            Err(error) => match self.claiming()? {
                Some(claiming) => Ok(claiming == container),
                None => Err(error),
            },
        }
    }

    /// The container that has claimed the attempt.
    fn claiming(&self) -> io::Result<Option<String>> {
        let claim = self.folder.join(CLAIM);
        let Some(status) = self.system.status(&claim)? else {
            return Ok(None);
        };
        if status.is_folder {
            return Ok(self.names(&claim)?.pop());
        }
        let container = self.system.read(&claim, 4096)?;
        Ok(Some(String::from_utf8_lossy(&container).into_owned()))
    }

    /// The application whose container has claimed the attempt.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn claimer(&self) -> io::Result<Option<String>> {
        let container = self.claiming()?;
        Ok(container.as_deref().and_then(application_of))
    }

    /// The names in a folder; none if it does not exist.
    fn names(&self, folder: &Path) -> io::Result<Vec<String>> {
        let entries = self.system.list(folder)?.unwrap_or_default();
        let names = entries.into_iter();
        Ok(names
            .filter_map(|entry| entry.name.into_string().ok())
            .collect())
    }

    /// Stores where an owner listens for the end, as [`super::bell`] names it.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn store_bell(&self, name: &str) -> io::Result<()> {
        self.system.touch(&self.folder.join(name))
    }

    /// The names of everything in the folder.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn all(&self) -> io::Result<Vec<String>> {
        self.names(&self.folder)
    }

    /// Stores the id of an application that the program has started.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn store_child(&self, id: &str) -> io::Result<()> {
        self.system.touch(&self.folder.join(format!("{CHILD}{id}")))
    }

    /// The ids of applications that the program has started, as far as they are known.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn children(&self) -> io::Result<Vec<String>> {
        let names = self.all()?.into_iter();
        let mut ids: Vec<String> = names
            .filter_map(|name| name.strip_prefix(CHILD).map(str::to_owned))
            .collect();
        ids.sort();
        Ok(ids)
    }

    /// Stores what the program printed; of more than `most` bytes, the end.
    ///
    /// # Errors
    ///
    /// It cannot be read, or the file system fails.
    pub fn store_output(
        &self,
        file: &Path,
        name: &str,
        most: u64,
        scratch: &Path,
    ) -> io::Result<()> {
        let length = fs::metadata(file)?.len();
        if length <= most {
            return self.system.put(file, &self.folder.join(name));
        }
        cut(file, scratch, length, most)?;
        self.system.put(scratch, &self.folder.join(name))
    }

    /// Stores a file of the program, if it has written it.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn store_result(&self, file: &Path, name: &str) -> io::Result<()> {
        match file.is_file() {
            true => self.system.put(file, &self.folder.join(name)),
            false => Ok(()),
        }
    }

    /// Stores how the program ended: everything else is stored.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn store_exit(&self, record: &ExitRecord, scratch: &Path) -> io::Result<()> {
        if let Some(name) = exit_name::of(record) {
            return self.system.touch(&self.folder.join(name));
        }
        fs::write(scratch, serde_json::to_vec(record)?)?;
        let new = self.folder.join(format!("{EXIT}.new"));
        self.system.put(scratch, &new)?;
        let exit = self.folder.join(EXIT);
        match self.system.rename(&new, &exit, false) {
            Err(error) if self.system.status(&exit)?.is_none() => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// How the program ended; `None` if that is not stored.
    ///
    /// # Errors
    ///
    /// The file system fails.
    pub fn exit(&self) -> io::Result<Option<ExitRecord>> {
        let names = self.all()?;
        if let Some(record) = names.iter().find_map(|name| exit_name::record(name)) {
            return Ok(Some(record));
        }
        if names.iter().all(|name| name != EXIT) {
            return Ok(None);
        }
        let text = self.system.read(&self.folder.join(EXIT), 64 * 1024)?;
        Ok(Some(serde_json::from_slice(&text)?))
    }

    /// Copies a file of the folder to a local one, if it is there.
    ///
    /// # Errors
    ///
    /// The file system fails, or the copy cannot be written.
    pub fn get(&self, name: &str, to: &Path) -> io::Result<()> {
        let path = self.folder.join(name);
        match self.system.status(&path)? {
            Some(_) => self.system.get(&path, to),
            None => Ok(()),
        }
    }

    /// Removes the folder. What cannot be removed stays.
    pub fn remove(&self) {
        let _ = self.system.remove(&self.folder);
    }
}

/// A file on another file system, as YARN localises it; an error if that does not say when it was changed.
///
/// # Errors
///
/// It is missing, or the file system fails.
pub fn resource(system: &dyn FileSystem, path: &Path) -> io::Result<LocalResource> {
    let status = system.status(path)?;
    let status = status.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
    let timestamp = status.modified.ok_or_else(|| {
        io::Error::new(
            io::ErrorKind::Unsupported,
            "its file system does not say when it was changed",
        )
    })?;
    Ok(LocalResource {
        uri: uri_on(system, &encoded(path)),
        size: status.length,
        timestamp,
    })
}

/// A path as Java's `URI` takes it: the resource manager reads resources as URIs, unlike Hadoop's paths.
fn encoded(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    PathBuf::from(utf8_percent_encode(&text, NOT_OF_PATHS).to_string())
}

/// `application_1_2` of `container_1_2_01_000001`, or of `container_e03_1_2_01_000001`.
fn application_of(container: &str) -> Option<String> {
    let mut parts = container.strip_prefix("container_")?.split('_').peekable();
    // How often the resource manager had been restarted.
    parts.next_if(|part| part.starts_with('e'));
    let (cluster, number) = (parts.next()?, parts.next()?);
    Some(format!("application_{cluster}_{number}"))
}

/// The digest of a file in hexadecimal, and its length.
fn digest(file: &Path) -> io::Result<(String, u64)> {
    let mut file = File::open(file)?;
    let mut digest = Sha256::new();
    let mut buffer = vec![0; 256 * 1024];
    let mut length = 0;
    loop {
        let n = file.read(&mut buffer)?;
        if n == 0 {
            break;
        }
        digest.update(&buffer[..n]);
        length += u64::try_from(n).unwrap_or_default();
    }
    Ok((hex::encode(digest.finalize()), length))
}

/// The last `most` bytes of a file, behind a line that says how much is missing.
fn cut(file: &Path, to: &Path, length: u64, most: u64) -> io::Result<()> {
    let missing = length - most;
    let mut from = File::open(file)?;
    from.seek(SeekFrom::Start(missing))?;
    let mut to = File::create(to)?;
    writeln!(
        to,
        "... {missing} bytes before are in the container's log only"
    )?;
    io::copy(&mut from.take(most), &mut to)?;
    Ok(())
}

#[cfg(test)]
mod tests;
