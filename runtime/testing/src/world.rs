//! The driver of a test's jobs: what the engine is for real ones, with answers for work, a queue for time, and nothing else.
//!
//! The step machine decides, the engine's [`Job`] keeps rows and scope, executors evaluate; a run to the end takes no time.

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    rc::Rc,
    time::Duration,
};

use chrono::{DateTime, Utc};
use hpdlc_core::{
    definition::NodeId,
    empty_parts::overlay,
    status::{ActionStatus, JobStatus},
    step::{self, Effect, Event, SuspendPoints},
};
use hpdlc_engine::job::{Job, child, rerun_plan, submission};
use hpdlc_host::{job_id, settings::Settings};
use hpdlc_program::table::{NodeKind, Program};
use hpdlc_store::{JobRow, SkipMark, runs};

use crate::{
    answer::{Answer, Answers},
    explorer::Explorer,
    refusal::Refusal,
    script::Script,
};

mod attempts;
mod children;
mod evaluation;
mod ground;
mod scope;
mod track;

pub(crate) use self::ground::{Ground, NOWHERE};
use self::track::Track;

/// One attempt of one node of one job.
type AttemptKey = (String, NodeId, u32);

/// The user of jobs without `user.name`.
const USER: &str = "user";

/// Something that is due in virtual time.
#[derive(Debug)]
enum Happening {
    /// The work of an attempt ends.
    Ended(Answer),
    RetryDue,
}

/// The jobs of one test: the one at the top, and its children.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) program: &'static Program,
    /// The index of the application of the job at the top.
    pub(crate) app: usize,
    pub(crate) script: Script,
    /// How the alternatives are chosen where all ways are visited.
    pub(crate) explorer: Option<Explorer>,
    /// Expressions that have failed: the place of the node, and the message.
    pub(crate) failed_expressions: Vec<(String, String)>,
    ground: Rc<Ground>,
    root: String,
    jobs: BTreeMap<String, Job>,
    tracks: BTreeMap<String, Track>,
    /// When this run has begun; milliseconds since 1970.
    begun: i64,
    now: i64,
    /// The number of the next job.
    number: i64,
    effects: VecDeque<(String, Effect)>,
    due: BTreeMap<(i64, u64), (AttemptKey, Happening)>,
    n_due: u64,
    in_flight: BTreeSet<AttemptKey>,
    /// How many answers of each place have been taken.
    n_taken: BTreeMap<String, usize>,
}

impl World {
    pub(crate) fn new(
        program: &'static Program,
        app: usize,
        script: Script,
        ground: Rc<Ground>,
        explorer: Option<Explorer>,
    ) -> World {
        let begin = script.begin.timestamp_millis();
        World {
            program,
            app,
            script,
            explorer,
            failed_expressions: Vec::new(),
            ground,
            root: String::new(),
            jobs: BTreeMap::new(),
            tracks: BTreeMap::new(),
            begun: begin,
            now: begin,
            number: 0,
            effects: VecDeque::new(),
            due: BTreeMap::new(),
            n_due: 0,
            in_flight: BTreeSet::new(),
            n_taken: BTreeMap::new(),
        }
    }

    /// Creates the job at the top, and lets it run.
    pub(crate) fn begin(&mut self, given: BTreeMap<String, String>) -> Result<(), Refusal> {
        let user = user_of(&given).to_owned();
        let folder = self.folder();
        let app = self.program.apps[self.app];
        let submission = submission::complete(app, given, &folder, &user)?;
        let id = job_id::workflow_job(self.next_number(), self.time());
        let row = JobRow {
            user,
            hash: self.program.hash.to_owned(),
            ..JobRow::new(&id, self.now)
        };
        let row = child::with_submission(row, &submission, self.app);
        let job =
            Job::in_folder(self.program, &self.ground.app, None, row).map_err(Refusal::new)?;
        self.root.clone_from(&id);
        self.enter(job, String::new());
        self.apply(&id, Event::Start);
        self.go_on();
        Ok(())
    }

