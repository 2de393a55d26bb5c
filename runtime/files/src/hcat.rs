//! `hcat://`: tables and partitions of Hive's metastore, treated as files that can be checked and removed (`HCatURIHandler`).
//!
//! The metastore is queried through the installed `hive` or `hcat` program, in its own language: each query takes at least the
//! time that the program needs to start.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use hpdlc_core::hcat_uri::HcatUri;

use crate::{
    error::Fault,
    hosts::Hosts,
    remove::RemoveError,
    system::{DirEntry, EntryStatus, FileGroup, FileSystem},
};

/// The programs that can query a metastore, in order of preference.
const PROGRAMS: [&str; 2] = ["hive", "hcat"];

/// The minimum time limit of a query: the programs start slowly.
const TIME_LIMIT: Duration = Duration::from_secs(300);

const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// The tables of one metastore.
pub struct Hcat<'a> {
    hosts: Hosts<'a>,
    authority: String,
    name: String,
}

impl<'a> Hcat<'a> {
    /// # Errors
    ///
    /// If there is no host.
    pub fn open(hosts: Hosts<'a>, authority: &str) -> io::Result<Hcat<'a>> {
        if authority.is_empty() {
            let message = "the URI has no host";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
        }
        Ok(Hcat {
            hosts,
            authority: authority.to_owned(),
            name: format!("hcat://{authority}"),
        })
    }

    fn uri(&self, path: &Path) -> io::Result<HcatUri> {
        let uri = format!("{}{}", self.name, path.display());
        HcatUri::parse(&uri)
            .map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error.to_string()))
    }

    /// The output of the metastore for `statement`, one line per row; `None` if there is no such table or database.
    fn ask(&self, statement: &str) -> io::Result<Option<String>> {
        let program = find_program()?;
        let is_hive = program.ends_with(PROGRAMS[0]);
        let mut command = Command::new(&program);
        if is_hive {
            let servers: Vec<String> = self
                .authority
                .split(',')
                .map(|server| format!("thrift://{server}"))
                .collect();
            let servers = servers.join(",");
            // Not in silent mode: there Hive 4 does not report why it fails.
            command.args(["--hiveconf", &format!("hive.metastore.uris={servers}")]);
        }
        let folder = tempfile::tempdir()?;
        let (out, err) = (folder.path().join("out"), folder.path().join("err"));
        let mut child = command
            .args(["-e", statement])
            .env("HADOOP_USER_NAME", self.hosts.user())
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .stdout(std::fs::File::create(&out)?)
            .stderr(std::fs::File::create(&err)?)
            .spawn()?;
        let is_done = self.wait(&mut child)?;
        let answer = std::fs::read_to_string(out)?;
        if is_done {
            return Ok(Some(answer));
        }
        failure(&format!("{answer}\n{}", std::fs::read_to_string(err)?))
    }

    /// Whether the program exited successfully.
    fn wait(&self, child: &mut Child) -> io::Result<bool> {
        let limit = self.hosts.settings.timeout.map_or(TIME_LIMIT, |seconds| {
            Duration::from_secs(seconds).max(TIME_LIMIT)
        });
        let begun = Instant::now();
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(status.success());
            }
            let is_canceled = self.hosts.is_canceled();
            if is_canceled || begun.elapsed() > limit {
                child.kill()?;
                child.wait()?;
                return Err(if is_canceled {
                    Fault::Canceled.error("the request was canceled")
                } else {
                    Fault::Interrupted.error(format!("no answer within {} s", limit.as_secs()))
                });
            }
            thread::sleep(LOOK_AGAIN);
        }
    }

    fn exists(&self, path: &Path) -> io::Result<bool> {
        let uri = self.uri(path)?;
        let answer = self.ask(&look(&uri))?;
        Ok(answer.is_some_and(|answer| answer.lines().any(|line| is_row_of(&uri, line))))
    }

    fn unsupported<T>(&self, operation: &str) -> io::Result<T> {
        Err(Fault::unsupported("hcat", operation))
    }
}

