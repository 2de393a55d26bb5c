//! The journal of an `fs` action's attempt, a write-ahead log: a JSON line before and after each operation.
//!
//! A line is valid once it ends in a newline; an incomplete one after a crash is cut off. Lines reach the kernel at once, so a
//! killed process loses none. Before a move they are also synced to disk, because after a power failure between a move
//! and its line a redo could not be distinguished from a first run; every other operation is idempotent.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::{self, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::fs::{Operation, relocation::Relocation};

#[derive(Debug)]
pub(super) struct OperationJournal {
    file: File,
    entries: BTreeMap<usize, OperationRecord>,
}

/// What the journal says about one operation.
#[derive(Clone, Debug)]
pub(super) struct OperationRecord {
    /// The action may have changed since the journal was written; then the entry is ignored.
    operation: Operation,
    pub(super) plan: Vec<Relocation>,
    /// Indices in the plan of what has been completely copied to its new disk.
    pub(super) copied: BTreeSet<usize>,
    is_done: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum JournalLine {
    Begin {
        index: usize,
        operation: Operation,
        plan: Vec<Relocation>,
    },
    Copied {
        index: usize,
        relocation: usize,
    },
    Done {
        index: usize,
    },
    /// A file system did not answer; the next attempt continues from here.
    Interrupted,
}

/// Creates the journal at `path` with the content of the previous attempt's, if a file system that did not answer interrupted
/// that one: what it moved is no longer at its old place. An existing journal is left as it is.
pub(super) fn continue_from(earlier: &Path, path: &Path) -> io::Result<()> {
    if path.try_exists()? {
        return Ok(());
    }
    let bytes = match fs::read(earlier) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let last = bytes
        .strip_suffix(b"\n")
        .and_then(|lines| lines.rsplit(|&byte| byte == b'\n').next())
        .and_then(|line| serde_json::from_slice(line).ok());
    if !matches!(last, Some(JournalLine::Interrupted)) {
        return Ok(());
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = PathBuf::from(name);
    let mut file = File::create(&new)?;
    file.write_all(&bytes)?;
    file.sync_data()?;
    fs::rename(&new, path)
}

impl OperationJournal {
    /// Reads what an earlier run wrote, or creates a new file.
    ///
    /// # Errors
    ///
    /// IO, or a complete line that is not a valid journal line.
    pub(super) fn open(path: &Path) -> io::Result<OperationJournal> {
        let is_new = !path.try_exists()?;
        let mut file = File::options()
            .read(true)
            .append(true)
            .create(true)
            .open(path)?;
        if is_new {
            // Otherwise the lines could be on disk without the directory entry of the file.
            if let Some(folder) = path.parent() {
                File::open(folder)?.sync_all()?;
            }
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |end| end + 1);
        if whole < bytes.len() {
            file.set_len(whole as u64)?;
            file.seek(SeekFrom::End(0))?;
        }
        let mut journal = OperationJournal {
            file,
            entries: BTreeMap::new(),
        };
        for (number, line) in bytes[..whole]
            .split_inclusive(|&byte| byte == b'\n')
            .enumerate()
        {
            let line = serde_json::from_slice(line).map_err(|error| {
                let message = format!(
                    "line {} of journal {} is damaged: {error}",
                    number + 1,
                    path.display()
                );
                io::Error::new(io::ErrorKind::InvalidData, message)
            })?;
            journal.learn(line);
        }
        Ok(journal)
    }

    fn learn(&mut self, line: JournalLine) {
        match line {
            JournalLine::Begin {
                index,
                operation,
                plan,
            } => {
                let entry = OperationRecord {
                    operation,
                    plan,
                    copied: BTreeSet::new(),
                    is_done: false,
                };
                self.entries.insert(index, entry);
            }
            JournalLine::Copied { index, relocation } => {
                if let Some(entry) = self.entries.get_mut(&index) {
                    entry.copied.insert(relocation);
                }
            }
            JournalLine::Interrupted => {}
            JournalLine::Done { index } => {
                if let Some(entry) = self.entries.get_mut(&index) {
                    entry.is_done = true;
                }
            }
        }
    }

    fn entry(&self, index: usize, operation: &Operation) -> Option<&OperationRecord> {
        self.entries
            .get(&index)
            .filter(|entry| entry.operation == *operation)
    }

    pub(super) fn is_done(&self, index: usize, operation: &Operation) -> bool {
        self.entry(index, operation)
            .is_some_and(|entry| entry.is_done)
    }

    /// An operation that an earlier run has begun and possibly finished without recording it.
    pub(super) fn begun(&self, index: usize, operation: &Operation) -> Option<OperationRecord> {
        self.entry(index, operation).cloned()
    }

    /// Records that an operation begins, unless an earlier run did.
    pub(super) fn begin(&mut self, index: usize, operation: &Operation) -> io::Result<()> {
        if self.entry(index, operation).is_some() {
            return Ok(());
        }
        self.append(JournalLine::Begin {
            index,
            operation: operation.clone(),
            plan: Vec::new(),
        })
    }

    /// Records that files begin to move, durably.
    pub(super) fn begin_moving(
        &mut self,
        index: usize,
        operation: &Operation,
        plan: Vec<Relocation>,
    ) -> io::Result<()> {
        self.append(JournalLine::Begin {
            index,
            operation: operation.clone(),
            plan,
        })?;
        self.file.sync_data()
    }

    /// Records that a copy is complete, durably.
    pub(super) fn copied(&mut self, index: usize, relocation: usize) -> io::Result<()> {
        self.append(JournalLine::Copied { index, relocation })?;
        self.file.sync_data()
    }

    pub(super) fn done(&mut self, index: usize) -> io::Result<()> {
        self.append(JournalLine::Done { index })
    }

    /// Records that a file system did not answer.
    pub(super) fn interrupted(&mut self) -> io::Result<()> {
        self.append(JournalLine::Interrupted)
    }

    fn append(&mut self, line: JournalLine) -> io::Result<()> {
        let mut bytes = serde_json::to_vec(&line)?;
        bytes.push(b'\n');
        self.file.write_all(&bytes)?;
        self.learn(line);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::{
        collections::BTreeMap,
        fs::{self, File},
        io,
    };

    use super::{Operation, OperationJournal, continue_from};

    fn mkdir(path: &str) -> Operation {
        Operation::Mkdir {
            path: path.to_owned(),
        }
    }

    #[test]
    fn an_unfinished_line_is_cut_off() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut journal = OperationJournal::open(&path).expect("new");
        journal.begin(0, &mkdir("/a")).expect("written");
        let whole = fs::read(&path).expect("read");
        fs::write(&path, [whole.as_slice(), b"{\"done\":{\"ind"].concat()).expect("written");

        let mut journal = OperationJournal::open(&path).expect("old");
        assert!(journal.begun(0, &mkdir("/a")).is_some());
        assert!(!journal.is_done(0, &mkdir("/a")));
        journal.done(0).expect("written");
        let journal = OperationJournal::open(&path).expect("old");
        assert!(journal.is_done(0, &mkdir("/a")));
    }

    #[test]
    fn entries_of_other_operations_say_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let mut journal = OperationJournal::open(&path).expect("new");
        journal.begin(0, &mkdir("/a")).expect("written");
        journal.done(0).expect("written");
        assert!(!journal.is_done(0, &mkdir("/b")));
        assert!(journal.begun(0, &mkdir("/b")).is_none());
        assert!(!journal.is_done(1, &mkdir("/a")));
    }

    #[test]
    fn an_attempt_goes_on_where_a_file_system_did_not_answer() {
        let folder = tempfile::tempdir().expect("a folder");
        let (first, second) = (folder.path().join("1"), folder.path().join("2"));
        let mut journal = OperationJournal::open(&first).expect("new");
        journal.begin(0, &mkdir("/a")).expect("written");
        journal.done(0).expect("written");
        journal.begin(1, &mkdir("/b")).expect("written");

        continue_from(&first, &second).expect("nothing to go on with");
        assert!(!second.exists(), "the first attempt failed by itself");

        journal.interrupted().expect("written");
        continue_from(&first, &second).expect("copied");
        let mut journal = OperationJournal::open(&second).expect("old");
        assert!(journal.is_done(0, &mkdir("/a")));
        assert!(journal.begun(1, &mkdir("/b")).is_some());
        journal.done(1).expect("written");
        continue_from(&first, &second).expect("it is there");
        let journal = OperationJournal::open(&second).expect("old");
        assert!(journal.is_done(1, &mkdir("/b")));
        continue_from(&folder.path().join("0"), &folder.path().join("3")).expect("nothing");
    }

    #[test]
    fn a_full_disk_is_told() {
        let file = File::options()
            .write(true)
            .open("/dev/full")
            .expect("on every Linux");
        let mut journal = OperationJournal {
            file,
            entries: BTreeMap::new(),
        };
        let error = journal.begin(0, &mkdir("/a")).expect_err("full");
        assert_eq!(error.kind(), io::ErrorKind::StorageFull);
        assert!(journal.begun(0, &mkdir("/a")).is_none());
    }

    #[test]
    fn a_damaged_line_is_an_error_of_the_machine() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        fs::write(&path, "{\"done\":{\"index\":0}}\nwhat\n").expect("written");
        let error = OperationJournal::open(&path).expect_err("damaged");
        assert!(error.to_string().contains("line 2 of journal"), "{error}");
    }
}
