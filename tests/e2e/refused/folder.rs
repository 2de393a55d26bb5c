//! A state folder with jobs of every kind in every state, without owners; lists its content, and restores it.

use std::{
    collections::BTreeMap, fmt::Write, fs, path::Path, process::Command, thread, time::Duration,
};

use rusqlite::{Connection, OpenFlags, types::ValueRef};

use crate::{
    coordinators::{DATASETS, arrive, coordinator, statuses},
    harness::{World, find_node, kill_dash_nine, text, wait_for, wait_within},
};

/// The kind of a job in the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelJobKind {
    Workflow,
    /// A sub-workflow's job.
    Child,
    /// The workflow of a coordinator's action.
    OfAction,
    Coordinator,
    Bundle,
}

#[derive(Clone, Debug)]
pub struct SubmittedJob {
    pub kind: ModelJobKind,
    pub id: String,
    pub status: String,
}

/// The programs and their shared folder.
pub struct ProgramFolder {
    pub workflow: World,
    pub coordinator: World,
    pub bundle: World,
    pub jobs: Vec<SubmittedJob>,
    kept: tempfile::TempDir,
}

fn leaving(name: &str, next: &str) -> String {
    let line = "echo $0 $1 &gt;&gt; $2/effects; while [ -e $2/hold-$0 ]; do [ -d $2 ] || exit 7; sleep 0.02; done; [ ! -e $2/fail-$0 ]; exit $(($? + $3))";
    let arguments = [name, "${wf:run()}", "${out}", "${10 mod n}"]
        .map(|argument| format!("<argument>{argument}</argument>"));
    format!(
        "<action name=\"{name}\"><shell xmlns=\"uri:oozie:shell-action:1.0\"><exec>sh</exec><argument>-c</argument><argument>{line}</argument>{}\
         </shell><ok to=\"{next}\"/><error to=\"failed\"/></action>\n",
        arguments.concat()
    )
}

fn application(name: &str, nodes: &[String], first: &str) -> String {
    format!(
        "<workflow-app name=\"{name}\" xmlns=\"uri:oozie:workflow:1.0\">\
         <parameters><property><name>n</name><value>1</value></property></parameters><start to=\"{first}\"/>\n{}\
         <kill name=\"failed\"><message>it was told to fail</message></kill><end name=\"end\"/></workflow-app>\n",
        nodes.concat()
    )
}

const BUNDLE: &str = r#"<bundle-app name="b" xmlns="uri:oozie:bundle:0.2">
<coordinator name="one"><app-path>coordinator.xml</app-path></coordinator>
<coordinator name="two"><app-path>coordinator.xml</app-path></coordinator>
</bundle-app>
"#;

impl ProgramFolder {
    pub fn new() -> ProgramFolder {
        let sub = "<action name=\"s\"><sub-workflow><app-path>${wf:appPath()}/child</app-path><propagate-configuration/></sub-workflow>\
             <ok to=\"b\"/><error to=\"failed\"/></action>\n";
        let parent = application(
            "w",
            &[leaving("a", "s"), sub.to_owned(), leaving("b", "end")],
            "a",
        );
        let child = application("x", &[leaving("x", "end")], "x");
        let of_action = application("v", &[leaving("u", "v"), leaving("v", "end")], "u");
        let text = coordinator(10, "00:20", DATASETS);
        let workflow = World::of(&[("workflow.xml", &parent), ("child/workflow.xml", &child)]);
        let mut coordinator =
            World::of(&[("coordinator.xml", &text), ("wf/workflow.xml", &of_action)]);
        let mut bundle = World::of(&[
            ("bundle.xml", BUNDLE),
            ("coordinator.xml", &text),
            ("wf/workflow.xml", &of_action),
        ]);
        for world in [&mut coordinator, &mut bundle] {
            world.move_home(vec!["env".to_owned()], workflow.home().to_owned());
        }
        let mut folder = ProgramFolder {
            workflow,
            coordinator,
            bundle,
            jobs: Vec::new(),
            kept: tempfile::tempdir().expect("a temporary folder"),
        };
        folder.make_workflows();
        folder.make_coordinators();
        folder.make_bundles();
        folder.read();
        folder.keep();
        folder
    }

    pub fn home(&self) -> &Path {
        self.workflow.home()
    }

