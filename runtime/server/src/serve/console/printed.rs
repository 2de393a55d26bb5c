//! What actions print, in files of any size: their ends, and parts of them. Secrets are masked, and what would color a terminal is taken
//! out.

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
    path::PathBuf,
};

use hpdlc_launcher::Attempt;
use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, JobRow};

use crate::serve::call::Call;

/// Read at once of a file.
pub(crate) const PIECE: u64 = 256 * 1024;
/// Of a file on the page of a node.
pub(crate) const PREVIEW: u64 = 48 * 1024;
/// A longer line is cut where lines are listed.
const MOST_LINE: usize = 2_000;
/// The beginning of a line is looked for in so many bytes before a place.
const LOOK_BACK: u64 = 64 * 1024;
/// One of the two files of an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stream {
    Out,
    Err,
}

impl Stream {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Stream::Out => "out",
            Stream::Err => "err",
        }
    }

    pub(crate) fn of(text: Option<&str>) -> Stream {
        match text {
            Some("err") => Stream::Err,
            _ => Stream::Out,
        }
    }
}

/// The file of an attempt of a node.
pub(crate) fn file(
    call: &Call,
    job: &JobRow,
    row: &ActionRow,
    attempt: i64,
    stream: Stream,
) -> PathBuf {
    let run = row.run.unwrap_or(job.run);
    let home = &call.server.session.home;
    let attempt = Attempt::new(home.attempt(&job.id, run, &row.name, attempt));
    match stream {
        Stream::Out => attempt.stdout(),
        Stream::Err => attempt.stderr(),
    }
}

/// A part of a file, which begins and ends with whole lines where it can.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) bytes: Vec<u8>,
    pub(crate) from: u64,
    pub(crate) to: u64,
    pub(crate) size: u64,
}

impl Part {
    /// Without a last line that has no end.
    pub(crate) fn of_whole_lines(mut self) -> Part {
        let last = self.bytes.iter().rposition(|byte| *byte == b'\n');
        self.bytes.truncate(last.map_or(0, |last| last + 1));
        self.to = self.from + self.bytes.len() as u64;
        self
    }

    /// As a page shows it.
    pub(crate) fn shown(&self, masks: &Masks) -> String {
        shown(&self.bytes, masks)
    }
}

/// Output as a page shows it.
pub(crate) fn shown(bytes: &[u8], masks: &Masks) -> String {
    masks.text(&plain(&String::from_utf8_lossy(bytes)))
}

/// At most `most` bytes of a file; a file that is not there is empty. `from` is `None` for its end.
pub(crate) fn read(path: &PathBuf, from: Option<u64>, most: u64) -> io::Result<Part> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Part::default()),
        opened => opened?,
    };
    let size = file.metadata()?.len();
    let asked = from.unwrap_or_else(|| size.saturating_sub(most)).min(size);
    file.seek(SeekFrom::Start(asked))?;
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    let mut start = 0;
    if from.is_none() && asked > 0 {
        // The beginning of a cut line, unless there is no other.
        let end = bytes.iter().position(|byte| *byte == b'\n');
        start = end.map_or(0, |end| end + 1);
    }
    let mut end = bytes.len();
    if asked + (end as u64) < size {
        let last = bytes.iter().rposition(|byte| *byte == b'\n');
        end = last.map_or(end, |last| last + 1).max(start);
    }
    bytes.truncate(end);
    bytes.drain(..start);
    Ok(Part {
        bytes,
        from: asked + start as u64,
        to: asked + end as u64,
        size,
    })
}

/// Where to begin to read so that a place is shown: at the beginning of its line. Whoever could begin anywhere could begin within a secret,
/// whose rest is not masked. In a longer line it is a place that hardly depends on the one that is asked for.
pub(crate) fn begin(path: &PathBuf, at: u64) -> io::Result<u64> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
        opened => opened?,
    };
    let at = at.min(file.metadata()?.len());
    let from = at.saturating_sub(LOOK_BACK);
    file.seek(SeekFrom::Start(from))?;
    let mut before = Vec::new();
    file.take(at - from).read_to_end(&mut before)?;
    Ok(match before.iter().rposition(|byte| *byte == b'\n') {
        Some(end) => from + end as u64 + 1,
        None if from == 0 => 0,
        None => at - at % (PIECE / 2),
    })
}

/// Output as text: without the sequences that color a terminal; a line that was written over is several lines.
pub(crate) fn plain(text: &str) -> String {
    let mut all = String::with_capacity(text.len());
    for (number, part) in text.split('\u{1b}').enumerate() {
        let rest = match number {
            0 => Some(part),
            _ => part.strip_prefix('[').and_then(after_sequence),
        };
        match rest {
            Some(rest) => all.push_str(rest),
            None => {
                all.push('\u{1b}');
                all.push_str(part);
            }
        }
    }
    all.replace("\r\n", "\n").replace('\r', "\n")
}

