//! A client that gives commands for jobs of its own, and knows what state each must lead to.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    process::{Exchange, ServerProcess},
    store,
};
use crate::{
    harness::{World, text, wait_for},
    moments::Random,
};

pub const WORKFLOW: &str = "hdfs://nn/apps/case";
pub const COORDINATOR: &str = "hdfs://nn/apps/coordinator";

/// How many jobs a client drives at once.
const MOST_LIVE: usize = 2;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Runs until the gate is opened.
    Held,
    /// Ends by itself.
    Quick,
    /// Waits for data that never comes.
    Waiting,
    /// A coordinator that has its data.
    Ready,
}

#[derive(Clone, Debug)]
pub struct Job {
    pub id: String,
    pub external: String,
    kind: Kind,
    status: &'static str,
    /// How often each command must have been carried out.
    done: BTreeMap<&'static str, u64>,
    n_reruns: u64,
}

pub struct Client<'a> {
    number: u64,
    world: &'a World,
    server: &'a ServerProcess,
    random: Random,
    live: Vec<Job>,
    left: Vec<Job>,
    n_submitted: u64,
    n_answered: u64,
}

/// A command for a job in a state, and the state that it leads to: `None` if it is refused, with this code.
struct Command {
    word: &'static str,
    query: &'static str,
    leads_to: Result<&'static str, &'static str>,
}

const fn command(word: &'static str, leads_to: Result<&'static str, &'static str>) -> Command {
    Command {
        word,
        query: "",
        leads_to,
    }
}

impl Kind {
    fn commands(self, status: &str) -> Vec<Command> {
        match (self, status) {
            (Kind::Held, "PREP") => vec![
                command("start", Ok("RUNNING")),
                command("start", Ok("RUNNING")),
                command("kill", Ok("KILLED")),
                command("rerun", Err("E0805")),
                // What the state does not allow is no error, and changes nothing.
                command("resume", Ok("PREP")),
            ],
            (Kind::Held, "RUNNING") => vec![
                command("suspend", Ok("SUSPENDED")),
                command("suspend", Ok("SUSPENDED")),
                command("kill", Ok("KILLED")),
                command("start", Err("E0801")),
                command("rerun", Err("E0805")),
            ],
            (Kind::Held, "SUSPENDED") => vec![
                command("resume", Ok("RUNNING")),
                command("resume", Ok("RUNNING")),
                command("kill", Ok("KILLED")),
                command("suspend", Ok("SUSPENDED")),
            ],
            (Kind::Held, "KILLED") => vec![
                command("rerun", Ok("RUNNING")),
                command("kill", Ok("KILLED")),
                command("suspend", Ok("KILLED")),
            ],
            (Kind::Waiting, "RUNNING") => vec![
                command("suspend", Ok("SUSPENDED")),
                command("kill", Ok("KILLED")),
                Command {
                    word: "change",
                    query: "&value=concurrency%3D3",
                    leads_to: Ok("RUNNING"),
                },
                Command {
                    word: "change",
                    query: "&value=concurrency%3Dmany",
                    leads_to: Err("E1015"),
                },
            ],
            (Kind::Waiting, "SUSPENDED") => vec![
                command("resume", Ok("RUNNING")),
                command("kill", Ok("KILLED")),
            ],
            (Kind::Waiting, "KILLED") => vec![command("resume", Ok("KILLED"))],
            (Kind::Ready, _) => vec![Command {
                word: "coord-rerun",
                query: "&type=action&scope=1",
                leads_to: Ok("RUNNING"),
            }],
            (_, _) => Vec::new(),
        }
    }
}

impl Job {
    fn is_over(&self) -> bool {
        match self.kind {
            Kind::Held => self.status == "KILLED" && self.n_reruns >= 2,
            Kind::Quick => true,
            Kind::Waiting => self.status == "KILLED",
            Kind::Ready => self.n_reruns >= 2,
        }
    }

    /// Whether a job may stay in this state once the gate is open.
    pub fn ends(&self, now: &str) -> bool {
        now == match (self.kind, self.status) {
            (Kind::Held | Kind::Quick | Kind::Ready, "RUNNING") => "SUCCEEDED",
            (_, status) => status,
        }
    }

