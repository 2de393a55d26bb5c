//! Reads the user's files: each once, remembered, and what is wrong with one said by a diagnostic.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    diagnostics::Sink,
    driver::{digest, mistakes::unreadable_file::UnreadableFile},
    source::{FileId, MAX_FILE_SIZE, SourceMap, decode},
    syntax::NotUtf8Text,
};

/// Texts that stand for files, by their real paths.
pub type Texts = BTreeMap<PathBuf, String>;

/// The files that a run has read.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub sources: SourceMap,
    /// Every path that was read or looked for, as it was named.
    inputs: BTreeSet<PathBuf>,
    loaded: BTreeMap<PathBuf, Option<FileId>>,
    texts: Arc<Texts>,
}

impl Files {
    /// With texts that are read instead of the files that they stand for.
    pub fn with_texts(texts: Arc<Texts>) -> Files {
        Files {
            texts,
            ..Files::default()
        }
    }

    /// Where the texts that were loaded come from.
    pub fn paths(&self) -> BTreeMap<FileId, PathBuf> {
        let loaded = self.loaded.iter();
        loaded
            .filter_map(|(path, file)| Some(((*file)?, path.clone())))
            .collect()
    }

    /// The bytes of a file, or the diagnostic that says why not. `shown` is the path as messages show it.
    pub fn bytes(&mut self, path: &Path, shown: &str, sink: &mut Sink) -> Option<Vec<u8>> {
        match self.try_bytes(path) {
            Ok(bytes) => Some(bytes),
            Err(error) => {
                sink.emit(UnreadableFile {
                    path: shown.to_owned(),
                    error: &error,
                });
                None
            }
        }
    }

    /// The bytes of a file that need not exist; any other failure is a diagnostic.
    pub fn bytes_if_present(
        &mut self,
        path: &Path,
        shown: &str,
        sink: &mut Sink,
    ) -> Option<Vec<u8>> {
        match self.try_bytes(path) {
            Ok(bytes) => Some(bytes),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                sink.emit(UnreadableFile {
                    path: shown.to_owned(),
                    error: &error,
                });
                None
            }
        }
    }

    /// Loads a text file, once however often it is asked for. A text that is not UTF-8 is a diagnostic.
    pub fn text(&mut self, path: &Path, shown: &str, sink: &mut Sink) -> Option<FileId> {
        if let Some(file) = self.loaded.get(path) {
            return *file;
        }
        let bytes = self.bytes(path, shown, sink);
        let file = bytes.and_then(|bytes| self.add(bytes, shown, sink));
        self.loaded.insert(path.to_owned(), file);
        file
    }

    /// As [`Files::text`], where the file need not exist.
    pub fn text_if_present(&mut self, path: &Path, shown: &str, sink: &mut Sink) -> Option<FileId> {
        if let Some(file) = self.loaded.get(path) {
            return *file;
        }
        let bytes = self.bytes_if_present(path, shown, sink);
        let file = bytes.and_then(|bytes| self.add(bytes, shown, sink));
        self.loaded.insert(path.to_owned(), file);
        file
    }

    /// The paths that were read or looked for.
    pub fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.inputs.iter().map(PathBuf::as_path)
    }

    /// A text that was loaded.
    pub fn loaded_text(&self, path: &Path) -> Option<&str> {
        let file = (*self.loaded.get(path)?)?;
        Some(self.sources.text(file))
    }

    /// The digest of a text that was loaded. Computed when it is asked for: checking alone never needs one.
    pub fn digest_of(&self, path: &Path) -> Option<String> {
        let file = (*self.loaded.get(path)?)?;
        Some(digest::of(self.sources.text(file)))
    }

    fn add(&mut self, bytes: Vec<u8>, shown: &str, sink: &mut Sink) -> Option<FileId> {
        match decode(bytes) {
            Ok(text) => Some(self.sources.add(shown.to_owned(), text)),
            Err(error) => {
                let file = self.sources.add(shown.to_owned(), error.lossy_text.clone());
                sink.emit(NotUtf8Text {
                    file,
                    error: &error,
                });
                None
            }
        }
    }

    fn try_bytes(&mut self, path: &Path) -> io::Result<Vec<u8>> {
        self.inputs.insert(path.to_owned());
        if !self.texts.is_empty()
            && let Some(text) = path
                .canonicalize()
                .ok()
                .and_then(|real| self.texts.get(&real))
        {
            return Ok(text.as_bytes().to_vec());
        }
        read_bounded(path)
    }
}

/// Reads no more than one byte beyond the largest document, which is enough for the next room to refuse it. Pipes and
/// devices, which may never end, are refused here.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let file = fs::File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    let limit = u64::try_from(MAX_FILE_SIZE)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0));
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes and messages about a file of these bytes; no bytes make a folder.
    #[track_caller]
    fn check(bytes: Option<&[u8]>, expected: &[&str]) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("workflow.xml");
        match bytes {
            Some(bytes) => fs::write(&path, bytes).expect("writes"),
            None => fs::create_dir(&path).expect("creates"),
        }
        let mut sink = Sink::default();
        let mut files = Files::default();
        files.text(&path, "app/workflow.xml", &mut sink);
        files.text(&path, "app/workflow.xml", &mut sink);
        let found: Vec<String> = sink
            .into_sorted()
            .into_iter()
            .map(|diagnostic| format!("{} {}", diagnostic.rule.id(), diagnostic.message))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn each_failure_is_said_once() {
        check(Some(b"<a/>"), &[]);
        check(Some(b""), &[]);
        check(Some(b"<a>\xff</a>"), &["H0101 the file is not UTF-8"]);
        check(None, &["H0001 this is a folder, where a file is needed"]);
    }

    #[test]
    fn missing_file_may_be_none() {
        let mut sink = Sink::default();
        let mut files = Files::default();
        let path = Path::new("/no/such/config-default.xml");
        assert_eq!(
            files.text_if_present(path, "config-default.xml", &mut sink),
            None
        );
        assert!(!sink.has_errors());
        assert_eq!(files.inputs().collect::<Vec<_>>(), [path]);
        assert_eq!(
            files.text(
                Path::new("/no/such/workflow.xml"),
                "workflow.xml",
                &mut sink
            ),
            None
        );
        assert!(sink.has_errors());
    }
}
