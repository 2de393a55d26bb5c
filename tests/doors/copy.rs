//! A copy of an example, in its own workspace that shares everything else with this one.

use std::{
    collections::{BTreeMap, BTreeSet},
    env, fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use hpdlc::driver::toolchain;
use tempfile::TempDir;

/// A package that a test may change.
pub struct PackageCopy {
    /// Its workspace: this one's manifest, lock file and crates, with the copy as the only example. Because the crates
    /// have the same paths in it, cargo reuses what it has compiled for this one.
    workspace: TempDir,
    /// The path of the package in it.
    place: String,
    /// The name of the package and its program. It differs from the example's, or the two would overwrite each other.
    name: String,
}

/// Cargo's output for the copy.
pub struct BuildResult {
    pub is_success: bool,
    pub messages: Vec<RustcMessage>,
    /// For messages.
    pub stderr: String,
}

/// A diagnostic of rustc.
#[derive(Debug)]
pub struct RustcMessage {
    pub level: String,
    /// As `E0308`.
    pub code: Option<String>,
    pub text: String,
}

impl PackageCopy {
    /// Copies `examples/EXAMPLE`, whose package is `package`, for the test `test`.
    pub fn of(example: &str, package: &str, test: &str) -> PackageCopy {
        let checkout = checkout();
        let workspace = tempfile::tempdir().expect("a temporary folder");
        for entry in fs::read_dir(&checkout).expect("the checkout can be read") {
            let path = entry.expect("the checkout can be read").path();
            let name = path
                .file_name()
                .expect("an entry has a name")
                .to_string_lossy()
                .into_owned();
            if path.is_dir()
                && !name.starts_with('.')
                && !["examples", "target"].contains(&name.as_str())
            {
                symlink(&path, workspace.path().join(name)).expect("it is the first of this name");
            }
        }
        fs::copy(
            checkout.join("Cargo.lock"),
            workspace.path().join("Cargo.lock"),
        )
        .expect("copies");
        let place = format!("examples/{example}");
        copy_folder(&checkout.join(&place), &workspace.path().join(&place));
        let copy = PackageCopy {
            workspace,
            place,
            name: format!("doors-{test}"),
        };
        let manifest = fs::read_to_string(checkout.join("Cargo.toml")).expect("reads");
        let manifest = with_one_member(&manifest, &copy.place);
        fs::write(copy.workspace.path().join("Cargo.toml"), manifest).expect("writes");
        copy.replace(
            "Cargo.toml",
            &format!("name = \"{package}\""),
            &format!("name = \"{}\"", copy.name),
        );
        copy
    }

    /// The path of a file in the package.
    pub fn path(&self, file: &str) -> PathBuf {
        self.workspace.path().join(&self.place).join(file)
    }

    /// Changes a file that must contain `old` exactly once.
    #[track_caller]
    pub fn replace(&self, file: &str, old: &str, new: &str) {
        let path = self.path(file);
        let text = fs::read_to_string(&path).expect("reads");
        assert_eq!(
            text.matches(old).count(),
            1,
            "`{old}` in {}",
            path.display()
        );
        fs::write(path, text.replace(old, new)).expect("writes");
    }

    pub fn write(&self, file: &str, text: &str) {
        let path = self.path(file);
        let folder = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(folder).expect("creates");
        fs::write(path, text).expect("writes");
    }

    pub fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).expect("reads")
    }

    fn cargo_build(&self, arguments: &[&str]) -> Output {
        let cargo = env::var_os("CARGO").expect("cargo sets it for tests");
        let mut command = Command::new(cargo);
        toolchain::forget_cargo_run(&mut command);
        let profile = match profile().as_str() {
            "debug" => "dev".to_owned(),
            other => other.to_owned(),
        };
        command
            .args(["build", "--profile", &profile, "--offline"])
            .args(["--message-format=json", "--package", &self.name])
            .args(arguments)
            .current_dir(self.workspace.path())
            .env("CARGO_TARGET_DIR", target_folder())
            .output()
            .expect("cargo can be started")
    }

    /// What rustc prints about each target of the package, except its summary.
    pub fn printed_by_target(&self) -> BTreeMap<String, String> {
        let output = self.cargo_build(&["--keep-going"]);
        let mut printed: BTreeMap<String, String> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(line) = serde_json::from_str::<serde_json::Value>(line) else {
                continue;
            };
            let target = line["target"]["name"].as_str().unwrap_or_default();
            let message = line["message"]["rendered"].as_str().unwrap_or_default();
            let is_summary = [
                "aborting due to",
                "For more information",
                "Some errors have",
            ]
            .iter()
            .any(|start| message.trim_start_matches("error: ").starts_with(start));
            if !message.is_empty() && !is_summary {
                printed
                    .entry(target.to_owned())
                    .or_default()
                    .push_str(message);
            }
        }
        printed
    }

    /// `cargo build` of the package.
    pub fn build(&self) -> BuildResult {
        let output = self.cargo_build(&[]);
        let messages = String::from_utf8_lossy(&output.stdout)
            .lines()
            .filter_map(RustcMessage::parse)
            .collect();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        BuildResult {
            is_success: output.status.success(),
            messages,
            stderr,
        }
    }

    /// Builds the package, which must succeed; returns the program.
    #[track_caller]
    pub fn program(&self) -> PathBuf {
        let built = self.build();
        assert!(built.is_success, "{}\n{:#?}", built.stderr, built.messages);
        target_folder().join(profile()).join(&self.name)
    }

    /// The lines of `hpdlc check --format short` for an application of the package, started in rustc's working directory.
    pub fn checked(&self, application: &str) -> BTreeSet<String> {
        let hpdlc = target_folder().join(profile()).join("hpdlc");
        let output: Output = Command::new(&hpdlc)
            .args(["check", "--format", "short"])
            .arg(Path::new(&self.place).join(application))
            .current_dir(self.workspace.path())
            .output()
            .unwrap_or_else(|error| {
                panic!("{}, which `tests/run` builds: {error}", hpdlc.display())
            });
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("messages are UTF-8");
        text.lines()
            .filter(|line| line.contains("error[") || line.contains("warning["))
            .map(str::to_owned)
            .collect()
    }
}