    fn make_workflows(&self) {
        let world = &self.workflow;
        let with = |file: &str, exit: i32, properties: &[&str]| {
            let file = world.out().join(file);
            fs::write(&file, "").expect("a file");
            world.run(properties).expect(exit);
            fs::remove_file(&file).expect("it is there");
        };
        world.submit(&[]);
        world.run(&[]).expect(0);
        with("fail-b", 1, &[]);
        with("fail-x", 1, &[]);
        with("none", 3, &["-Dn=0"]);
        with("none", 4, &["-Doozie.suspend.on.nodes=s"]);
        // A job whose owner, launcher and processes have died.
        fs::write(world.out().join("hold-a"), "").expect("a file");
        let owner = world.start(&[]);
        wait_for("the action to run", || {
            world
                .jobs()
                .iter()
                .find(|job| job["status"] == "RUNNING")
                .and_then(|job| {
                    let info = world.info(&text(&job["id"]));
                    find_node(&info, "a")
                        .filter(|node| node["status"] == "RUNNING")
                        .map(drop)
                })
        });
        wait_for("the process", || {
            (processes(self.home()).len() > 2).then_some(())
        });
        kill_all(self.home());
        kill_dash_nine(owner);
        fs::remove_file(world.out().join("hold-a")).expect("it is there");
    }

    fn make_coordinators(&self) {
        let world = &self.coordinator;
        let out = world.out_property();
        let waiting = || {
            let id = world.submit(&[]);
            world.call(&["start", &id]).expect(0);
            wait_for("both to wait", || {
                (statuses(world, &id) == ["WAITING", "WAITING"]).then_some(())
            });
            id
        };
        world.submit(&[]);
        waiting();
        kill_all(self.home());
        let id = waiting();
        world.call(&["suspend", &id]).expect(0);
        let id = waiting();
        world.call(&["kill", &id]).expect(0);
        let id = waiting();
        world.call(&["kill", &id]).expect(0);
        world.call(&["ignore", &id]).expect(0);
        for time in ["0000", "0010"] {
            arrive(world, time);
            fs::create_dir_all(world.out().join("made").join(time)).expect("a folder");
        }
        world.call(&["run", &out]).expect(0);
        fs::write(world.out().join("fail-v"), "").expect("a file");
        world.call(&["run", &out]).expect(1);
        fs::remove_file(world.out().join("fail-v")).expect("it is there");
        let id = world
            .jobs()
            .iter()
            .find(|job| text(&job["id"]).ends_with("-C"))
            .map(|job| text(&job["id"]))
            .expect("the newest");
        // One of its two actions has been rerun since.
        world
            .call(&["rerun", &id, "--action", "2", "--wait", "--nocleanup"])
            .expect(6);
    }

    fn make_bundles(&self) {
        let world = &self.bundle;
        let out = world.out_property();
        world.submit(&[]);
        let id = world.submit(&[]);
        world.call(&["start", &id]).expect(0);
        wait_for("its coordinators", || {
            let info = world.info(&id);
            let all = info["coordinators"].as_array()?.clone();
            let waits = all.iter().all(|it| {
                let id = text(&it["id"]);
                !id.is_empty() && statuses(world, &id) == ["WAITING", "WAITING"]
            });
            waits.then_some(())
        });
        world.call(&["suspend", &id]).expect(0);
        wait_for("its end", || {
            processes(self.home()).is_empty().then_some(())
        });
        for time in ["0000", "0010"] {
            arrive(world, time);
        }
        world.call(&["run", &out]).expect(0);
        fs::write(world.out().join("fail-v"), "").expect("a file");
        world.call(&["run", &out]).expect(1);
        fs::remove_file(world.out().join("fail-v")).expect("it is there");
    }

    /// Reads the list of jobs.
    fn read(&mut self) {
        self.await_quiet();
        let mut jobs = Vec::new();
        for job in self.workflow.jobs() {
            let id = text(&job["id"]);
            let parent = text(&job["parent"]);
            let kind = match id.chars().last() {
                Some('C') => ModelJobKind::Coordinator,
                Some('B') => ModelJobKind::Bundle,
                _ if parent.is_empty() => ModelJobKind::Workflow,
                _ if parent.contains('@') => ModelJobKind::OfAction,
                _ => ModelJobKind::Child,
            };
            let status = text(&job["status"]);
            jobs.push(SubmittedJob { kind, id, status });
        }
        self.jobs = jobs;
    }

    /// One job of each existing combination of kind and state.
    pub fn one_of_each(&self) -> Vec<&SubmittedJob> {
        let mut found: Vec<&SubmittedJob> = Vec::new();
        for job in &self.jobs {
            let is_like =
                |other: &&SubmittedJob| other.kind == job.kind && other.status == job.status;
            if !found.iter().any(is_like) {
                found.push(job);
            }
        }
        found
    }

    /// Waits until no process works for a job of the folder.
    pub fn await_quiet(&self) {
        let quiet = || has_no_processes(self.home()).then_some(());
        if wait_within(Duration::from_secs(60), quiet).is_none() {
            panic!("these do not end: {:?}", processes(self.home()));
        }
    }

    fn keep(&self) {
        copy(self.home(), self.kept.path());
    }

