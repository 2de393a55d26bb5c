//! Reads the user's files: each once, cached, with a diagnostic if it cannot be read.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    diagnostics::Sink,
    driver::{digest, mistakes::unreadable_file::UnreadableFile, rust_file},
    model::OwnFunction,
    source::{FileId, MAX_FILE_SIZE, SourceMap, decode},
    syntax::NotUtf8Text,
};

mod rust_document;

pub use self::rust_document::{DerivedDocument, unusable};

/// Texts that override the contents of files, by their real paths.
pub type SourceOverlay = BTreeMap<PathBuf, String>;

/// The files that a run has read.
#[derive(Debug, Clone, Default)]
pub struct Files {
    pub sources: SourceMap,
    /// Every path that was read or looked for, as given.
    inputs: BTreeSet<PathBuf>,
    loaded: BTreeMap<PathBuf, Option<FileId>>,
    texts: Arc<SourceOverlay>,
    /// Folders that the user named, with links resolved: links inside them may lead anywhere.
    roots: BTreeSet<PathBuf>,
    /// Documents that are not on disk, by the paths that they are read by.
    in_memory: BTreeMap<PathBuf, MemoryDocument>,
}

/// A document that is not on disk.
#[derive(Debug, Clone)]
pub struct MemoryDocument {
    /// The folder that the paths of its sources begin at in an executable.
    pub package: PathBuf,
    /// Whether the files of its folder belong to it.
    pub has_files: bool,
    /// The paths of the documents that it starts, if those are compiled elsewhere and come into the program later: paths below its
    /// folder. `None` if they are looked for.
    pub linked: Option<Vec<String>>,
    /// The functions of its program that its expressions call.
    pub functions: Vec<OwnFunction>,
    /// The path that the file with its default properties is read by, if it has one of its own.
    pub defaults: Option<PathBuf>,
}

impl Files {
    /// With texts that override the contents of files.
    pub fn with_texts(texts: Arc<SourceOverlay>) -> Files {
        Files {
            texts,
            ..Files::default()
        }
    }

    /// The paths of the loaded texts.
    pub fn paths(&self) -> BTreeMap<FileId, PathBuf> {
        let loaded = self.loaded.iter();
        loaded
            .filter_map(|(path, file)| Some(((*file)?, path.clone())))
            .collect()
    }

    /// The bytes of a file; on failure a diagnostic is emitted. `shown` is the path as messages show it.
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

    /// Allows links in the folder at `path` to lead anywhere.
    pub fn trust(&mut self, path: &Path) {
        if let Ok(real) = path.canonicalize()
            && real.is_dir()
        {
            self.roots.insert(real);
        }
    }

    /// Loads a text file that the user has named, wherever it leads.
    pub fn named_text(&mut self, path: &Path, shown: &str, sink: &mut Sink) -> Option<FileId> {
        if let Some(file) = self.loaded.get(path) {
            return *file;
        }
        let bytes = self.bytes(path, shown, sink);
        let file = bytes.and_then(|bytes| self.add(bytes, shown, sink));
        self.loaded.insert(path.to_owned(), file);
        file
    }

    /// Loads a text file of an application, only once. A text that is not UTF-8 is reported, and so is a link that leads out
    /// of the folder: messages would show the contents of files that the author of the folder may not read.
    pub fn text(&mut self, path: &Path, shown: &str, sink: &mut Sink) -> Option<FileId> {
        if rust_file::parts(path).is_some() && !self.loaded.contains_key(path) {
            return self.rust_document(path, sink);
        }
        match self.link_out(path) {
            Some(error) => self.refused(path, shown, &error, sink),
            None => self.named_text(path, shown, sink),
        }
    }

    /// Like [`Files::text`], for a file that need not exist.
    pub fn text_if_present(&mut self, path: &Path, shown: &str, sink: &mut Sink) -> Option<FileId> {
        if let Some(file) = self.loaded.get(path) {
            return *file;
        }
        if let Some(error) = self.link_out(path) {
            return self.refused(path, shown, &error, sink);
        }
        let bytes = self.bytes_if_present(path, shown, sink);
        let file = bytes.and_then(|bytes| self.add(bytes, shown, sink));
        self.loaded.insert(path.to_owned(), file);
        file
    }

