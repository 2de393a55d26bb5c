//! What actions print, in files of any size: their ends, parts of them, and search. Secrets are masked, and what would color a terminal is
//! taken out.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    ops::Range,
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
/// Lines that a search shows.
const MOST_FOUND: usize = 500;
/// A longer line is cut in the results of a search.
const MOST_LINE: usize = 2_000;
/// More of a line is not looked at by a search: a line may be as long as the file.
const LONGEST_LINE: u64 = 1 << 20;
/// The beginning of a line is looked for in so many bytes before a place.
const LOOK_BACK: u64 = 64 * 1024;
/// Lines that are shown before one that was found, and their most bytes.
const LINES_BEFORE: usize = 10;
const BYTES_BEFORE: u64 = 16 * 1024;

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

fn cut(line: &str) -> String {
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

/// A line with the text that was looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) number: u64,
    pub(crate) offset: u64,
    /// Where some lines before it begin.
    pub(crate) context: u64,
    pub(crate) text: String,
}

/// The first lines that contain a text, in any case, after masking: a secret cannot be found by guessing.
pub(crate) fn search(path: &PathBuf, text: &str, masks: &Masks) -> io::Result<(Vec<Found>, bool)> {
    let (mut found, mut has_more) = (Vec::new(), false);
    scan(path, 0..u64::MAX, text, masks, |line| {
        has_more = found.len() == MOST_FOUND;
        if !has_more {
            found.push(line);
        }
        !has_more
    })?;
    Ok((found, has_more))
}

/// Where the first line at or after `from` with a text begins, with some lines before it.
pub(crate) fn next(
    path: &PathBuf,
    from: u64,
    text: &str,
    masks: &Masks,
) -> io::Result<Option<u64>> {
    let mut found = None;
    scan(path, from..u64::MAX, text, masks, |line| {
        found = Some(line.context);
        false
    })?;
    Ok(found)
}

/// As [`next`], of the last line before `to`.
pub(crate) fn previous(
    path: &PathBuf,
    to: u64,
    text: &str,
    masks: &Masks,
) -> io::Result<Option<u64>> {
    let mut found = None;
    scan(path, 0..to, text, masks, |line| {
        found = Some(line.context);
        true
    })?;
    Ok(found)
}

/// Lines with a text that begin in a range, as long as `see` wants them. One line at a time is in memory.
fn scan(
    path: &PathBuf,
    range: Range<u64>,
    text: &str,
    masks: &Masks,
    mut see: impl FnMut(Found) -> bool,
) -> io::Result<()> {
    let mut file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        opened => opened?,
    };
    file.seek(SeekFrom::Start(range.start))?;
    let wanted = text.to_lowercase();
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let (mut offset, mut number) = (range.start, 1);
    let mut line = Vec::new();
    let mut before = VecDeque::with_capacity(LINES_BEFORE + 1);
    while offset < range.end {
        line.clear();
        let n_read = (&mut reader)
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)?;
        if n_read == 0 {
            return Ok(());
        }
        let shown = String::from_utf8_lossy(&line);
        // Most lines do not have it; masking is slower than looking.
        if shown.to_lowercase().contains(&wanted) {
            let shown = masks.text(&plain(&shown));
            if shown.to_lowercase().contains(&wanted) {
                let is_near = |start: &&u64| offset - **start <= BYTES_BEFORE;
                let found = Found {
                    number,
                    offset,
                    context: before.iter().find(is_near).copied().unwrap_or(offset),
                    text: cut(shown.trim_end()),
                };
                if !see(found) {
                    return Ok(());
                }
            }
        }
        before.push_back(offset);
        if before.len() > LINES_BEFORE {
            before.pop_front();
        }
        offset += n_read as u64;
        number += u64::from(line.ends_with(b"\n"));
    }
    Ok(())
}

