//! `$HPDL_HOME`: the folder with the job store, the work folders and the unpacked applications of a user.

use std::{
    env, fs, io,
    os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
};

use crate::exit::RunError;

pub mod durable;
mod host_id;
pub mod lock;
pub mod private_file;
pub mod secret;
pub mod site_file;
pub mod store_key;
pub mod store_location;

use self::{store_key::StoreKeys, store_location::StoreLocation};

/// The state folder, validated and private.
#[derive(Clone, Debug)]
pub struct Home {
    root: PathBuf,
    store: StoreLocation,
    keys: StoreKeys,
}

impl Home {
    /// Finds the state folder, creates it if it is missing, and checks that it can be trusted.
    ///
    /// # Errors
    ///
    /// Exit 2 if other users own or can write it (executables in it are run), if it is on a network file system (SQLite's WAL is
    /// not safe there) or has a path that is not UTF-8; exit 5 if it cannot be created.
    pub fn open() -> Result<Home, RunError> {
        Home::open_at(location()?)
    }

    /// As [`Home::open`] if there is a store already; nothing is created.
    ///
    /// # Errors
    ///
    /// As [`Home::open`].
    pub fn existing() -> Result<Option<Home>, RunError> {
        let home = Home::unmade()?;
        if home.has_store() {
            Home::open_at(home.root).map(Some)
        } else {
            Ok(None)
        }
    }

    /// A trusted state folder with a store; nothing is created, and a missing one is not an error.
    pub fn to_read() -> Option<Home> {
        let home = Home::unmade().ok()?;
        let is_sound =
            home.has_store() && home.check_owner().is_ok() && home.check_file_system().is_ok();
        is_sound.then_some(home)
    }

    /// Whether there may be jobs of this folder.
    fn has_store(&self) -> bool {
        self.root.exists() && self.store.may_exist()
    }

    /// The location of the state folder, which may not exist.
    ///
    /// # Errors
    ///
    /// If no location is known.
    pub fn unmade() -> Result<Home, RunError> {
        Home::of(location()?)
    }

    /// As [`Home::open`], with a folder that the caller names.
    ///
    /// # Errors
    ///
    /// As [`Home::open`].
    pub fn open_at(root: PathBuf) -> Result<Home, RunError> {
        // Paths below it are in requests and in the store as text.
        if root.to_str().is_none() {
            return Err(RunError::usage(format!(
                "the path of the state folder is not UTF-8: {}",
                root.display()
            ))
            .with_help("set HPDL_HOME to another folder"));
        }
        let home = Home::of(root)?;
        let make = |folder: &Path| {
            make_private(folder).map_err(|error| {
                RunError::machine(format!(
                    "cannot make the state folder {}: {error}",
                    folder.display()
                ))
                .with_help("set HPDL_HOME to a folder that you can write")
            })
        };
        make(&home.root)?;
        // Before anything is written into another user's folder.
        home.check_owner()?;
        home.check_file_system()?;
        for folder in [
            home.work(),
            home.locks(),
            home.apps(),
            home.bin(),
            home.sums(),
        ] {
            make(&folder)?;
        }
        Ok(home)
    }

    /// A folder for tests.
    #[cfg(any(test, feature = "testing"))]
    pub fn at(root: &Path) -> Home {
        Home::of(root.to_owned()).expect("a location of its store")
    }

    /// The same folder, with its store elsewhere.
    #[must_use]
    pub fn with_store(&self, store: StoreLocation) -> Home {
        Home {
            root: self.root.clone(),
            store,
            keys: self.keys.clone(),
        }
    }

