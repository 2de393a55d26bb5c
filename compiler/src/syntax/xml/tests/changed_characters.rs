//! Documents that were good before something happened to them.

use super::{accepted, diagnostics};

/// A document with one of everything.
const VARIED: &str = "\u{feff}<?xml version=\"1.0\" encoding='UTF-8' standalone=\"no\"?>\r\n<!-- é - -->\n\
    <w:app xmlns:w=\"uri:w\" xmlns='u' w:a='1' a=\"é&#x41;&lt;\r\n\">\n <?pi data?>x &amp; 𝄞\
    <![CDATA[<&]]]]>&#62;<b/><c ></c\n></w:app>\n<!---->";

#[test]
fn every_cut_and_every_changed_character_is_survived() {
    accepted(VARIED);
    let mut texts = Vec::new();
    for (index, c) in VARIED.char_indices() {
        let (before, after) = VARIED.split_at(index);
        let after = &after[c.len_utf8()..];
        texts.push(before.to_owned());
        texts.push(format!("{before}{after}"));
        for other in "<>&;\"'=/!?-[]: x:#\n\r\0é\u{feff}".chars() {
            texts.push(format!("{before}{other}{after}"));
            texts.push(format!("{before}{other}{c}{after}"));
        }
    }
    for text in texts {
        let (sources, diagnostics, is_read) = diagnostics(&text);
        assert!(
            is_read || !diagnostics.is_empty(),
            "{text:?} fails without a word"
        );
        for diagnostic in &diagnostics {
            let labels = diagnostic.labels.iter().map(|label| label.span);
            let edits = diagnostic
                .suggestions
                .iter()
                .flat_map(|suggestion| &suggestion.edits);
            for span in labels
                .chain(diagnostic.span())
                .chain(edits.map(|(span, _)| *span))
            {
                assert!(
                    sources.text(span.file).get(span.range()).is_some(),
                    "{span:?} of {text:?}"
                );
            }
        }
    }
}
