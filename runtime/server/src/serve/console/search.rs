//! Search in what an action has printed: lines with a text, the next and the previous one, and the text marked in a part.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, BufRead, BufReader, Read, Seek, SeekFrom},
    ops::Range,
    path::PathBuf,
};

use hpdlc_runtime::fleet::Masks;

use crate::serve::console::printed::{cut, plain};

/// Lines that a search shows.
const MOST_FOUND: usize = 500;
/// More of a line is not looked at by a search: a line may be as long as the file.
const LONGEST_LINE: u64 = 1 << 20;
/// Lines that are shown before one that was found, and their most bytes.
const LINES_BEFORE: usize = 10;
const BYTES_BEFORE: u64 = 16 * 1024;

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

    use hpdlc_store::JobRow;

    use super::*;

    fn written(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("1.out");
        fs::write(&path, bytes).unwrap();
        (folder, path)
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
}
