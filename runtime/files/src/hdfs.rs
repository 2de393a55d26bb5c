//! `hdfs://` and `viewfs://`, through Hadoop's RPC protocol (crate `hdfs-native`).
//!
//! The host is a name node, or a name service with several name nodes in `hdfs-site.xml`. The default host is that of
//! `fs.defaultFS`.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use hdfs_native::{Client, ClientBuilder, HdfsError, WriteOptions, client::FileStatus};

use crate::{
    error::Fault,
    hosts::{self, ClientKey, Clients, Hosts},
    kerberos,
    remove::RemoveError,
    system::{DirEntry, EntryStatus, FileGroup, FileSystem, next_part},
};

pub(super) mod error;
mod paced;

use self::paced::paced;

/// The default port of a name node (`HdfsClientConfigKeys.DFS_NAMENODE_RPC_PORT_DEFAULT`).
const NAME_NODE_PORT: u16 = 8020;

/// The number of bytes of a file that are given to the client at once. It queues up to 200 packets of 64 kB besides.
const PART_OF_BLOCK: u64 = 1024 * 1024;

/// How long a data node may take to report a block to the name node after it has confirmed it to the client. A file that is completed
/// earlier is refused, and the client waits for half a second before it tries again.
const REPORT: Duration = Duration::from_millis(15);

/// One HDFS for one user.
pub struct Hdfs<'a> {
    hosts: Hosts<'a>,
    client: Client,
    name: String,
    user: String,
    home: PathBuf,
    /// The umask of new files and folders.
    umask: u32,
}

static CLIENTS: Clients<Client> = Clients::new();

impl<'a> Hdfs<'a> {
    /// A client for `scheme://authority`. It does not connect yet.
    ///
    /// # Errors
    ///
    /// If the configuration cannot be read, or leads to no name node.
    pub fn open(hosts: Hosts<'a>, scheme: &str, authority: &str) -> io::Result<Hdfs<'a>> {
        let mut properties = hosts.properties()?;
        let is_alone = !properties
            .keys()
            .any(|name| name.starts_with("dfs.ha.namenodes."));
        if scheme == "hdfs" && is_alone {
            // There is no other name node to fail over to, and the job has its own retries.
            properties
                .entry("dfs.client.failover.max.attempts".to_owned())
                .or_insert_with(|| "0".to_owned());
        }
        let get = |name: &str| properties.get(name).map(|value| value.trim());
        let name = address(scheme, authority, get)?;
        let user = hosts.user();
        let key = ClientKey {
            uri: name.clone(),
            user: user.clone(),
            properties: properties.clone(),
        };
        // Kerberos determines the user; any other name is one to act for, which nobody may for himself.
        let is_other = || {
            let own = kerberos::user().ok();
            hosts.settings.user.is_some() && hosts.settings.user != own
        };
        let is_named = !kerberos::is_asked(&properties) || is_other();
        let client = CLIENTS.get(&key, || {
            let mut builder = ClientBuilder::new()
                .with_url(&name)
                .with_config(key.properties.clone())
                .with_io_runtime(hosts::handle()?);
            if is_named {
                builder = builder.with_user(&user);
            }
            builder.build().map_err(error::converted)
        })?;
        let homes = get("dfs.user.home.dir.prefix").unwrap_or("/user");
        let home = Path::new(homes).join(&user);
        let umask = get("fs.permissions.umask-mode")
            .and_then(|mask| u32::from_str_radix(mask, 8).ok())
            .unwrap_or(0o022);
        Ok(Hdfs {
            hosts,
            client,
            name,
            user,
            home,
            umask,
        })
    }

    /// Calls the client, which runs on its own thread.
    fn call<T: Send + 'static, F>(
        &self,
        call: impl FnOnce(Client) -> F + Send + 'static,
    ) -> io::Result<T>
    where
        F: Future<Output = Result<T, HdfsError>> + Send,
    {
        let client = self.client.clone();
        self.hosts
            .wait(async move { call(client).await.map_err(error::converted) })
            .map_err(|error| Fault::at(&self.name, error))
    }

