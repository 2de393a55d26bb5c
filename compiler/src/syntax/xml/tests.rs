//! Small documents, and what is said about them.

use expect_test::{Expect, expect};

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

/// One line a diagnostic, with its primary text and its labels, then whether there is a document all the same.
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

/// What is said about each document of a table.
#[track_caller]
fn check(documents: &[&str], expect: Expect) {
    let said: Vec<String> = documents
        .iter()
        .map(|text| {
            let short = short(text);
            let (said, outcome) = short.rsplit_once('\n').unwrap_or(("", &short));
            format!("{text:?} {outcome}\n    {}\n", said.replace('\n', "\n    "))
        })
        .collect();
    expect.assert_eq(&said.concat());
}

/// What is said about a document that is too long to be shown.
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
fn document_needs_exactly_one_root() {
    check(
        &[
            "",
            " \n<!-- nothing -->",
            "\u{feff}",
            "hello",
            "x <a/>",
            "<a/>\n  after all <!-- --> and more",
            "<a/>&amp;",
            "<a/><![CDATA[ ]]>",
            "<a/>\n<b/>",
            "<a></a></a>",
            "\u{feff}\u{feff}<a/>",
        ],
        expect![[r#"
            "" not read
                file: H0105 the document has no element
            " \n<!-- nothing -->" not read
                file: H0105 the document has no element
            "\u{feff}" not read
                file: H0105 the document has no element
            "hello" not read
                1:1 "hello": H0106 text outside the root element
            "x <a/>" read
                1:1 "x": H0106 text outside the root element
            "<a/>\n  after all <!-- --> and more" read
                2:3 "after all": H0106 text outside the root element
            "<a/>&amp;" read
                1:5 "&amp;": H0106 text outside the root element
            "<a/><![CDATA[ ]]>" read
                1:14 " ": H0106 text outside the root element
            "<a/>\n<b/>" not read
                2:2 "b": H0107 second root element `b`
            "<a></a></a>" not read
                1:10 "a": H0109 unexpected end tag `a`
            "\u{feff}\u{feff}<a/>" read
                1:1 "\u{feff}": H0106 text outside the root element
        "#]],
    );
}

#[test]
fn tags_must_match() {
    check(
        &[
            "<a>\n <b>\n</a>",
            "<a>\n <b></c>\n</a>",
            "</a>",
            "<a><b><c>text\n\n",
            "<a></a b='c'>",
            "<a></ a>",
            "<a></>",
        ],
        expect![[r#"
            "<a>\n <b>\n</a>" not read
                2:3 "b": H0108 unclosed element `b`
            "<a>\n <b></c>\n</a>" not read
                2:7 "c": H0109 unexpected end tag `c`
            "</a>" not read
                1:3 "a": H0109 unexpected end tag `a`
            "<a><b><c>text\n\n" not read
                1:8 "c": H0108 unclosed element `c`
            "<a></a b='c'>" not read
                1:7 " ": H0111 invalid end tag name `a b='c'`
            "<a></ a>" not read
                1:6 " ": H0111 invalid end tag name ` a`
            "<a></>" not read
                1:6 "": H0111 end tag without a name
        "#]],
    );
}

#[test]
fn markup_must_end() {
    check(
        &[
            "<a",
            "<a><b c='d",
            "<a b=\"c></a>",
            "\u{feff}<a><!-- x",
            "<a><!-->",
            "<a><!--->",
            "<a><![CDATA[x]]",
            "<a><?x",
            "<?xml version='1.0'",
            "<a><!x></a>",
            "<a></a",
            "<a>é<",
            "<a><?></a>",
        ],
        expect![[r#"
            "<a" not read
                1:1 "<a": H0110 unclosed tag
            "<a><b c='d" not read
                1:4 "<b": H0110 unclosed attribute value
            "<a b=\"c></a>" not read
                1:1 "<a": H0110 unclosed attribute value
            "\u{feff}<a><!-- x" not read
                1:4 "<!--": H0110 unclosed comment
            "<a><!-->" not read
                1:4 "<!--": H0110 unclosed comment
            "<a><!--->" not read
                1:4 "<!--": H0110 unclosed comment
            "<a><![CDATA[x]]" not read
                1:4 "<![CDATA[": H0110 unclosed CDATA section
            "<a><?x" not read
                1:4 "<?": H0110 unclosed processing instruction
            "<?xml version='1.0'" not read
                1:1 "<?xml": H0110 unclosed XML declaration
            "<a><!x></a>" not read
                1:4 "<!": H0110 unknown markup `<!`
            "<a></a" not read
                1:4 "<": H0110 unclosed tag
            "<a>é<" not read
                1:5 "<": H0110 unclosed tag
            "<a><?></a>" not read
                1:4 "<?": H0110 unclosed processing instruction
        "#]],
    );
}

#[test]
fn names_have_their_characters() {
    check(
        &[
            "<1/>",
            "<a/ >",
            "<a>1 < 2 <b/></a>",
            "<a\u{a0}b/>",
            "<a:b:c/>",
            "<a><:b/></a>",
            "<a><></a>",
            "<a 1='x' b/='y' c='z'/>",
        ],
        expect![[r#"
            "<1/>" not read
                1:2 "1": H0111 invalid element name `1`
            "<a/ >" not read
                1:3 "/": H0111 invalid element name `a/`
            "<a>1 < 2 <b/></a>" not read
                1:7 "": H0111 element without a name
            "<a\u{a0}b/>" not read
                1:3 "\u{a0}": H0111 invalid element name `a b`
            "<a:b:c/>" not read
                1:5 ":": H0111 invalid element name `a:b:c`
            "<a><:b/></a>" not read
                1:5 ":": H0111 invalid element name `:b`
            "<a><></a>" not read
                1:5 "": H0111 element without a name
            "<a 1='x' b/='y' c='z'/>" read
                1:4 "1": H0111 invalid attribute name `1`
                1:11 "/": H0111 invalid attribute name `b/`
        "#]],
    );
}

#[test]
fn attributes_have_their_form() {
    check(
        &[
            "<a b='1'c='2'/>",
            "<a b/>",
            "<a b c='1'/>",
            "<a b=/>",
            "<a b=1 c='2'/>",
            "<a ='1'/>",
            "<a 'b'/>",
            "<a <b/>",
            "<a\n<b/></a>",
            "<a b='1' b='2' b='3'/>",
            "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>",
            "<a xmlns='u' xmlns='v'/>",
            "<a b=\"x>\n <c d=\"y\"/>\n</a>",
            "<a b='1 < 2'/>",
            "<a b='<' c='<'/>",
        ],
        expect![[r#"
            "<a b='1'c='2'/>" read
                1:9 "c": H0112 no blank before attribute `c`
            "<a b/>" read
                1:4 "b": H0112 attribute `b` without a value
            "<a b c='1'/>" read
                1:4 "b": H0112 attribute `b` without a value
            "<a b=/>" read
                1:4 "b": H0112 attribute `b` without a value
            "<a b=1 c='2'/>" read
                1:6 "1": H0112 attribute value without quotes
            "<a ='1'/>" not read
                1:4 "=": H0112 unexpected `=` in a tag
            "<a 'b'/>" not read
                1:4 "'": H0112 unexpected `\'` in a tag
            "<a <b/>" not read
                1:4 "<": H0112 unclosed tag
            "<a\n<b/></a>" not read
                2:1 "<": H0112 unclosed tag
            "<a b='1' b='2' b='3'/>" read
                1:10 "b": H0113 duplicate attribute `b`
                1:16 "b": H0113 duplicate attribute `b`
            "<a xmlns:p='u' xmlns:q='u' p:b='1' q:b='2'/>" read
                1:36 "q:b": H0113 duplicate attribute `q:b`
            "<a xmlns='u' xmlns='v'/>" read
                1:14 "xmlns": H0113 duplicate attribute `xmlns`
            "<a b=\"x>\n <c d=\"y\"/>\n</a>" not read
                1:1 "<a": H0110 unclosed attribute value
            "<a b='1 < 2'/>" read
                1:9 "<": H0120 unescaped `<` in an attribute value
            "<a b='<' c='<'/>" read
                1:7 "<": H0120 unescaped `<` in an attribute value
                1:13 "<": H0120 unescaped `<` in an attribute value
        "#]],
    );
}

#[test]
fn characters_are_those_of_xml() {
    check(
        &[
            "<a>x\u{1}y\u{2}</a>",
            "<a b='\u{b}'/>",
            "<a><![CDATA[\u{fffe}]]><!-- \0 --><?x \u{8}?></a>",
            "<a>]]></a>",
            "<a><!-- a -- b --></a>",
            "<a><!-- a ---></a>",
        ],
        expect![[r#"
            "<a>x\u{1}y\u{2}</a>" read
                1:5 "\u{1}": H0114 invalid character U+0001
            "<a b='\u{b}'/>" read
                1:7 "\u{b}": H0114 invalid character U+000B
            "<a><![CDATA[\u{fffe}]]><!-- \0 --><?x \u{8}?></a>" read
                1:13 "\u{fffe}": H0114 invalid character U+FFFE
                1:22 "\0": H0114 invalid character U+0000
                1:31 "\u{8}": H0114 invalid character U+0008
            "<a>]]></a>" read
                1:4 "]]>": H0120 unescaped `]]>` in text
            "<a><!-- a -- b --></a>" read
                1:11 "--": H0121 `--` inside a comment
            "<a><!-- a ---></a>" read
                1:11 "---": H0121 `--` inside a comment
        "#]],
    );
}

#[test]
fn references_are_the_five_and_numbers() {
    check(
        &[
            "<a>x & y</a>",
            "<a>${x && y}</a>",
            "<a>${x && y}; ${z && &amp;}</a>",
            "<a>&&amp;&</a>",
            "<a b='${x && y}&' c='&& ;'/>",
            "<a b='&nbsp;'>&nbsp;&#0;&#xD800;&#;</a>",
            "<a>&lt</a>",
        ],
        expect![[r#"
            "<a>x & y</a>" read
                1:6 "&": H0115 unescaped `&`
            "<a>${x && y}</a>" read
                1:8 "&&": H0115 unescaped `&`
            "<a>${x && y}; ${z && &amp;}</a>" read
                1:8 "&&": H0115 unescaped `&`
                1:19 "&&": H0115 unescaped `&`
            "<a>&&amp;&</a>" read
                1:4 "&": H0115 unescaped `&`
                1:10 "&": H0115 unescaped `&`
            "<a b='${x && y}&' c='&& ;'/>" read
                1:11 "&&": H0115 unescaped `&`
                1:16 "&": H0115 unescaped `&`
                1:22 "&&": H0115 unescaped `&`
            "<a b='&nbsp;'>&nbsp;&#0;&#xD800;&#;</a>" read
                1:7 "&nbsp;": H0115 unknown entity `&nbsp;`
                1:15 "&nbsp;": H0115 unknown entity `&nbsp;`
                1:21 "&#0;": H0115 invalid character reference `&#0;`
                1:25 "&#xD800;": H0115 invalid character reference `&#xD800;`
                1:33 "&#;": H0115 invalid character reference `&#;`
            "<a>&lt</a>" read
                1:4 "&": H0115 unescaped `&`
        "#]],
    );
}

#[test]
fn declarations_stand_first_and_say_utf8() {
    check(
        &[
            " <?xml version='1.0'?><a/>",
            "<a><?xml version='1.0'?></a>",
            "<?xml encoding='UTF-8'?><a/>",
            "<?xml version='2.0'?><a/>",
            "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>",
            "<?xml version='1.0' standalone='maybe'?><a/>",
            "<?xml version='1.0' encoding='US-ASCII'?><a>é</a>",
            "<?xml version='1.0' encoding='UTF-16'?><a/>",
            "<?xml version='1.0'encoding='UTF-8'?><a/>",
            "<?XML version='1.0'?><a/>",
            "<a><? x?></a>",
            "<a><?p:x?></a>",
        ],
        expect![[r#"
            " <?xml version='1.0'?><a/>" read
                1:2 "<?xml": H0117 XML declaration in the middle of the document
            "<a><?xml version='1.0'?></a>" read
                1:4 "<?xml": H0117 XML declaration in the middle of the document
            "<?xml encoding='UTF-8'?><a/>" read
                1:1 "<?xml": H0117 XML declaration without a version
            "<?xml version='2.0'?><a/>" read
                1:16 "2.0": H0117 unsupported version of XML
            "<?xml version='1.0' standalone='no' encoding='UTF-8'?><a/>" read
                1:37 "encoding": H0117 unexpected attribute in the XML declaration
            "<?xml version='1.0' standalone='maybe'?><a/>" read
                1:33 "maybe": H0117 invalid value of `standalone`
            "<?xml version='1.0' encoding='US-ASCII'?><a>é</a>" read
                1:31 "US-ASCII": H0102 unsupported encoding `US-ASCII`
            "<?xml version='1.0' encoding='UTF-16'?><a/>" read
                1:31 "UTF-16": H0102 unsupported encoding `UTF-16`
            "<?xml version='1.0'encoding='UTF-8'?><a/>" read
                1:20 "encoding": H0112 no blank before attribute `encoding`
            "<?XML version='1.0'?><a/>" read
                1:3 "XML": H0117 invalid name of a processing instruction
            "<a><? x?></a>" read
                1:6 "": H0117 invalid name of a processing instruction
            "<a><?p:x?></a>" read
                1:6 "p:x": H0117 invalid name of a processing instruction
        "#]],
    );
}

#[test]
fn document_types_are_refused() {
    check(
        &[
            "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>",
            "\u{feff}\n<!DOCTYPE a><a/>",
            "<!DOCTYPE",
            "<!DOCTYPE>",
            "<a><!doctype html></a>",
        ],
        expect![[r#"
            "<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>" not read
                1:1 "<!DOCTYPE": H0116 document type declaration
            "\u{feff}\n<!DOCTYPE a><a/>" not read
                2:1 "<!DOCTYPE": H0116 document type declaration
            "<!DOCTYPE" not read
                1:1 "<!DOCTYPE": H0116 document type declaration
            "<!DOCTYPE>" not read
                1:1 "<!DOCTYPE": H0116 document type declaration
            "<a><!doctype html></a>" not read
                1:4 "<!doctype": H0116 document type declaration
        "#]],
    );
}

#[test]
fn prefixes_are_declared() {
    check(
        &[
            "<p:a/>",
            "<a><p:b/><p:c/><q:d p:e=''/></a>",
            "<a><b xmlns:p='u'/><p:c/></a>",
            "<a xmlns:p=''/>",
            "<a xmlns:xml='u'/>",
            "<a xmlns:xmlns='u'/>",
            "<a xmlns='http://www.w3.org/2000/xmlns/'/>",
        ],
        expect![[r#"
            "<p:a/>" not read
                1:2 "p": H0118 undeclared namespace prefix `p`
            "<a><p:b/><p:c/><q:d p:e=''/></a>" not read
                1:5 "p": H0118 undeclared namespace prefix `p`
                1:17 "q": H0118 undeclared namespace prefix `q`
            "<a><b xmlns:p='u'/><p:c/></a>" not read
                1:21 "p": H0118 undeclared namespace prefix `p`
            "<a xmlns:p=''/>" not read
                1:4 "xmlns:p": H0119 prefix declared without a namespace
            "<a xmlns:xml='u'/>" not read
                1:15 "u": H0119 declaration of a reserved prefix
            "<a xmlns:xmlns='u'/>" not read
                1:17 "u": H0119 declaration of a reserved prefix
            "<a xmlns='http://www.w3.org/2000/xmlns/'/>" not read
                1:11 "http://www.w3.org/2000/xmlns/": H0119 declaration of a reserved namespace
        "#]],
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
    // Fifty megabytes: refused at the first element that is too deep, without a look at the rest.
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

/// Examples that would be long are written as `<!-- 300 times: --><a>`; the rest of the line is repeated. A control
/// character is written as its number.
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
