//! The sandbox for the commands of one page: a folder with a copy of the examples, a state folder, and its own `/tmp`.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
};

use hpdlc_tests::{
    command, copy,
    folder::{files_below, repository, write},
    hpdlc, normalize, run,
};

/// The user whose jobs pages show.
const SHOWN_USER: &str = "ada";

/// Replaces cargo: programs of the workspace are built when the tests run, and everything else takes too long.
const CARGO: &str = r#"#!/bin/sh
if [ "$1 $2 $3" = "run --release -p" ]; then
    program=$PROGRAMS/$4
    shift 4
    [ "${1-}" != -- ] || shift
    [ -x "$program" ] || { echo "no $program: run \`cargo build --release --workspace\` first" >&2; exit 70; }
    exec "$program" "$@"
fi
echo "tests of pages do not run \`cargo $*\`: say so before the block" >&2
exit 70
"#;

pub struct Sandbox {
    folder: tempfile::TempDir,
    user: String,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let name = run(Command::new("id").arg("-un")).stdout;
        let sandbox = Sandbox {
            folder,
            user: name.trim().to_owned(),
        };
        for name in ["here", "home", "tmp"] {
            fs::create_dir(sandbox.path(name)).expect("the folder is new");
        }
        let cargo = sandbox.path("bin/cargo");
        write(&cargo, CARGO);
        fs::set_permissions(&cargo, fs::Permissions::from_mode(0o755)).expect("it is ours");
        let examples = sandbox.path("here/examples");
        copy(&repository().join("examples"), &examples);
        for file in files_below(&examples) {
            let ending = file.extension().and_then(|ending| ending.to_str());
            if matches!(ending, Some("properties" | "sh")) {
                let text = fs::read_to_string(&file).expect("it is UTF-8");
                let rights = fs::metadata(&file).expect("it was copied").permissions();
                write(&file, sandbox.with_own_tmp(&text));
                fs::set_permissions(&file, rights).expect("it is ours");
            }
        }
        sandbox
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file of the page.
    pub fn write(&mut self, path: &str, text: &str) {
        write(&self.path("here").join(path), text);
    }

    /// Runs a script that must succeed.
    pub fn script(&mut self, script: &str) -> Result<(), String> {
        let finished = run(&mut self.shell(&format!("set -eu\n{script}")));
        match finished.code {
            Some(0) => Ok(()),
            code => Err(format!(
                "exit {code:?}\n{script}--- stdout\n{}--- stderr\n{}",
                finished.stdout, finished.stderr
            )),
        }
    }

    /// The output of a command, without what differs from run to run.
    pub fn print(&mut self, typed: &str) -> String {
        let finished = run(&mut self.shell(&format!("exec 2>&1\n{typed}")));
        let lines = finished.stdout.split_inclusive('\n');
        let said: String = lines.filter(|line| !is_progress(line)).collect();
        let printed = said.replace(&self.path("tmp").display().to_string(), "/tmp");
        let printed = normalize::path(&printed, &self.path("here"), "/home/ada");
        self.plain(&with_word(&printed, &self.user, SHOWN_USER))
    }

    /// A text without what differs from run to run.
    pub fn plain(&self, text: &str) -> String {
        normalize::job_numbers(&normalize::seconds(&normalize::ids_and_times(text)))
    }

    fn with_own_tmp(&self, text: &str) -> String {
        with_word(text, "/tmp", &self.path("tmp").display().to_string())
    }

    fn shell(&self, script: &str) -> Command {
        let programs = hpdlc();
        let programs = programs.parent().expect("it lies in a folder");
        let mut path = format!("{}:{}", self.path("bin").display(), programs.display());
        if let Some(inherited) = std::env::var_os("PATH") {
            path.push(':');
            path.push_str(&inherited.to_string_lossy());
        }
        let mut shell = command::command(Path::new("sh"), &self.path("home"));
        shell
            .args(["-c", &self.with_own_tmp(script)])
            .env("PATH", path)
            .env("PROGRAMS", programs)
            .current_dir(self.path("here"));
        shell
    }
}

/// A line that depends on processes that run at the same time, or ran before.
fn is_progress(line: &str) -> bool {
    ["Waiting for another hpdlc", "Compiling "]
        .iter()
        .any(|start| line.trim_start().starts_with(start))
}

/// Replaces a word unless it is part of a longer one.
fn with_word(text: &str, word: &str, by: &str) -> String {
    let is_part = |char: char| char.is_alphanumeric() || "_-.".contains(char);
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        replaced.push_str(before);
        let is_alone = !before.ends_with(is_part) && !after.starts_with(is_part);
        replaced.push_str(if is_alone { by } else { word });
        rest = after;
    }
    replaced.push_str(rest);
    replaced
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_replaced() {
        assert_eq!(
            with_word("/tmp /tmp/a x/tmp /tmpfs", "/tmp", "/t"),
            "/t /t/a x/tmp /tmpfs"
        );
    }
}
