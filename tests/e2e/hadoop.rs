//! Actions that run tools of Hadoop, which recording programs replace.
//!
//! A case is a folder of `hadoop/`: `app` is the application, `job.properties` is optional, `tools/NAME` is what the
//! program `NAME` does after it has recorded its call (by default it names one job that succeeds), `expected` the
//! recorded calls and the result of the job. `UPDATE_EXPECT=1` rewrites that; `HPDL_CASE` selects the cases to run.

use std::{
    collections::BTreeMap,
    env, fs,
    os::unix::fs::{PermissionsExt, symlink},
    path::{Path, PathBuf},
    sync::Mutex,
    thread,
};

use expect_test::expect_file;
use serde_json::Value;

use crate::{
    harness::{World, text, wait_for},
    yarn::Yarn,
};

/// The programs that are replaced.
const TOOLS: [&str; 7] = [
    "beeline",
    "hadoop",
    "hive",
    "mapred",
    "pig",
    "spark-submit",
    "sqoop",
];

/// Records arguments, environment and folder, one folder per call.
const RECORDER: &str = r#"#!/bin/sh
name=${0##*/}
n=1; while ! mkdir "$RECORDS/$n" 2>/dev/null; do n=$((n + 1)); done
printf '%s\n' "$name" > "$RECORDS/$n/name"
for argument; do printf '%s\0' "$argument"; done > "$RECORDS/$n/arguments"
env -0 > "$RECORDS/$n/environment"
cp -a . "$RECORDS/$n/folder"
: > "$RECORDS/$n/done"
if [ -e "$RECORDS/../tools/$name" ]; then . "$RECORDS/../tools/$name"; exit; fi
case $name in mapred) echo "Created job job_1_0001" ;; esac
"#;

/// A folder with the recording programs, Hadoop's own files and the recorded calls.
pub struct Recorder {
    folder: PathBuf,
    pub yarn: Yarn,
}

impl Recorder {
    /// Created in a folder of the world, whose programs it puts first on `PATH`.
    pub fn of(world: &mut World) -> Recorder {
        let recorder = Recorder {
            folder: world.path("recorder"),
            yarn: Yarn::start(),
        };
        let folder = &recorder.folder;
        for name in ["bin", "records", "tools", "hadoop/share/hadoop/tools/lib"] {
            fs::create_dir_all(folder.join(name)).expect("a folder");
        }
        let program = folder.join("bin/.recorder");
        fs::write(&program, RECORDER).expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("it is ours");
        for tool in TOOLS {
            symlink(&program, folder.join("bin").join(tool)).expect("a link");
        }
        let jar = folder.join("hadoop/share/hadoop/tools/lib/hadoop-streaming-3.4.1.jar");
        fs::write(jar, "").expect("a file");
        recorder.yarn.configure(&folder.join("conf"));
        let path = env::var("PATH").unwrap_or_default();
        let below = |name: &str| folder.join(name).display().to_string();
        world.set("PATH", &format!("{}:{path}", below("bin")));
        world.set("HADOOP_CONF_DIR", &below("conf"));
        world.set("HADOOP_HOME", &below("hadoop"));
        world.set("RECORDS", &below("records"));
        recorder
    }

    /// Sets what a program does after it has recorded its call: lines of `sh`.
    pub fn teach(&self, tool: &str, lines: &str) {
        fs::write(self.folder.join("tools").join(tool), lines).expect("a file");
    }

    /// The calls so far, each with everything recorded.
    pub fn calls(&self) -> Vec<PathBuf> {
        (1..)
            .map(|n| self.folder.join(format!("records/{n}")))
            .take_while(|folder| folder.join("done").exists())
            .collect()
    }
}