    /// Expects that every command that was answered was carried out once, and no other.
    pub fn check(&self, world: &World, effects: &BTreeMap<String, u64>) {
        let done: BTreeMap<String, u64> = self
            .done
            .iter()
            .map(|(word, n)| ((*word).to_owned(), *n))
            .collect();
        let events = store::events(world, &self.id);
        let about = format!("{self:?}: {events:?}");
        assert_eq!(store::carried_out(world, &self.id), done, "{about}");
        let n = |word: &str| done.get(word).copied().unwrap_or_default();
        let n_events = |event: &str| events.get(event).copied().unwrap_or_default();
        match self.kind {
            Kind::Held | Kind::Quick => {
                assert_eq!(store::run(world, &self.id), self.n_reruns, "{about}");
                assert_eq!(n_events("SUSPENDED"), n("suspend"), "{about}");
                assert_eq!(n_events("KILLED"), n("kill"), "{about}");
                assert_eq!(n_events("RERUN"), self.n_reruns, "{about}");
                for run in 0..=self.n_reruns {
                    let line = format!("{} {run}", self.id);
                    let n_effects = effects.get(&line).copied().unwrap_or_default();
                    assert!(n_effects < 2, "{line}: {about}");
                    // Runs that were killed may not have come to it.
                    let is_last = run == self.n_reruns && self.status == "RUNNING";
                    assert!(
                        n_effects == 1 || !is_last || self.kind == Kind::Quick,
                        "{about}"
                    );
                }
            }
            Kind::Ready => {
                let n_effects = effects.get(&format!("{}@1", self.id)).copied();
                let n_runs = n("start") + self.n_reruns;
                assert_eq!(n_effects.unwrap_or_default(), n_runs, "{about}");
            }
            Kind::Waiting => {}
        }
    }
}

