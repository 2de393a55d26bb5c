//! Whether spans and names are exact.

use crate::{
    diagnostics::Sink,
    source::{FileId, Span},
    syntax::xml::{Element, XmlDocument, parse},
};

/// The document of a text in which `«` and `»` enclose the expected span, and that span.
fn marked(text: &str) -> (String, Span) {
    let start = text.find('«').unwrap();
    let end = text.find('»').unwrap() - '«'.len_utf8();
    let at = |offset: usize| u32::try_from(offset).unwrap();
    (
        text.replace(['«', '»'], ""),
        Span::new(FileId(0), at(start), at(end)),
    )
}

#[track_caller]
fn check_span(text: &str, span_of: impl for<'a, 'b> Fn(&'b XmlDocument<'a>) -> Span) {
    let (text, expected) = marked(text);
    let mut sink = Sink::default();
    let document = parse(FileId(0), &text, &mut sink).unwrap();
    assert!(!sink.has_errors());
    let span = span_of(&document);
    assert_eq!(&text[span.range()], &text[expected.range()]);
    assert_eq!(span, expected);
}

#[test]
fn spans_of_elements_are_exact() {
    let first =
        |document: &XmlDocument<'_>| document.root().elements().next().unwrap().clone_spans();
    for (prefix, suffix) in [
        ("", ""),
        ("\u{feff}", "\r\n"),
        ("<!-- é𝄞 -->\r\n", "<!-- -->"),
    ] {
        let in_file = |text: &str| format!("{prefix}{text}{suffix}");
        check_span(&in_file("<a>é<«p:b» xmlns:p='u'/></a>"), |d| {
            first(d).name
        });
        check_span(&in_file("<a>é«<b c='>'/>»</a>"), |d| first(d).whole);
        check_span(&in_file("<a>é«<b c='>'/>»</a>"), |d| first(d).start_tag);
        check_span(&in_file("<a>é«<b c='>'\n>»x</b ></a>"), |d| {
            first(d).start_tag
        });
        check_span(&in_file("<a>é<b c='>'\n>x«</b \n>»</a>"), |d| {
            first(d).end_tag.unwrap()
        });
        check_span(&in_file("<a>é«<b c='>'\n>x</b >»</a>"), |d| {
            first(d).whole
        });
        check_span(&in_file("<a>é<b c='>'\n>«x<d/>&amp;»</b ></a>"), |d| {
            first(d).content
        });
        check_span(&in_file("<a><b d='e'«» /></a>"), |d| first(d).insertion);
        check_span(&in_file("<a><b«»></b></a>"), |d| first(d).insertion);
        check_span(&in_file("<a c='d' «e» = 'f'/>"), |d| {
            d.root().attribute("e").unwrap().name_span
        });
        check_span(&in_file("<a c='d' e = '«f&lt;\ng»'/>"), |d| {
            d.root().attribute("e").unwrap().value_span
        });
        check_span(&in_file("<a c='d' e = '«f&lt;\ng»'/>"), |d| {
            d.root().attribute("e").unwrap().value.span()
        });
        check_span(&in_file("<a e='«»'/>"), |d| {
            d.root().attribute("e").unwrap().value.span()
        });
        check_span(&in_file("<a xmlns='«u»' e=''/>"), |d| {
            d.root().declarations().next().unwrap().value_span
        });
        check_span(&in_file("<a> <b/> \n«&lt;» <b/></a>"), |d| {
            d.root().stray_text().unwrap().span()
        });
    }
}

struct ElementSpans {
    name: Span,
    whole: Span,
    start_tag: Span,
    end_tag: Option<Span>,
    content: Span,
    insertion: Span,
}

impl Element<'_> {
    fn clone_spans(&self) -> ElementSpans {
        ElementSpans {
            name: self.name_span,
            whole: self.span(),
            start_tag: self.start_tag_span(),
            end_tag: self.end_tag_span(),
            content: self.content_span(),
            insertion: self.attribute_insertion(),
        }
    }
}

#[test]
fn names_carry_their_namespaces() {
    let text = "<a xmlns='u' xmlns:p='v' b='1' p:b='2'><p:c/><d xmlns=''/></a>";
    let mut sink = Sink::default();
    let document = parse(FileId(0), text, &mut sink).unwrap();
    let root = document.root();
    assert_eq!(root.name.namespace(), Some("u"));
    assert_eq!(root.attribute("b").unwrap().value.as_str(), "1");
    assert_eq!(root.attributes().count(), 2);
    assert_eq!(
        root.attributes().nth(1).unwrap().name.namespace(),
        Some("v")
    );
    assert_eq!(root.attributes().nth(1).unwrap().name.qualified(), "p:b");
    assert_eq!(root.declarations().count(), 2);
    let namespaces: Vec<Option<&str>> = root
        .elements()
        .map(|child| child.name.namespace())
        .collect();
    assert_eq!(namespaces, [Some("v"), None]);
    assert_eq!(root.element("d").unwrap().name.local, "d");
    assert_eq!(root.elements_named("c").count(), 1);
}
