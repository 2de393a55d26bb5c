//! A workflow of a test: written, compiled by the real hpdlc, run as the real executable in its own state folder.
//!
//! Nothing here sleeps for a guessed time: conditions are polled until
//! [`PATIENCE`] has elapsed.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

#[path = "harness/documents.rs"]
mod documents;
#[path = "harness/processes.rs"]
mod processes;

pub use hpdlc_tests::hpdlc;
use serde_json::Value;
use tempfile::TempDir;

use self::processes::ended;
#[allow(
    unused_imports,
    reason = "each test that has this file uses some of them"
)]
pub use self::{
    documents::{action, bare, step, workflow},
    processes::{
        Background, Ended, call_program, finish, is_running, kill_dash_nine, pid_of, signal,
        state_of,
    },
};

/// How long a condition may take on a slow and busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// Appends its first argument to the file of effects and fails if it is run twice; with `gated`, reports that it runs
/// and waits for the file `open-NAME` before it ends.
pub const STEP: &str = r#"#!/bin/sh
name=$1; out=$2; how=$3
echo "$name" >> "$out/effects"
case $how in
    gated) echo $$ > "$out/.pid-$name"; mv "$out/.pid-$name" "$out/runs-$name"
           while [ ! -e "$out/open-$name" ]; do [ -d "$out" ] || exit 7; sleep 0.02; done ;;
    0) ;;
    *) sleep "$how" ;;
esac
[ -e action.xml ] || { echo "the folder of $name was taken away" >&2; exit 8; }
mkdir "$out/done-$name" || exit 9
"#;

/// An executable and the folders that it works in.
pub struct World {
    folder: TempDir,
    /// A command that all commands are run by, which sets signals or enters a namespace.
    within: Vec<String>,
    home: PathBuf,
    /// Environment variables of the program.
    environment: Vec<(String, String)>,
}

fn with_signals(how: &str) -> Vec<String> {
    vec!["env".to_owned(), how.to_owned()]
}

impl World {
    /// Compiles an application; the executable is put beside it.
    pub fn of(files: &[(&str, &str)]) -> World {
        let folder = World::written(files);
        let app = folder.path().join("app");
        World::with_folder(folder, &app, &[])
    }

    /// The same with `--full`.
    pub fn built_in_full(files: &[(&str, &str)]) -> World {
        let world = World::written(files);
        let app = world.path().join("app");
        World::with_folder(world, &app, &["--full"])
    }

    /// As [`World::built_in_full`], of its `coordinator.xml`.
    pub fn coordinator_in_full(files: &[(&str, &str)], properties: &[&str]) -> World {
        let world = World::written(files);
        let document = world.path().join("app/coordinator.xml");
        let arguments: Vec<&str> = ["--full"].iter().chain(properties).copied().collect();
        World::with_folder(world, &document, &arguments)
    }

    fn written(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let app = folder.path().join("app");
        for (path, text) in files {
            let path = app.join(path);
            fs::create_dir_all(path.parent().expect("it lies below the folder")).expect("a folder");
            fs::write(path, text).expect("a file of the application");
        }
        folder
    }

    /// Compiles an application in another folder, such as an example.
    pub fn of_folder(app: &Path) -> World {
        World::of_folder_with(app, &[])
    }

    /// The same with more arguments for `hpdlc build`.
    pub fn of_folder_with(app: &Path, arguments: &[&str]) -> World {
        World::with_folder(
            tempfile::tempdir().expect("a temporary folder"),
            app,
            arguments,
        )
    }

    fn with_folder(folder: TempDir, app: &Path, arguments: &[&str]) -> World {
        let home = folder.path().join("home");
        fs::create_dir(folder.path().join("out")).expect("a folder");
        let world = World {
            folder,
            // The tests themselves may have been started by `nohup`.
            within: with_signals("--default-signal=HUP"),
            home,
            environment: Vec::new(),
        };
        let built = Command::new(hpdlc())
            .arg("build")
            // Messages name files as given: the same for every temporary folder.
            .current_dir(app.parent().expect("an application lies in a folder"))
            .arg(app.file_name().expect("an application has a name"))
            .arg("-o")
            .arg(world.program())
            .args(arguments)
            // A database is reached by the full runtime alone.
            .args(hpdlc_tests::command::store_url(&world.home).map(|_| "--full"))
            .output()
            .expect("hpdlc can be started");
        let said = String::from_utf8_lossy(&built.stderr);
        assert!(built.status.success(), "hpdlc build: {said}");
        world
    }

    /// The same executable with a state folder of its own.
    pub fn twin(&self) -> World {
        let folder = tempfile::tempdir().expect("a temporary folder");
        fs::create_dir(folder.path().join("out")).expect("a folder");
        fs::copy(self.program(), folder.path().join("program")).expect("a copy");
        World {
            home: folder.path().join("home"),
            folder,
            within: self.within.clone(),
            environment: self.environment.clone(),
        }
    }