impl BuildResult {
    /// The first lines of messages of a level, except cargo's own summary. `prefix` starts each and is removed.
    pub fn first_lines(&self, level: &str, prefix: &str) -> BTreeSet<String> {
        self.messages
            .iter()
            .filter(|message| message.level == level)
            .filter_map(|message| {
                Some(
                    message
                        .text
                        .lines()
                        .next()?
                        .strip_prefix(prefix)?
                        .to_owned(),
                )
            })
            .filter(|line| !line.starts_with("aborting due to"))
            .collect()
    }
}

impl RustcMessage {
    /// Parses a message of rustc from a line of cargo's output.
    fn parse(line: &str) -> Option<RustcMessage> {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        let message = line.get("message")?;
        Some(RustcMessage {
            level: message.get("level")?.as_str()?.to_owned(),
            code: message["code"]["code"].as_str().map(str::to_owned),
            text: message.get("message")?.as_str()?.to_owned(),
        })
    }
}

fn checkout() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests are a folder of the checkout")
        .to_owned()
}

/// The folder of the profile that this test is built in, `release` in `tests/run`.
fn profile() -> String {
    let test = env::current_exe().expect("Linux knows it");
    let folder = test.ancestors().nth(2).and_then(Path::file_name);
    let folder = folder.expect("cargo puts tests two folders below that of the profile");
    folder.to_string_lossy().into_owned()
}

/// Cargo's target folder: this test is `TARGET/release/deps/doors-...`.
fn target_folder() -> PathBuf {
    let test = env::current_exe().expect("Linux knows it");
    test.ancestors()
        .nth(3)
        .expect("cargo puts tests three folders down")
        .to_owned()
}

/// The crates of the workspace follow from the member's dependencies.
fn with_one_member(manifest: &str, member: &str) -> String {
    let (head, rest) = manifest
        .split_once("members = [")
        .expect("the root manifest lists its members");
    let (_, rest) = rest
        .split_once("\n]")
        .expect("the list ends on a line of its own");
    format!("{head}members = [\"{member}\"]{rest}")
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("creates");
    for entry in fs::read_dir(from).expect("reads") {
        let path = entry.expect("reads").path();
        let target = to.join(path.file_name().expect("an entry has a name"));
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            fs::copy(&path, &target).expect("copies");
        }
    }
}