    fn of(root: PathBuf) -> Result<Home, RunError> {
        let store = StoreLocation::of_folder(&root);
        let mut home = Home {
            root,
            store,
            keys: StoreKeys::default(),
        };
        home.store = StoreLocation::find(&home)?;
        home.keys = StoreKeys::find(&home)?;
        Ok(home)
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Where the job store is.
    pub fn store_location(&self) -> &StoreLocation {
        &self.store
    }

    /// The keys that encrypt values in it.
    pub fn store_keys(&self) -> &StoreKeys {
        &self.keys
    }

    /// The same folder with other keys, for tests.
    #[cfg(any(test, feature = "testing"))]
    #[must_use]
    pub fn with_keys(&self, keys: StoreKeys) -> Home {
        Home {
            keys,
            ..self.clone()
        }
    }

    /// The file of the job store, if it is in one.
    pub fn store(&self) -> PathBuf {
        self.root.join("jobs.db")
    }

    /// Held while the store is created or opened for the first time.
    pub fn store_lock(&self) -> PathBuf {
        self.root.join("jobs.lock")
    }

    /// Locks of job owners.
    pub fn locks(&self) -> PathBuf {
        self.root.join("locks")
    }

    /// Locked while a launcher may still start something that an owner of the job requested.
    pub fn pending_requests(&self, root: &str) -> PathBuf {
        self.locks().join(format!("{root}.requests"))
    }

    /// The named pipe that wakes the owner of a job.
    pub fn bell(&self, root: &str) -> PathBuf {
        self.locks().join(format!("{root}.bell"))
    }

    /// The key of callback tokens.
    pub fn callback_key(&self) -> PathBuf {
        self.root.join("callback.key")
    }

    /// Exists once a callback URL was issued here, if the key is shared with other hosts.
    pub fn callback_mark(&self) -> PathBuf {
        self.root.join("callback.used")
    }

    /// Whether callback URLs were issued here, which have to be answered.
    pub fn has_callbacks(&self) -> bool {
        self.callback_mark().exists() || self.store.is_file() && self.callback_key().exists()
    }

    /// The key that distinguishes the tags of this folder's attempts from those of others.
    pub fn tag_key(&self) -> PathBuf {
        self.root.join("tag.key")
    }

    /// The key that signs cookies of `hpdl serve`.
    pub fn server_key(&self) -> PathBuf {
        self.root.join("server.key")
    }

    /// The id of this state folder, for a store that is not in it.
    pub fn host_id(&self) -> PathBuf {
        self.root.join("host.id")
    }

    /// Until when this host may run processes (see [`crate::liveness`]).
    pub fn host_alive(&self) -> PathBuf {
        self.root.join("host.alive")
    }

    /// Held by the process that proves that this host is alive.
    pub fn host_lock(&self) -> PathBuf {
        self.root.join("host.lock")
    }

    /// The port of the callback listener.
    pub fn callback_port(&self) -> PathBuf {
        self.root.join("callback.port")
    }

    /// Held by the process that sends the notifications of a job tree.
    pub fn post_lock(&self, root: &str) -> PathBuf {
        self.locks().join(format!("{root}.post"))
    }

    /// The files in [`Home::locks`] for a job tree, its lock last: the process that removes them holds that lock.
    pub fn lock_files(&self, root: &str) -> [PathBuf; 4] {
        [
            self.pending_requests(root),
            self.post_lock(root),
            self.bell(root),
            self.locks().join(root),
        ]
    }

    /// The work folder of an attempt. A further run of the job has separate ones, under a name that no node can have.
    pub fn attempt(&self, job: &str, run: i64, node: &str, attempt: i64) -> PathBuf {
        let mut folder = self.work().join(job);
        if run > 0 {
            folder.push(format!("@{run}"));
        }
        folder.join(node).join(attempt.to_string())
    }

    pub fn work(&self) -> PathBuf {
        self.root.join("work")
    }

    /// Unpacked application files, one folder per definition hash.
    pub fn apps(&self) -> PathBuf {
        self.root.join("apps")
    }

    /// Copies of the executables that jobs belong to, by definition hash.
    pub fn bin(&self) -> PathBuf {
        self.root.join("bin")
    }

    /// The digests of the copies of executables, and records of when files were verified, one folder per definition hash.
    pub fn sums(&self) -> PathBuf {
        self.root.join("sums")
    }

    pub fn site_file(&self) -> PathBuf {
        self.root.join("hpdl-site.xml")
    }

    fn check_owner(&self) -> Result<(), RunError> {
        let metadata = fs::metadata(&self.root).map_err(|error| {
            RunError::machine(format!("cannot read {}: {error}", self.root.display()))
        })?;
        let user = rustix::process::geteuid().as_raw();
        if metadata.uid() != user {
            return Err(RunError::usage(format!(
                "the state folder {} belongs to user {}, not to you ({user})",
                self.root.display(),
                metadata.uid()
            ))
            .with_help("set HPDL_HOME to a folder of your own: executables in it are run"));
        }
        if metadata.permissions().mode() & 0o022 != 0 {
            return Err(RunError::usage(format!(
                "others can write the state folder {}",
                self.root.display()
            ))
            .with_help(format!("type: chmod 700 {}", self.root.display())));
        }
        Ok(())
    }

    fn check_file_system(&self) -> Result<(), RunError> {
        let Ok(status) = rustix::fs::statfs(&self.root) else {
            return Ok(());
        };
        let Some(kind) = network_file_system(status.f_type) else {
            return Ok(());
        };
        Err(RunError::usage(format!(
            "the state folder {} is on a network file system ({kind})",
            self.root.display()
        ))
        .with_help(
            "set HPDL_HOME to a folder on a local disk: the job store needs its shared memory",
        ))
    }
}

/// Whether a folder is on a network file system, where changes by other machines are not reported.
pub fn is_on_network(folder: &Path) -> bool {
    rustix::fs::statfs(folder).is_ok_and(|status| network_file_system(status.f_type).is_some())
}

/// The name of a network file system by its magic number in `statfs(2)`.
fn network_file_system(magic: i64) -> Option<&'static str> {
    match magic {
        0x6969 => Some("NFS"),
        0xff53_4d42 => Some("CIFS"),
        0xfe53_4d42 => Some("SMB2"),
        0x517b => Some("SMB"),
        0x6573_5546 => Some("FUSE"),
        _ => None,
    }
}

