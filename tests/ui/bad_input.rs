//! Input that is no application: a message with file, position, cause and next step, the specified
//! exit code, and no files left behind.

use std::{
    fs,
    os::unix::{
        fs::{PermissionsExt, symlink},
        process::CommandExt,
    },
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use hpdlc_tests::{
    FinishedCommand, command,
    folder::{files_below, write},
    hpdlc, run,
};

/// The commands that read an application.
const COMMANDS: [&str; 3] = ["check", "build", "run"];

const GOOD: &str = r#"<workflow-app name="daily" xmlns="uri:oozie:workflow:1.0">
    <start to="done"/>
    <end name="done"/>
</workflow-app>
"#;

/// A folder for an application, a home and a cache, all empty at first.
struct BadInputFolder {
    folder: tempfile::TempDir,
}

impl BadInputFolder {
    fn new() -> BadInputFolder {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["here", "home", "cache"] {
            fs::create_dir(folder.path().join(name)).expect("the folder is new");
        }
        BadInputFolder { folder }
    }

    /// The working directory of the commands.
    fn here(&self) -> PathBuf {
        self.folder.path().join("here")
    }

    /// hpdlc with its own state folder and cache.
    fn command(&self, program: &Path) -> Command {
        let mut command = command::command(program, &self.folder.path().join("home"));
        command
            .env("HPDLC_CACHE", self.folder.path().join("cache"))
            .current_dir(self.here());
        command
    }

    /// Every existing file and folder, with sizes.
    fn state(&self) -> Vec<(PathBuf, u64)> {
        let root = self.folder.path();
        let files = files_below(root).into_iter().map(|path| {
            let size = fs::symlink_metadata(&path).map_or(0, |metadata| metadata.len());
            (path, size)
        });
        files.collect()
    }
}

/// The expected result of an error.
struct ExpectedMessage<'a> {
    /// In the message: the file, with line and column if known.
    place: &'a str,
    /// In the message: the code, or words if there is none.
    cause: &'a str,
    /// The exit code of `check` and `build`; `run` exits with 2 for every error of the input.
    code: i32,
}

const fn expected<'a>(place: &'a str, cause: &'a str, code: i32) -> ExpectedMessage<'a> {
    ExpectedMessage { place, cause, code }
}

#[track_caller]
fn check_message(finished: &FinishedCommand, expected: &ExpectedMessage<'_>, command: &str) {
    let FinishedCommand {
        code,
        stdout,
        stderr,
    } = finished;
    let wanted = if command == "run" { 2 } else { expected.code };
    assert_eq!(*code, Some(wanted), "{command}: {stderr}");
    assert!(stderr.contains(expected.cause), "{command}: {stderr}");
    assert!(stderr.contains(expected.place), "{command}: {stderr}");
    let has_next_step = ["help:", "hpdlc explain", "--help", "tip:"]
        .iter()
        .any(|sign| stderr.contains(sign));
    assert!(has_next_step, "{command}: {stderr}");
    assert_eq!(stdout, "", "{command}");
    for sign in ["panicked", "RUST_BACKTRACE", "report this"] {
        assert!(!stderr.contains(sign), "{command}: {stderr}");
    }
}

/// Writes `files`, and runs each command on the application with these arguments.
#[track_caller]
fn check(files: &[(&str, &[u8])], arguments: &[&str], expected: ExpectedMessage<'_>) {
    let place = BadInputFolder::new();
    for (path, bytes) in files {
        write(&place.here().join(path), bytes);
    }
    check_in(&place, arguments, &expected);
}

#[track_caller]
fn check_in(place: &BadInputFolder, arguments: &[&str], expected: &ExpectedMessage<'_>) {
    let before = place.state();
    for command in COMMANDS {
        let finished = run(place.command(&hpdlc()).arg(command).args(arguments));
        check_message(&finished, expected, command);
        assert_eq!(place.state(), before, "`{command}` leaves something behind");
    }
}

/// As [`check`], for one document.
#[track_caller]
fn check_document(document: impl AsRef<[u8]>, position: &str, code: &str) {
    let place = format!("--> app/workflow.xml{position}\n");
    check(
        &[("app/workflow.xml", document.as_ref())],
        &["app"],
        expected(&place, code, 1),
    );
}

