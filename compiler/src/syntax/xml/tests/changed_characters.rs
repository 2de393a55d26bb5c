//! Mutation tests: valid documents in which something was changed.

use super::{accepted, diagnostics};
use crate::{
    diagnostics::Sink,
    source::FileId,
    syntax::xml::{MAX_PARTS, reader, root_name},
};

/// A document with one of everything.
const VARIED: &str = "\u{feff}<?xml version=\"1.0\" encoding='UTF-8' standalone=\"no\"?>\r\n<!-- é - -->\n\
    <w:app xmlns:w=\"uri:w\" xmlns='u' w:a='1' a=\"é&#x41;&lt;\r\n\">\n <?pi data?>x &amp; 𝄞\
    <![CDATA[<&]]]]>&#62;<b/><c ></c\n></w:app>\n<!---->";

#[test]
fn every_cut_and_every_changed_character_is_survived() {
    accepted(VARIED);
    for text in changed(VARIED) {
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

#[test]
fn plain_tags_and_the_root_name_are_read_as_quick_xml_reads_them() {
    let plain = "<a b='1' c=\"2>\"\n d='' ><e/><f g='/' />t<h\t></h><i>&lt;</i ></a>";
    let read_both = |text: &str| {
        let mut sinks = [Sink::default(), Sink::default()];
        let [sink, sink_of_events] = &mut sinks;
        let document = reader::read(FileId(0), text, MAX_PARTS, sink);
        let of_events = reader::read_by_events(FileId(0), text, MAX_PARTS, sink_of_events);
        if let Some(document) = &document {
            assert_eq!(
                root_name(text),
                Some(document.root().name.local),
                "{text:?}"
            );
        }
        assert_eq!(
            format!("{document:?}"),
            format!("{of_events:?}"),
            "{text:?}"
        );
        let [found, of_events] = sinks.map(Sink::into_sorted);
        assert_eq!(found, of_events, "{text:?}");
    };
    for text in changed(VARIED).into_iter().chain(changed(plain)) {
        read_both(&text);
    }
}

/// The text truncated at, without, and with other characters at each of its positions.
fn changed(text: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for (index, c) in text.char_indices() {
        let (before, after) = text.split_at(index);
        let after = &after[c.len_utf8()..];
        texts.push(before.to_owned());
        texts.push(format!("{before}{after}"));
        for other in "<>&;\"'=/!?-[]: x:#\n\r\0é\u{feff}".chars() {
            texts.push(format!("{before}{other}{after}"));
            texts.push(format!("{before}{other}{c}{after}"));
        }
    }
    texts
}