    /// An application of one file, with these nodes between `start` and the end of the document.
    pub fn of_nodes(nodes: &str) -> World {
        World::of(&[("workflow.xml", &workflow(nodes)), ("step.sh", STEP)])
    }

    /// Removes everything that earlier runs have left, except the executable.
    pub fn afresh(&mut self) {
        for folder in [self.home.clone(), self.out()] {
            remove_when_left(&folder);
        }
        drop_database(&self.home);
        fs::create_dir(self.out()).expect("a folder");
    }

    /// Removes what the actions have left, but no job.
    pub fn afresh_out(&self) {
        remove_when_left(&self.out());
        fs::create_dir(self.out()).expect("a folder");
    }

    /// As [`World::afresh`], if the state folder is only visible to `shell`.
    pub fn afresh_within(&mut self, shell: impl Fn(&str)) {
        shell(&format!("rm -rf {}", self.home.display()));
        drop_database(&self.home);
        remove_when_left(&self.out());
        fs::create_dir(self.out()).expect("a folder");
    }

    /// Runs commands by `within`, with another state folder.
    pub fn move_home(&mut self, within: Vec<String>, home: PathBuf) {
        self.within = within;
        self.home = home;
    }

    /// Starts the program with a signal ignored.
    pub fn ignore(&mut self, signal: &str) {
        self.within = with_signals(&format!("--ignore-signal={signal}"));
    }

    /// Sets an environment variable of the program.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    pub fn program(&self) -> PathBuf {
        self.folder.path().join("program")
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn home(&self) -> &Path {
        &self.home
    }

    /// The folder of the actions' traces.
    pub fn out(&self) -> PathBuf {
        self.folder.path().join("out")
    }

    /// `-D out=...`, which every workflow of these tests reads.
    pub fn out_property(&self) -> String {
        format!("-Dout={}", self.out().display())
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        self.command_of(&self.program(), arguments)
    }

    /// Another program on this state folder, such as `hpdl`.
    pub fn call_other(&self, program: &Path, arguments: &[&str]) -> Ended {
        let output = self.command_of(program, arguments).output();
        ended(output.expect("the program can be started"))
    }