#[test]
fn path_that_names_no_document() {
    check(&[], &["nowhere"], expected("--> nowhere\n", "[H0001]", 2));
    check(
        &[("app/workflow.xml/notes.txt", b"")],
        &["app"],
        expected("--> app/workflow.xml\n", "[H0001]", 2),
    );
    check(
        &[("app/notes.txt", b"")],
        &["app"],
        expected("--> app\n", "[H0002]", 2),
    );
    check(
        &[],
        &["hdfs://nn/app"],
        expected("hdfs dfs -get hdfs://nn/app", "[H0003]", 2),
    );
    check(
        &[("app.zip", b"PK\x05\x06")],
        &["app.zip"],
        expected("--> app.zip\n", "[H0008]", 1),
    );
}

#[test]
fn file_that_is_not_xml() {
    check_document("", "", "[H0105]");
    check_document("\n \n", "", "[H0105]");
    check_document("start: end\n", ":1:1", "[H0106]");
    check_document("{\"start\": \"end\"}", ":1:1", "[H0106]");
    check_document("<workflow-app", ":1:1", "[H0110]");
    check_document(b"\x7fELF\x02\x01\x01\x00\xff\xfe", ":1:9", "[H0101]");
}

#[test]
fn file_that_is_not_utf_8() {
    let utf_16 = |bytes: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "\u{feff}<workflow-app/>"
            .encode_utf16()
            .flat_map(bytes)
            .collect()
    };
    check_document(utf_16(u16::to_le_bytes), ":1:1", "[H0101]");
    check_document(utf_16(u16::to_be_bytes), ":1:1", "[H0101]");
    check_document(&utf_16(u16::to_le_bytes)[2..], ":1:1", "UTF-16");
    check_document(b"<a>caf\xe9</a>", ":1:7", "[H0101]");
    // Shift JIS, declared as such.
    check_document(
        b"<?xml version='1.0' encoding='Shift_JIS'?>\n<a>\x93\xfa\x96\x7b</a>",
        ":2:4",
        "[H0101]",
    );
    // A slash in two bytes, and half of a surrogate pair: both are invalid UTF-8.
    check_document(b"<a>\xc0\xaf</a>", ":1:4", "[H0101]");
    check_document(b"<a>\xed\xa0\x80</a>", ":1:4", "[H0101]");
}

#[test]
fn document_type() {
    check_document(
        "<!DOCTYPE a SYSTEM 'file:///etc/passwd'>\n<a/>",
        ":1:1",
        "[H0116]",
    );
    let laughs: String = (1..9)
        .map(|n| {
            let before = format!("&e{};", n - 1).repeat(10);
            format!("<!ENTITY e{n} \"{before}\">")
        })
        .collect();
    check_document(
        format!("<!DOCTYPE a [<!ENTITY e0 \"ha\">{laughs}]>\n<a>&e8;</a>"),
        ":1:1",
        "[H0116]",
    );
}

#[test]
fn mistakes_in_a_workflow() {
    let with = |from: &str, to: &str| {
        let document = GOOD.replace(from, to);
        assert_ne!(document, GOOD);
        document
    };
    check_document(with("workflow-app", "workflow"), ":1:2", "[H0201]");
    check_document(with(":1.0", ":2.0"), ":1:35", "[H0202]");
    check_document(with("to=\"done\"", "to=\"dome\""), ":2:16", "[H0301]");
    let action = |name: &str, ok: &str| {
        format!(
            r#"<action name="{name}"><fs><mkdir path="/tmp/${{x}}"/></fs><ok to="{ok}"/><error to="done"/></action>"#
        )
    };
    let before_end = |nodes: &str| {
        GOOD.replace("to=\"done\"", "to=\"a\"")
            .replace("    <end", &format!("{nodes}\n    <end"))
    };
    check_document(
        before_end(&format!("{}\n{}", action("a", "b"), action("b", "a"))),
        ":4:60",
        "[H0304]",
    );
    check_document(
        before_end(&format!(
            "<fork name=\"a\"><path start=\"b\"/><path start=\"c\"/></fork>\n{}{}<kill name=\"k\"><message>m</message></kill>",
            action("b", "k").replace("done", "k"),
            action("c", "k").replace("done", "k")
        )),
        ":3:13",
        "[H0305]",
    );
    check_document(
        before_end(&action("a", "done").replace("${x}", "${x +}")),
        ":3:45",
        "[H0401]",
    );
    check(
        &[
            (
                "app/workflow.xml",
                before_end(&action("a", "done")).as_bytes(),
            ),
            ("job.properties", b"y=1\n"),
        ],
        &["app", "-c", "job.properties"],
        expected("--> app/workflow.xml:3:42\n", "[H0511]", 1),
    );
}

