//! Small documents, and their diagnostics.

use expect_test::{Expect, expect};
use hpdlc_tests::cases;

use super::*;
use crate::{
    diagnostics::{Diagnostic, check_explanation},
    source::{SourceMap, Span},
};

mod changed_characters;
mod root_name;
mod spans;
mod tags;

fn diagnostics(text: &str) -> (SourceMap, Vec<Diagnostic>, bool) {
    let mut sources = SourceMap::default();
    let file = sources.add("a.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    let is_read = parse(file, sources.text(file), &mut sink).is_some();
    (sources, sink.into_sorted(), is_read)
}

/// One line per diagnostic, with its primary text and its labels, then whether a document was returned nevertheless.
fn short(text: &str) -> String {
    let (sources, diagnostics, is_read) = diagnostics(text);
    let mut short = String::new();
    for diagnostic in diagnostics {
        let place = match diagnostic.span() {
            Some(span) => {
                let position = sources.position(span.file, span.start);
                format!(
                    "{}:{} {:?}",
                    position.line,
                    position.column,
                    sources.snippet(span)
                )
            }
            None => "file".to_owned(),
        };
        short += &format!("{place}: {} {}\n", diagnostic.rule.id(), diagnostic.message);
        assert!(diagnostic.labels.iter().any(|label| label.primary) || diagnostic.span().is_none());
        assert!(
            !diagnostic.help.is_empty() || !diagnostic.suggestions.is_empty(),
            "no next step: {short}"
        );
    }
    short += if is_read { "read" } else { "not read" };
    short
}

#[test]
fn documents() {
    cases::check("compiler/src/syntax/xml/tests.txt", |case| {
        short(&cases::unescaped(&case.given))
    });
}

/// The diagnostics of a document that is too long to be shown.
#[track_caller]
fn check_one(text: &str, expect: Expect) {
    expect.assert_eq(&short(text));
}

#[track_caller]
fn accepted(text: &str) {
    assert_eq!(short(text), "read", "{text:?}");
}

#[test]
fn well_formed_documents_are_accepted() {
    for text in [
        "<a/>",
        "<a></a >",
        "\u{feff}<?xml version=\"1.0\"?><a/>",
        "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<!-- x --><?pi x?><a/>\n<!-- y -->\n",
        "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>é</a>",
        "<?xml version='1.1' encoding='US-ASCII'?><a/>",
        "<a b='\"' c=\"'\"\n\td = 'e'/>",
        "<a b='>'>]] ></a>",
        "<a xmlns='u' xmlns:p='v' p:b='' b=''><p:c xml:lang='en'/></a>",
        "<a xmlns:p='v'><b xmlns='' xmlns:p='w' p:x=''/></a>",
        "<élan>é𝄞</élan>",
        "<a>&lt;&#10;<![CDATA[<&]]></a>",
        "<a><!----><!-- - --></a>",
        "<a></a\n>",
    ] {
        accepted(text);
    }
}

#[test]
fn document_without_a_character_has_no_element() {
    check_one(
        "",
        expect![[r#"
        file: H0105 the document has no element
        not read"#]],
    );
}

#[test]
fn depth_is_limited_and_costs_nothing() {
    let nested = |depth: usize| "<a>".repeat(depth) + &"</a>".repeat(depth);
    accepted(&nested(MAX_DEPTH));
    check_one(
        &nested(MAX_DEPTH + 1),
        expect![[r#"
        1:770 "a": H0104 elements are nested too deeply
        not read"#]],
    );
    // Fifty megabytes: rejected at the first element that is too deep, without reading the rest.
    check_one(
        &"<a>".repeat(50_000_000 / 3),
        expect![[r#"
        1:770 "a": H0104 elements are nested too deeply
        not read"#]],
    );
}

#[test]
fn size_is_limited() {
    check_one(
        &" ".repeat(crate::source::MAX_FILE_SIZE + 1),
        expect![[r#"
        file: H0103 the document is too large
        not read"#]],
    );
    let declarations: String = (0..=MAX_DECLARATIONS)
        .map(|n| format!(" xmlns:p{n}='u'"))
        .collect();
    check_one(
        &format!("<a{declarations}/>"),
        expect![[r#"
        1:3746 "u": H0119 too many namespace declarations
        not read"#]],
    );
}

#[test]
fn number_of_parts_is_limited() {
    // Five parts: two elements, an attribute, and two pieces of text.
    let text = "<a b=''>c<d/>&amp;</a>";
    let mut sink = Sink::default();
    assert!(reader::read(FileId(0), text, 5, &mut sink).is_some());
    assert!(!sink.has_errors());
    assert!(reader::read(FileId(0), text, 4, &mut sink).is_none());
    let diagnostics = sink.into_sorted();
    assert_eq!(diagnostics[0].rule.id(), document_too_large::CODE.id);
    assert_eq!(&text[diagnostics[0].span().unwrap().range()], "&amp;");
}

#[test]
fn reading_stops_after_a_hundred_mistakes() {
    let (_, diagnostics, is_read) = diagnostics(&format!("<a b='{}'/>", "& ".repeat(100_000)));
    assert_eq!((diagnostics.len(), is_read), (100, false));
}

#[test]
fn every_explanation_keeps_its_promises() {
    for code in CODES {
        check_explanation(code.id, code.explanation, |example| {
            assert_eq!(example.language, "xml");
            let (_, diagnostics, _) = diagnostics(&expanded(example.text));
            diagnostics
                .iter()
                .map(|diagnostic| diagnostic.rule.id().to_owned())
                .collect()
        })
        .unwrap();
    }
}

/// Long examples are written as `<!-- 300 times: --><a>`; the rest of the line is repeated. A control character is written
/// as its number.
fn expanded(example: &str) -> String {
    let expand = |line: &str| match line.split_once(" times: -->") {
        Some((count, repeated)) => {
            let count: usize = count
                .trim_start()
                .trim_start_matches("<!-- ")
                .parse()
                .unwrap();
            repeated.trim_end().repeat(count)
        }
        None => line.to_owned(),
    };
    let text: String = example.split_inclusive('\n').map(expand).collect();
    text.replace("[U+0007]", "\u{7}")
}

#[test]
fn machine_applicable_suggestions_mend_what_they_are_about() {
    for text in [
        "<a b='1'c='2'/>",
        "<a b='1 < 2' c='${x && y}'>${x && y} & z ]]></a>",
    ] {
        let (_, diagnostics, _) = diagnostics(text);
        let mut edits: Vec<(Span, String)> = diagnostics
            .into_iter()
            .flat_map(|diagnostic| diagnostic.suggestions)
            .flat_map(|suggestion| suggestion.edits)
            .collect();
        edits.sort();
        assert!(!edits.is_empty());
        let mut mended = text.to_owned();
        for (span, replacement) in edits.into_iter().rev() {
            mended.replace_range(span.range(), &replacement);
        }
        accepted(&mended);
    }
}