    /// Begins a further run of the job at the top with these properties over its own.
    pub(crate) fn rerun(&mut self, given: BTreeMap<String, String>) -> Result<(), Refusal> {
        let job = self.top();
        let mut conf = rerun_plan::stored(&job.row.conf);
        overlay(&mut conf, given);
        let choice = rerun_plan::choice(&conf).map_err(Refusal::new)?;
        let folder = self.folder();
        let submission = submission::complete(job.app, conf, &folder, &job.row.user)?;
        let rows: Vec<_> = job.rows().cloned().collect();
        let run = job.row.run + 1;
        let plan = rerun_plan::plan(job.app, &rows, &choice, run).map_err(Refusal::new)?;
        let row = rerun_plan::row(&job.row, submission, &plan);
        let kept = runs::kept(rows, &plan.stored_skips(), run - 1);
        let job = Job::in_folder(self.program, &self.ground.app, None, row)
            .and_then(|job| job.with_rows(kept))
            .map_err(Refusal::new)?;
        self.begun = self.now;
        self.enter(job, String::new());
        let root = self.root.clone();
        self.apply(&root, Event::Start);
        self.go_on();
        Ok(())
    }

    /// Resumes every suspended job, children first; whether there was one.
    pub(crate) fn resume(&mut self) -> bool {
        let suspended = self
            .jobs
            .values()
            .filter(|job| job.state.status == JobStatus::Suspended);
        let mut ids: Vec<(i64, String)> = suspended
            .map(|job| (job.row.depth, job.id().to_owned()))
            .collect();
        ids.sort_by(|a, b| b.cmp(a));
        for (_, id) in &ids {
            self.apply(id, Event::Resume);
        }
        self.go_on();
        !ids.is_empty()
    }

    /// Replaces the answers of a place, from their first on.
    pub(crate) fn answer_anew(&mut self, place: &str, answers: Answers) {
        self.script.answers.insert(place.to_owned(), answers);
        self.n_taken.remove(place);
        if let Some(problem) = self.script.wrong_name(self.top().app, "") {
            panic!("{problem}");
        }
    }

    /// Adds a job of the tree, or a further run of one; `place` is the place of the action that waits for it.
    fn enter(&mut self, mut job: Job, place: String) {
        let track = Track::new(place);
        let prefix = track.prefix();
        if let Some(problem) = self.script.wrong_name(job.app, &prefix) {
            panic!("{problem}");
        }
        let stops = self.script.stops_in(job.app, &prefix);
        if !stops.is_empty() {
            job.state.suspend_points = match std::mem::take(&mut job.state.suspend_points) {
                SuspendPoints::None => SuspendPoints::Nodes(stops),
                SuspendPoints::All => SuspendPoints::All,
                SuspendPoints::Nodes(nodes) => SuspendPoints::Nodes(&nodes | &stops),
            };
        }
        self.tracks.insert(job.id().to_owned(), track);
        self.jobs.insert(job.id().to_owned(), job);
    }

    /// Lets things happen until nothing more does.
    fn go_on(&mut self) {
        loop {
            while let Some((id, effect)) = self.effects.pop_front() {
                self.settle(&id, effect);
            }
            let Some(((time, _), (key, happening))) = self.due.pop_first() else {
                return;
            };
            if !self.is_awaited(&key, &happening) {
                continue;
            }
            self.now = self.now.max(time);
            let (id, node, attempt) = &key;
            match happening {
                Happening::Ended(answer) => self.ended(&key, answer),
                Happening::RetryDue => {
                    debug_assert!(self.jobs[id].state.nodes[node].attempt == *attempt);
                    self.apply(id, Event::RetryDue { node: *node });
                }
            }
        }
    }

    /// Whether it still has a meaning: the clock does not wait for what has none.
    fn is_awaited(&self, (id, node, attempt): &AttemptKey, happening: &Happening) -> bool {
        let Some(job) = self.jobs.get(id) else {
            return false;
        };
        let state = job.state.nodes.get(node);
        let state = state.filter(|state| state.attempt == *attempt);
        state.is_some_and(|state| match happening {
            Happening::Ended(_) => !state.status.is_terminal(),
            Happening::RetryDue => job.state.status == JobStatus::Running,
        })
    }