#[test]
fn arguments_that_are_wrong() {
    let good = ("app/workflow.xml", GOOD.as_bytes());
    check(
        &[good],
        &["app", "-c", "job.properties"],
        expected("--> job.properties\n", "[H0001]", 2),
    );
    check(
        &[good, ("job.properties", b"a=1\nb=\\u12x\n")],
        &["app", "-c", "job.properties"],
        expected("--> job.properties:2:3\n", "[H0005]", 1),
    );
    check(
        &[
            good,
            ("job.xml", b"<configuration><property></configuration>"),
        ],
        &["app", "-c", "job.xml"],
        expected("--> job.xml:1:26\n", "[H0006]", 1),
    );
    check(
        &[good],
        &["app", "--map", "hdfs://nn"],
        expected("'hdfs://nn'", "URI=DIR", 2),
    );
    check(
        &[good],
        &["app", "--fromat", "short"],
        expected("--fromat", "unexpected argument", 2),
    );
}

#[test]
fn definition_without_a_value() {
    let place = BadInputFolder::new();
    write(&place.here().join("app/workflow.xml"), GOOD);
    for (command, cause) in [
        ("check", "unknown lint `name`"),
        ("build", "NAME=VALUE"),
        ("run", "NAME=VALUE"),
    ] {
        let finished = run(place.command(&hpdlc()).args([command, "app", "-D", "name"]));
        check_message(&finished, &expected("name", cause, 2), command);
    }
}

#[test]
fn command_that_does_not_exist() {
    let place = BadInputFolder::new();
    let finished = run(place.command(&hpdlc()).args(["chekc", "app"]));
    check_message(&finished, &expected("'chekc'", "'check'", 2), "chekc");
    let finished = run(&mut place.command(&hpdlc()));
    assert_eq!(finished.code, Some(2));
    assert!(finished.stderr.contains("Usage"), "{}", finished.stderr);
    assert_eq!(place.state(), []);
}

/// hpdlc with a memory limit in bytes.
fn bounded(place: &BadInputFolder, memory: u64) -> Command {
    let mut command = place.command(Path::new("sh"));
    command
        .arg("-c")
        .arg(format!("ulimit -v {} && exec \"$0\" \"$@\"", memory / 1024))
        .arg(hpdlc());
    command
}

/// Reads a document of many MiB with little memory and in little time, even on a busy machine.
#[track_caller]
fn check_large(document: &[u8], position: &str, code: &str) {
    const MEMORY: u64 = 512 * 1024 * 1024;
    const TIME: Duration = Duration::from_secs(20);
    let place = BadInputFolder::new();
    write(&place.here().join("app/workflow.xml"), document);
    let before = place.state();
    let expected_place = format!("--> app/workflow.xml{position}\n");
    for name in COMMANDS {
        let mut command = bounded(&place, MEMORY);
        let finished = command::run_within(command.args([name, "app"]), TIME);
        check_message(&finished, &expected(&expected_place, code, 1), name);
        assert!(
            finished.stderr.len() < 4096,
            "{name}: the message is as long as the document"
        );
    }
    assert_eq!(place.state(), before);
}