fn location() -> Result<PathBuf, RunError> {
    let from = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    let root = match (from("HPDL_HOME"), from("XDG_STATE_HOME"), from("HOME")) {
        (Some(home), _, _) => home,
        (None, Some(state), _) => state.join("hpdl"),
        (None, None, Some(home)) => home.join(".local/state/hpdl"),
        (None, None, None) => {
            return Err(RunError::usage(
                "the state folder has no default location: HOME is not set",
            )
            .with_help("set HPDL_HOME to a folder that you can write"));
        }
    };
    std::path::absolute(&root).map_err(|error| {
        RunError::usage(format!("{} is not a usable path: {error}", root.display()))
    })
}

fn make_private(folder: &Path) -> io::Result<()> {
    match fs::metadata(folder) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::from(io::ErrorKind::NotADirectory)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder),
        Err(error) => Err(error),
    }
}

/// The sorted names in a folder; empty if it does not exist.
pub fn names_in(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt};

    use super::*;
    use crate::exit::Exit;

    #[test]
    fn a_path_that_is_no_utf_8_is_refused_and_not_made() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join(OsStr::from_bytes(b"h\xe9"));
        let refused = Home::open_at(root.clone()).unwrap_err();
        assert_eq!(refused.exit, Exit::Usage);
        assert!(!root.exists());
    }

    #[test]
    fn network_file_systems_are_known_by_their_magic_numbers() {
        assert_eq!(network_file_system(0x6969), Some("NFS"));
        assert_eq!(network_file_system(0x6573_5546), Some("FUSE"));
        assert_eq!(network_file_system(0xef53), None, "ext4");
        assert_eq!(network_file_system(0x0102_1994), None, "tmpfs");
    }
}
