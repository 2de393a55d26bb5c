//! `webhdfs://` and `swebhdfs://`: HDFS through its REST interface, without or with TLS.
//!
//! For clusters whose name node is reachable only over HTTP. Users are named, or proved by Kerberos where the name node asks for it.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use reqwest::{Client, Method, RequestBuilder, Url};
use serde::Deserialize;
use serde_json::Value;

use crate::{
    error::Fault,
    hdfs::error::of_class,
    hosts::{self, Hosts},
    negotiate,
    remove::RemoveError,
    system::{DirEntry, EntryStatus, FileGroup, FileSystem, PART, next_part},
};

/// One HDFS for one user.
pub struct WebHdfs<'a> {
    hosts: Hosts<'a>,
    client: Client,
    name: String,
    /// The URL of the servlet, without a trailing slash.
    base: String,
    user: String,
}

/// The default HTTP port of a name node (`DFS_NAMENODE_HTTP_PORT_DEFAULT`).
const HTTP_PORT: u16 = 9870;
const HTTPS_PORT: u16 = 9871;

impl<'a> WebHdfs<'a> {
    /// A client for `scheme://authority`. It does not connect yet.
    ///
    /// # Errors
    ///
    /// If there is no host, or no client can be created.
    pub fn open(hosts: Hosts<'a>, scheme: &str, authority: &str) -> io::Result<WebHdfs<'a>> {
        if authority.is_empty() {
            let message = "the URI has no host";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        let (protocol, port) = match scheme {
            "swebhdfs" => ("https", HTTPS_PORT),
            _ => ("http", HTTP_PORT),
        };
        let address = if authority.contains(':') {
            authority.to_owned()
        } else {
            format!("{authority}:{port}")
        };
        let client = hosts::http_client()?;
        Ok(WebHdfs {
            user: hosts.user(),
            hosts,
            client,
            name: format!("{scheme}://{address}"),
            base: format!("{protocol}://{address}/webhdfs/v1"),
        })
    }

    fn url(&self, path: &Path, operation: &str, query: &[(&str, &str)]) -> io::Result<Url> {
        let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidInput, message);
        let path = path
            .to_str()
            .ok_or_else(|| invalid(format!("{} is not valid UTF-8", path.display())))?;
        let mut url = Url::parse(&self.base).map_err(|error| invalid(error.to_string()))?;
        url.path_segments_mut()
            .map_err(|()| invalid(format!("`{}` has no path", self.base)))?
            .extend(path.split('/').filter(|part| !part.is_empty()));
        url.query_pairs_mut()
            .append_pair("op", operation)
            .append_pair("user.name", &self.user)
            .extend_pairs(query);
        Ok(url)
    }

    /// Sends a request; returns the bytes of the response, at most `max` plus one chunk.
    fn ask(&self, method: Method, url: Url, max: u64) -> io::Result<Vec<u8>> {
        self.answer(self.client.request(method, url), max)
    }

    fn answer(&self, request: RequestBuilder, max: u64) -> io::Result<Vec<u8>> {
        let request = request
            .build()
            .map_err(|error| io::Error::other(error.to_string()))?;
        let answered = negotiate::send(&self.hosts, &self.client, request, max);
        let answered = answered.and_then(|reply| match reply.status {
            200..300 => Ok(reply.bytes),
            status => Err(refusal(status, &reply.bytes)),
        });
        answered.map_err(|error| Fault::at(&self.name, error))
    }

    fn json(&self, method: Method, url: Url) -> io::Result<Value> {
        let bytes = self.ask(method, url, MAX_ANSWER)?;
        if bytes.is_empty() {
            return Ok(Value::Null);
        }
        serde_json::from_slice(&bytes)
            .map_err(|error| Fault::Interrupted.error(format!("the answer is no JSON: {error}")))
    }

    fn send(&self, path: &Path, operation: &str, query: &[(&str, &str)]) -> io::Result<Value> {
        self.json(Method::PUT, self.url(path, operation, query)?)
    }

    /// Sends bytes to a data node. The name node says which: a body sent to the name node itself may break the connection.
    fn send_part(
        &self,
        method: Method,
        path: &Path,
        operation: &str,
        bytes: Vec<u8>,
    ) -> io::Result<()> {
        let mut query = vec![("noredirect", "true")];
        if operation == "CREATE" {
            query.push(("overwrite", "true"));
        }
        let answer = self.json(method.clone(), self.url(path, operation, &query)?)?;
        let place = answer["Location"]
            .as_str()
            .and_then(|place| Url::parse(place).ok())
            .ok_or_else(|| Fault::Interrupted.error("the answer has no Location".to_owned()))?;
        let request = self.client.request(method, place).body(bytes);
        self.answer(request, MAX_ANSWER).map(drop)
    }

    fn make(&self, path: &Path, permission: Option<&str>) -> io::Result<()> {
        let query: Vec<(&str, &str)> = permission
            .map(|permission| ("permission", permission))
            .into_iter()
            .collect();
        done(
            &self.send(path, "MKDIRS", &query)?,
            "the folder is not made",
        )
    }
}

/// The maximum size of a JSON response: a listing of a million files is about 300 MB.
const MAX_ANSWER: u64 = 1 << 30;

/// `{"boolean": true}`
fn done(answer: &Value, otherwise: &str) -> io::Result<()> {
    match answer["boolean"].as_bool() {
        Some(false) => Err(io::Error::other(otherwise.to_owned())),
        Some(true) | None => Ok(()),
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileStatus {
    #[serde(default)]
    path_suffix: String,
    r#type: String,
    #[serde(default)]
    length: i64,
    #[serde(default)]
    block_size: i64,
    permission: String,
    #[serde(default)]
    group: String,
    modification_time: Option<i64>,
}

impl FileStatus {
    fn read(value: &Value) -> io::Result<FileStatus> {
        FileStatus::deserialize(value)
            .map_err(|error| Fault::Interrupted.error(format!("the answer is odd: {error}")))
    }

    fn status(&self) -> EntryStatus {
        let is_folder = self.r#type == "DIRECTORY";
        EntryStatus {
            is_folder,
            is_link: false,
            length: if is_folder { 0 } else { self.length },
            block_size: if is_folder { 0 } else { self.block_size },
            mode: u32::from_str_radix(&self.permission, 8).ok(),
            group: Some(FileGroup::Name(self.group.clone())),
            modified: self.modification_time,
        }
    }
}

/// `{"RemoteException": {"javaClassName": ..., "message": ...}}`
fn refusal(status: u16, bytes: &[u8]) -> io::Error {
    let answer: Value = serde_json::from_slice(bytes).unwrap_or_default();
    let exception = &answer["RemoteException"];
    match exception["javaClassName"].as_str() {
        Some(class) => of_class(class, exception["message"].as_str().unwrap_or_default()),
        None if status == 401 || status == 403 => {
            io::Error::new(io::ErrorKind::PermissionDenied, format!("HTTP {status}"))
        }
        // A proxy, or a name node that is starting.
        None if status >= 500 => Fault::Unreachable.error(format!("HTTP {status}")),
        None => io::Error::other(format!("HTTP {status}")),
    }
}

fn unless_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if crate::is_missing(&error) => Ok(None),
        Err(error) => Err(error),
    }
}

impl FileSystem for WebHdfs<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        let url = self.url(path, "GETFILESTATUS", &[])?;
        let Some(answer) = unless_missing(self.json(Method::GET, url))? else {
            return Ok(None);
        };
        Ok(Some(FileStatus::read(&answer["FileStatus"])?.status()))
    }

    fn list(&self, folder: &Path) -> io::Result<Option<Vec<DirEntry>>> {
        let url = self.url(folder, "LISTSTATUS", &[])?;
        let Some(answer) = unless_missing(self.json(Method::GET, url))? else {
            return Ok(None);
        };
        let listed = answer["FileStatuses"]["FileStatus"].as_array();
        let mut entries = Vec::new();
        for value in listed.into_iter().flatten() {
            let found = FileStatus::read(value)?;
            // For a file, HDFS lists the file itself.
            if found.path_suffix.is_empty() {
                return Ok(None);
            }
            let status = found.status();
            entries.push(DirEntry {
                name: found.path_suffix.into(),
                is_folder: status.is_folder,
                is_link: false,
                length: Some(status.length),
            });
        }
        Ok(Some(entries))
    }

    fn make_folders(&self, path: &Path) -> io::Result<()> {
        self.make(path, None)
    }

    fn make_private_folders(&self, path: &Path) -> io::Result<()> {
        self.make(path, Some("700"))
    }

    fn rename(&self, from: &Path, to: &Path, _is_redo: bool) -> io::Result<()> {
        let to = to.to_string_lossy();
        // With options it does not replace, and does not move into a folder.
        let query = [("destination", &*to), ("renameoptions", "NONE")];
        done(&self.send(from, "RENAME", &query)?, "it is not moved")
    }

    fn remove(&self, path: &Path) -> Result<(), RemoveError> {
        let url = self.url(path, "DELETE", &[("recursive", "true")]);
        // `false` means that there was nothing.
        url.and_then(|url| self.json(Method::DELETE, url))
            .map(drop)
            .map_err(|error| RemoveError::of(path, error))
    }

    fn set_permission(&self, path: &Path, mode: u32) -> io::Result<()> {
        let mode = format!("{mode:o}");
        self.send(path, "SETPERMISSION", &[("permission", &mode)])
            .map(drop)
    }

    fn group(&self, name: &str) -> io::Result<FileGroup> {
        Ok(FileGroup::Name(name.to_owned()))
    }

    fn set_group(&self, path: &Path, group: &FileGroup, _is_link: bool) -> io::Result<()> {
        let group = match group {
            FileGroup::Name(name) => name.clone(),
            FileGroup::Id(id) => id.to_string(),
        };
        // The owner becomes the workflow's user, as in `FsActionExecutor`.
        let query = [("owner", self.user.as_str()), ("group", group.as_str())];
        self.send(path, "SETOWNER", &query).map(drop)
    }

    fn set_replication(&self, path: &Path, factor: i16) -> io::Result<()> {
        let factor = factor.to_string();
        self.send(path, "SETREPLICATION", &[("replication", &factor)])
            .map(drop)
    }

    fn touch(&self, path: &Path) -> io::Result<()> {
        // The name node redirects to a data node, which accepts the empty body.
        self.send(path, "CREATE", &[("overwrite", "true")])
            .map(drop)
    }

    fn read_part(&self, path: &Path, from: u64, length: u64) -> io::Result<Vec<u8>> {
        let [offset, wanted] = [from, length].map(|number| number.to_string());
        let query = [("offset", &*offset), ("length", &*wanted)];
        let answer = self.ask(Method::GET, self.url(path, "OPEN", &query)?, length);
        match answer {
            // The name node refuses offsets after the end.
            Err(error) if from > 0 => match self.status(path)? {
                Some(status) if u64::try_from(status.length).is_ok_and(|size| size <= from) => {
                    Ok(Vec::new())
                }
                Some(_) | None => Err(error),
            },
            answer => answer,
        }
    }

    fn put(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut file = File::open(from)?;
        let first = next_part(&mut file, PART)?;
        self.send_part(Method::PUT, to, "CREATE", first)?;
        loop {
            let part = next_part(&mut file, PART)?;
            if part.is_empty() {
                return Ok(());
            }
            self.send_part(Method::POST, to, "APPEND", part)?;
        }
    }

    fn home(&self) -> Option<PathBuf> {
        Some(Path::new("/user").join(&self.user))
    }

    fn trash(&self) -> io::Result<PathBuf> {
        // As `TrashPolicyDefault` does for any file system.
        hosts::trash_of(
            &self.hosts.properties()?,
            &Path::new("/user").join(&self.user),
        )
    }
}