/// What follows `31m` or `2K`: colors, and where a terminal writes next.
fn after_sequence(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ';' | '?'));
    rest.strip_prefix(|c: char| c.is_ascii_alphabetic())
}

/// The last lines of both files: errors last.
pub(crate) fn last_lines(
    call: &Call,
    job: &JobRow,
    row: &ActionRow,
    masks: &Masks,
    most: usize,
) -> String {
    let of = |stream| {
        let path = file(call, job, row, row.attempt, stream);
        let part = read(&path, None, PREVIEW / 4).unwrap_or_default();
        part.shown(masks)
    };
    let err = of(Stream::Err);
    let text = match err.trim().is_empty() {
        true => of(Stream::Out),
        false => err,
    };
    let lines: Vec<&str> = text.trim_end().lines().collect();
    let first = lines.len().saturating_sub(most);
    let lines = lines[first..].iter().map(|line| cut(line));
    lines.collect::<Vec<String>>().join("\n")
}

/// The beginning of a line.
pub(crate) fn cut(line: &str) -> String {
    match line.char_indices().nth(MOST_LINE) {
        None => line.to_owned(),
        Some((at, _)) => format!("{}…", &line[..at]),
    }
}

/// `12 B`, `3.4 kB`, `100 MB`.
pub(crate) fn bytes(n: u64) -> String {
    let mut value = n as f64;
    let mut unit = "B";
    for larger in ["kB", "MB", "GB", "TB"] {
        if value < 999.5 {
            break;
        }
        value /= 1000.0;
        unit = larger;
    }
    match value < 9.95 && unit != "B" {
        true => format!("{value:.1} {unit}"),
        false => format!("{value:.0} {unit}"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.out");
        fs::write(&path, bytes).unwrap();
        (folder, path)
    }

    #[test]
    fn a_part_has_whole_lines() {
        let (_folder, path) = written(b"one\ntwo\nthree\n");
        let part = read(&path, None, 8).unwrap();
        assert_eq!(
            (part.bytes.as_slice(), part.from, part.to),
            (&b"three\n"[..], 8, 14)
        );
        let part = read(&path, Some(0), 6).unwrap();
        assert_eq!(
            (part.bytes.as_slice(), part.from, part.to),
            (&b"one\n"[..], 0, 4)
        );
        let part = read(&path, Some(99), 6).unwrap();
        assert_eq!((part.bytes.len(), part.from, part.size), (0, 14, 14));
        for (text, whole, to) in [("a\nb", "a\n", 2), ("b", "", 0), ("a\n", "a\n", 2)] {
            let (_folder, path) = written(text.as_bytes());
            let part = read(&path, None, 8).unwrap().of_whole_lines();
            assert_eq!((part.bytes.as_slice(), part.to), (whole.as_bytes(), to));
        }
        let none = read(&path.with_extension("err"), None, 8).unwrap();
        assert_eq!(none, Part::default());
    }

    #[test]
    fn a_line_without_end_is_read_in_pieces() {
        let (_folder, path) = written(&[b'x'; 100]);
        let part = read(&path, Some(10), 20).unwrap();
        assert_eq!((part.bytes.len(), part.from, part.to), (20, 10, 30));
        assert_eq!(read(&path, None, 20).unwrap().bytes.len(), 20);
    }

    #[test]
    fn reading_begins_with_a_line_so_that_no_part_of_a_secret_is_seen() {
        let (_folder, path) = written(b"one\npassword hunter22\nthree");
        for (at, expected) in [(0, 0), (2, 0), (4, 4), (16, 4), (21, 4), (22, 22), (99, 22)] {
            assert_eq!(begin(&path, at).unwrap(), expected, "{at}");
        }
        // A line without end is read in pieces, each further than the one before.
        let (_folder, path) = written(&vec![b'x'; 1 << 20]);
        let (mut at, mut n_pieces) = (0, 0);
        while at < 1 << 20 {
            let begun = begin(&path, at).unwrap();
            let part = read(&path, Some(begun), PIECE).unwrap();
            assert!(part.from <= at && part.to > at, "{at}");
            (at, n_pieces) = (part.to, n_pieces + 1);
        }
        assert!(n_pieces <= 8, "{n_pieces}");
        assert_eq!(begin(&path.with_extension("err"), 7).unwrap(), 0);
    }

    #[test]
    fn colors_are_taken_out_and_other_sequences_stay_to_be_seen() {
        assert_eq!(plain("\u{1b}[1;31mred\u{1b}[0m\u{1b}[2K"), "red");
        assert_eq!(plain("50%\r100%\r\ndone"), "50%\n100%\ndone");
        assert_eq!(plain("\u{1b}]0;title\u{7}"), "\u{1b}]0;title\u{7}");
    }

    #[test]
    fn sizes_are_short() {
        let shown = [0, 999, 1_000, 9_949, 48_300, 100_000_000].map(bytes);
        assert_eq!(
            shown,
            ["0 B", "999 B", "1.0 kB", "9.9 kB", "48 kB", "100 MB"]
        );
    }
}