    /// The text of a file that a document only mentions: nothing is reported of one that is not there, is no text, or has more bytes.
    /// Neither is one read that leads out of `folder` and of those that the user named: messages may show its lines.
    pub fn mentioned_text(
        &mut self,
        folder: &Path,
        path: &Path,
        most_bytes: u64,
    ) -> Option<String> {
        let real = path.canonicalize().ok()?;
        let folder = folder.canonicalize().ok()?;
        let metadata = fs::metadata(&real).ok()?;
        if !self.is_inside(&folder, &real) || !metadata.is_file() || metadata.len() > most_bytes {
            return None;
        }
        String::from_utf8(self.try_bytes(path).ok()?).ok()
    }

    /// Makes a text readable by a path where no file is.
    pub fn add_in_memory(&mut self, path: &Path, text: FileId, document: MemoryDocument) {
        self.loaded.insert(path.to_owned(), Some(text));
        self.in_memory.insert(path.to_owned(), document);
    }

    /// Makes a text that was loaded readable by another path too.
    pub fn add_alias(&mut self, path: &Path, text: FileId) {
        self.loaded.insert(path.to_owned(), Some(text));
    }

    /// The document that is read by `path`, if it is not on disk.
    pub fn in_memory(&self, path: &Path) -> Option<&MemoryDocument> {
        self.in_memory.get(path)
    }

