use expect_test::{Expect, expect};

use super::*;
use crate::{
    diagnostics::{Applicability, Sink, render::testing},
    syntax::xml::parse,
};

#[track_caller]
fn check(diagnostic: &Diagnostic, sources: &SourceMap, expect: Expect) {
    expect.assert_eq(&render(diagnostic, sources, Style::default()));
}

#[test]
fn suggestion_is_a_diff() {
    let (sources, diagnostics) = testing::every_kind();
    check(
        &diagnostics[0],
        &sources,
        expect![[r#"
        error[H9901]: undefined node `clean-up`
          --> app/workflow.xml:2:25
           |
         2 |     <!-- é𝄞 --> <ok to="clean-up"/>
           |                         ^^^^^^^^ no node has this name
        ...
        10 |     <kill name="cleanup"/>
           |                 ------- this node is not reached
           |
        help: there is a node with a similar name
           |
         2 -     <!-- é𝄞 --> <ok to="clean-up"/>
         2 +     <!-- é𝄞 --> <ok to="cleanup"/>
           |"#]],
    );
}

#[test]
fn labels_of_other_files_follow() {
    let (sources, diagnostics) = testing::every_kind();
    check(
        &diagnostics[1],
        &sources,
        expect![[r#"
        warning[unused_things]: property `queue` is not used
         --> job.properties:2:1
          |
        2 | queue = default
          | ^^^^^^^
          |
         ::: app/workflow.xml:1:2
          |
        1 | <workflow-app>
          |  ------------ this application reads no property
          |
          = note: properties of Oozie itself are not counted
          = help: remove the property"#]],
    );
}

#[test]
fn whole_files_and_paths_have_no_line() {
    let (sources, diagnostics) = testing::every_kind();
    check(
        &diagnostics[2],
        &sources,
        expect![[r#"
        error[H9901]: the document has no element
        --> app/workflow.xml
         = help: write one"#]],
    );
    check(
        &diagnostics[3],
        &sources,
        expect![[r#"
        warning[unused_things]: folder `lib` is empty
        --> app/lib"#]],
    );
}

#[test]
fn color_is_optional() {
    let (sources, diagnostics) = testing::every_kind();
    let style = Style {
        color: true,
        ..Style::default()
    };
    assert!(render(&diagnostics[0], &sources, style).contains("\u{1b}["));
    assert!(!render(&diagnostics[0], &sources, Style::default()).contains('\u{1b}'));
}

#[test]
fn far_labels_have_windows_of_their_own() {
    let text = format!("<a>\n{}<b/>\n</a>\n", "<c/>\n".repeat(5_000));
    let mut sources = SourceMap::default();
    let file = sources.add("a.xml".to_owned(), text.clone());
    let (_, diagnostics) = testing::every_kind();
    let rule = diagnostics[0].rule;
    let here = testing::place(file, &text, "<b/>");
    let there = testing::place(file, &text, "<a>");
    let diagnostic = Diagnostic::new(rule, here, "far apart")
        .label(there, "opened here")
        .label(here, "forgotten here")
        .suggest_edits(
            "both can be removed",
            vec![(here, String::new()), (there, String::new())],
            Applicability::MaybeIncorrect,
        );
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[H9901]: far apart
            --> a.xml:5002:1
             |
        5002 | <b/>
             | ^^^^ forgotten here
             |
            ::: a.xml:1:1
             |
           1 | <a>
             | --- opened here
             |
        help: both can be removed
             |
           1 - <a>
             |
        5002 - <b/>
             |"#]],
    );
}

#[test]
fn near_labels_share_a_window() {
    let text = format!("<a>\n{}<b/>\n</a>\n", "<c/>\n".repeat(20));
    let mut sources = SourceMap::default();
    let file = sources.add("a.xml".to_owned(), text.clone());
    let (_, diagnostics) = testing::every_kind();
    let here = testing::place(file, &text, "<b/>");
    let diagnostic = Diagnostic::new(diagnostics[0].rule, here, "near")
        .label(testing::place(file, &text, "<a>"), "opened here")
        .label(here, "forgotten here");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[H9901]: near
          --> a.xml:22:1
           |
         1 | <a>
           | --- opened here
        ...
        22 | <b/>
           | ^^^^ forgotten here"#]],
    );
}

#[test]
fn place_without_words_is_underlined() {
    let (sources, diagnostics) = testing::every_kind();
    let Place::Span(span) = diagnostics[0].place else {
        panic!("it has a place");
    };
    let diagnostic = Diagnostic::new(diagnostics[0].rule, span, "no words");
    check(
        &diagnostic,
        &sources,
        expect![[r#"
        error[H9901]: no words
         --> app/workflow.xml:2:25
          |
        2 |     <!-- é𝄞 --> <ok to="clean-up"/>
          |                         ^^^^^^^^"#]],
    );
}

#[test]
fn escape_sequences_of_the_input_are_not_printed() {
    let (_, diagnostics) = testing::every_kind();
    let mut sources = SourceMap::default();
    let text = "key=\u{1b}[31mred";
    let file = sources.add("job.properties".to_owned(), text.to_owned());
    let span = testing::place(file, text, "\u{1b}[31mred");
    let red = "value \u{1b}[31mred";
    let diagnostic = Diagnostic::new(diagnostics[0].rule, span, red)
        .label(span, red)
        .note(red)
        .help(red)
        .suggest(span, red, red, Applicability::MaybeIncorrect);
    let report = render(&diagnostic, &sources, Style::default());
    assert!(!report.contains('\u{1b}'), "{report}");
}

/// The reports of a document as a user sees them.
#[track_caller]
fn check_document(text: &str, expect: Expect) {
    let mut sources = SourceMap::default();
    let file = sources.add("workflow.xml".to_owned(), text.to_owned());
    let mut sink = Sink::default();
    parse(file, sources.text(file), &mut sink);
    let reports: Vec<String> = sink
        .into_sorted()
        .iter()
        .map(|diagnostic| render(diagnostic, &sources, Style::default()))
        .collect();
    expect.assert_eq(&reports.join("\n\n"));
}

#[test]
fn xml_mistakes_as_users_see_them() {
    check_document(
        "<workflow-app>\n    <start to=\"a\">\n</workflow-app>\n",
        expect![[r#"
            error[H0108]: unclosed element `start`
             --> workflow.xml:2:6
              |
            2 |     <start to="a">
              |      ^^^^^ opened here
            3 | </workflow-app>
              | -------------- `workflow-app` ends here, and `start` is still open
              |
            help: the end tag of `start` is missing
              |
            3 | </start></workflow-app>
              | ++++++++"#]],
    );
    check_document(
        "<workflow-app>\n    <start to=\"a\"/>\n",
        expect![[r#"
        error[H0108]: unclosed element `workflow-app`
         --> workflow.xml:1:2
          |
        1 | <workflow-app>
          |  ^^^^^^^^^^^^ opened here
        2 |     <start to="a"/>
          |                    - the file ends here
          |
        help: the end tag of `workflow-app` is missing
          |
        2 |     <start to="a"/></workflow-app>
          |                    +++++++++++++++"#]],
    );
    check_document(
        "<workflow-app>",
        expect![[r#"
        error[H0108]: unclosed element `workflow-app`
         --> workflow.xml:1:2
          |
        1 | <workflow-app>
          |  ^^^^^^^^^^^^ - the file ends here
          |  |
          |  opened here
          |
        help: the end tag of `workflow-app` is missing
          |
        1 | <workflow-app></workflow-app>
          |               +++++++++++++++"#]],
    );
    check_document(
        "<a>\n    <b c='${x && y}'/>\r\n    <d/>\n</a>\n",
        expect![[r#"
            error[H0115]: unescaped `&`
             --> workflow.xml:2:15
              |
            2 |     <b c='${x && y}'/>
              |               ^^ `&` starts a reference in XML
              |
              = help: in an expression, `and` means the same and needs no reference
            help: an `&` is written as `&amp;`
              |
            2 -     <b c='${x && y}'/>
            2 +     <b c='${x &amp;&amp; y}'/>
              |"#]],
    );
    check_document(
        "<a>\n    <sla:info/>\n</a>\n",
        expect![[r#"
        error[H0118]: undeclared namespace prefix `sla`
         --> workflow.xml:2:6
          |
        2 |     <sla:info/>
          |      ^^^ no `xmlns` attribute here or further out declares it
          |
        help: the element itself can declare it
          |
        2 |     <sla:info xmlns:sla="uri:oozie:sla:0.2"/>
          |               +++++++++++++++++++++++++++++"#]],
    );
    check_document(
        "",
        expect![[r#"
        error[H0105]: the document has no element
        --> workflow.xml
         = help: a document starts with `workflow-app`, `coordinator-app`, or `bundle-app`"#]],
    );
}

#[test]
fn every_place_of_a_text_can_be_shown() {
    let text = "\u{feff}<a>\r\n\té𝄞\r\n\n</a>\n";
    let (_, diagnostics) = testing::every_kind();
    let mut sources = SourceMap::default();
    let file = sources.add("a.xml".to_owned(), text.to_owned());
    let end = u32::try_from(text.len()).unwrap();
    for start in 0..=end {
        for end in start..=end + 1 {
            let span = Span::new(file, start, end);
            let diagnostic = Diagnostic::new(diagnostics[0].rule, span, "anywhere").suggest(
                span,
                "anything",
                "x",
                Applicability::MaybeIncorrect,
            );
            assert!(render(&diagnostic, &sources, Style::default()).contains("--> a.xml:"));
        }
    }
}

#[test]
fn windows_of_a_very_long_line_are_parts_of_it() {
    let element = "<a b='é'/>";
    let text = element.repeat(100_000);
    let mut sources = SourceMap::default();
    let file = sources.add("long.xml".to_owned(), text);
    let at = |number: u32| {
        let start = u32::try_from(element.len()).unwrap() * number + 1;
        Span::new(file, start, start + 1)
    };
    let marks = vec![at(90_000), at(50_000), at(50_001), at(0)];
    let windows = windows(marks, |span| *span, &sources, MOST_AROUND);
    let shown: Vec<(bool, usize)> = windows
        .iter()
        .map(|window| (window.is_cut, window.items.len()))
        .collect();
    assert_eq!(shown, [(false, 1), (true, 2), (true, 1)]);
    for window in &windows {
        assert!(window.text.len() <= 3 * index(MOST_AROUND));
        for span in &window.items {
            assert_eq!(&window.text[window.range_of(*span)], "a");
        }
    }
}

#[test]
fn column_in_a_very_long_line_is_that_of_the_line() {
    let text = format!("<a>{}<b c='1' c='2'/></a>", "<é/>".repeat(1_000));
    let mut sources = SourceMap::default();
    let file = sources.add("long.xml".to_owned(), text);
    let mut sink = Sink::default();
    parse(file, sources.text(file), &mut sink);
    let found = sink.into_sorted();
    let last = found.last().unwrap();
    check(
        last,
        &sources,
        expect![[r#"
            error[H0113]: duplicate attribute `c`
             --> long.xml:1:4013
              |
            1 | .../><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><b c='1' c='2'/></a>
              |                                                         -     ^ given again here
              |                                                         |
              |                                                         first given here
              |
              = help: remove one of the two"#]],
    );
}

#[test]
fn suggestions_in_a_very_long_line_show_what_is_around_the_change() {
    let text = format!(
        "<a>{}<b c='1 && 2'/>{}</a>",
        "<é/>".repeat(1_000),
        "<d/>".repeat(1_000)
    );
    let mut sources = SourceMap::default();
    let file = sources.add("long.xml".to_owned(), text);
    let mut sink = Sink::default();
    parse(file, sources.text(file), &mut sink);
    let found = sink.into_sorted();
    check(
        &found[0],
        &sources,
        expect![[r#"
        error[H0115]: unescaped `&`
         --> long.xml:1:4012
          |
        1 | ...><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><b c='1 && 2'/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d...
          |                                                     ^^ `&` starts a reference in XML
          |
          = help: in an expression, `and` means the same and needs no reference
        help: an `&` is written as `&amp;`
          |
        1 - .../><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><b c='1 && 2'/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><...
        1 + .../><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><b c='1 &amp;&amp; 2'/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><...
          |"#]],
    );

    let start = u32::try_from("<a>".len() + 1_000 * "<é/>".len()).unwrap();
    let mut other = SourceMap::default();
    let short = other.add("short.xml".to_owned(), "<x/>".to_owned());
    let long = other.add("long.xml".to_owned(), sources.text(file).to_owned());
    let diagnostic = Diagnostic::new(found[0].rule, Span::new(short, 1, 2), "elsewhere").suggest(
        Span::new(long, start + 1, start + 2),
        "the element of another file",
        "e",
        Applicability::MaybeIncorrect,
    );
    check(
        &diagnostic,
        &other,
        expect![[r#"
        error[H0115]: elsewhere
         --> short.xml:1:2
          |
        1 | <x/>
          |  ^
          |
        help: the element of another file
         --> long.xml:1:4005
          |
        1 - ...é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><b c='1 && 2'/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><...
        1 + ...é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><é/><e c='1 && 2'/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><d/><...
          |"#]],
    );
}
