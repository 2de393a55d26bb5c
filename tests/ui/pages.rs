//! Pictures and pages: `hpdlc graph` and `hpdlc report`, with their output, their messages, and what they refuse.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
};

use hpdlc_tests::{FinishedCommand, command, folder::write, hpdlc, repository, run};

const HIVE: &str = r#"<workflow-app name="daily" xmlns="uri:oozie:workflow:0.5">
    <start to="query"/>
    <action name="query">
        <hive xmlns="uri:oozie:hive-action:0.6"><script>${script}</script></hive>
        <ok to="done"/>
        <error to="failed"/>
    </action>
    <kill name="failed"><message>failed</message></kill>
    <end name="done"/>
</workflow-app>
"#;

const FINE: &str = r#"<workflow-app name="fine" xmlns="uri:oozie:workflow:1.0">
    <start to="done"/>
    <end name="done"/>
</workflow-app>
"#;

/// A working directory, with a home beside it.
struct PageFolder {
    folder: tempfile::TempDir,
}

impl PageFolder {
    fn with(files: &[(&str, &str)]) -> PageFolder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["here", "home"] {
            fs::create_dir(folder.path().join(name)).expect("the folder is new");
        }
        let place = PageFolder { folder };
        for (path, text) in files {
            write(&place.file(path), text);
        }
        place
    }

    fn file(&self, path: &str) -> PathBuf {
        self.folder.path().join("here").join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.file(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    fn hpdlc(&self, arguments: &[&str]) -> FinishedCommand {
        let home = self.folder.path().join("home");
        run(command::command(hpdlc(), &home)
            .args(arguments)
            .current_dir(self.file("")))
    }

    /// Runs a command that must fail: with this exit code, these words, and no output on stdout or in a file.
    #[track_caller]
    fn check_refused(&self, arguments: &[&str], code: i32, words: &[&str]) {
        let finished = self.hpdlc(arguments);
        assert_eq!(finished.code, Some(code), "{}", finished.stderr);
        assert_eq!(finished.stdout, "");
        for words in words {
            assert!(finished.stderr.contains(words), "{}", finished.stderr);
        }
        assert!(
            !finished.stderr.contains("bug in hpdlc"),
            "{}",
            finished.stderr
        );
        for path in ["out.svg", "out.html"] {
            assert!(!self.file(path).is_file(), "{path} was written");
        }
    }
}

#[track_caller]
fn assert_well_formed(xml: &str) {
    let mut reader = quick_xml::Reader::from_str(xml);
    reader.config_mut().enable_all_checks(true);
    loop {
        match reader.read_event() {
            Ok(quick_xml::events::Event::Eof) => return,
            Ok(_) => {}
            Err(error) => panic!("{error} in {xml}"),
        }
    }
}

#[test]
fn picture_of_an_action_of_a_tool() {
    let place = PageFolder::with(&[("app/workflow.xml", HIVE)]);
    let finished = place.hpdlc(&["graph", "app", "-o", "out.svg"]);
    assert_eq!((finished.code, finished.stderr.as_str()), (Some(0), ""));
    let svg = place.read("out.svg");
    assert_well_formed(&svg);
    for text in [">query<", ">hive<", ">failed<"] {
        assert!(svg.contains(text), "{svg}");
    }
    let finished = place.hpdlc(&["graph", "app"]);
    assert!(
        finished.stdout.starts_with("digraph \"daily\""),
        "{}",
        finished.stdout
    );
}

#[test]
fn picture_of_an_example_is_the_same_each_time() {
    let place = PageFolder::with(&[]);
    let example = repository().join("examples/access-logs");
    let example = example.to_str().expect("the repository's path is UTF-8");
    let pictures: Vec<String> = ["one.svg", "two.svg"]
        .into_iter()
        .map(|name| {
            let finished = place.hpdlc(&["graph", example, "-o", name]);
            assert_eq!(finished.code, Some(0), "{}", finished.stderr);
            place.read(name)
        })
        .collect();
    assert_eq!(pictures[0], pictures[1]);
    assert_eq!(
        pictures[0].matches("pair0").count(),
        3,
        "fork, join and style"
    );
}

#[test]
fn picture_is_refused_where_there_is_nothing_to_draw_or_to_write_to() {
    let undefined = HIVE.replace("to=\"done\"", "to=\"gone\"");
    let untargeted = HIVE.replace("<ok to=\"done\"/>", "");
    let place = PageFolder::with(&[
        ("app/workflow.xml", HIVE),
        ("undefined/workflow.xml", &undefined),
        ("untargeted/workflow.xml", &untargeted),
        ("broken/workflow.xml", "<workflow-app"),
        ("empty/notes.txt", ""),
        ("taken/inside", ""),
    ]);
    let output = ["-o", "out.svg"];
    let draw = |path| ["graph", path, output[0], output[1]];
    place.check_refused(&draw("nowhere"), 2, &["[H0001]", "nowhere"]);
    place.check_refused(&draw("empty"), 2, &["[H0002]"]);
    place.check_refused(&draw("broken"), 1, &["broken/workflow.xml"]);
    place.check_refused(
        &draw("undefined"),
        1,
        &["[H0301]", "`undefined`: 1 error; nothing was drawn"],
    );
    place.check_refused(&draw("untargeted"), 1, &["untargeted/workflow.xml:3"]);
    for file in ["out.png", "out", "out.svg.gz"] {
        place.check_refused(
            &["graph", "app", "-o", file],
            2,
            &["help: name a file", ".svg"],
        );
    }
    fs::rename(place.file("taken"), place.file("taken.svg")).expect("it can be renamed");
    place.check_refused(&["graph", "app", "-o", "taken.svg"], 2, &["taken.svg"]);
    place.check_refused(
        &["graph", "app", "-o", "app/workflow.xml/x.svg"],
        2,
        &["x.svg"],
    );
}

#[test]
fn page_about_a_tree() {
    let place = PageFolder::with(&[
        ("tree/a/workflow.xml", FINE),
        ("tree/b/workflow.xml", HIVE),
        (
            "tree/c/coordinator.xml",
            "<coordinator-app name=\"c\" xmlns=\"uri:oozie:coordinator:0.4\"/>",
        ),
    ]);
    let finished = place.hpdlc(&["report", "tree", "-o", "out.html", "-D", "script=x"]);
    assert_eq!(finished.code, Some(1), "{}", finished.stderr);
    assert_eq!(finished.stdout, "");
    assert!(
        finished
            .stderr
            .contains("Written out.html: 3 documents in 3 applications: 2 run today, 1 has errors"),
        "{}",
        finished.stderr
    );
    let page = place.read("out.html");
    for text in [
        "tree/a/workflow.xml",
        "tree/b/workflow.xml",
        "tree/c/coordinator.xml",
        "id=\"H0207\"",
    ] {
        assert!(page.contains(text), "{text}");
    }
    // Apart from `<!DOCTYPE` and elements without an end tag, it is XML.
    let body =
        &page[page.find("<body>").expect("it has a body")..page.find("</html>").expect("it ends")];
    assert_well_formed(&body.replace("<br>", "<br/>"));
    let printed = place.hpdlc(&["report", "tree", "-D", "script=x"]);
    assert_eq!((printed.code, printed.stdout), (Some(1), page));
    let fine = place.hpdlc(&["report", "tree/a", "-o", "fine.html"]);
    assert_eq!(fine.code, Some(0), "{}", fine.stderr);
}

#[test]
fn page_is_refused_where_there_is_nothing_to_read_or_to_write_to() {
    let place = PageFolder::with(&[
        ("tree/a/workflow.xml", FINE),
        ("empty/notes.txt", ""),
        ("taken/inside", ""),
    ]);
    place.check_refused(
        &["report", "nowhere", "-o", "out.html"],
        2,
        &["[H0001]", "nowhere"],
    );
    place.check_refused(&["report", "empty", "-o", "out.html"], 2, &["[H0002]"]);
    place.check_refused(
        &["report", "hdfs://nn/apps", "-o", "out.html"],
        2,
        &["[H0003]"],
    );
    place.check_refused(&["report", "-o", "out.html"], 2, &["DIR"]);
    place.check_refused(
        &["report", "tree", "-o", "taken"],
        2,
        &["cannot write `taken`"],
    );
}

#[test]
fn page_tells_of_files_that_cannot_be_read() {
    let place = PageFolder::with(&[("tree/a/workflow.xml", FINE)]);
    let finished = place.hpdlc(&["report", "tree", "-o", "out.html", "-c", "gone.properties"]);
    assert_eq!(finished.code, Some(2), "{}", finished.stderr);
    assert!(place.read("out.html").contains("gone.properties"));
    let locked = place.file("tree/a/workflow.xml");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("it is ours");
    // The superuser can read it nevertheless.
    if fs::read(Path::new(&locked)).is_err() {
        let finished = place.hpdlc(&["report", "tree", "-o", "out.html"]);
        assert_eq!(finished.code, Some(2), "{}", finished.stderr);
        assert!(place.read("out.html").contains("[H0001]"));
    }
}