/// The statement that returns a row for each partition, or for the table.
fn look(uri: &HcatUri) -> String {
    let (database, table) = (quoted(&uri.database), &uri.table);
    if uri.partition.is_empty() {
        return format!("use {database}; show tables {}", literal(table));
    }
    format!(
        "use {database}; show partitions {} partition({})",
        quoted(table),
        partition(uri)
    )
}

/// Whether a line of the output is the table, or a matching partition: `key=value/key=value`. Programs print other lines too, and
/// some draw a frame around rows.
fn is_row_of(uri: &HcatUri, line: &str) -> bool {
    let row = line.trim_matches(|c: char| c.is_whitespace() || c == '|');
    if uri.partition.is_empty() {
        return row.eq_ignore_ascii_case(&uri.table);
    }
    let keys: Vec<&str> = row
        .split('/')
        .filter_map(|part| Some(part.split_once('=')?.0))
        .collect();
    let has = |key: &str| keys.iter().any(|known| known.eq_ignore_ascii_case(key));
    uri.partition.iter().all(|(key, _)| has(key))
}

/// The statement that drops the partitions, or the table.
fn drop(uri: &HcatUri) -> String {
    let (database, table) = (quoted(&uri.database), quoted(&uri.table));
    if uri.partition.is_empty() {
        return format!("use {database}; drop table if exists {table}");
    }
    format!(
        "use {database}; alter table {table} drop if exists partition({})",
        partition(uri)
    )
}

fn partition(uri: &HcatUri) -> String {
    let pairs: Vec<String> = uri
        .partition
        .iter()
        .map(|(key, value)| format!("{}={}", quoted(key), literal(value)))
        .collect();
    pairs.join(",")
}

/// A quoted identifier.
fn quoted(name: &str) -> String {
    format!("`{}`", name.replace('`', "``"))
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// Interprets the output of a failed program: no such table, or a fault.
fn failure(words: &str) -> io::Result<Option<String>> {
    let says = |texts: &[&str]| texts.iter().any(|text| words.contains(text));
    if says(&[
        "Table not found",
        "NoSuchObjectException",
        "does not exist",
        "[Error 10001]",
        "[Error 10072]",
        "[Error 10006]",
    ]) {
        return Ok(None);
    }
    let telling = words
        .lines()
        .map(str::trim)
        .rfind(|line| {
            ["FAILED", "Exception", "Error"]
                .iter()
                .any(|it| line.contains(it))
        })
        .or_else(|| words.lines().map(str::trim).rfind(|line| !line.is_empty()))
        .unwrap_or("it printed nothing");
    let message = format!("the metastore: {telling}");
    Err(if says(&["UnknownHostException"]) {
        Fault::UnknownHost.error(message)
    } else if says(&[
        "Could not connect",
        "ConnectException",
        "TTransportException",
        // The only message of Hive 4 when a metastore does not answer.
        "SessionHiveMetaStoreClient",
    ]) {
        Fault::Unreachable.error(message)
    } else if says(&[
        "AccessControlException",
        "Permission denied",
        "HiveAccessControlException",
    ]) {
        io::Error::new(io::ErrorKind::PermissionDenied, message)
    } else {
        io::Error::other(message)
    })
}

fn find_program() -> io::Result<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let home = |name: &str| Some(PathBuf::from(env::var_os(name)?).join("bin"));
    let folders: Vec<PathBuf> = env::split_paths(&path)
        .chain(home("HIVE_HOME"))
        .chain(home("HCAT_HOME"))
        .collect();
    PROGRAMS
        .iter()
        .flat_map(|name| folders.iter().map(move |folder| folder.join(name)))
        .find(|program| program.is_file())
        .ok_or_else(|| {
            let message = "there is no program `hive` or `hcat` in PATH to ask the metastore; install the client of Hive";
            io::Error::other(message)
        })
}