    fn make(&self, path: &Path, permission: u32) -> io::Result<()> {
        let path = text(path)?;
        self.call(move |client| async move { client.mkdirs(&path, permission, true).await })
    }
}

/// `scheme://host:port`, or `scheme://name` of a name service.
fn address<'p>(
    scheme: &str,
    authority: &str,
    get: impl Fn(&str) -> Option<&'p str>,
) -> io::Result<String> {
    let default = get("fs.defaultFS").or_else(|| get("fs.default.name"));
    let default = default.and_then(|uri| {
        let (of, rest) = uri.split_once("://")?;
        let authority = rest.split('/').next().unwrap_or_default();
        (of.eq_ignore_ascii_case(scheme) && !authority.is_empty()).then_some(authority)
    });
    let authority = match authority {
        "" => default.ok_or_else(|| {
            let message = format!("the URI has no host, and fs.defaultFS is not of `{scheme}`");
            io::Error::new(io::ErrorKind::InvalidInput, message)
        })?,
        authority => authority,
    };
    let has_port = authority.rsplit_once(':').is_some_and(|(_, port)| {
        !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
    });
    let is_service = scheme == "viewfs" || get(&format!("dfs.ha.namenodes.{authority}")).is_some();
    Ok(if has_port || is_service {
        format!("{scheme}://{authority}")
    } else {
        format!("{scheme}://{authority}:{NAME_NODE_PORT}")
    })
}

fn text(path: &Path) -> io::Result<String> {
    path.to_str().map(str::to_owned).ok_or_else(|| {
        let message = format!("{} is not valid UTF-8", path.display());
        io::Error::new(io::ErrorKind::InvalidInput, message)
    })
}

fn status(status: &FileStatus) -> EntryStatus {
    let number = |number: Option<u64>| number.and_then(|it| i64::try_from(it).ok()).unwrap_or(0);
    EntryStatus {
        is_folder: status.isdir,
        is_link: false,
        length: i64::try_from(status.length).unwrap_or(i64::MAX),
        block_size: if status.isdir {
            0
        } else {
            number(status.blocksize)
        },
        mode: Some(u32::from(status.permission) & 0o7777),
        group: Some(FileGroup::Name(status.group.clone())),
        modified: i64::try_from(status.modification_time).ok(),
    }
}

/// The result; `None` if the error says that the path does not exist.
fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if crate::is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

