//! The lines of two texts that differ.

use std::collections::BTreeMap;

use dissimilar::Chunk;

/// A line of a comparison.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    Same(String),
    /// Of the former text alone.
    Gone(String),
    /// Of the later text alone.
    New(String),
    /// So many lines that are the same.
    Skipped(usize),
}

/// The first character that stands for a line: a private one, of a plane with room for 65,000 different lines.
const FIRST: u32 = 0xF_0000;
const MOST: u32 = 0xFFFD;

/// All lines of both texts, in their order. A text of more different lines than a plane has room for is given whole.
pub(crate) fn lines(before: &str, now: &str) -> Vec<Line> {
    // Each line as a character, so that whole lines are compared.
    let mut numbers: BTreeMap<&str, u32> = BTreeMap::new();
    let mut texts: Vec<&str> = Vec::new();
    let all: Vec<Vec<&str>> = [before, now].map(|text| text.lines().collect()).into();
    let mut written = Vec::new();
    for of in &all {
        let mut text = String::new();
        for line in of {
            let number = *numbers.entry(line).or_insert_with(|| {
                texts.push(line);
                u32::try_from(texts.len() - 1).unwrap_or(u32::MAX)
            });
            match char::from_u32(FIRST + number).filter(|_| number < MOST) {
                Some(c) => text.push(c),
                None => return whole(&all),
            }
        }
        written.push(text);
    }
    let text_of = |c: char| {
        let number = usize::try_from(u32::from(c).saturating_sub(FIRST)).ok();
        let text = number.and_then(|number| texts.get(number));
        text.map_or_else(String::new, |text| (*text).to_owned())
    };
    let (Some(before), Some(now)) = (written.first(), written.get(1)) else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for chunk in dissimilar::diff(before, now) {
        match chunk {
            Chunk::Equal(text) => lines.extend(text.chars().map(text_of).map(Line::Same)),
            Chunk::Delete(text) => lines.extend(text.chars().map(text_of).map(Line::Gone)),
            Chunk::Insert(text) => lines.extend(text.chars().map(text_of).map(Line::New)),
        }
    }
    lines
}

fn whole(all: &[Vec<&str>]) -> Vec<Line> {
    let owned = |text: &&str| (*text).to_owned();
    let before = all.first().into_iter().flatten().map(owned).map(Line::Gone);
    let now = all.get(1).into_iter().flatten().map(owned).map(Line::New);
    before.chain(now).collect()
}

/// Without the lines that are the same and further than `around` from one that is not.
pub(crate) fn shortened(lines: Vec<Line>, around: usize) -> Vec<Line> {
    let is_near: Vec<bool> = (0..lines.len())
        .map(|place| {
            let from = place.saturating_sub(around);
            let to = (place + around + 1).min(lines.len());
            lines[from..to]
                .iter()
                .any(|line| !matches!(line, Line::Same(_)))
        })
        .collect();
    let mut shown = Vec::new();
    let mut n_skipped = 0;
    for (line, is_near) in lines.into_iter().zip(is_near) {
        if !is_near {
            n_skipped += 1;
            continue;
        }
        if n_skipped > 0 {
            shown.push(Line::Skipped(n_skipped));
            n_skipped = 0;
        }
        shown.push(line);
    }
    if n_skipped > 0 {
        shown.push(Line::Skipped(n_skipped));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_lines_are_compared_and_the_rest_is_counted() {
        let before = "a\nb\nc\nd\ne\nf\n";
        let now = "a\nb\nc\nd2\ne\nf\n";
        let same = |text: &str| Line::Same(text.to_owned());
        assert_eq!(
            shortened(lines(before, now), 1),
            [
                Line::Skipped(2),
                same("c"),
                Line::Gone("d".to_owned()),
                Line::New("d2".to_owned()),
                same("e"),
                Line::Skipped(1),
            ]
        );
        assert_eq!(shortened(lines("x\ny\n", "x\ny\n"), 3), [Line::Skipped(2)]);
        assert!(lines("", "").is_empty());
    }

    #[test]
    fn a_text_with_more_lines_than_there_are_characters_is_given_whole() {
        let many: String = (0..70_000).map(|n| format!("{n}\n")).collect();
        assert_eq!(lines(&many, "0\n").len(), 70_001);
    }
}
