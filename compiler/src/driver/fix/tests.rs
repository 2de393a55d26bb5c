use std::os::unix::fs::{PermissionsExt, symlink};

use super::*;
use crate::rules::RULES;

/// Byte order mark, both kinds of line ends, two mistakes on one line, and one that is only detected without the others.
const BROKEN: &str = "\u{feff}<workflow-app name=\"a & b\"xmlns=\"uri:oozie:workflow:1.0\">\r\n    <start to=\"k\"/>\n    \
    <kill name=\"k\"><message>${x && 2 < 3} & ]]></message></kill>\r\n    <end name=\"e\"/>\r\n</workflow-app>";

struct FixFolder {
    root: tempfile::TempDir,
}

impl FixFolder {
    fn new(files: &[(&str, &str)]) -> FixFolder {
        let root = tempfile::tempdir().expect("a temporary folder");
        for (path, text) in files {
            writer::replace(&root.path().join(path), text.as_bytes()).expect("writes");
        }
        FixFolder { root }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).expect("reads")
    }

    fn fix(&self, paths: &[&str]) -> FixedFiles {
        let paths: Vec<PathBuf> = paths.iter().map(|path| self.path(path)).collect();
        fix(&paths, &Arguments::new(RULES))
    }
}

fn codes(fixed: &FixedFiles) -> Vec<&'static str> {
    let diagnostics = fixed.checked.diagnostics.iter();
    diagnostics.map(|diagnostic| diagnostic.rule.id()).collect()
}

#[test]
fn certain_suggestions_are_applied_and_the_rest_of_the_text_stays() {
    let text = BROKEN.replace("2 < 3", "true");
    let tree = FixFolder::new(&[("app/workflow.xml", &text)]);
    let fixed = tree.fix(&["app"]);
    assert_eq!(codes(&fixed), ["unreachable_nodes"]);
    assert_eq!(
        tree.text("app/workflow.xml"),
        text,
        "nothing is written yet"
    );
    fixed.write().expect("writes");
    let expected = text
        .replace("a & b", "a &amp; b")
        .replace("\"xmlns", "\" xmlns")
        .replace("x && ", "x &amp;&amp; ")
        .replace("} & ]]>", "} &amp; ]]&gt;");
    assert_eq!(tree.text("app/workflow.xml"), expected);
    let files: Vec<&FixedFile> = fixed.files.values().collect();
    assert_eq!(files.len(), 1);
    assert_eq!(files[0].n_fixes, 5);
    let again = tree.fix(&["app"]);
    assert!(again.files.is_empty());
}

#[test]
fn templates_that_are_no_xml_yet_are_left_alone() {
    for root in [
        // Placeholders of FreeMarker and of Jinja, with quotes in quotes.
        r#"<workflow-app name="a" xmlns="${v!"uri:oozie:workflow:0.5"}">"#,
        r#"<workflow-app name="{{ n|d("a") }}"xmlns="uri:oozie:workflow:0.5">"#,
        r#"<workflow-app name="a & b"xmlns="uri:oozie:workflow:0.5" <#if x>>"#,
    ] {
        let text = format!("{root}<start to='end'/><end name='end'/></workflow-app>\n");
        let tree = FixFolder::new(&[("app/workflow.xml", &text)]);
        let fixed = tree.fix(&["app"]);
        assert!(fixed.files.is_empty(), "{root}: {:?}", fixed.files);
        fixed.write().expect("writes nothing");
        assert_eq!(tree.text("app/workflow.xml"), text);
    }
}

#[test]
fn what_is_not_certain_is_left_alone() {
    let text = BROKEN
        .replace("to=\"k\"", "to=\"kk\"")
        .replace("2 < 3", "true");
    let tree = FixFolder::new(&[("app/workflow.xml", &text)]);
    let fixed = tree.fix(&["app/workflow.xml"]);
    fixed.write().expect("writes");
    assert!(tree.text("app/workflow.xml").contains("to=\"kk\""));
    assert_eq!(codes(&fixed), ["H0301"], "and said about the fixed text");
    let span = fixed.checked.diagnostics[0].span().expect("it has a place");
    assert_eq!(fixed.checked.sources.snippet(span), "kk");
}

#[test]
fn shared_file_is_fixed_once_where_links_lead() {
    let parent = |name: &str| {
        format!(
            "<workflow-app name=\"{name}\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"c\"/><action name=\"c\">\
             <sub-workflow><app-path>${{wf:appPath()}}/../child</app-path></sub-workflow>\
             <ok to=\"e\"/><error to=\"e\"/></action><end name=\"e\"/></workflow-app>"
        )
    };
    let child = "<workflow-app name=\"a & b\" xmlns=\"uri:oozie:workflow:1.0\"><start to=\"e\"/><end name=\"e\"/></workflow-app>";
    let tree = FixFolder::new(&[
        ("one/workflow.xml", &parent("one")),
        ("two/workflow.xml", &parent("two")),
        ("child/text.xml", child),
    ]);
    symlink("text.xml", tree.path("child/workflow.xml")).expect("links");
    fs::set_permissions(
        tree.path("child/text.xml"),
        fs::Permissions::from_mode(0o640),
    )
    .expect("changes");
    let fixed = tree.fix(&["one", "two", "child", "child/text.xml"]);
    fixed.write().expect("writes");
    let n_fixes: Vec<usize> = fixed.files.values().map(|file| file.n_fixes).collect();
    assert_eq!(n_fixes, [1]);
    assert_eq!(tree.text("child/text.xml"), child.replace('&', "&amp;"));
    let link = fs::symlink_metadata(tree.path("child/workflow.xml")).expect("exists");
    assert!(link.is_symlink());
    let mode = fs::metadata(tree.path("child/text.xml"))
        .expect("exists")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o640);
}

#[test]
fn read_only_file_keeps_every_file_as_it_is() {
    let tree = FixFolder::new(&[("a/workflow.xml", BROKEN), ("b/workflow.xml", BROKEN)]);
    let locked = tree.path("b/workflow.xml");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o444)).expect("changes");
    let failure = tree.fix(&["a", "b"]).write().expect_err("it is read-only");
    assert!(failure.message.contains("b/workflow.xml"), "{failure}");
    assert!(failure.help[0].contains("chmod"), "{failure}");
    assert_eq!(tree.text("a/workflow.xml"), BROKEN);
}

#[test]
fn file_that_changes_meanwhile_is_left_alone() {
    let tree = FixFolder::new(&[("a/workflow.xml", BROKEN)]);
    let fixed = tree.fix(&["a"]);
    writer::replace(&tree.path("a/workflow.xml"), b"other").expect("writes");
    let failure = fixed.write().expect_err("it is another text");
    assert!(failure.message.contains("has changed"), "{failure}");
    assert_eq!(tree.text("a/workflow.xml"), "other");
}

#[test]
fn touching_edits_are_made_together_and_overlapping_ones_are_not() {
    let span = |start, end| Span::new(crate::source::FileId(0), start, end);
    assert!(!do_overlap(span(0, 2), span(2, 3)));
    assert!(do_overlap(span(0, 2), span(1, 3)));
    assert!(do_overlap(span(2, 2), span(2, 2)));
    assert!(do_overlap(span(0, 4), span(1, 2)));
    assert_eq!(
        edited(
            "abcd",
            vec![(span(2, 3), "X".to_owned()), (span(0, 2), String::new())]
        ),
        "Xd"
    );
}
