//! Edits of a text, applied all at once.

use std::ops::Range;

/// Replacements of parts of a text that do not overlap.
#[derive(Debug, Default)]
pub(super) struct TextEdits {
    list: Vec<(Range<usize>, String)>,
}

impl TextEdits {
    pub(super) fn replace(&mut self, range: Range<usize>, text: impl Into<String>) {
        self.list.push((range, text.into()));
    }

    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.replace(at..at, text);
    }

    /// The part `whole` of `text` with the edits applied. Insertions at one position keep their order; of overlapping edits,
    /// the one that starts first is applied.
    pub(super) fn applied(mut self, text: &str, whole: Range<usize>) -> String {
        self.list.sort_by_key(|(range, _)| range.start);
        let mut changed = String::with_capacity(whole.len() + 64);
        let mut done = whole.start;
        for (range, replacement) in &self.list {
            if range.start < done {
                continue;
            }
            changed.push_str(&text[done..range.start]);
            changed.push_str(replacement);
            done = range.end;
        }
        changed.push_str(&text[done..whole.end]);
        changed
    }
}
