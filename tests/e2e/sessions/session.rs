//! What is typed in a session, and what comes of it.
//!
//! A line after `$ ` is run by `sh` in the folder of traces, `$out`; `job` is the program, and all that is printed is shown. The
//! commands that drive a job show how it ended instead: `run`, and with `--wait` added `rerun`, `resume` and `start`. What they
//! print is in the file `$said`, and shown if they were refused. In addition there are:
//!
//! ```text
//! spawn LINE            starts such a command and leaves it running; `finish` waits for it, `crash` kills it
//! await NAME            waits until a gated action runs
//! await JOB STATUS...   waits until the job, or each action of the coordinator, has this status
//! until LINE            waits until `sh` ends a line without an error
//! show [JOB:]PATH...    values of `info --json`, such as `status`, `a/data/n` for a node, `2:conf/x`
//! slas JOB              the SLAs of a job, which driving commands show, too
//! jobs                  all jobs, the oldest first
//! effects               what actions have written to the file of effects
//! ```

use std::{
    fmt::Write,
    fs,
    os::unix::fs::PermissionsExt,
    path::PathBuf,
    process::{Child, Command, Stdio},
};

use hpdlc_tests::normalize;
use serde_json::Value;

use super::report;
use crate::{
    coordinators::statuses,
    harness::{World, find_node, finish, kill_dash_nine, text, wait_for},
};

/// The commands that end when their job ends, with the arguments that are added.
const DRIVING: [(&str, &str); 4] = [
    ("run", RUN),
    ("rerun", "rerun --wait"),
    ("resume", "resume --wait"),
    ("start", "start --wait"),
];

const RUN: &str = "run \"-Dout=$out\"";

pub struct Session<'world> {
    world: &'world World,
    spawned: Vec<(String, Child)>,
}