impl FileSystem for Hcat<'_> {
    fn name(&self) -> &str {
        &self.name
    }

    fn status(&self, path: &Path) -> io::Result<Option<EntryStatus>> {
        Ok(self.exists(path)?.then_some(EntryStatus {
            is_folder: true,
            is_link: false,
            length: 0,
            block_size: 0,
            mode: None,
            group: None,
            modified: None,
        }))
    }

    fn list(&self, _: &Path) -> io::Result<Option<Vec<DirEntry>>> {
        self.unsupported("be listed")
    }

    fn make_folders(&self, _: &Path) -> io::Result<()> {
        self.unsupported("be made")
    }

    fn rename(&self, _: &Path, _: &Path, _: bool) -> io::Result<()> {
        self.unsupported("be moved")
    }

    fn remove(&self, path: &Path) -> Result<(), RemoveError> {
        let removed = self.uri(path).and_then(|uri| self.ask(&drop(&uri)));
        removed
            .map(|_| ())
            .map_err(|error| RemoveError::of(path, error))
    }

    fn set_permission(&self, _: &Path, _: u32) -> io::Result<()> {
        self.unsupported("have permissions")
    }

    fn group(&self, _: &str) -> io::Result<FileGroup> {
        self.unsupported("have a group")
    }

    fn set_group(&self, _: &Path, _: &FileGroup, _: bool) -> io::Result<()> {
        self.unsupported("have a group")
    }

    fn set_replication(&self, _: &Path, _: i16) -> io::Result<()> {
        self.unsupported("have copies")
    }

    fn touch(&self, _: &Path) -> io::Result<()> {
        self.unsupported("be made")
    }

    fn read_part(&self, _: &Path, _: u64, _: u64) -> io::Result<Vec<u8>> {
        self.unsupported("be read")
    }

    fn put(&self, _: &Path, _: &Path) -> io::Result<()> {
        self.unsupported("be written")
    }

    fn home(&self) -> Option<PathBuf> {
        None
    }

    fn trash(&self) -> io::Result<PathBuf> {
        self.unsupported("go to a trash")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn statements(path: &str) -> [String; 2] {
        let uri = HcatUri::parse(&format!("hcat://meta:9083/{path}")).unwrap();
        [look(&uri), drop(&uri)]
    }

    #[test]
    fn uris_are_statements() {
        assert_eq!(
            statements("shop/orders/day=2026-11-20;region=it's"),
            [
                r"use `shop`; show partitions `orders` partition(`day`='2026-11-20',`region`='it\'s')",
                r"use `shop`; alter table `orders` drop if exists partition(`day`='2026-11-20',`region`='it\'s')",
            ]
        );
        assert_eq!(
            statements("shop/orders"),
            [
                "use `shop`; show tables 'orders'",
                "use `shop`; drop table if exists `orders`",
            ]
        );
    }

    #[test]
    fn rows_are_told_from_what_else_is_said() {
        let of = |path: &str, line: &str| {
            let uri = HcatUri::parse(&format!("hcat://meta:9083/shop/{path}")).unwrap();
            is_row_of(&uri, line)
        };
        for (path, line, expected) in [
            ("orders", "orders", true),
            ("Orders", "| orders |", true),
            ("orders", "| tab_name |", false),
            ("orders", "Hive Session ID = 1-2", false),
            ("orders/day=1", "day=1", true),
            ("orders/region=north;day=1", "day=1/region=north", true),
            ("orders/Day=1", "| day=1/region=north |", true),
            ("orders/day=1", "WARN: HIVE_HOME = /opt", false),
            ("orders/day=1", "", false),
        ] {
            assert_eq!(of(path, line), expected, "{path}: {line}");
        }
    }

    #[test]
    fn a_table_that_is_missing_is_no_fault() {
        for (words, expected) in [
            (
                "FAILED: SemanticException [Error 10001]: Table not found orders",
                Ok(None),
            ),
            (
                "FAILED: SemanticException [Error 10072]: Database does not exist: shop",
                Ok(None),
            ),
            (
                "MetaException: Could not connect to meta store",
                Err(Some(Fault::Unreachable)),
            ),
            (
                "FAILED: HiveException java.lang.RuntimeException: Unable to instantiate org.apache.hadoop.hive.ql.metadata.SessionHiveMetaStoreClient",
                Err(Some(Fault::Unreachable)),
            ),
            (
                "java.net.UnknownHostException: meta",
                Err(Some(Fault::UnknownHost)),
            ),
            ("FAILED: ParseException", Err(None)),
        ] {
            let found = failure(words).map_err(|error| Fault::of(&error).cloned());
            assert_eq!(found, expected, "{words}");
        }
    }
}