impl<'a> Client<'a> {
    pub fn new(
        number: u64,
        world: &'a World,
        server: &'a ServerProcess,
        random: Random,
    ) -> Client<'a> {
        Client {
            number,
            world,
            server,
            random,
            live: Vec::new(),
            left: Vec::new(),
            n_submitted: 0,
            n_answered: 0,
        }
    }

    /// Its jobs, and how many requests were answered.
    pub fn end(mut self) -> (Vec<Job>, u64) {
        self.left.append(&mut self.live);
        (self.left, self.n_answered)
    }

    /// One request, and what is needed to know its effect.
    pub fn step(&mut self) {
        if self.live.len() < MOST_LIVE && self.random.below(3) > 0 || self.live.is_empty() {
            return self.submit();
        }
        let index = self.random.below(self.live.len());
        if self.random.below(4) == 0 {
            return self.read(index);
        }
        self.command(index);
        if self.live[index].is_over() {
            self.left.push(self.live.swap_remove(index));
        }
    }

    /// Repeats a request that only reads until it is answered.
    fn get(&mut self, path: &str) -> Value {
        loop {
            if let Exchange::Answered(answer) = self.server.ask("GET", path, "") {
                assert_eq!(answer.status, 200, "{path}: {answer:?}");
                self.n_answered += 1;
                return serde_json::from_str(&answer.body).expect("JSON");
            }
        }
    }

    fn submit(&mut self) {
        let kind = match self.random.below(8) {
            0..4 => Kind::Held,
            4 | 5 => Kind::Quick,
            6 => Kind::Waiting,
            _ => Kind::Ready,
        };
        let is_started = match kind {
            Kind::Held => self.random.below(2) == 0,
            Kind::Quick | Kind::Waiting | Kind::Ready => true,
        };
        self.n_submitted += 1;
        let external = format!("{}-{}", self.number, self.n_submitted);
        let is_workflow = matches!(kind, Kind::Held | Kind::Quick);
        // Some name an application that there is not.
        let is_refused = self.random.below(10) == 0;
        let (name, path) = match is_workflow {
            true => ("oozie.wf.application.path", WORKFLOW),
            false => ("oozie.coord.application.path", COORDINATOR),
        };
        let out = self.world.out().display().to_string();
        let path = match is_refused {
            true => format!("file://{out}/none"),
            false => path.to_owned(),
        };
        let how = if kind == Kind::Held { "hold" } else { "end" };
        let data = if kind == Kind::Ready { "there" } else { "none" };
        let properties = [
            (name, path.as_str()),
            ("user.name", &user()),
            ("out", &out),
            ("how", how),
            ("data", data),
            ("hpdl.kill.grace", "1"),
            ("oozie.wf.external.id", &external),
        ]
        .map(|(name, value)| {
            format!("<property><name>{name}</name><value>{value}</value></property>")
        });
        let body = format!("<configuration>{}</configuration>", properties.concat());
        let query = if is_started { "?action=start" } else { "" };
        let id = match self.server.ask("POST", &format!("/v1/jobs{query}"), &body) {
            Exchange::Answered(answer) if answer.status == 201 && !is_refused => {
                self.n_answered += 1;
                let answer: Value = serde_json::from_str(&answer.body).expect("JSON");
                text(&answer["id"])
            }
            Exchange::Answered(answer) if is_refused && (400..500).contains(&answer.status) => {
                self.n_answered += 1;
                return;
            }
            Exchange::Answered(answer) => panic!("submit: {answer:?}"),
            Exchange::Lost(generation) => {
                self.server.await_next(generation);
                let home = self.world.home().display().to_string();
                wait_for("a submission to end", || {
                    (!store::works(&[&home, "submit"])).then_some(())
                });
                let mut found = store::of_external_id(self.world, &external);
                assert!(found.len() < 2, "{external}: {found:?}");
                let Some(id) = found.pop() else { return };
                self.adopt(id, external, kind);
                return;
            }
        };
        let mut done = BTreeMap::new();
        if is_started {
            done.insert("start", 1);
        }
        let job = Job {
            id,
            external,
            kind,
            status: if is_started { "RUNNING" } else { "PREP" },
            done,
            n_reruns: 0,
        };
        self.live.push(job);
        self.read(self.live.len() - 1);
        self.settle_submitted();
    }

    /// Takes over a job that was created without an answer: it was started or not.
    fn adopt(&mut self, id: String, external: String, kind: Kind) {
        self.await_settled(&id, "start");
        let mut done = BTreeMap::new();
        let n_starts = store::carried_out(self.world, &id).remove("start");
        if let Some(n) = n_starts {
            assert_eq!(n, 1, "{id}");
            done.insert("start", n);
        }
        let status = if n_starts.is_some() {
            "RUNNING"
        } else {
            "PREP"
        };
        let job = Job {
            id,
            external,
            kind,
            status,
            done,
            n_reruns: 0,
        };
        if status == "PREP" && kind != Kind::Held {
            // Nobody starts it.
            self.left.push(job);
            return;
        }
        self.live.push(job);
        self.settle_submitted();
    }

    /// A job that goes on by itself is left, and one that must have ended is waited for.
    fn settle_submitted(&mut self) {
        let Some(job) = self.live.last() else { return };
        match job.kind {
            Kind::Quick => {
                let job = self.live.pop();
                self.left.extend(job);
            }
            Kind::Ready => {
                let id = job.id.clone();
                self.await_end_of_action(&id);
            }
            Kind::Held | Kind::Waiting => {}
        }
    }

    fn await_end_of_action(&mut self, id: &str) {
        wait_for(&format!("the action of {id}"), || {
            let action = self.get(&format!("/v2/job/{id}@1?show=info"));
            (action["status"] == "SUCCEEDED").then_some(())
        });
    }

    /// Expects what was answered to be seen at once.
    fn read(&mut self, index: usize) {
        let (id, kind, status) = {
            let job = &self.live[index];
            (job.id.clone(), job.kind, job.status)
        };
        match self.random.below(4) {
            0 => {
                let part = if kind == Kind::Waiting || kind == Kind::Ready {
                    "coord"
                } else {
                    "wf"
                };
                let listed = self.get(&format!("/v2/jobs?jobtype={part}&filter=id%3D{id}"));
                assert_eq!(listed["total"], 1, "{listed}");
            }
            1 => {
                let info = self.get(&format!("/v2/job/{id}?show=info"));
                self.expect_status(&id, kind, status, &info);
            }
            _ => {
                let now = self.get(&format!("/v2/job/{id}?show=status"));
                self.expect_status(&id, kind, status, &now);
            }
        }
    }

    fn expect_status(&self, id: &str, kind: Kind, status: &str, answer: &Value) {
        let now = text(&answer["status"]);
        let is_right = match kind {
            // It may have ended.
            Kind::Quick | Kind::Ready => matches!(now.as_str(), "RUNNING" | "SUCCEEDED"),
            Kind::Held | Kind::Waiting => now == status,
        };
        assert!(
            is_right,
            "{id} is {now} and was answered to be {status}: {:?}",
            store::events(self.world, id)
        );
    }

    fn command(&mut self, index: usize) {
        let (id, kind, before) = {
            let job = &self.live[index];
            (job.id.clone(), job.kind, job.status)
        };
        let mut commands = kind.commands(before);
        if commands.is_empty() {
            return self.read(index);
        }
        let chosen = commands.swap_remove(self.random.below(commands.len()));
        let word = chosen.word;
        let path = format!("/v2/job/{id}?action={word}{}", chosen.query);
        let n_before = self.n_done(index, word);
        let body = if word.contains("rerun") {
            "<configuration/>"
        } else {
            ""
        };
        let is_done = match self.server.ask("PUT", &path, body) {
            Exchange::Answered(answer) if answer.status == 200 && chosen.leads_to.is_ok() => {
                self.n_answered += 1;
                true
            }
            Exchange::Answered(answer) => {
                let is_refused = (400..500).contains(&answer.status)
                    && chosen.leads_to.err() == Some(answer.code.as_str());
                assert!(is_refused, "{word} of {id}, {before}: {answer:?}");
                self.n_answered += 1;
                return;
            }
            Exchange::Lost(generation) => {
                self.server.await_next(generation);
                self.await_settled(&id, word);
                match self.n_now(&id, word) - n_before {
                    0 => false,
                    1 => true,
                    n => panic!("{word} of {id} was carried out {n} times"),
                }
            }
        };
        let Ok(after) = chosen.leads_to else {
            assert!(!is_done, "{word} of {id}, {before}, was to be refused");
            return;
        };
        // What the state does not allow has no effect.
        let has_effect = after != before || matches!(word, "change" | "coord-rerun");
        let job = &mut self.live[index];
        if is_done && has_effect {
            job.status = after;
            match word {
                "rerun" => {
                    job.n_reruns += 1;
                    // The new run is started by a command of its own.
                    *job.done.entry("start").or_default() += 1;
                }
                "coord-rerun" => {
                    job.n_reruns += 1;
                    *job.done.entry("rerun").or_default() += 1;
                }
                word => *job.done.entry(word).or_default() += 1,
            }
        }
        if kind == Kind::Ready {
            self.await_end_of_action(&id);
        } else {
            self.read(index);
        }
    }

    fn n_done(&self, index: usize, word: &str) -> u64 {
        let job = &self.live[index];
        match word {
            "rerun" | "coord-rerun" => job.n_reruns,
            word => job.done.get(word).copied().unwrap_or_default(),
        }
    }

    fn n_now(&self, id: &str, word: &str) -> u64 {
        match word {
            "rerun" => store::run(self.world, id),
            word => {
                let word = word.trim_start_matches("coord-");
                let mut done = store::carried_out(self.world, id);
                done.remove(word).unwrap_or_default()
            }
        }
    }

    /// Waits until nothing that a dead server has begun can change a job any more.
    fn await_settled(&self, id: &str, word: &str) {
        wait_for(&format!("{word} of {id} to be done or not"), || {
            let works = word == "rerun" && store::works(&["rerun", id]);
            (!works && !store::is_asked(self.world, id)).then_some(())
        });
    }
}

fn user() -> String {
    let user = std::process::Command::new("id").arg("-un").output();
    let user = user.expect("id runs").stdout;
    String::from_utf8_lossy(&user).trim().to_owned()
}
