//! Executables for hosts with an older C library: the symbol versions that they require, and that they run.

use std::{
    fs,
    path::{Path, PathBuf},
};

use hpdlc_tests::{
    command::{FinishedCommand, command, hpdlc, run},
    folder::write,
};
use object::{Endianness, elf::FileHeader64, read::elf::FileHeader as _};

/// The newest `GLIBC_2.` version that an executable requires; weak symbols, which are optional, have no version.
fn newest(program: &Path) -> u32 {
    let bytes = fs::read(program).expect("the executable is there");
    let bytes = bytes.as_slice();
    let header = FileHeader64::<Endianness>::parse(bytes).expect("an ELF file");
    let endian = header.endian().expect("a known order of bytes");
    let sections = header.sections(endian, bytes).expect("sections");
    let (mut needs, link) = sections
        .gnu_verneed(endian, bytes)
        .expect("a sound section")
        .expect("it asks for versions");
    let strings = sections.strings(endian, bytes, link).expect("names");
    let mut newest = 0;
    while let Some((_, mut of_file)) = needs.next().expect("sound entries") {
        while let Some(version) = of_file.next().expect("sound entries") {
            let name = version.name(endian, strings).expect("a name");
            let name = std::str::from_utf8(name).expect("names are ASCII");
            let Some(number) = name.strip_prefix("GLIBC_2.") else {
                assert!(name.starts_with("GCC_"), "{name}");
                continue;
            };
            let minor = number.split('.').next().unwrap_or_default();
            newest = newest.max(minor.parse().expect("a number"));
        }
    }
    newest
}

struct Workshop {
    folder: tempfile::TempDir,
}

impl Workshop {
    fn new() -> Workshop {
        let folder = tempfile::tempdir().expect("a temporary folder");
        write(
            &folder.path().join("app/workflow.xml"),
            r#"<workflow-app name="old" xmlns="uri:oozie:workflow:1.0">
    <start to="say"/>
    <action name="say">
        <shell xmlns="uri:oozie:shell-action:1.0">
            <exec>sh</exec>
            <argument>-c</argument>
            <argument>echo "said=$HOME ${word}"</argument>
            <capture-output/>
        </shell>
        <ok to="end"/>
        <error to="end"/>
    </action>
    <end name="end"/>
</workflow-app>
"#,
        );
        Workshop { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn home(&self) -> PathBuf {
        self.path("home")
    }

    fn hpdlc(&self, arguments: &[&str]) -> FinishedCommand {
        run(command(hpdlc(), &self.home())
            .current_dir(self.folder.path())
            .args(arguments))
    }
}

#[test]
fn executables_for_2_17_ask_for_no_more_and_run() {
    let workshop = Workshop::new();
    for (features, version) in [(None, "2.17"), (Some("--full"), "2.28")] {
        let mut arguments = vec!["build", "app", "-o", "old", "--glibc", version];
        arguments.extend(features);
        let built = workshop.hpdlc(&arguments);
        assert_eq!(built.code, Some(0), "{}", built.stderr);
        let program = workshop.path("old");
        assert!(newest(&program) <= 17, "{features:?}: {}", newest(&program));
        let ran = run(command(&program, &workshop.home())
            .env("HOME", "/somewhere")
            .args(["run", "-D", "word=ok", "--json"]));
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let info: serde_json::Value =
            serde_json::from_str(ran.stdout.lines().last().unwrap_or_default()).expect("JSON");
        assert_eq!(info["status"], "SUCCEEDED");
        let say = crate::harness::node(&info, "say");
        assert_eq!(say["data"]["said"], "/somewhere ok");
    }
}

#[test]
fn run_makes_programs_for_2_17_too() {
    let workshop = Workshop::new();
    let ran = workshop.hpdlc(&["run", "app", "--glibc", "2.17", "-D", "word=ok"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let copies: Vec<PathBuf> = fs::read_dir(workshop.home().join("bin"))
        .expect("a job keeps a copy of its program")
        .map(|entry| entry.expect("reads").path())
        .collect();
    assert_eq!(copies.len(), 1, "{copies:?}");
    assert!(newest(&copies[0]) <= 17, "{}", newest(&copies[0]));
}

#[test]
fn programs_for_a_debugger_are_made_for_2_17_too() {
    let workshop = Workshop::new();
    let built = workshop.hpdlc(&["build", "app", "-o", "old", "--glibc", "2.17", "--debug"]);
    assert_eq!(built.code, Some(0), "{}", built.stderr);
    assert!(newest(&workshop.path("old")) <= 17);
}

#[test]
fn unknown_versions_are_refused_and_leave_nothing() {
    let workshop = Workshop::new();
    for version in ["2.16", "2.99", "centos7", "2.17.1", ""] {
        let built = workshop.hpdlc(&["build", "app", "-o", "old", "--glibc", version]);
        assert_eq!(built.code, Some(2), "{}", built.stderr);
        assert!(
            built.stderr.contains("versions are 2.17 to 2.43"),
            "{}",
            built.stderr
        );
        assert!(!workshop.path("old").exists());
    }
}
