//! Damaged documents: whatever is wrong, lowering terminates and all spans are valid.

use super::lower;
use crate::{diagnostics::Place, source::FileId};

/// A document of Oozie and one of 2009.
const WHOLE: [&str; 2] = [
    include_str!("damage/whole.xml"),
    include_str!("damage/proposal.xml"),
];

#[track_caller]
fn check(text: &str) {
    if !is_well_formed(text) {
        return;
    }
    let (_, diagnostics) = lower(text, None);
    for diagnostic in diagnostics {
        let labels = diagnostic.labels.iter().map(|label| label.span);
        let edits = diagnostic
            .suggestions
            .iter()
            .flat_map(|suggestion| &suggestion.edits);
        let place = match diagnostic.place {
            Place::Span(span) => Some(span),
            Place::File(_) | Place::Path(_) => None,
        };
        for span in labels.chain(edits.map(|(span, _)| *span)).chain(place) {
            assert_eq!(span.file, FileId(0));
            assert!(text.get(span.range()).is_some(), "{span:?} of {text}");
        }
    }
}

fn is_well_formed(text: &str) -> bool {
    let mut sink = crate::diagnostics::Sink::default();
    crate::syntax::xml::parse(FileId(0), text, &mut sink).is_some()
}

#[test]
fn whole_document_is_right() {
    for whole in WHOLE {
        let (app, diagnostics) = lower(whole, None);
        assert_eq!(diagnostics, []);
        assert!(app.is_some());
    }
}

#[test]
fn any_line_may_be_missing_or_doubled() {
    for lines in WHOLE.map(|whole| whole.lines().collect::<Vec<&str>>()) {
        for index in 0..lines.len() {
            let mut fewer = lines.clone();
            fewer.remove(index);
            check(&fewer.join("\n"));
            let mut more = lines.clone();
            more.insert(index, lines[index]);
            check(&more.join("\n"));
        }
    }
}

#[test]
fn any_two_neighbors_may_be_swapped() {
    for lines in WHOLE.map(|whole| whole.lines().collect::<Vec<&str>>()) {
        for index in 1..lines.len() {
            let mut swapped = lines.clone();
            swapped.swap(index - 1, index);
            check(&swapped.join("\n"));
        }
    }
}

#[test]
fn any_word_may_be_another() {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    for whole in WHOLE {
        let words: std::collections::BTreeSet<&str> = whole
            .split(|c| !is_word(c))
            .filter(|word| !word.is_empty())
            .collect();
        assert!(words.len() > 50);
        for word in words {
            for other in ["é", "ok", "shell", "name", "transition", "${", ""] {
                check(&whole.replace(word, other));
            }
        }
    }
}