    /// Restores the initial state.
    pub fn put_back(&self) {
        kill_all(self.home());
        for entry in fs::read_dir(self.home()).expect("a folder").flatten() {
            let path = entry.path();
            if !is_kept_apart(&path) {
                let removed = if path.is_dir() {
                    fs::remove_dir_all(&path)
                } else {
                    fs::remove_file(&path)
                };
                removed.expect("nobody works in it");
            }
        }
        copy(self.kept.path(), self.home());
    }
}

/// Executables and applications do not change.
fn is_kept_apart(path: &Path) -> bool {
    path.ends_with("bin") || path.ends_with("apps")
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if is_kept_apart(&path) {
            continue;
        }
        if path.is_dir() {
            fs::create_dir_all(&target).expect("a folder");
            let mode = fs::metadata(&path).expect("it is there").permissions();
            copy(&path, &target);
            fs::set_permissions(&target, mode).expect("it is ours");
        } else if entry.file_type().expect("it has one").is_file() {
            fs::copy(&path, &target).expect("a copy");
        }
    }
}

/// The processes that use a state folder, with their command lines.
pub fn processes(home: &Path) -> BTreeMap<i32, String> {
    let mark = format!("HPDL_HOME={}", home.display());
    let mut found = BTreeMap::new();
    for entry in fs::read_dir("/proc").expect("Linux").flatten() {
        let Some(pid) = entry
            .file_name()
            .to_str()
            .and_then(|name| name.parse().ok())
        else {
            continue;
        };
        let environment = fs::read(entry.path().join("environ")).unwrap_or_default();
        let is_ours = environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == mark.as_bytes());
        if is_ours {
            let words = fs::read(entry.path().join("cmdline")).unwrap_or_default();
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            found.insert(pid, words);
        }
    }
    found
}

/// Whether no process uses a state folder. One that is being executed has no environment for a moment, so it is looked for twice.
fn has_no_processes(home: &Path) -> bool {
    processes(home).is_empty() && {
        thread::sleep(Duration::from_millis(20));
        processes(home).is_empty()
    }
}

/// Kills all of them, like a power failure.
pub fn kill_all(home: &Path) {
    let gone = wait_within(Duration::from_secs(60), || {
        for pid in processes(home).keys() {
            // It may have exited already.
            let words = format!("kill -KILL {pid} 2>/dev/null");
            let _ = Command::new("sh").args(["-c", &words]).status();
        }
        has_no_processes(home).then_some(())
    });
    assert!(gone.is_some(), "{:?}", processes(home));
}

/// Everything that a command could change: the rows of the store and the files of the folder.
pub fn contents(home: &Path) -> String {
    let mut text = rows(home);
    list(home, home, &mut text);
    text
}

/// Every row of every table.
fn rows(home: &Path) -> String {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let store = Connection::open_with_flags(home.join("jobs.db"), flags).expect("a store");
    let mut text = String::new();
    let mut tables = store
        .prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
        .expect("a store");
    let names: Vec<String> = tables
        .query_map([], |row| row.get(0))
        .and_then(Iterator::collect)
        .expect("names");
    for name in names {
        let _ = writeln!(text, "table {name}");
        let mut all = store
            .prepare(&format!("SELECT * FROM \"{name}\" ORDER BY 1, 2"))
            .or_else(|_| store.prepare(&format!("SELECT * FROM \"{name}\" ORDER BY 1")))
            .expect("a table");
        let n = all.column_count();
        let mut rows = all.query([]).expect("rows");
        while let Some(row) = rows.next().expect("a row") {
            for column in 0..n {
                let _ = match row.get_ref(column).expect("a value") {
                    ValueRef::Null => write!(text, "|-"),
                    ValueRef::Integer(value) => write!(text, "|{value}"),
                    ValueRef::Real(value) => write!(text, "|{value}"),
                    ValueRef::Text(value) | ValueRef::Blob(value) => {
                        write!(text, "|{}", String::from_utf8_lossy(value))
                    }
                };
            }
            text.push('\n');
        }
    }
    text
}

fn list(root: &Path, folder: &Path, text: &mut String) {
    let mut entries: Vec<_> = fs::read_dir(folder).expect("a folder").flatten().collect();
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let path = entry.path();
        let name = path.strip_prefix(root).expect("it lies below");
        let name = name.display().to_string();
        // The store's own files are covered by its rows; a bell is a socket without a listener.
        if name.starts_with("jobs.") || name.ends_with(".bell") {
            continue;
        }
        let metadata = fs::symlink_metadata(&path).expect("it is there");
        let _ = writeln!(
            text,
            "file {name} {}",
            if path.is_dir() { 0 } else { metadata.len() }
        );
        if path.is_dir() {
            list(root, &path, text);
        }
    }
}