#[test]
fn fifty_mebibytes_of_nested_elements() {
    const SIZE: usize = 50 * 1024 * 1024;
    let half = SIZE / "<a></a>".len();
    let closed = "<a>".repeat(half) + &"</a>".repeat(half);
    check_large(closed.as_bytes(), ":1:770", "[H0104]");
    check_large("<a>".repeat(SIZE / 3).as_bytes(), ":1:770", "[H0104]");
    let lines = "<a>\n".repeat(SIZE / 4);
    check_large(lines.as_bytes(), ":257:2", "[H0104]");
}

#[test]
fn document_beyond_the_largest() {
    let text = "x".repeat(70 * 1024 * 1024);
    let document = GOOD.replace("    <start", &format!("<!--{text}-->\n    <start"));
    check_large(document.as_bytes(), "", "[H0103]");
}

#[test]
fn properties_take_a_small_multiple_of_their_size() {
    const MEMORY: u64 = 384 * 1024 * 1024;
    const N: usize = 300_000;
    let place = BadInputFolder::new();
    write(&place.here().join("app/workflow.xml"), GOOD);
    let lines: String = (0..N).map(|n| format!("name{n}=value{n}\n")).collect();
    let references: String = (0..N / 4).map(|n| format!("b{n}=${{a}}/{n}\n")).collect();
    let long = "x".repeat(15_000_000);
    let element = |name: &str, value: &str| {
        format!("<property><name>{name}</name><value>{value}</value></property>")
    };
    let elements: String = (0..N / 2).map(|n| element(&format!("n{n}"), "v")).collect();
    for (file, text) in [
        ("many.properties", lines),
        ("references.properties", format!("a=/b\n{references}")),
        ("long.properties", format!("a={long}\nb=${{c}}\nc=d\n")),
        (
            "many.xml",
            format!("<configuration>{elements}</configuration>"),
        ),
        (
            "long.xml",
            format!("<configuration>{}</configuration>", element("a", &long)),
        ),
    ] {
        write(&place.here().join(file), text);
        let finished = run(bounded(&place, MEMORY).args(["check", "app", "-c", file]));
        assert_eq!(finished.code, Some(0), "{file}: {}", finished.stderr);
    }
}

#[test]
fn definition_beyond_the_limit_of_oozie() {
    let place = BadInputFolder::new();
    let document = place.here().join("app/workflow.xml");
    // The rest of the document and the comment add up to 100,000 bytes.
    let n_others = GOOD.len() + "<!---->".len();
    for (n_more, arguments, code, said) in [
        (0, &["--oozie-strict"][..], 0, ""),
        (
            1,
            &["--oozie-strict"],
            1,
            "error[oversized_definitions]: the definition has 100001 bytes\n --> app/workflow.xml:1:2\n",
        ),
        (
            1,
            &["-W", "oversized_definitions"],
            0,
            "warning[oversized_definitions]",
        ),
        (1, &[], 0, ""),
    ] {
        let text = "x".repeat(100_000 - n_others + n_more);
        write(
            &document,
            GOOD.replace("    <start", &format!("<!--{text}-->    <start")),
        );
        let finished = run(place
            .command(&hpdlc())
            .args(["check", "app"])
            .args(arguments));
        assert_eq!(finished.code, Some(code), "{}", finished.stderr);
        assert!(finished.stderr.starts_with(said), "{}", finished.stderr);
        assert_eq!(
            finished.stderr.contains("oversized"),
            !said.is_empty(),
            "{}",
            finished.stderr
        );
    }
}

/// Runs as a user without access to our files; root can read everything.
#[test]
fn file_that_may_not_be_read() {
    const NOBODY: u32 = 65534;
    let place = BadInputFolder::new();
    let document = place.here().join("app/workflow.xml");
    write(&document, GOOD);
    let is_root = fs::metadata("/proc/self")
        .map(|metadata| std::os::unix::fs::MetadataExt::uid(&metadata) == 0)
        .unwrap_or(false);
    // The compiler's own folder may be inaccessible to others.
    let program = place.folder.path().join("hpdlc");
    fs::copy(hpdlc(), &program).expect("the compiler can be copied");
    let rights = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("the file is ours");
    };
    rights(place.folder.path(), 0o755);
    rights(&document, 0o000);
    for name in COMMANDS {
        let mut command = place.command(&program);
        if is_root {
            command.uid(NOBODY).gid(NOBODY);
        }
        let finished = run(command.args([name, "app"]));
        let expected = expected("--> app/workflow.xml\n", "may not be read", 2);
        check_message(&finished, &expected, name);
    }
}