fn environment(call: &Path) -> BTreeMap<String, String> {
    let text = fs::read_to_string(call.join("environment")).expect("it was written");
    text.split('\0')
        .filter_map(|variable| variable.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn tools_get_what_the_reference_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("e2e/hadoop");
    let wanted = env::var("HPDL_CASE").unwrap_or_default();
    let mut cases: Vec<PathBuf> = fs::read_dir(folder)
        .expect("cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.join("app").is_dir() && path.to_string_lossy().contains(&wanted))
        .collect();
    assert!(!cases.is_empty(), "no case {wanted}");
    cases.sort();
    let failed = Mutex::new(Vec::new());
    let todo = Mutex::new(cases);
    let next = || todo.lock().expect("a list").pop();
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(case) = next() {
                    if std::panic::catch_unwind(|| check(&case)).is_err() {
                        failed.lock().expect("a list").push(case);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("a list");
    assert!(failed.is_empty(), "failed: {failed:?}");
}

fn check(case: &Path) {
    let mut world = World::of_folder(&case.join("app"));
    let recorder = Recorder::of(&mut world);
    if let Ok(tools) = fs::read_dir(case.join("tools")) {
        for tool in tools {
            let tool = tool.expect("an entry");
            let lines = fs::read_to_string(tool.path()).expect("lines");
            recorder.teach(&tool.file_name().to_string_lossy(), &lines);
        }
    }
    let properties = case.join("job.properties");
    let mut arguments = Vec::new();
    if properties.exists() {
        arguments = vec!["-c".to_owned(), properties.display().to_string()];
    }
    arguments.push(format!("-Dfolder={}", world.path("data").display()));
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    world.run(&arguments);
    let id = world.job().expect("a job");
    let mut shown = String::new();
    for call in recorder.calls() {
        shown.push_str(&shown_call(&call));
    }
    shown.push_str(&shown_end(&world.info(&id)));
    let folder = world.program();
    let folder = folder.parent().expect("it lies in a folder");
    expect_file![case.join("expected")].assert_eq(&masked(&shown, folder, &id));
}

fn shown_call(call: &Path) -> String {
    let read = |name: &str| fs::read_to_string(call.join(name)).expect("it was written");
    let mut shown = format!("== {}", read("name"));
    for argument in read("arguments").split_terminator('\0') {
        shown.push_str(&format!("argument {argument}\n"));
    }
    let not_shown = [
        "HPDL_HOME",
        "PATH",
        "PWD",
        "OLDPWD",
        "RECORDS",
        "SHLVL",
        "_",
        "LS_COLORS",
    ];
    for (name, value) in environment(call) {
        let inherited = env::var(&name).unwrap_or_default();
        if value != inherited && !not_shown.contains(&&*name) {
            let own = value
                .strip_suffix(&inherited)
                .filter(|_| !inherited.is_empty());
            let value = own.map_or(value.clone(), |own| format!("{own}INHERITED"));
            shown.push_str(&format!("variable {name}={value}\n"));
        }
    }
    let mut files = Vec::new();
    collect(&call.join("folder"), "", &mut files);
    let has_job = files.iter().any(|(name, _)| name == "job.xml");
    for (name, path) in files {
        // The job's own file contains it.
        if !(has_job && name == "action.xml") {
            shown.push_str(&shown_file(&name, &path));
        }
    }
    shown
}

fn collect(folder: &Path, below: &str, files: &mut Vec<(String, PathBuf)>) {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    entries.sort();
    for path in entries {
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        let name = format!("{below}{name}");
        if path.is_dir() && !path.is_symlink() {
            collect(&path, &format!("{name}/"), files);
        } else {
            files.push((name, path));
        }
    }
}

fn shown_file(name: &str, path: &Path) -> String {
    if let Ok(target) = fs::read_link(path) {
        return format!("link {name} -> {}\n", target.display());
    }
    let mode = fs::metadata(path).expect("there").permissions().mode() & 0o777;
    let private = if mode & 0o077 == 0 { " (private)" } else { "" };
    let mut shown = format!("file {name}{private}\n");
    let Ok(text) = String::from_utf8(fs::read(path).expect("there")) else {
        // A binary file, such as a Java class.
        return shown;
    };
    match hpdlc_core::configuration::parse(&text) {
        Ok(configuration) if text.contains("<configuration") => {
            for (name, value) in configuration.to_map() {
                shown.push_str(&format!("    {name}={value}\n"));
            }
        }
        _ => {
            for line in text.lines() {
                shown.push_str(&format!("    {line}\n"));
            }
        }
    }
    shown
}

fn shown_end(info: &Value) -> String {
    let mut shown = format!("== {}\n", text(&info["status"]));
    for action in info["actions"].as_array().expect("actions") {
        shown.push_str(&format!(
            "{} {}",
            text(&action["name"]),
            text(&action["status"])
        ));
        for key in [
            "external_id",
            "external_status",
            "error_code",
            "error_message",
        ] {
            if !action[key].is_null() && action[key] != "-" {
                let value = text(&action[key]);
                // Process ids differ from run to run.
                let is_number =
                    !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
                let value = if key == "external_id" && is_number {
                    "a process"
                } else {
                    &value
                };
                shown.push_str(&format!("\n    {key}={value}"));
            }
        }
        if let Some(data) = action["data"].as_object() {
            for (name, value) in data {
                shown.push_str(&format!("\n    data {name}={}", text(value)));
            }
        }
        shown.push('\n');
    }
    shown
}

/// The text with varying parts masked.
fn masked(shown: &str, folder: &Path, id: &str) -> String {
    let canonical = folder.canonicalize().expect("it is there");
    let mut shown = shown
        .replace(&canonical.display().to_string(), "TEMP")
        .replace(&folder.display().to_string(), "TEMP")
        .replace(id, "JOB");
    let app = "TEMP/home/apps/";
    for (before, n_digits, mask) in [
        ("hpdl-", 40, "TAG"),
        ("oozie-", 64, "TAG"),
        (app, 16, "APP"),
        ("oozie.job.launch.time=", 13, "TIME"),
        ("127.0.0.1:", 5, "PORT"),
    ] {
        shown = masked_behind(&shown, before, n_digits, mask);
    }
    let user = wait_for("the user's name", || {
        let output = std::process::Command::new("id").arg("-un").output().ok()?;
        Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    });
    for name in ["user.name=", "HADOOP_USER_NAME="] {
        shown = shown.replace(&format!("{name}{user}\n"), &format!("{name}USER\n"));
    }
    shown
}

/// Masks hexadecimal digits after a word, if there are about that many.
fn masked_behind(text: &str, before: &str, n_digits: usize, mask: &str) -> String {
    let mut parts = text.split(before);
    let mut masked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        masked.push_str(before);
        let digits = part.bytes().take_while(u8::is_ascii_hexdigit).count();
        if digits >= n_digits.min(5) && digits <= n_digits && digits > n_digits / 2 {
            masked.push_str(mask);
            masked.push_str(&part[digits..]);
        } else {
            masked.push_str(part);
        }
    }
    masked
}
