//! What the compiler said about the executables that were compiled here, for people who look at their applications later.
//!
//! A report belongs to an executable, by its hash; that of files that could not be compiled to the URI that they were submitted by, until
//! they can be.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use hpdlc_engine::{job::node_secrets, registry};
use hpdlc_host::{home::Home, mask::Mask};
use hpdlc_store::{
    query,
    sql::{self, Connection},
};

use crate::serve::compile::work;

/// The most text of a report that is kept, in bytes.
const MOST_TEXT: usize = 256 << 10;
const GOOD: &str = "said";
const BAD: &str = "refused";

/// Why the files of an application could not be compiled when they were submitted last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// When, in milliseconds since 1970.
    pub(crate) time: i64,
    pub(crate) report: String,
}

fn folder(home: &Home) -> PathBuf {
    work::root(home).join("reports")
}

fn path(home: &Home, name: &str, ending: &str) -> PathBuf {
    folder(home).join(format!("{name}.{ending}"))
}

/// Keeps what was said about the executable with this hash. Reports without executables are removed.
///
/// # Errors
///
/// The state folder cannot be written.
pub(crate) fn keep(home: &Home, uri: &str, hash: &str, report: &str) -> io::Result<()> {
    write(&path(home, hash, GOOD), messages(report))?;
    accept(home, uri)?;
    for entry in fs::read_dir(folder(home))?.flatten() {
        let file = entry.file_name();
        let of = file.to_str().and_then(|name| name.strip_suffix(".said"));
        if of.is_some_and(|hash| !registry::is_runnable(home, hash)) {
            remove(&entry.path())?;
        }
    }
    Ok(())
}

/// Forgets why the files at `uri` could not be compiled: they can, or are again those that could.
///
/// # Errors
///
/// The state folder cannot be written.
pub(crate) fn accept(home: &Home, uri: &str) -> io::Result<()> {
    remove(&path(home, &work::name_of(uri), BAD))
}

/// Keeps why the files at `uri` cannot be compiled.
///
/// # Errors
///
/// The state folder cannot be written.
pub(crate) fn refuse(home: &Home, uri: &str, report: &str) -> io::Result<()> {
    write(&path(home, &work::name_of(uri), BAD), report)
}

/// What was said about an executable; `None` if it was not compiled here, or this cannot be read.
pub(crate) fn of(home: &Home, hash: &str) -> Option<String> {
    fs::read_to_string(path(home, hash, GOOD)).ok()
}

/// Why the files at `uri` could not be compiled when they were submitted last; `None` if they could.
pub(crate) fn refused(home: &Home, uri: &str) -> Option<Refused> {
    let path = path(home, &work::name_of(uri), BAD);
    let written = fs::metadata(&path).and_then(|it| it.modified()).ok()?;
    let since = written.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(Refused {
        time: i64::try_from(since.as_millis()).ok()?,
        report: fs::read_to_string(&path).ok()?,
    })
}

/// Without the lines on which the compiler says what it does.
fn messages(report: &str) -> &str {
    let mut rest = report;
    while let Some((line, below)) = rest.split_once('\n') {
        let is_progress = ["Compiling ", "Finished ", "Checked ", "Building "];
        if !is_progress
            .iter()
            .any(|it| line.trim_start().starts_with(it))
        {
            break;
        }
        rest = below;
    }
    rest.trim_end()
}

fn write(path: &Path, report: &str) -> io::Result<()> {
    let mut end = report.len().min(MOST_TEXT);
    while !report.is_char_boundary(end) {
        end -= 1;
    }
    work::put(path, &report.as_bytes()[..end])
}

fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// A report, which shows lines of documents, without secrets: those of the job that was submitted, those that are recorded of the
/// definition with this hash, and those of the properties in a document that has become none.
pub(crate) fn masked(
    connection: &Connection,
    hash: &str,
    properties: &BTreeMap<String, String>,
    document: &str,
    report: &str,
) -> sql::Result<String> {
    let mut conf = properties.clone();
    for (name, value) in pairs(document) {
        conf.entry(name.to_owned())
            .or_insert_with(|| value.to_owned());
    }
    let mask = match query::secrets_of(connection, hash)? {
        Some(recorded) => node_secrets::mask_of_recorded(&recorded, &conf),
        None => Mask::of(&conf),
    };
    Ok(mask.text(report))
}

/// Names and values of the properties of a document, as they are written.
fn pairs(document: &str) -> impl Iterator<Item = (&str, &str)> {
    document.split("<name>").skip(1).filter_map(|part| {
        let (name, rest) = part.split_once("</name>")?;
        let (_, rest) = rest.split_once("<value>")?;
        let (value, _) = rest.split_once("</value>")?;
        Some((name.trim(), value.trim()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::serve::tests::TestServer;

    #[test]
    fn reports_are_kept_and_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        assert_eq!(of(&home, "h"), None);
        refuse(&home, "/a", "error: one").unwrap();
        let told = refused(&home, "/a").unwrap();
        assert_eq!(told.report, "error: one");
        assert!(told.time > 0);
        assert_eq!(refused(&home, "/b"), None);
        // Nothing can be run in this state folder: the report of an older one goes, and this one with it.
        keep(&home, "/a", "h", "   Compiling a\nwarning: two\n").unwrap();
        assert_eq!(refused(&home, "/a"), None);
        assert_eq!(of(&home, "h"), None);
    }

    #[test]
    fn progress_is_no_message() {
        assert_eq!(
            messages("   Compiling a\nwarning: x\n    Finished b\n"),
            "warning: x\n    Finished b"
        );
        assert_eq!(messages("    Finished b in 1 s\n"), "");
        assert_eq!(messages("warning: x\n"), "warning: x");
    }

    #[test]
    fn a_report_shows_no_secrets() {
        let server = TestServer::new();
        let connection = server.session.store().unwrap();
        let sql =
            "INSERT INTO definitions (hash, app, hpdlc_version, created, door, program, secrets)
            VALUES ('h', 'a', '', 0, '', '', '[[true,\"lion44three\"]]')";
        connection.execute(sql, []).unwrap();
        let properties = BTreeMap::from([("db.password".to_owned(), "hunter22".to_owned())]);
        let document = "<property><name>my.secret.key</name>\n<value>s3cr3t-key</value></property><property><name>day</name><value>monday</value></property>";
        let report = "3 | <arg>hunter22 s3cr3t-key lion44three monday</arg>";
        let shown = |hash: &str| masked(&connection, hash, &properties, document, report).unwrap();
        let known = shown("h");
        for secret in ["hunter22", "s3cr3t-key", "lion44three"] {
            assert!(!known.contains(secret), "{known}");
        }
        assert!(known.contains("monday"), "{known}");
        assert!(shown("of no definition").contains("lion44three"));
    }
}