#[test]
fn application_that_is_too_large() {
    let place = BadInputFolder::new();
    write(&place.here().join("app/workflow.xml"), GOOD);
    let data = fs::File::create(place.here().join("app/data.bin")).expect("the folder is ours");
    data.set_len(65 * 1024 * 1024).expect("a sparse file");
    let before = place.state();
    for name in ["build", "run"] {
        let finished = run(place.command(&hpdlc()).args([name, "app"]));
        check_message(&finished, &expected("--> app\n", "[H0004]", 1), name);
    }
    assert_eq!(place.state(), before);
}

#[test]
fn good_build_follows_a_bad_one() {
    let place = BadInputFolder::new();
    let here = place.here();
    write(
        &here.join("app/workflow.xml"),
        GOOD.replace("to=\"done\"", "to=\"dome\""),
    );
    write(&here.join("elsewhere.txt"), "");
    symlink("../elsewhere.txt", here.join("app/link.txt")).expect("the folder is ours");
    let build = || {
        // With the cache of all tests, which has the runtime.
        let mut command = command::command(hpdlc(), &place.folder.path().join("home"));
        run(command
            .current_dir(&here)
            .args(["build", "app", "-o", "daily"]))
    };
    assert_eq!(build().code, Some(1));
    assert!(!here.join("daily").exists());

    write(&here.join("app/workflow.xml"), GOOD);
    let built = build();
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert!(
        built.stderr.contains("warning[skipped_files]"),
        "{}",
        built.stderr
    );
    let finished = run(place.command(&here.join("daily")).arg("run"));
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);

    // An error leaves the previous executable unchanged.
    let executable = fs::read(here.join("daily")).expect("it was built");
    write(&here.join("app/workflow.xml"), "");
    assert_eq!(build().code, Some(1));
    assert!(fs::read(here.join("daily")).expect("it is still there") == executable);
}

#[test]
fn document_that_is_left_aside_is_named() {
    let place = BadInputFolder::new();
    let here = place.here();
    write(&here.join("app/workflow.xml"), GOOD);
    write(&here.join("app/coordinator.xml"), "");
    for (verb, path, is_told) in [
        ("build", "app", true),
        ("build", "app/workflow.xml", false),
        ("emit", "app", true),
    ] {
        let mut command = command::command(hpdlc(), &place.folder.path().join("home"));
        let output = format!("{verb}-output");
        let finished = run(command.current_dir(&here).args([verb, path, "-o", &output]));
        assert_eq!(finished.code, Some(0), "{}", finished.stderr);
        let told = "Ignored app/coordinator.xml: to compile this one, name it";
        assert_eq!(finished.stderr.contains(told), is_told, "{verb} {path}");
    }
}

#[test]
fn parent_that_does_not_want_to_hear_of_the_end_of_children() {
    let place = BadInputFolder::new();
    let here = place.here();
    write(&here.join("app/workflow.xml"), GOOD);
    let mut command = command::command(Path::new("env"), &place.folder.path().join("home"));
    let finished = run(command
        .current_dir(&here)
        .arg("--ignore-signal=CHLD")
        .arg(hpdlc())
        .args(["build", "app", "-o", "daily"]));
    assert_eq!(finished.code, Some(0), "{}", finished.stderr);
}

#[test]
fn output_that_cannot_be_written() {
    let place = BadInputFolder::new();
    let here = place.here();
    write(&here.join("app/workflow.xml"), GOOD);
    write(&here.join("file"), "");
    let mut command = command::command(hpdlc(), &place.folder.path().join("home"));
    let finished = run(command
        .current_dir(&here)
        .args(["build", "app", "-o", "file/daily"]));
    assert_eq!(finished.code, Some(2), "{}", finished.stderr);
    assert!(
        finished.stderr.contains("cannot write `file/daily`"),
        "{}",
        finished.stderr
    );
}