/// A text in pieces, each with whether it is what was looked for, in any case.
pub(crate) fn highlighted<'t>(text: &'t str, wanted: &str) -> Vec<(&'t str, bool)> {
    let wanted: Vec<char> = wanted.chars().flat_map(char::to_lowercase).collect();
    let mut pieces = Vec::new();
    let (mut done, mut at, mut n_found) = (0, 0, 0);
    while let Some(c) = text[at..].chars().next() {
        let end = (!wanted.is_empty() && n_found < MOST_FOUND)
            .then(|| end_of(&text[at..], &wanted))
            .flatten();
        match end {
            None => at += c.len_utf8(),
            Some(length) => {
                pieces.extend((done < at).then(|| (&text[done..at], false)));
                pieces.push((&text[at..at + length], true));
                at += length;
                done = at;
                n_found += 1;
            }
        }
    }
    pieces.extend((done < text.len()).then(|| (&text[done..], false)));
    pieces
}

/// The length of the beginning of a text that is `wanted` in small letters.
fn end_of(text: &str, wanted: &[char]) -> Option<usize> {
    let mut left = wanted.iter();
    for (at, c) in text.char_indices() {
        if left.len() == 0 {
            return Some(at);
        }
        if !c.to_lowercase().all(|small| left.next() == Some(&small)) {
            return None;
        }
    }
    (left.len() == 0).then_some(text.len())
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write};

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
    fn search_finds_lines_in_any_case_and_no_secrets() {
        let (_folder, path) = written(b"start\nERROR: disk\npassword hunter22\nerror again\n");
        let job = JobRow {
            conf: r#"{"dbPassword":"hunter22"}"#.to_owned(),
            ..JobRow::new("1-W", 0)
        };
        let folder = tempfile::tempdir().unwrap();
        let session = hpdlc_engine::owner::Session {
            program: &crate::PROGRAM,
            home: hpdlc_host::home::Home::open_at(folder.path().join("home")).unwrap(),
            site: std::sync::Arc::default(),
        };
        let masks = Masks::of(&session, &job).unwrap();
        let (found, has_more) = search(&path, "error", &masks).unwrap();
        let found: Vec<_> = found
            .iter()
            .map(|it| (it.number, it.offset, it.text.as_str()))
            .collect();
        assert_eq!(found, [(2, 6, "ERROR: disk"), (4, 36, "error again")]);
        assert!(!has_more);
        assert!(search(&path, "hunter22", &masks).unwrap().0.is_empty());
        // A line of 10 MB is no memory without end.
        let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
        file.write_all(&vec![b'y'; 10 << 20]).unwrap();
        assert!(search(&path, "zz", &masks).unwrap().0.is_empty());
    }

    #[test]
    fn what_is_looked_for_is_highlighted_and_found_in_both_directions() {
        for (text, wanted, expected) in [
            ("Error: an eRRor", "error", "[Error]: an [eRRor]"),
            ("ÄÖ äö", "äö", "[ÄÖ] [äö]"),
            ("aaa", "aa", "[aa]a"),
            ("aaa", "", "aaa"),
            ("a", "ab", "a"),
            ("", "x", ""),
        ] {
            let pieces = highlighted(text, wanted).into_iter();
            let shown: String = pieces
                .map(|(text, is_found)| match is_found {
                    true => format!("[{text}]"),
                    false => text.to_owned(),
                })
                .collect();
            assert_eq!(shown, expected);
        }
        let lines: Vec<String> = (0..100).map(|n| format!("{n:03}\n")).collect();
        let (_folder, path) = written(lines.concat().replace("050", "Xx0").as_bytes());
        let masks = Masks::default();
        // Each line has four bytes, and ten stand before the one that is found.
        let of = |from| next(&path, from, "xX", &masks).unwrap();
        assert_eq!(
            [of(0), of(192), of(200), of(204)],
            [Some(160), Some(192), Some(200), None]
        );
        let of = |to| previous(&path, to, "xx", &masks).unwrap();
        assert_eq!([of(999), of(201), of(200)], [Some(160), Some(160), None]);
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
