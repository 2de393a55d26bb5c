//! The applications that a client in the container has started, as it prints their ids: each is noted in the staging folder, for whoever
//! ends the attempt while the client's output is on the node.

use std::{
    collections::BTreeSet,
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use hpdlc_files::{Access, AccessSettings};

use super::staging::Staging;
use crate::{ToolKind, tool::Tool};

/// How often the output is looked at.
const LOOK: Duration = Duration::from_millis(500);

/// More bytes than that are not read at once, and no longer line has an id.
const MAX_PART: u64 = 1024 * 1024;

static NEVER_CANCELED: AtomicBool = AtomicBool::new(false);

/// Looks at the output until it is dropped.
pub struct ChildWatch {
    is_over: Arc<AtomicBool>,
}

impl ChildWatch {
    /// On a thread of its own: a name node that does not answer delays nothing else.
    ///
    /// # Errors
    ///
    /// There is no more thread.
    pub fn start(
        kind: ToolKind,
        output: Vec<PathBuf>,
        staging: String,
        access: AccessSettings,
    ) -> io::Result<ChildWatch> {
        let is_over = Arc::<AtomicBool>::default();
        let over = Arc::clone(&is_over);
        thread::Builder::new()
            .name("children".to_owned())
            .spawn(move || {
                let access = Access::new(&access, &NEVER_CANCELED);
                if let Ok(staging) = Staging::at(&access, &staging) {
                    watch(kind, output, &over, &|id| staging.store_child(id));
                }
            })?;
        Ok(ChildWatch { is_over })
    }
}

impl Drop for ChildWatch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
    }
}

fn watch(
    kind: ToolKind,
    output: Vec<PathBuf>,
    over: &AtomicBool,
    note: &dyn Fn(&str) -> io::Result<()>,
) {
    let mut logs: Vec<LogReader> = output.into_iter().map(LogReader::new).collect();
    let mut noted = BTreeSet::new();
    // Those that are not noted yet.
    let mut waiting: Vec<String> = Vec::new();
    while !over.load(Ordering::SeqCst) {
        for log in &mut logs {
            let text = log.lines().unwrap_or_default();
            waiting.extend(Tool::applications_in(kind, &text));
        }
        waiting.retain(|id| !noted.contains(id));
        for id in std::mem::take(&mut waiting) {
            match note(&id) {
                Ok(()) => {
                    noted.insert(id);
                }
                Err(_) => waiting.push(id),
            }
        }
        thread::sleep(LOOK);
    }
}

/// Reads whole lines of a file that grows.
struct LogReader {
    file: PathBuf,
    from: u64,
}

impl LogReader {
    fn new(file: PathBuf) -> LogReader {
        LogReader { file, from: 0 }
    }

    /// The lines that have been added.
    fn lines(&mut self) -> io::Result<String> {
        let bytes = read_part(&self.file, self.from)?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n');
        let is_full = u64::try_from(bytes.len()) == Ok(MAX_PART);
        let length = match end {
            Some(end) => end + 1,
            None if is_full => bytes.len(),
            None => 0,
        };
        self.from += u64::try_from(length).unwrap_or_default();
        let whole = bytes.get(..length).unwrap_or_default();
        Ok(String::from_utf8_lossy(whole).into_owned())
    }
}

fn read_part(file: &Path, from: u64) -> io::Result<Vec<u8>> {
    let mut file = File::open(file)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(MAX_PART).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, fs, io::Write};

    use super::*;

    #[test]
    fn only_whole_lines_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("err");
        let mut file = File::create(&path).unwrap();
        let mut log = LogReader::new(path);
        for (added, expected) in [
            ("Submitted appli", ""),
            (
                "cation application_1_0001\nmore",
                "Submitted application application_1_0001\n",
            ),
            ("", ""),
            ("\n\n", "more\n\n"),
        ] {
            file.write_all(added.as_bytes()).unwrap();
            assert_eq!(log.lines().unwrap(), expected, "{added}");
        }
    }

    #[test]
    fn each_application_is_noted_once_and_a_failure_is_repeated() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("err");
        fs::write(
            &path,
            "Submitted application application_1_0001\nHadoopJobId: job_1_0001\nHadoopJobId: job_1_0002\n",
        )
        .unwrap();
        let over = AtomicBool::new(false);
        let asked = RefCell::new(Vec::new());
        let note = |id: &str| {
            let mut asked = asked.borrow_mut();
            asked.push(id.to_owned());
            match asked.len() {
                1 => Err(io::Error::other("the name node is away")),
                2 => Ok(()),
                _ => {
                    over.store(true, Ordering::SeqCst);
                    Ok(())
                }
            }
        };
        let missing = folder.path().join("none");
        watch(ToolKind::Pig, vec![path, missing], &over, &note);
        assert_eq!(
            *asked.borrow(),
            [
                "application_1_0001",
                "application_1_0002",
                "application_1_0001"
            ]
        );
    }
}