    /// The path of the default properties of a document, which usually is `usual`.
    pub fn defaults(&self, document: &Path, usual: PathBuf) -> PathBuf {
        let own = self.in_memory(document);
        own.and_then(|it| it.defaults.clone()).unwrap_or(usual)
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

    /// The digest of a text that was loaded. Computed on demand: checking alone never needs one.
    pub fn digest_of(&self, path: &Path) -> Option<String> {
        let file = (*self.loaded.get(path)?)?;
        Some(digest::of(self.sources.text(file)))
    }

    /// Whether a file is in the folder, or with the folder in one that the user named. Both paths are without links.
    fn is_inside(&self, folder: &Path, real: &Path) -> bool {
        let mut roots = self.roots.iter();
        real.starts_with(folder)
            || roots.any(|root| folder.starts_with(root) && real.starts_with(root))
    }

    /// The error for a link that leads out of its folder and of those that the user named.
    fn link_out(&self, path: &Path) -> Option<io::Error> {
        if !path.is_symlink() || self.loaded.contains_key(path) {
            return None;
        }
        let real = path.canonicalize().ok()?;
        let parent = path.parent().filter(|it| !it.as_os_str().is_empty());
        let folder = parent.unwrap_or(Path::new(".")).canonicalize().ok()?;
        (!self.is_inside(&folder, &real)).then(|| {
            let target = fs::read_link(path).unwrap_or_default();
            refusal(format!(
                "this is a link to `{}`, outside the folder that it lies in",
                target.display()
            ))
        })
    }

    fn refused(
        &mut self,
        path: &Path,
        shown: &str,
        error: &io::Error,
        sink: &mut Sink,
    ) -> Option<FileId> {
        sink.emit(UnreadableFile {
            path: shown.to_owned(),
            error,
        });
        self.loaded.insert(path.to_owned(), None);
        None
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

/// Reads at most one byte more than the largest document, which suffices for the next room to reject it. Pipes and devices,
/// which may never end, are rejected here.
fn read_bounded(path: &Path) -> io::Result<Vec<u8>> {
    use io::Read;
    let (file, metadata) = open(path)?;
    let limit = u64::try_from(MAX_FILE_SIZE)
        .unwrap_or(u64::MAX)
        .saturating_add(1);
    let mut bytes = Vec::with_capacity(usize::try_from(metadata.len().min(limit)).unwrap_or(0));
    file.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Opens a regular file. Opening a pipe would block until it has a writer.
///
/// # Errors
///
/// It cannot be opened, or is something else.
pub fn open(path: &Path) -> io::Result<(fs::File, fs::Metadata)> {
    let regular = |metadata: fs::Metadata| {
        if metadata.is_dir() {
            Err(io::Error::from(io::ErrorKind::IsADirectory))
        } else if metadata.is_file() {
            Ok(metadata)
        } else {
            Err(refusal(
                "this is a pipe, a socket or a device, where a file is needed".to_owned(),
            ))
        }
    };
    regular(fs::metadata(path)?)?;
    let file = fs::File::open(path)?;
    let metadata = regular(file.metadata()?)?;
    Ok((file, metadata))
}

/// The error for a file of a kind that is not read.
fn refusal(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The codes and messages about a file with these bytes; `None` means a folder.
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

    #[cfg(unix)]
    #[test]
    fn what_may_never_end_and_what_leads_out_is_refused() {
        use std::os::unix::fs::symlink;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("app/sub")).expect("creates");
        fs::write(path("secret"), "root:x:0").expect("writes");
        fs::write(path("app/real.xml"), "<a/>").expect("writes");
        let fifo = std::process::Command::new("mkfifo")
            .arg(path("app/fifo.xml"))
            .status();
        assert!(fifo.expect("it is there").success());
        for (target, name) in [
            ("../secret", "app/out.xml"),
            ("real.xml", "app/in.xml"),
            ("../real.xml", "app/sub/up.xml"),
            ("out.xml", "app/twice.xml"),
            ("/dev/zero", "app/zero.xml"),
            ("nothing", "app/broken.xml"),
        ] {
            symlink(target, path(name)).expect("links");
        }
        let read = |name: &str, root: Option<&str>| -> Result<String, String> {
            let mut sink = Sink::default();
            let mut files = Files::default();
            if let Some(root) = root {
                files.trust(&path(root));
            }
            let file = files.text(&path(name), name, &mut sink);
            let if_present = files.text_if_present(&path(name), name, &mut sink);
            assert_eq!(file, if_present, "{name}");
            match file {
                Some(file) => Ok(files.sources.text(file).to_owned()),
                None => Err(sink.into_sorted().remove(0).message),
            }
        };
        let link = |target: &str| {
            Err(format!(
                "this is a link to `{target}`, outside the folder that it lies in"
            ))
        };
        assert_eq!(read("app/in.xml", None), Ok("<a/>".to_owned()));
        assert_eq!(read("app/out.xml", None), link("../secret"));
        assert_eq!(read("app/out.xml", Some("app")), link("../secret"));
        assert_eq!(read("app/twice.xml", Some("app")), link("out.xml"));
        assert_eq!(read("app/zero.xml", None), link("/dev/zero"));
        assert_eq!(read("app/sub/up.xml", None), link("../real.xml"));
        assert_eq!(read("app/sub/up.xml", Some("app")), Ok("<a/>".to_owned()));
        let special = "this is a pipe, a socket or a device, where a file is needed";
        assert_eq!(read("app/fifo.xml", None), Err(special.to_owned()));
        assert_eq!(
            read("app/broken.xml", None),
            Err("there is no such file or folder".to_owned())
        );
        // A path named by the user is read wherever it leads, but a device is still rejected.
        let mut sink = Sink::default();
        let mut files = Files::default();
        let out = path("app/out.xml");
        assert!(files.named_text(&out, "out.xml", &mut sink).is_some());
        let zero = path("app/zero.xml");
        assert_eq!(files.named_text(&zero, "zero.xml", &mut sink), None);
    }

    #[test]
    fn mentioned_files_are_read_inside_their_folder_alone() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("app")).expect("made");
        for (name, text) in [("outside.sh", "echo key=1"), ("app/in.sh", "echo rows=1")] {
            fs::write(path(name), text).expect("written");
        }
        fs::write(path("app/data"), [0xff, 0xfe]).expect("written");
        std::os::unix::fs::symlink(path("outside.sh"), path("app/link.sh")).expect("made");
        let mut files = Files::default();
        for (name, most, expected) in [
            ("app/in.sh", 100, Some("echo rows=1")),
            ("app/in.sh", 5, None),
            ("app/link.sh", 100, None),
            ("app/../outside.sh", 100, None),
            ("app/data", 100, None),
            ("app", 100, None),
            ("app/none.sh", 100, None),
        ] {
            let found = files.mentioned_text(&path("app"), &path(name), most);
            assert_eq!(found.as_deref(), expected, "{name}");
        }
        // The user named the folder around both.
        files.trust(folder.path());
        let found = files.mentioned_text(&path("app"), &path("app/link.sh"), 100);
        assert_eq!(found.as_deref(), Some("echo key=1"));
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
