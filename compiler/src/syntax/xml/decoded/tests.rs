use std::ops::Range;

use super::Decoded;
use crate::{
    diagnostics::Sink,
    source::{FileId, Span},
    syntax::xml::parse,
};

fn text_of(raw: &str) -> Decoded<'static> {
    let mut sink = Sink::default();
    let document = parse(FileId(0), raw, &mut sink).unwrap();
    assert!(!sink.has_errors(), "{raw}");
    document.root().text().into_owned()
}

/// Each byte range of the decoded text that contains `part` must come from the raw text `source`.
#[track_caller]
fn check(raw: &str, decoded: &Decoded, part: &str, source: &str) {
    let start = decoded.as_str().find(part).unwrap();
    let span = decoded.span_of(start..start + part.len());
    assert_eq!(
        &raw[span.range()],
        source,
        "{part:?} of {:?}",
        decoded.as_str()
    );
}

#[test]
fn plain_text_stands_where_it_is() {
    let raw = "<a> é x </a>";
    let decoded = text_of(raw);
    assert_eq!(decoded.as_str(), " é x ");
    check(raw, &decoded, "é", "é");
    check(raw, &decoded, "x", "x");
    assert_eq!(&raw[decoded.span().range()], " é x ");
}

#[test]
fn references_are_mapped_as_wholes() {
    let raw = "<a>${x &amp;&#38; y}</a>";
    let decoded = text_of(raw);
    assert_eq!(decoded.as_str(), "${x && y}");
    check(raw, &decoded, "&&", "&amp;&#38;");
    check(raw, &decoded, "&", "&amp;");
    check(raw, &decoded, "x &", "x &amp;");
    check(raw, &decoded, "y", "y");
    check(raw, &decoded, "${x && y}", "${x &amp;&#38; y}");
}

#[test]
fn cdata_and_comments_do_not_split_the_text() {
    let raw = "<a>one<!-- two --> <![CDATA[three & <]]><?pi?>four<b>five</b>six</a>";
    let decoded = text_of(raw);
    assert_eq!(decoded.as_str(), "one three & <foursix");
    check(raw, &decoded, "three & <", "three & <");
    check(raw, &decoded, "four", "four");
    check(raw, &decoded, "ne t", "ne<!-- two --> <![CDATA[t");
    check(raw, &decoded, "six", "six");
}

#[test]
fn line_ends_become_newlines() {
    let raw = "<a>one\r\ntwo\rthree\n<![CDATA[\r\n]]>four&#13;\r\n</a>";
    let decoded = text_of(raw);
    assert_eq!(decoded.as_str(), "one\ntwo\nthree\n\nfour\r\n");
    check(raw, &decoded, "\n", "\r\n");
    check(raw, &decoded, "two\n", "two\r");
    check(raw, &decoded, "four\r\n", "four&#13;\r\n");
    check(raw, &decoded, "three", "three");
}

#[test]
fn attribute_values_have_blanks_for_line_ends() {
    let raw = "<a b='one\r\n\ttwo&#10;&quot;\r\u{e9}\n'/>";
    let mut sink = Sink::default();
    let document = parse(FileId(0), raw, &mut sink).unwrap();
    let decoded = &document.root().attribute("b").unwrap().value;
    assert_eq!(decoded.as_str(), "one  two\n\" é ");
    check(raw, decoded, "one ", "one\r\n");
    check(raw, decoded, "two", "two");
    check(raw, decoded, "\n\"", "&#10;&quot;");
    check(raw, decoded, "é", "é");
    check(raw, decoded, "é ", "é\n");
}

#[test]
fn byte_order_mark_counts_as_bytes_of_the_file() {
    let raw = "\u{feff}<a>x&lt;y</a>";
    let decoded = text_of(raw);
    check(raw, &decoded, "y", "y");
    assert_eq!(decoded.span_of(0..1), Span::new(FileId(0), 6, 7));
}

#[test]
fn empty_ranges_are_places_to_insert_at() {
    let raw = "<a>x&lt;y</a>";
    let decoded = text_of(raw);
    for (at, offset) in [(0, 3), (1, 4), (2, 8), (3, 9), (99, 9)] {
        assert_eq!(
            decoded.span_of(at..at),
            Span::empty(FileId(0), offset),
            "{at}"
        );
    }
    assert_eq!(text_of("<a></a>").span(), Span::empty(FileId(0), 3));
    assert_eq!(text_of("<a/>").span(), Span::empty(FileId(0), 4));
    assert_eq!(
        text_of("<a><!-- --></a>").span_of(0..0),
        Span::empty(FileId(0), 3)
    );
}

#[test]
fn ranges_beyond_the_end_are_cut_off() {
    let decoded = text_of("<a>xy</a>");
    assert_eq!(decoded.span_of(1..9), Span::new(FileId(0), 4, 5));
    let backwards = Range { start: 2, end: 1 };
    assert_eq!(decoded.span_of(backwards), Span::empty(FileId(0), 5));
}

#[test]
fn trimmed_text_keeps_its_map() {
    for (raw, trimmed, source) in [
        ("<a>\r\n  x &lt; y \t</a>", "x < y", "x &lt; y"),
        ("<a>x</a>", "x", "x"),
        ("<a> &#32;<![CDATA[ x]]>y <!-- --> </a>", "xy", "x]]>y"),
        ("<a>\u{a0}x</a>", "\u{a0}x", "\u{a0}x"),
        ("<a> \r\n </a>", "", ""),
        ("<a/>", "", ""),
    ] {
        let decoded = text_of(raw).trimmed();
        assert_eq!(decoded.as_str(), trimmed, "{raw}");
        assert_eq!(&raw[decoded.span().range()], source, "{raw}");
        for (index, c) in decoded
            .as_str()
            .char_indices()
            .filter(|(_, c)| c.is_alphabetic())
        {
            let span = decoded.span_of(index..index + c.len_utf8());
            assert_eq!(raw[span.range()], *c.to_string(), "{raw}");
        }
    }
}

#[test]
fn slices_keep_their_map() {
    let raw = "<a>one\r\n&lt;two&gt;</a>";
    let decoded = text_of(raw);
    assert_eq!(decoded.as_str(), "one\n<two>");
    for start in 0..=9 {
        for end in start..=9 {
            let slice = decoded.slice(start..end);
            assert_eq!(slice.as_str(), &decoded.as_str()[start..end]);
            for at in start..end {
                assert_eq!(
                    slice.span_of(at - start..at - start + 1),
                    decoded.span_of(at..at + 1)
                );
            }
            assert_eq!(slice.span(), decoded.span_of(start..end), "{start}..{end}");
        }
    }
}

#[test]
fn blank_text_is_recognized() {
    assert!(text_of("<a> \r\n\t<![CDATA[ ]]>&#10;</a>").is_blank());
    assert!(text_of("<a/>").is_blank());
    assert!(!text_of("<a>\u{a0}</a>").is_blank());
}

#[test]
fn verbatim_text_of_another_length_stands_as_a_whole() {
    let span = Span::new(FileId(1), 10, 20);
    assert_eq!(Decoded::verbatim("short", span).span_of(1..2), span);
    let exact = Decoded::verbatim("0123456789", span);
    assert_eq!(exact.span_of(1..2), Span::new(FileId(1), 11, 12));
}