impl Session<'_> {
    /// With the programs of a case; the first one is `job`.
    pub fn new(programs: &[(String, World)]) -> Session<'_> {
        let (_, world) = programs.first().expect("there is a program");
        let bin = world.path("bin");
        fs::create_dir_all(&bin).expect("a folder");
        let script = |name: &str, program: &World, arguments: &str| {
            let file = bin.join(name);
            let line = format!(
                "#!/bin/sh\nexec {} {arguments} \"$@\"\n",
                program.program().display()
            );
            fs::write(&file, line).expect("a file");
            fs::set_permissions(file, fs::Permissions::from_mode(0o755)).expect("it is ours");
        };
        for (name, program) in programs {
            script(name, program, "");
        }
        for (name, arguments) in DRIVING {
            script(name, world, arguments);
        }
        script("submit", world, &RUN.replace("run", "submit"));
        Session {
            world,
            spawned: Vec::new(),
        }
    }

    /// The lines that are typed, each with what comes of it.
    pub fn play(mut self, lines: &str) -> String {
        let mut played = String::new();
        for line in lines.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let shown = self.call(line);
            let shown = self.shown(&shown);
            let lines = shown.lines().filter(|line| !line.trim().is_empty());
            let _ = writeln!(played, "$ {line}");
            for line in lines {
                let _ = writeln!(played, "{}", line.trim_end());
            }
        }
        for (line, child) in self.spawned.drain(..) {
            kill_dash_nine(child);
            let _ = writeln!(played, "`{line}` is still running");
        }
        played
    }

    fn call(&mut self, line: &str) -> String {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["spawn", ..] => {
                let line = line.trim_start_matches("spawn ");
                let child = self.said_by(&format!("exec {line}")).spawn();
                self.spawned.push((line.to_owned(), child.expect("sh")));
                String::new()
            }
            ["finish"] => {
                let (line, child) = self.spawned.remove(0);
                self.driven(&line, finish(child).code)
            }
            ["crash"] => {
                kill_dash_nine(self.spawned.remove(0).1);
                String::new()
            }
            ["until", ..] => {
                let line = line.trim_start_matches("until ");
                wait_for(line, || {
                    let status = self.shell(line).status().expect("sh");
                    status.success().then_some(())
                });
                String::new()
            }
            ["await", name] => {
                self.world.await_running(name);
                String::new()
            }
            ["await", job, ref expected @ ..] => {
                wait_for(line, || {
                    // It may not have been made yet.
                    let info = self.world.call(&["info", job, "--json"]);
                    let info: Value = serde_json::from_str(&info.stdout).ok()?;
                    let found = match text(&info["id"]) {
                        id if id.ends_with("-C") && expected.len() > 1 => statuses(self.world, &id),
                        _ => vec![text(&info["status"])],
                    };
                    (found == expected).then_some(())
                });
                String::new()
            }
            ["show", ref paths @ ..] => {
                let values: Vec<String> = paths.iter().map(|path| self.value(path)).collect();
                values.join(", ")
            }
            ["slas", job] => report::slas(&self.world.info(job)),
            ["effects"] => self.world.effects().join(", "),
            ["jobs"] => self.jobs(),
            _ if words
                .iter()
                .find(|word| !word.contains('='))
                .is_some_and(|word| is_driving(word)) =>
            {
                let status = self.said_by(line).status().expect("sh");
                self.driven(line, status.code())
            }
            _ => {
                let mut command = self.shell(&format!("{{ {line}\n}} 2>&1"));
                let output = command.stdout(Stdio::piped()).output().expect("sh");
                let shown = String::from_utf8_lossy(&output.stdout).into_owned();
                match output.status.code() {
                    Some(0) => shown,
                    code => format!("exit {}: {shown}", code.unwrap_or(-1)),
                }
            }
        }
    }

    fn said(&self) -> PathBuf {
        self.world.path("said")
    }

    /// A line whose output goes to a new `$said`.
    fn said_by(&self, line: &str) -> Command {
        let said = fs::File::create(self.said()).expect("a file");
        let mut command = self.shell(line);
        let for_stderr = said.try_clone().expect("a second handle");
        command.stdout(said).stderr(for_stderr);
        command
    }

    fn shell(&self, line: &str) -> Command {
        let path = std::env::var("PATH").unwrap_or_default();
        let bin = self.world.path("bin");
        let mut command = Command::new("env");
        command
            .args(["--default-signal=HUP", "sh", "-c", line])
            .current_dir(self.world.out())
            .env("PATH", format!("{}:{path}", bin.display()))
            .envs(hpdlc_tests::command::home_variables(self.world.home()))
            .env("out", self.world.out())
            .env("home", self.world.home())
            .env("said", self.said())
            // Other tools sort and speak alike everywhere.
            .env("LC_ALL", "C.UTF-8")
            .env_remove("HPDL_SITE")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// How a command and its job ended.
    fn driven(&self, line: &str, code: Option<i32>) -> String {
        let shown = match code {
            Some(code) => format!("exit {code}"),
            None => "killed".to_owned(),
        };
        if matches!(code, Some(2 | 5)) {
            let said = fs::read_to_string(self.said()).expect("it was written");
            return format!("{shown}: {said}");
        }
        let named = line.split(' ').nth(1);
        let info = self.info(named.filter(|word| word.parse::<u32>().is_ok()));
        let id = text(&info["id"]);
        let actions = match id.ends_with("-C") {
            true => statuses(self.world, &id),
            false => Vec::new(),
        };
        format!(
            "{shown} {}",
            report::ended(&info, &actions, &self.world.effects())
        )
    }

    /// Of the job that is named, or the newest one at the top.
    fn info(&self, named: Option<&str>) -> Value {
        let newest = || {
            let jobs = self.world.jobs();
            let newest = jobs.iter().find(|job| job["parent"].is_null());
            text(&newest.expect("a job")["id"])
        };
        self.world.info(&named.map_or_else(newest, str::to_owned))
    }

    fn value(&self, path: &str) -> String {
        let named = path
            .split_once(':')
            .filter(|(job, _)| job.parse::<u32>().is_ok());
        let below = named.map_or(path, |(_, below)| below);
        let info = self.info(named.map(|(job, _)| job));
        let mut parts = below.split('/').peekable();
        let mut value = &info;
        let first = parts.peek().copied().unwrap_or_default();
        if let Some(node) = info["actions"]
            .as_array()
            .and_then(|_| find_node(&info, first))
        {
            value = node;
            parts.next();
        }
        for part in parts {
            value = match part.parse::<usize>() {
                Ok(place) if value.is_array() => &value[place],
                _ => &value[part],
            };
        }
        match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        }
    }

    fn jobs(&self) -> String {
        let mut jobs = self.world.jobs();
        jobs.reverse();
        let line = |job: &Value| {
            let id = text(&job["id"]);
            let number = id
                .split('-')
                .next()
                .unwrap_or_default()
                .trim_start_matches('0');
            let run = match job["run"].as_u64() {
                Some(run) if run > 0 => format!(" run {run}"),
                _ => String::new(),
            };
            format!(
                "{number} {} {}{run}",
                text(&job["app"]),
                text(&job["status"])
            )
        };
        let jobs: Vec<String> = jobs.iter().map(line).collect();
        jobs.join(", ")
    }

    /// Without what differs from run to run.
    fn shown(&self, shown: &str) -> String {
        let folder = self.world.path("");
        let folder = folder.display().to_string();
        let shown = shown
            .replace(&self.world.out().display().to_string(), "$out")
            .replace(&self.world.home().display().to_string(), "$home")
            .replace(folder.trim_end_matches('/'), "$folder");
        normalize::seconds(&normalize::ids_and_times(&with_numbers(&shown)))
    }
}

fn is_driving(word: &str) -> bool {
    DRIVING.iter().any(|(name, _)| *name == word)
}

/// Keeps the numbers of jobs in their ids: `ID1-W`.
fn with_numbers(text: &str) -> String {
    const BEFORE: usize = "0000001-260101000000000".len();
    let mut parts = text.split("-hpdl-").peekable();
    let mut shown = String::new();
    while let Some(part) = parts.next() {
        let id = part
            .len()
            .checked_sub(BEFORE)
            .filter(|_| parts.peek().is_some());
        match id.and_then(|at| part.split_at_checked(at)) {
            Some((before, id)) => {
                let number = id.split('-').next().unwrap_or_default();
                let _ = write!(shown, "{before}ID{}-", number.trim_start_matches('0'));
            }
            None => shown.push_str(part),
        }
    }
    shown
}