    fn apply(&mut self, id: &str, event: Event) {
        let (Some(job), Some(track)) = (self.jobs.get_mut(id), self.tracks.get_mut(id)) else {
            return;
        };
        let step = step::step(job.app, &mut job.state, event);
        if step.job_changed {
            job.set_status(self.now);
        }
        for &node in &step.changed {
            job.sync(node, self.now);
        }
        if step.job_changed {
            job.take_failure(&step.changed);
        }
        track.follow(job.app, &job.state, &step);
        let effects = step.effects.into_iter();
        self.effects
            .extend(effects.map(|effect| (id.to_owned(), effect)));
    }

    fn settle(&mut self, id: &str, effect: Effect) {
        match effect {
            Effect::Choose { node } => self.choose(id, node),
            Effect::Prepare { node, attempt } => self.prepare(id, node, attempt),
            Effect::Launch { node, attempt } => self.launch(id, node, attempt),
            Effect::Cancel { node, attempt } => {
                self.in_flight.remove(&(id.to_owned(), node, attempt));
                self.kill_child(id, node, attempt);
                self.apply(id, Event::Canceled { node });
            }
            Effect::Wait { node, delay } => self.wait(id, node, delay),
            Effect::Message { node } => self.message(id, node),
            Effect::StrandEnded { .. } => {}
            Effect::Skipped { node } => {
                if let Some(job) = self.jobs.get_mut(id) {
                    job.row_of(node).skip = Some(SkipMark::Taken);
                }
            }
            Effect::Suspended => self.suspend_parent(id),
            Effect::Finished(status) => self.finished(id, status),
        }
    }

    fn schedule(&mut self, time: i64, key: AttemptKey, happening: Happening) {
        self.n_due += 1;
        self.due.insert((time, self.n_due), (key, happening));
    }

    fn settings(&self, id: &str) -> Settings<'_> {
        Settings {
            conf: &self.jobs[id].view.conf,
            site: &self.script.site,
        }
    }

    /// The place of a node: its name after those of the actions whose child its job is.
    fn place(&self, id: &str, node: NodeId) -> String {
        format!(
            "{}{}",
            self.tracks[id].prefix(),
            self.jobs[id].def(node).name
        )
    }

    fn next_number(&mut self) -> i64 {
        self.number += 1;
        self.number - 1
    }

    fn time(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(self.now).unwrap_or_default()
    }

    /// The folder of the application of the job at the top.
    fn folder(&self) -> String {
        let below = self.program.apps[self.app].folder;
        let folder = match below {
            "" => self.ground.app.clone(),
            _ => self.ground.app.join(below),
        };
        folder.display().to_string()
    }

    /// The job at the top.
    pub(crate) fn top(&self) -> &Job {
        &self.jobs[&self.root]
    }

    pub(crate) fn jobs(&self) -> impl Iterator<Item = &Job> {
        self.jobs.values()
    }

    pub(crate) fn track(&self, id: &str) -> &Track {
        &self.tracks[id]
    }

    /// The virtual time since this run has begun.
    pub(crate) fn elapsed(&self) -> Duration {
        Duration::from_millis(u64::try_from(self.now - self.begun).unwrap_or_default())
    }

    /// The scripted places whose answers nothing has asked for.
    pub(crate) fn unused_answers(&self) -> Vec<&str> {
        let places = self.script.answers.keys();
        let unused = places.filter(|place| !self.n_taken.contains_key(*place));
        unused.map(String::as_str).collect()
    }

    /// Whether a job ended FAILED by itself, and not by a node that says so.
    pub(crate) fn has_failed_by_itself(&self) -> bool {
        self.jobs.values().any(|job| {
            let is_said = job.state.nodes.iter().any(|(&node, state)| {
                let is_fail = matches!(job.def(node).kind, NodeKind::Fail { .. });
                is_fail && state.status == ActionStatus::Ok
            });
            job.state.status == JobStatus::Failed && !is_said
        })
    }
}

/// The user of a job with these properties.
pub(crate) fn user_of(given: &BTreeMap<String, String>) -> &str {
    given.get("user.name").map_or(USER, String::as_str)
}

fn millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