    fn command_of(&self, program: &Path, arguments: &[&str]) -> Command {
        let mut command = match self.within.split_first() {
            Some((first, more)) => {
                let mut command = Command::new(first);
                command.args(more).arg(program);
                command
            }
            None => Command::new(program),
        };
        command
            .args(arguments)
            .envs(hpdlc_tests::command::home_variables(&self.home))
            .env_remove("HPDL_SITE")
            .envs(self.environment.iter().cloned())
            .stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn call(&self, arguments: &[&str]) -> Ended {
        ended(
            self.command(arguments)
                .output()
                .expect("the program can be started"),
        )
    }

    /// `run` with the folder of traces and these arguments.
    pub fn run(&self, arguments: &[&str]) -> Ended {
        let out = self.out_property();
        let mut all = vec!["run", &out];
        all.extend(arguments);
        self.call(&all)
    }

    /// `submit` with the folder of traces and these arguments; returns the new job's id.
    #[track_caller]
    pub fn submit(&self, arguments: &[&str]) -> String {
        let out = self.out_property();
        let mut all = vec!["submit", &out];
        all.extend(arguments);
        let submitted = self.call(&all).expect(0);
        let id = submitted.stdout.trim_end();
        assert_eq!(submitted.stdout, format!("{id}\n"), "the id alone");
        id.to_owned()
    }

    /// Waits until a job is in this state.
    #[track_caller]
    pub fn await_status(&self, id: &str, status: &str) {
        wait_for(&format!("job {id} to be {status}"), || {
            (self.info(id)["status"] == status).then_some(())
        });
    }

    /// Starts `run` and leaves it running.
    pub fn start(&self, arguments: &[&str]) -> Child {
        let out = self.out_property();
        let mut all = vec!["run", &out];
        all.extend(arguments);
        self.spawn(&all)
    }

    /// Starts a command and leaves it running.
    pub fn spawn(&self, arguments: &[&str]) -> Child {
        self.command(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program can be started")
    }

    /// All jobs, the newest first.
    pub fn jobs(&self) -> Vec<Value> {
        let listed = self.call(&["jobs", "--json", "-n", "0"]);
        assert_eq!(listed.code, Some(0), "jobs: {}", listed.stderr);
        listed.json_lines()
    }

    /// The id of the job at the top, if there is one.
    pub fn job(&self) -> Option<String> {
        let jobs = self.jobs();
        let tops: Vec<&Value> = jobs.iter().filter(|job| job["parent"].is_null()).collect();
        assert!(tops.len() < 2, "more than one job: {tops:?}");
        tops.first().map(|job| text(&job["id"]))
    }

    /// `info --json` of a job.
    pub fn info(&self, id: &str) -> Value {
        let info = self.call(&["info", id, "--json"]);
        assert_eq!(info.code, Some(0), "info: {}", info.stderr);
        serde_json::from_str(&info.stdout).expect("info prints JSON")
    }

    /// The job's log, as `log` prints it.
    pub fn log(&self, id: &str) -> String {
        let log = self.call(&["log", id]);
        assert_eq!(log.code, Some(0), "log: {}", log.stderr);
        log.stdout
    }

    /// The names that the actions have written, sorted: one for each run of an action.
    pub fn effects(&self) -> Vec<String> {
        let text = fs::read_to_string(self.out().join("effects")).unwrap_or_default();
        let mut names: Vec<String> = text.lines().map(str::to_owned).collect();
        names.sort();
        names
    }

    /// Waits until a gated action runs; returns its process id.
    #[track_caller]
    pub fn await_running(&self, name: &str) -> i32 {
        wait_for(&format!("action {name} to run"), || self.running(name))
    }

    /// The process of a gated action, if it runs.
    pub fn running(&self, name: &str) -> Option<i32> {
        let file = self.out().join(format!("runs-{name}"));
        fs::read_to_string(file).ok()?.trim().parse().ok()
    }

    /// Lets a gated action end.
    pub fn open_gate(&self, name: &str) {
        fs::write(self.out().join(format!("open-{name}")), "").expect("a file");
    }

    /// The files of an attempt: `ending` is `claim`, `exit` and so on.
    pub fn attempt_file(&self, id: &str, node: &str, attempt: u32, ending: &str) -> PathBuf {
        self.home
            .join("work")
            .join(id)
            .join(node)
            .join(format!("{attempt}.{ending}"))
    }

    /// The launcher that has claimed an attempt, as soon as one has.
    pub fn launcher_of(&self, id: &str, node: &str) -> i32 {
        wait_for("a claim", || self.claimer_of(id, node))
    }

    /// The launcher that has claimed an attempt, if one has.
    pub fn claimer_of(&self, id: &str, node: &str) -> Option<i32> {
        let claim = fs::read_to_string(self.attempt_file(id, node, 1, "claim")).ok()?;
        let record: Value = serde_json::from_str(claim.lines().next()?).ok()?;
        i32::try_from(record["launcher"].as_i64()?).ok()
    }
}

/// The node of that name in the output of `info --json`.
#[track_caller]
pub fn node<'a>(info: &'a Value, name: &str) -> &'a Value {
    find_node(info, name).unwrap_or_else(|| panic!("no node {name}: {info:#}"))
}

/// The same, if the job may not have reached the node.
#[track_caller]
pub fn find_node<'a>(info: &'a Value, name: &str) -> Option<&'a Value> {
    let actions = info["actions"].as_array().expect("info has actions");
    actions.iter().find(|action| action["name"] == name)
}

pub fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Polls until `condition` returns a value.
#[track_caller]
pub fn wait_for<T>(what: &str, condition: impl FnMut() -> Option<T>) -> T {
    match wait_within(PATIENCE, condition) {
        Some(found) => found,
        None => panic!("waited {PATIENCE:?} for {what}"),
    }
}

/// Polls until `condition` returns a value or the time has elapsed.
pub fn wait_within<T>(patience: Duration, mut condition: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        if let Some(found) = condition() {
            return Some(found);
        }
        if begun.elapsed() > patience {
            return None;
        }
        thread::sleep(LOOK_AGAIN);
    }
}

/// Removes the jobs of a state folder whose store is in a database.
fn drop_database(home: &Path) {
    let Some(url) = hpdlc_tests::command::store_url(home) else {
        return;
    };
    if let Some((database, schema)) = url.rsplit_once("?schema=") {
        let sql = format!("DROP SCHEMA IF EXISTS {schema} CASCADE");
        let dropped = Command::new("psql").args([database, "-qc", &sql]).output();
        assert!(dropped.is_ok_and(|it| it.status.success()), "{sql}");
    }
}

/// Removes a folder. An owner in the background may write to it until it has ended, which is later than its job has.
fn remove_when_left(folder: &Path) {
    wait_for(
        "the last process to leave a folder",
        || match fs::remove_dir_all(folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => None,
            Err(error) if error.kind() != ErrorKind::NotFound => {
                panic!("{}: {error}", folder.display())
            }
            Ok(()) | Err(_) => Some(()),
        },
    );
}
