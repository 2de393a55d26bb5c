//! Which registrations were made here: others are the user's, and win. And the hash of what each was compiled from.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use hpdlc_host::home::Home;
use hpdlc_store::definitions::Registration;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::serve::compile::work;

/// What an application was compiled from last, and the registration that was made of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) uri: String,
    /// As [`key`] makes it.
    pub(crate) key: String,
    pub(crate) hash: String,
    /// When it was registered: an equal executable that the user registers has another time.
    pub(crate) created: i64,
}

impl Record {
    fn path(home: &Home, uri: &str) -> PathBuf {
        let name = format!("{}.json", work::name_of(uri));
        work::root(home).join("known").join(name)
    }

    /// The record of the application that is registered for a URI; `None` if it was never compiled here, or cannot be read.
    pub(crate) fn read(home: &Home, uri: &str) -> Option<Record> {
        let text = fs::read(Record::path(home, uri)).ok()?;
        let record: Record = serde_json::from_slice(&text).ok()?;
        (record.uri == uri).then_some(record)
    }

    /// Whether a registration is the one that was made here.
    pub(crate) fn made(home: &Home, registration: &Registration) -> bool {
        Record::read(home, &registration.uri).is_some_and(|record| {
            (record.hash, record.created) == (registration.hash.clone(), registration.created)
        })
    }

    /// What cannot be removed is an old record, which no registration fits.
    pub(crate) fn remove(home: &Home, uri: &str) {
        let _ = fs::remove_file(Record::path(home, uri));
    }

    pub(crate) fn write(&self, home: &Home) -> io::Result<()> {
        let text = serde_json::to_vec(self)?;
        work::put(&Record::path(home, &self.uri), &text)
    }
}

/// The hash of everything that an executable depends on: all files below `folder`, and `facts`.
pub(crate) fn key(folder: &Path, facts: &[&str]) -> io::Result<String> {
    let mut digest = Sha256::new();
    let mut field = |bytes: &[u8]| {
        digest.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
        digest.update(bytes);
    };
    for fact in facts {
        field(fact.as_bytes());
    }
    let mut paths = Vec::new();
    files(folder, &mut paths)?;
    paths.sort();
    for path in paths {
        use std::os::unix::{ffi::OsStrExt, fs::PermissionsExt};
        let name = path.strip_prefix(folder).unwrap_or(&path);
        let mut file = fs::File::open(&path)?;
        let is_executable = file.metadata()?.permissions().mode() & 0o111 != 0;
        field(name.as_os_str().as_bytes());
        field(&[u8::from(is_executable)]);
        let mut content = Sha256::new();
        let mut part = vec![0; 1 << 16];
        loop {
            match file.read(&mut part)? {
                0 => break,
                n => content.update(&part[..n]),
            }
        }
        field(&content.finalize());
    }
    Ok(hex::encode(digest.finalize()))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        match entry.file_type()?.is_dir() {
            true => files(&entry.path(), found)?,
            false => found.push(entry.path()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn the_hash_is_that_of_names_contents_modes_and_facts() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("a/lib")).unwrap();
        let mut seen = Vec::new();
        let mut changed = |facts: &[&str], what: &str| {
            let now = key(root, facts).unwrap();
            assert!(!seen.contains(&now), "{what}");
            assert_eq!(key(root, facts).unwrap(), now);
            seen.push(now);
        };
        changed(&[], "nothing");
        fs::write(root.join("a/x"), "1").unwrap();
        changed(&[], "a file");
        fs::write(root.join("a/x"), "2").unwrap();
        changed(&[], "its content");
        fs::rename(root.join("a/x"), root.join("a/lib/x")).unwrap();
        changed(&[], "its place");
        fs::set_permissions(root.join("a/lib/x"), fs::Permissions::from_mode(0o755)).unwrap();
        changed(&[], "its mode");
        changed(&["ab", "c"], "facts");
        changed(&["a", "bc"], "other facts");
    }

    #[test]
    fn what_the_user_registers_is_no_registration_of_the_server() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let registration = |hash: &str, created| Registration {
            uri: "/a".to_owned(),
            hash: hash.to_owned(),
            created,
        };
        assert!(!Record::made(&home, &registration("h", 1)));
        let record = Record {
            uri: "/a".to_owned(),
            key: "k".to_owned(),
            hash: "h".to_owned(),
            created: 1,
        };
        record.write(&home).unwrap();
        assert_eq!(Record::read(&home, "/a"), Some(record));
        assert!(Record::made(&home, &registration("h", 1)));
        assert!(
            !Record::made(&home, &registration("h", 2)),
            "registered again"
        );
        assert!(!Record::made(&home, &registration("other", 1)));
    }
}
