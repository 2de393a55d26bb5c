use std::io;

use crate::diagnostics::{Diagnostic, code, message};

code!("H0008", invalid_archive);

/// A ZIP that is not an application, or that is unsafe.
pub(crate) struct InvalidArchive {
    /// As given.
    pub(crate) path: String,
    pub(crate) fault: ArchiveFault,
}

/// Why an archive is rejected.
#[derive(Debug)]
pub enum ArchiveFault {
    Unreadable(io::Error),
    /// The folder that it is unpacked to cannot be written.
    Unwritable(io::Error),
    Damaged {
        problem: String,
    },
    /// In bytes, compressed or not.
    TooLarge {
        limit: u64,
    },
    TooManyEntries {
        limit: u64,
    },
    TooDense {
        name: String,
        limit: u64,
    },
    TooDeep {
        name: String,
        limit: usize,
    },
    Outside {
        name: String,
    },
    Link {
        name: String,
    },
    Twice {
        name: String,
    },
    NoApplication,
}

message!(InvalidArchive, |path, fault| {
    let (message, help) = match fault {
        ArchiveFault::Unreadable(error) => (format!("the archive cannot be read: {error}"), None),
        ArchiveFault::Unwritable(error) => (
            format!("the archive cannot be unpacked: {error}"),
            Some("unpack it (`unzip -d app FILE`) and name the folder"),
        ),
        ArchiveFault::Damaged { problem } => (
            format!("the archive is damaged: {problem}"),
            Some("hpdlc reads ZIPs whose entries are stored or deflated"),
        ),
        ArchiveFault::TooLarge { limit } => (
            format!("the archive holds more than {}", mebibytes(limit)),
            Some(
                "unpack it (`unzip -d app FILE`), name the folder, and leave out what no action needs by `.hpdlignore`",
            ),
        ),
        ArchiveFault::TooManyEntries { limit } => (
            format!("the archive has more than {limit} entries"),
            Some("unpack it (`unzip -d app FILE`) and name the folder"),
        ),
        ArchiveFault::TooDense { name, limit } => (
            format!("entry `{name}` is more than {limit} times as large as in the archive"),
            Some(
                "this is how archives are made that fill disks; if the entry is right, unpack it and name the folder",
            ),
        ),
        ArchiveFault::TooDeep { name, limit } => (
            format!("entry `{name}` lies deeper than {limit} folders"),
            None,
        ),
        ArchiveFault::Outside { name } => (
            format!("entry `{name}` leads out of the archive"),
            Some("the names of entries are relative, and go down only"),
        ),
        ArchiveFault::Link { name } => (
            format!("entry `{name}` is a link"),
            Some("pack the file itself"),
        ),
        ArchiveFault::Twice { name } => (format!("the archive has `{name}` twice"), None),
        ArchiveFault::NoApplication => (
            "the archive has no `workflow.xml`".to_owned(),
            Some("it belongs at the root, or into the only folder"),
        ),
    };
    let diagnostic = Diagnostic::for_path(&CODE, path, message);
    match help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
});

fn mebibytes(bytes: u64) -> String {
    format!("{:.1} MiB", bytes as f64 / (1024.0 * 1024.0))
}
