use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::{parse, write};

/// Properties and warnings with their places, or the error.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let shown = match parse(text) {
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
    };
    expected.assert_eq(&shown);
}

#[test]
fn names_are_trimmed_and_values_are_not() {
    check(
        "<?xml version='1.0'?>\n<!-- c -->\n<configuration>\n  <property>\n    <name>\n      queue </name>\n    \
         <value> a\n b </value>\n  </property>\n  <property><value>2</value><name>second</name></property>\n\
         </configuration>\n",
        expect![[r#"
            6: "queue" = " a\n b "
            10: "second" = "2"
        "#]],
    );
}

#[test]
fn text_is_joined_over_entities_cdata_and_comments() {
    check(
        "<configuration><property><name>a&#x2e;b</name>\
         <value>1 &lt; 2 &amp;&amp; <![CDATA[x <y> &amp;]]> <!-- c -->&#228;\r\n&quot;</value></property></configuration>",
        expect![[r#"
            1: "a.b" = "1 < 2 && x <y> &amp; ä\n\""
        "#]],
    );
}

#[test]
fn configurations_may_nest_and_other_elements_of_a_property_are_read_over() {
    check(
        r#"<configuration xmlns="uri:any"><configuration>
             <property><name>a</name><value>1</value><final>true</final><description>of <b>a</b></description>
               <source>x.xml</source></property>
           </configuration><p:property xmlns:p="x" unused="1"><name>b</name><value>2</value></p:property></configuration>"#,
        expect![[r#"
            2: "a" = "1"
            4: "b" = "2"
        "#]],
    );
}

#[test]
fn what_has_no_effect_is_a_warning() {
    check(
        "<configuration>\n<property><name>a</name><value/></property>\n\
         <property><name>b</name><value></value></property>\n\
         <property><name>c</name></property>\n\
         <property><name> </name><value>1</value></property>\n\
         <property>\n  <vale>1</vale><name>d</name><value> </value></property>\n\
         <property><name>d</name><value>2</value></property></configuration>",
        expect![[r#"
            7: "d" = " "
            8: "d" = "2"
            warning 2:17 property `a` has no value and is dropped, so that it is undefined
            warning 3:17 property `b` has no value and is dropped, so that it is undefined
            warning 4:17 property `c` has no value and is dropped, so that it is undefined
            warning 5:1 a property without a name is dropped
            warning 7:3 element `vale` of a property is not read
            warning 8:17 property `d` is already set in line 7; the later value counts
        "#]],
    );
}

#[test]
fn a_property_is_reported_at_its_start_even_when_its_parts_stand_lines_behind() {
    check(
        "<configuration>\n <property>\n\n  <x/>\n  <y/><value>1</value></property>\n\
         <property><name>a</name><value>1</value></property></configuration>",
        expect![[r#"
            6: "a" = "1"
            warning 2:2 a property without a name is dropped
            warning 4:3 element `x` of a property is not read
            warning 5:3 element `y` of a property is not read
        "#]],
    );
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
fn a_byte_order_mark_moves_nothing() {
    check(
        "\u{feff}<configuration>\n<property><name>ä</name><value>1</value></property></configuration>",
        expect![[r#"
            2: "ä" = "1"
        "#]],
    );
}

#[test]
fn other_documents_are_refused() {
    check(
        "",
        expect![[r#"
            line 1, column 1: the document is empty; write `<configuration></configuration>`, or leave the file out
        "#]],
    );
    check(
        "<!-- nothing -->\n",
        expect![[r#"
            line 1, column 1: the document is empty; write `<configuration></configuration>`, or leave the file out
        "#]],
    );
    check(
        "a=b\n",
        expect![[r#"
            line 1, column 1: this is not XML: text before the root element; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
    );
    check(
        "<workflow-app/>",
        expect![[r#"
            line 1, column 1: the root element is `workflow-app`, not `configuration`; give a Hadoop configuration, or a properties file whose name does not end in `.xml`
        "#]],
    );
    check(
        "<configuration>\n  <name>a</name></configuration>",
        expect![[r#"
            line 2, column 3: element `name` does not belong into a configuration; write `<property><name>...</name><value>...</value></property>`
        "#]],
    );
    check(
        "<configuration>\n <property>\n  x</property></configuration>",
        expect![[r#"
            line 3, column 3: text stands where only elements belong; move it into a `value`, or into a comment
        "#]],
    );
    check(
        "<configuration><property><name>a</name><value>1<b/></value></property></configuration>",
        expect![[r#"
            line 1, column 48: element `b` stands in a `value`, which is text; write `&lt;` for `<`, or use `<![CDATA[...]]>`
        "#]],
    );
    check(
        "<configuration/>\n<configuration/>",
        expect![[r#"
            line 2, column 1: there is more after the root element of the document; keep one `configuration` element in the file
        "#]],
    );
    check(
        "<configuration/>\n tail",
        expect![[r#"
            line 2, column 2: there is more after the root element of the document; keep one `configuration` element in the file
        "#]],
    );
}

#[test]
fn files_and_entities_are_never_fetched() {
    check(
        "<configuration xmlns:xi='http://www.w3.org/2001/XInclude'>\n<xi:include href='b.xml'/></configuration>",
        expect![[r#"
            line 2, column 1: other files cannot be included; give both files, the included one first
        "#]],
    );
    check(
        "<?xml version='1.0'?>\n<!DOCTYPE c [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><configuration/>",
        expect![[r#"
            line 2, column 1: a document type declaration is not allowed; remove the declaration and write what its entities stand for
        "#]],
    );
    check(
        "<configuration><property><name>a</name><value>\n&e;</value></property></configuration>",
        expect![[r#"
            line 2, column 1: entity `&e;` is not defined; write the character itself, or `&amp;` for an ampersand
        "#]],
    );
    check(
        "<configuration><property><name>a</name><value>&#0;</value></property></configuration>",
        expect![[r#"
            line 1, column 47: `&#0;` is not a character of XML; remove it; XML cannot hold this character
        "#]],
    );
}

#[test]
fn broken_xml_is_refused_where_it_breaks() {
    check(
        "<configuration>\n <property><name>a</nam></property></configuration>",
        expect![[r#"
            line 2, column 19: this is not XML: expected `</name>`, but `</nam>` was found; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
    );
    check(
        "<configuration>\n <property>",
        expect![[r#"
            line 2, column 12: element `property` is not closed; close it, and see whether the file was cut off
        "#]],
    );
    check(
        "<configuration>\n <property",
        expect![[r#"
            line 2, column 2: this is not XML: tag not closed: `>` not found before end of input; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
    );
    check(
        "<configuration>\n <property a=b/></configuration>",
        expect![[r#"
            line 2, column 14: this is not XML: the value of an attribute has no quotes; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
    );
    check(
        "<configuration>\n<property><name>a & b</name></property></configuration>",
        expect![[r#"
            line 2, column 19: this is not XML: entity or character reference not closed: `;` not found before end of input; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
    );
    check(
        "<configuration>\n\u{1}</configuration>",
        expect![[r#"
            line 2, column 1: this is not XML: the character U+0001 is not allowed; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
    );
    check(
        "<configuration/>\n<?xml version='1.0'?>",
        expect![[r#"
            line 2, column 1: this is not XML: the XML declaration stands behind the first character; correct the markup; in text, write `&lt;` and `&amp;` for `<` and `&`
        "#]],
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
    check(
        &text,
        expect![[r#"
            line 1, column 47: a name or value is longer than 16 MiB; put the text into a file, and its path into the property
        "#]],
    );
}
