use std::collections::BTreeMap;

use expect_test::expect;
use hpdlc_tests::cases;
use proptest::prelude::*;

use super::{parse, write};

/// Properties and warnings with their positions, or the error.
fn shown(text: &str) -> String {
    match parse(text) {
        Ok(configuration) => {
            let properties = configuration
                .properties
                .iter()
                .map(|p| format!("{}: {:?} = {:?}\n", p.line, p.name, p.value));
            let warnings = configuration
                .warnings
                .iter()
                .map(|w| format!("warning {}:{} {w}\n", w.line, w.column));
            properties.chain(warnings).collect()
        }
        Err(error) => format!("{error}\n"),
    }
}

#[test]
fn documents() {
    cases::check("runtime/core/src/configuration/tests.txt", |case| {
        shown(&cases::unescaped(&case.given))
    });
}

#[test]
fn later_properties_win() {
    let text = "<configuration><property><name>a</name><value>1</value></property>\
                <property><name>a</name><value>2</value></property></configuration>";
    assert_eq!(
        parse(text).unwrap().to_map(),
        BTreeMap::from([("a".to_owned(), "2".to_owned())])
    );
}

#[test]
fn an_empty_document_is_refused() {
    assert_eq!(
        shown(""),
        "line 1, column 1: the document is empty; write `<configuration></configuration>`, or leave the file out\n"
    );
}

#[test]
fn deep_nesting_is_refused() {
    let shown = parse(&"<configuration>".repeat(100_000))
        .unwrap_err()
        .cause();
    assert_eq!(shown, "elements are nested deeper than 256");
    let shown = parse(&format!(
        "<configuration><property>{}",
        "<final>".repeat(100_000)
    ))
    .unwrap_err()
    .cause();
    assert_eq!(shown, "elements are nested deeper than 256");
}

#[test]
fn a_written_document_is_plain_to_read() {
    let properties: BTreeMap<_, _> = [("b", "1 < 2 & \"3\" > '2'"), ("a", " x\r\ny "), ("ü", "")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    expect![[r#"
        <?xml version="1.0" encoding="UTF-8"?>
        <configuration>
          <property>
            <name>a</name>
            <value> x&#13;
        y </value>
          </property>
          <property>
            <name>b</name>
            <value>1 &lt; 2 &amp; "3" &gt; '2'</value>
          </property>
          <property>
            <name>ü</name>
            <value></value>
          </property>
        </configuration>
    "#]]
    .assert_eq(&write(&properties).unwrap());
}

#[test]
fn characters_that_xml_cannot_hold_are_not_written() {
    let properties = BTreeMap::from([("bell".to_owned(), "ring \u{7}".to_owned())]);
    expect!["property `bell` holds the character U+0007, which XML cannot hold; remove it from the value"].assert_eq(&write(&properties).unwrap_err().to_string());
}

proptest! {
    #[test]
    fn what_is_written_reads_back(
        properties in prop::collection::btree_map("[a-zä<&>.\\]-]{1,8}", "[ -~\\t\\r\\nä€😀\\]]{1,16}", 0..8)
    ) {
        let text = write(&properties).map_err(|e| TestCaseError::fail(e.to_string()))?;
        let read = parse(&text).map_err(|e| TestCaseError::fail(format!("{e}\n{text}")))?;
        prop_assert_eq!(read.to_map(), properties);
        prop_assert_eq!(read.warnings, vec![]);
    }

    #[test]
    fn any_text_is_read_without_panic(
        pieces in prop::collection::vec(
            prop_oneof![
                prop::sample::select(vec![
                    "<configuration>", "</configuration>", "<property>", "</property>", "<name>", "</name>", "<value>",
                    "</value>", "&amp;", "&", "<![CDATA[", "]]>", "<!--", "-->", "<", ">", "/", "\n", "ä",
                ])
                .prop_map(str::to_owned),
                any::<String>(),
            ],
            0..12,
        )
    ) {
        let text = pieces.concat();
        if let Err(error) = parse(&text) {
            prop_assert!(error.line <= text.lines().count() + 1);
        }
    }
}

#[test]
fn a_document_on_one_line_is_read_in_one_pass() {
    // Counting each column from the start of the line took minutes for this.
    let properties: String = (0..60_000)
        .map(|number| format!("<property><name>ä{number}</name><value>1</value></property>"))
        .collect();
    let text = format!("\u{feff}<configuration>{properties}<property/></configuration>");
    let read = parse(&text).unwrap();
    assert_eq!(read.properties.len(), 60_000);
    let last = &read.properties[59_999];
    let without_mark = &text['\u{feff}'.len_utf8()..];
    assert!(without_mark[last.offset..].starts_with("ä59999<"));
    let warning = &read.warnings[0];
    assert_eq!(
        (warning.line, warning.offset),
        (1, without_mark.find("<property/>").unwrap())
    );
    assert_eq!(
        warning.column,
        without_mark[..warning.offset].chars().count() + 1
    );
}

#[test]
fn a_value_has_a_limit() {
    let value = "x".repeat(crate::limits::MAX_TEXT + 1);
    let text = format!(
        "<configuration><property><name>a</name><value>{value}</value></property></configuration>"
    );
    assert_eq!(
        shown(&text),
        "line 1, column 47: a name or value is longer than 16 MiB; put the text into a file, and its path into the property\n"
    );
}
