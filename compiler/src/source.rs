//! The first room: source texts and positions in them, independent of their meaning.
//!
//! A [`SourceMap`] owns every text that a run of the compiler has loaded. All later rooms refer to places as [`Span`]s, in
//! bytes of the raw file; lines and columns are computed by [`LineIndex`] only when something is shown.

use std::{borrow::Cow, ops::Range, sync::OnceLock};

use hpdlc_core::secrets::Secrets;

mod decode;
mod line_index;
mod origins;
mod secrets;
mod span;

pub use self::{
    decode::{NotUtf8, decode},
    line_index::{LineIndex, Position},
    origins::{Origins, Piece},
    span::{FileId, Span, Spanned},
};

/// The largest text that the compiler reads, in bytes.
///
/// Far larger than any known document, and small enough that every offset fits a `u32`.
pub const MAX_FILE_SIZE: usize = 64 * 1024 * 1024;

/// The loaded files, by [`FileId`], in the order in which they were added.
#[derive(Debug, Clone, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

#[derive(Debug, Clone)]
struct SourceFile {
    path: String,
    text: String,
    /// Computed on first use: a file without mistakes never needs it.
    line_index: OnceLock<LineIndex>,
    /// The secrets that are written in the text, and their values. Computed when a part of it is shown.
    secrets: OnceLock<(Vec<Range<usize>>, Secrets)>,
    /// Where a derived text comes from.
    origins: Option<Origins>,
}

impl SourceMap {
    /// Adds a file. `path_as_given` is what messages show: the path as the user wrote it or as it was found.
    ///
    /// The text is stored as read, with its byte order mark and its line ends, because spans count its bytes.
    pub fn add(&mut self, path_as_given: String, text: String) -> FileId {
        self.push(path_as_given, text, None)
    }

    /// Adds a text that was made from another file of this map. It has the path of that file, and
    /// [`SourceMap::start`] answers with places in it.
    pub fn add_derived(&mut self, text: String, origins: Origins) -> FileId {
        let path = self.path(origins.file()).to_owned();
        self.push(path, text, Some(origins))
    }

    fn push(&mut self, path: String, text: String, origins: Option<Origins>) -> FileId {
        let id = u32::try_from(self.files.len()).expect("fewer files than 2^32 fit into memory");
        self.files.push(SourceFile {
            path,
            text,
            line_index: OnceLock::new(),
            secrets: OnceLock::new(),
            origins,
        });
        FileId(id)
    }

    /// The path of `file`, as it was given to [`SourceMap::add`].
    pub fn path(&self, file: FileId) -> &str {
        &self.file(file).path
    }

    /// The raw text of `file`.
    pub fn text(&self, file: FileId) -> &str {
        &self.file(file).text
    }

    /// The line starts of `file`.
    pub fn line_index(&self, file: FileId) -> &LineIndex {
        let file = self.file(file);
        file.line_index.get_or_init(|| LineIndex::new(&file.text))
    }

    /// Where the text of a derived file comes from.
    pub fn origins(&self, file: FileId) -> Option<&Origins> {
        self.file(file).origins.as_ref()
    }

    /// The place that `span` comes from; the span itself, unless its file is derived.
    pub fn origin(&self, span: Span) -> Span {
        match self.origins(span.file) {
            Some(origins) => origins.of(span.start..span.end),
            None => span,
        }
    }

    /// Line and column of the start of `span`, or of the place that it comes from; see [`LineIndex::position`].
    pub fn start(&self, span: Span) -> Position {
        let span = self.origin(span);
        self.position(span.file, span.start)
    }

    /// Line and column of a byte offset of `file`; see [`LineIndex::position`].
    pub fn position(&self, file: FileId, offset: u32) -> Position {
        self.line_index(file).position(self.text(file), offset)
    }

    /// The raw text that `span` covers; empty if the span is not inside its file on character boundaries.
    pub fn snippet(&self, span: Span) -> &str {
        self.text(span.file).get(span.range()).unwrap_or("")
    }

    /// The secrets that are written in `file`.
    pub fn secrets(&self, file: FileId) -> &Secrets {
        &self.written_secrets(file).1
    }

    /// A part of the raw text of `file`, with an asterisk for each byte of a secret but line ends: what may be shown of it.
    ///
    /// `range` is on character boundaries.
    pub fn shown(&self, file: FileId, range: Range<usize>) -> Cow<'_, str> {
        let text = &self.text(file)[range.clone()];
        let (secrets, _) = self.written_secrets(file);
        let first = secrets.partition_point(|secret| secret.end <= range.start);
        let secrets = secrets[first..].iter();
        let mut secrets = secrets
            .take_while(|secret| secret.start < range.end)
            .peekable();
        if secrets.peek().is_none() {
            return text.into();
        }
        let mut shown = text.to_owned();
        for secret in secrets {
            let start = secret.start.max(range.start) - range.start;
            let end = secret.end.min(range.end) - range.start;
            let mask = shown[start..end].bytes().map(|byte| match byte {
                b'\n' | b'\r' => char::from(byte),
                _ => '*',
            });
            let mask: String = mask.collect();
            shown.replace_range(start..end, &mask);
        }
        shown.into()
    }

    fn written_secrets(&self, file: FileId) -> &(Vec<Range<usize>>, Secrets) {
        let file = self.file(file);
        file.secrets.get_or_init(|| {
            let ranges = secrets::find(&file.path, &file.text);
            let values = ranges.iter().map(|range| &file.text[range.clone()]);
            let values = Secrets::of_texts(values);
            (ranges, values)
        })
    }

    /// The ids of all files, in the order in which they were added.
    pub fn files(&self) -> impl Iterator<Item = FileId> + use<> {
        let count = u32::try_from(self.files.len()).expect("`add` has counted them in a u32");
        (0..count).map(FileId)
    }

    /// The same files with other paths.
    #[must_use]
    pub fn renamed(mut self, path: impl Fn(&str) -> String) -> SourceMap {
        for file in &mut self.files {
            file.path = path(&file.path);
        }
        self
    }

    /// Path and text of every file, in the order in which they were added.
    pub fn into_files(self) -> impl Iterator<Item = (String, String)> {
        self.files.into_iter().map(|file| (file.path, file.text))
    }

    fn file(&self, file: FileId) -> &SourceFile {
        let index = usize::try_from(file.0).expect("usize has at least 32 bits");
        self.files
            .get(index)
            .expect("a FileId comes from `add` of the same SourceMap")
    }
}