impl FileSystem for Hdfs<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        let path = text(path)?;
        let found = self.call(move |client| async move { client.get_file_info(&path).await });
        Ok(unless_missing(found)?.as_ref().map(status))
    }

    fn list(&self, folder: &Path) -> io::Result<Option<Vec<DirEntry>>> {
        let folder = text(folder)?;
        let asked = folder.clone();
        let listed =
            self.call(move |client| async move { client.list_status(&asked, false).await });
        let Some(listed) = unless_missing(listed)? else {
            return Ok(None);
        };
        // For a file, HDFS lists the file itself.
        if listed.iter().any(|entry| entry.path == folder) {
            return Ok(None);
        }
        let entries = listed.iter().map(|entry| {
            let name = entry.path.rsplit('/').next().unwrap_or_default();
            let is = status(entry);
            DirEntry {
                name: name.into(),
                is_folder: is.is_folder,
                is_link: false,
                length: Some(is.length),
            }
        });
        Ok(Some(entries.collect()))
    }

    fn make_folders(&self, path: &Path) -> io::Result<()> {
        self.make(path, 0o777 & !self.umask)
    }

    fn make_private_folders(&self, path: &Path) -> io::Result<()> {
        self.make(path, 0o700)
    }

    fn rename(&self, from: &Path, to: &Path, _is_redo: bool) -> io::Result<()> {
        let (from, to) = (text(from)?, text(to)?);
        self.call(move |client| async move { client.rename(&from, &to, false).await })
    }

    fn remove(&self, path: &Path) -> Result<(), RemoveError> {
        let failure = |error| RemoveError::of(path, error);
        let path = text(path).map_err(failure)?;
        // `false` means that there was nothing.
        self.call(move |client| async move { client.delete(&path, true).await })
            .map(drop)
            .map_err(failure)
    }

    fn set_permission(&self, path: &Path, mode: u32) -> io::Result<()> {
        let path = text(path)?;
        self.call(move |client| async move { client.set_permission(&path, mode).await })
    }

    fn group(&self, name: &str) -> io::Result<FileGroup> {
        Ok(FileGroup::Name(name.to_owned()))
    }

    fn set_group(&self, path: &Path, group: &FileGroup, _is_link: bool) -> io::Result<()> {
        let path = text(path)?;
        let group = match group {
            FileGroup::Name(name) => name.clone(),
            FileGroup::Id(id) => id.to_string(),
        };
        // The owner becomes the workflow's user, as in `FsActionExecutor`.
        let user = self.user.clone();
        self.call(
            move |client| async move { client.set_owner(&path, Some(&user), Some(&group)).await },
        )
    }

    fn set_replication(&self, path: &Path, factor: i16) -> io::Result<()> {
        let path = text(path)?;
        let factor = u32::try_from(factor).map_err(|_| {
            let message = format!("{factor} is no number of copies");
            io::Error::new(io::ErrorKind::InvalidInput, message)
        })?;
        // `false` means that it is not a file, which the caller has checked.
        self.call(move |client| async move { client.set_replication(&path, factor).await })
            .map(drop)
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        let path = text(path)?;
        let options = WriteOptions::default()
            .permission(0o666 & !self.umask)
            .overwrite(true)
            .create_parent(true);
        self.call(move |client| async move {
            let mut writer = client.create(&path, options).await?;
            writer.close().await
        })
    }

    fn read_part(&self, path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
        let path = text(path)?;
        let number = |value: u64| usize::try_from(value).unwrap_or(usize::MAX);
        let (from, length) = (number(from), number(length));
        self.call(move |client| async move {
            let reader = client.read(&path).await?;
            let from = from.min(reader.file_length());
            let length = length.min(reader.file_length() - from);
            if length == 0 {
                return Ok(Vec::new());
            }
            Ok(reader.read_range(from, length).await?.to_vec())
        })
    }

    fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        let path = text(to)?;
        let mut file = File::open(from)?;
        let options = WriteOptions::default()
            .permission(0o666 & !self.umask)
            .overwrite(true)
            .create_parent(true);
        let mut writer =
            self.call(move |client| async move { client.create(&path, options).await })?;
        let mut is_empty = true;
        loop {
            let part = next_part(&mut file, PART_OF_BLOCK)?;
            if part.is_empty() {
                break;
            }
            is_empty = false;
            writer = self.call(move |_| async move {
                writer.write_bytes(part.into()).await?;
                Ok(writer)
            })?;
        }
        let pause = if is_empty { Duration::ZERO } else { REPORT };
        self.call(move |_| async move { paced(writer.close(), pause).await })
    }

    fn home(&self) -> Option<PathBuf> {
        Some(self.home.clone())
    }

    fn trash(&self) -> io::Result<PathBuf> {
        hosts::trash_of(&self.hosts.properties()?, &self.home)
    }
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn name_nodes_have_addresses() {
        let get = |name: &str| match name {
            "fs.defaultFS" => Some("hdfs://prod/"),
            "dfs.ha.namenodes.prod" => Some("nn1,nn2"),
            _ => None,
        };
        for (scheme, authority, expected) in [
            ("hdfs", "nn:9000", Some("hdfs://nn:9000")),
            ("hdfs", "nn", Some("hdfs://nn:8020")),
            ("hdfs", "prod", Some("hdfs://prod")),
            ("hdfs", "", Some("hdfs://prod")),
            ("viewfs", "cluster", Some("viewfs://cluster")),
            ("viewfs", "", None),
        ] {
            let found = address(scheme, authority, get).ok();
            assert_eq!(found.as_deref(), expected, "{scheme}://{authority}");
        }
    }
}
