//! A simulated world: a job with its owners, store, processes and users, and all that can happen to them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
    sync::Arc,
};

use hpdlc_core::status::{ActionStatus, JobStatus};
use hpdlc_host::{exit::RunError, job_id, property_names, settings::Settings};
use hpdlc_store::{JobRow, LogRow, NewRun, SkipMark, SlaRow, commands, query, runs, slas};
use rusqlite::Connection;

use super::{
    bench::SimulationFolders,
    checks::{AttemptName, states},
    disk::{DiskFault, StoreImage},
    random::Random,
    simulated_environment::{Crash, Hands, SimulatedEnvironment},
    transport::SimulatedTransport,
    workflow::{Workflow, WorkflowPlan},
};
use crate::{
    engine::Engine,
    job::rerun_plan,
    job_command::Verb,
    notify::sending::Sending,
    progress::{Progress, ProgressEvent},
    registry::{self, kept},
    session::Session,
    sla,
};

mod event_rates;
mod events;
mod faults;
mod invariants;
mod notifications;
mod situation;

use self::event_rates::EventRates;
pub use self::situation::Situation;

/// More actions than any run of these workflows needs.
const MAX_ACTIONS: usize = 50_000;

const USER: &str = "simulated";

/// One in this many crashes after which the store's files are recovered also closes the store.
const CRASHES_PER_CLOSE: u64 = 4;

/// What was reported as done, by job and node; the last report counts.
type ReportedOutcomes = BTreeMap<(String, Option<String>), String>;

/// The user who watches the job, and relies on what is shown.
struct Watcher {
    told: Rc<RefCell<ReportedOutcomes>>,
    simulated: Rc<RefCell<SimulatedEnvironment>>,
    seen: Rc<RefCell<BTreeSet<Situation>>>,
}

impl Progress for Watcher {
    fn event(&mut self, event: &ProgressEvent) {
        let mut simulated = self.simulated.borrow_mut();
        simulated.tell(|| {
            let node = event.node.as_deref().unwrap_or_default();
            let number = event.id.split('-').next().unwrap_or_default();
            format!("   said: job {number} {node} {}", event.event)
        });
        let mut told = self.told.borrow_mut();
        let mut seen = self.seen.borrow_mut();
        match event.event.as_str() {
            "RERUN" => {
                seen.insert(Situation::ChildRerun);
                told.retain(|(job, _), _| *job != event.id);
            }
            "ATTACHED" => {
                seen.insert(Situation::Attached);
            }
            "ERROR"
                if event
                    .message
                    .as_deref()
                    .is_some_and(|it| it.contains("HPDL_LOST")) =>
            {
                seen.insert(Situation::Lost);
            }
            _ => {}
        }
        if let Some(status) = &event.status {
            let key = (event.id.clone(), event.node.clone());
            told.insert(key, status.clone());
        }
        // An owner that dies now has reported it.
        simulated.touch("say");
    }
}

pub struct EngineWorld {
    random: Random,
    rates: EventRates,
    workflow: Workflow,
    plan: WorkflowPlan,
    simulated: Rc<RefCell<SimulatedEnvironment>>,
    session: Session,
    bench: SimulationFolders,
    root: String,
    engine: Option<Engine>,
    /// The connection of another terminal to the store. Most worlds have none, and use the owner's connection: two open connections take
    /// twice as long.
    terminal: Option<Connection>,
    has_terminal: bool,
    /// The connection of the last owner. The next one may use it: opening takes longer than most owners live.
    spare: Option<Connection>,
    /// There may be commands that no owner has carried out.
    has_commands: bool,
    /// The sender of notifications: a thread of the owner, or the process that it has left behind.
    sending: Option<Sending>,
    transport: SimulatedTransport,
    /// When the sender has something to do, in milliseconds of the wall clock.
    post_due: Option<i64>,
    /// The disk fault of the present owner, and the contents before it.
    fault: Option<(DiskFault, StoreImage)>,
    told: Rc<RefCell<ReportedOutcomes>>,
    seen: Rc<RefCell<BTreeSet<Situation>>>,
    started: BTreeSet<AttemptName>,
    /// How processes ended, by job, run and node.
    exits: BTreeMap<(String, i64, String), Vec<i32>>,
    /// Whether anything may have been lost.
    lost: bool,
    is_handed_over: bool,
    /// Crashes after which the store's files are recovered, counted from a number that the seed determines.
    n_recoveries: u64,
    n_trouble_left: usize,
    n_commands_left: usize,
    n_reruns_left: usize,
    n_launchers_left: usize,
}

thread_local! {
    /// Passed on by the last world of this thread.
    static BENCH: RefCell<Option<SimulationFolders>> = const { RefCell::new(None) };
}

impl EngineWorld {
    pub fn new(seed: u64, is_logged: bool) -> EngineWorld {
        let mut random = Random::new(seed);
        let workflow = Workflow::choose(seed);
        let mut bench = BENCH.take().unwrap_or_else(SimulationFolders::new);
        bench.clear();
        let home = bench.home().clone();
        let files = bench.folder().join("files");
        let plan = WorkflowPlan::random(&mut random, &workflow, &files.display().to_string());
        let session = Session {
            program: workflow.program,
            home,
            site: Arc::default(),
        };
        let executable = bench.folder().join("executable");
        fs::write(&executable, kept::testing::elf()).expect("it is writable");
        kept::keep(&session.home, workflow.program.hash, &executable).expect("it is ours");
        registry::unpack(&session.home, workflow.program).expect("it is ours");
        let simulated = Rc::new(RefCell::new(SimulatedEnvironment::new(is_logged)));
        EngineWorld {
            rates: EventRates::random(&mut random),
            workflow,
            plan,
            session,
            bench,
            root: String::new(),
            engine: None,
            terminal: None,
            has_terminal: random.percent(20),
            spare: None,
            has_commands: false,
            sending: None,
            transport: SimulatedTransport::new(&mut random, Rc::clone(&simulated)),
            post_due: None,
            fault: None,
            told: Rc::default(),
            seen: Rc::default(),
            started: BTreeSet::new(),
            exits: BTreeMap::new(),
            lost: false,
            is_handed_over: false,
            n_recoveries: seed % CRASHES_PER_CLOSE,
            n_trouble_left: random.below(10),
            n_commands_left: random.below(8),
            n_reruns_left: random.pick(&[0, 0, 1, 2]),
            n_launchers_left: 2,
            simulated,
            random,
        }
    }

    /// Passes on what the next world can use.
    pub fn put_away(mut self) {
        self.keep_connections();
        BENCH.set(Some(self.bench));
    }

    pub fn seen(&self) -> BTreeSet<Situation> {
        self.seen.borrow().clone()
    }

    /// The workflow and a trace of all events.
    pub fn story(&self) -> String {
        let simulated = self.simulated.borrow();
        let lines = simulated.story.as_deref().unwrap_or_default();
        let folder = self.bench.folder().display().to_string();
        let text = format!("{}{:#?}\n{}\n", self.workflow, self.plan, lines.join("\n"));
        text.replace(&folder, "FOLDER")
    }

    fn tell(&self, what: impl FnOnce() -> String) {
        self.simulated.borrow_mut().tell(what);
    }

    fn see(&self, situation: Situation) {
        self.seen.borrow_mut().insert(situation);
    }

    fn store(&self) -> &Connection {
        let of_owner = || self.engine.as_ref().map(|it| it.writer.connection());
        let open = self.terminal.as_ref().or_else(of_owner);
        open.or(self.spare.as_ref()).expect("the store is open")
    }

    /// Opens the store for reading from outside, if there is no connection left.
    fn open_store(&mut self) -> Result<(), String> {
        let open = if self.has_terminal {
            &mut self.terminal
        } else {
            &mut self.spare
        };
        if open.is_none() {
            let connection = self.bench.connection();
            *open = Some(connection.map_err(|error| error.to_string())?);
        }
        Ok(())
    }

    /// Runs the job, and perhaps runs it again, to its end.
    pub fn run(&mut self) -> Result<(), String> {
        self.open_store()?;
        self.submit()?;
        for _ in 0..MAX_ACTIONS {
            if self.engine.is_none() {
                self.idle()?;
                if !self.find_owner()? {
                    self.check_end()?;
                    return self.tell_all();
                }
                continue;
            }
            self.disturb()?;
            if self.engine.is_some() {
                self.act()?;
            }
            if self.random.percent(10) {
                self.check_processes()?;
            }
        }
        Err("it goes on for ever".to_owned())
    }

    fn submit(&mut self) -> Result<(), String> {
        let fault = |error: rusqlite::Error| error.to_string();
        let created = self.simulated.borrow().now();
        let number = query::next_number(self.store(), query::JOBS).map_err(fault)?;
        let id = job_id::workflow_job(number, created);
        let is_started = self.random.percent(50);
        let row = JobRow {
            app: "simulated".to_owned(),
            app_path: "/apps/simulated".to_owned(),
            user: USER.to_owned(),
            status: if is_started {
                JobStatus::Running
            } else {
                JobStatus::Prep
            },
            conf: serde_json::to_string(&self.plan.conf).expect("a map of strings is JSON"),
            hash: self.workflow.program.hash.to_owned(),
            ..JobRow::new(&id, created.timestamp_millis())
        };
        let expected = self.expected(&id, &self.plan.conf)?;
        let transaction = self.store().unchecked_transaction().map_err(fault)?;
        query::insert_job(&transaction, &row).map_err(fault)?;
        for sla in &expected {
            slas::write(&transaction, sla).map_err(fault)?;
        }
        transaction.commit().map_err(fault)?;
        self.root = id;
        if !is_started {
            self.command(&self.root.clone(), Verb::Start)
                .map_err(fault)?;
        }
        Ok(())
    }

    /// The service levels of the job at the top, with these properties.
    fn expected(&self, id: &str, conf: &BTreeMap<String, String>) -> Result<Vec<SlaRow>, String> {
        let settings = Settings {
            conf,
            site: &self.session.site,
        };
        let app = self.workflow.program.apps[0];
        let registrations = sla::evaluate(app, conf).map_err(|problems| problems.join("; "))?;
        Ok(sla::registered(id, &registrations, settings))
    }

    fn command(&mut self, job: &str, verb: Verb) -> rusqlite::Result<()> {
        let now = self.simulated.borrow().now().timestamp_millis();
        self.tell(|| format!("{} {job}", verb.name()));
        commands::add(self.store(), job, verb.name(), now)?;
        self.has_commands = true;
        Ok(())
    }

    fn jobs(&self) -> Result<Vec<JobRow>, String> {
        query::job_tree(self.store(), &self.root).map_err(|error| error.to_string())
    }

    /// While the job has no owner its processes may end.
    fn idle(&mut self) -> Result<(), String> {
        for _ in 0..self.random.below(4) {
            self.end_some_process()?;
        }
        if self.has_post() && self.random.percent(self.rates.post) {
            self.send()?;
        }
        Ok(())
    }

    /// Finds an owner for the remaining work; `false` if there is none.
    fn find_owner(&mut self) -> Result<bool, String> {
        let fault = |error: rusqlite::Error| error.to_string();
        let jobs = self.jobs()?;
        let suspended: Vec<String> = jobs
            .iter()
            .filter(|job| job.status == JobStatus::Suspended)
            .map(|job| job.id.clone())
            .collect();
        let now = self.simulated.borrow().now().timestamp_millis();
        let unfinished = query::unfinished_roots(self.store(), now).map_err(fault)?;
        let needs_owner = unfinished.iter().any(|row| row.id == self.root);
        let root = jobs.first().ok_or("the job is gone")?;
        if !suspended.is_empty() {
            let job = self.random.below(suspended.len());
            let verb = if self.random.percent(95) {
                Verb::Resume
            } else {
                Verb::Kill
            };
            self.command(&suspended[job].clone(), verb).map_err(fault)?;
        } else if root.status == JobStatus::Prep && !needs_owner {
            return Err("a job that was started is PREP and nobody is asked for".to_owned());
        } else if !root.status.is_terminal() && !needs_owner {
            return Err(format!("it is {} and needs no owner", root.status));
        } else if !needs_owner {
            return self.rerun(root);
        }
        self.own()?;
        Ok(true)
    }

    fn own(&mut self) -> Result<(), String> {
        self.tell(|| "an owner".to_owned());
        let connection = match self.spare.take() {
            Some(_) if self.random.percent(5) => {
                self.bench.close();
                None
            }
            Some(spare) => Some(spare),
            None => self.bench.open_connection(),
        };
        // Children that other tests of this process fork hold its locks until they exec.
        for _ in 0..1000 {
            if !self.session.has_owner(&self.root) {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let ownership = match connection {
            Some(connection) => self.session.own_on(&self.root, connection),
            None => self.session.own(&self.root),
        };
        let ownership = ownership
            .map_err(|error| error.to_string())?
            .ok_or("somebody owns it still")?;
        let watcher = Watcher {
            told: Rc::clone(&self.told),
            simulated: Rc::clone(&self.simulated),
            seen: Rc::clone(&self.seen),
        };
        let drive = self
            .session
            .take_up(ownership, Box::new(watcher))
            .map_err(|error| error.to_string())?;
        let boot = self.simulated.borrow().boot.to_string();
        let hands = Hands(Rc::clone(&self.simulated), boot);
        self.engine = Some(Engine::new(drive, Box::new(hands)));
        if self.n_trouble_left > 0 && self.random.percent(self.rates.fuse) {
            self.light_fuse();
        }
        self.call(Engine::begin)?;
        if self.engine.as_ref().is_some_and(Engine::has_suspects) {
            self.see(Situation::Suspect);
        }
        if self.engine.is_some() {
            self.advance()?;
        }
        Ok(())
    }

    /// Begins a further run of a job that has ended; `false` if no more are planned.
    fn rerun(&mut self, root: &JobRow) -> Result<bool, String> {
        if self.n_reruns_left == 0 {
            return Ok(false);
        }
        self.check_end()?;
        self.n_reruns_left -= 1;
        let fault = |error: rusqlite::Error| error.to_string();
        let mut conf = rerun_plan::stored(&root.conf);
        let rows = query::actions(self.store(), &root.id).map_err(fault)?;
        let ended = rows.iter().filter(|row| row.ended.is_some());
        let may_be_skipped: Vec<&str> = ended
            .filter(|row| matches!(row.status, ActionStatus::Ok | ActionStatus::Error))
            .filter(|row| !row.skip.is_some_and(SkipMark::is_ahead))
            .map(|row| row.name.as_str())
            .collect();
        match self.random.below(3) {
            0 => {
                conf.insert(property_names::FAIL_NODES.to_owned(), "true".to_owned());
            }
            1 => {
                let names: Vec<&str> = may_be_skipped
                    .into_iter()
                    .filter(|_| self.random.percent(50))
                    .collect();
                conf.insert(property_names::SKIP_NODES.to_owned(), names.join(","));
            }
            _ => {}
        }
        let choice = rerun_plan::choice(&conf)?;
        let run = root.run + 1;
        let app = self.workflow.program.apps[0];
        let plan = rerun_plan::plan(app, &rows, &choice, run)?;
        let job = JobRow {
            status: JobStatus::Prep,
            run,
            started: None,
            ended: None,
            conf: serde_json::to_string(&conf).expect("a map of strings is JSON"),
            error_code: None,
            error_message: None,
            last_error_node: root
                .last_error_node
                .clone()
                .filter(|name| plan.skipped.contains_key(name)),
            ..root.clone()
        };
        self.tell(|| format!("RERUN {choice:?}"));
        self.see(Situation::Rerun);
        let new_run = NewRun {
            job,
            skipped: plan.stored_skips(),
            slas: self.expected(&root.id, &conf)?,
        };
        let line = LogRow {
            job_id: root.id.clone(),
            time: self.simulated.borrow().now().timestamp_millis(),
            node: None,
            event: "RERUN".to_owned(),
            message: None,
        };
        let transaction = self.store().unchecked_transaction().map_err(fault)?;
        runs::begin(&transaction, &new_run).map_err(fault)?;
        line.write(&transaction).map_err(fault)?;
        transaction.commit().map_err(fault)?;
        let id = root.id.clone();
        // Its children may run again too, in the same jobs.
        self.told.borrow_mut().clear();
        self.command(&id, Verb::Start).map_err(fault)?;
        Ok(true)
    }

    /// Runs a step of the owner, and checks the result.
    fn call(
        &mut self,
        work: impl FnOnce(&mut Engine) -> Result<(), RunError>,
    ) -> Result<(), String> {
        let Some(mut engine) = self.engine.take() else {
            return Ok(());
        };
        let before = states(engine.jobs.values());
        let n_asked = self.simulated.borrow().n_asked;
        match catch_unwind(AssertUnwindSafe(|| work(&mut engine))) {
            Ok(Ok(())) => {
                self.check(&before, &engine)?;
                self.engine = Some(engine);
                Ok(())
            }
            Ok(Err(error)) => self.gave_up(engine, &error),
            Err(thrown) if thrown.is::<Crash>() => {
                if self.simulated.borrow().n_asked > n_asked + 1 {
                    self.see(Situation::CrashBetweenEffects);
                }
                self.die(engine)
            }
            Err(_) => Err("the engine panicked".to_owned()),
        }
    }

    /// Has the events that arrived committed and their effects performed.
    fn advance(&mut self) -> Result<(), String> {
        self.call(Engine::advance)?;
        let is_over = self.engine.as_ref().is_some_and(Engine::is_over);
        if is_over && let Some(mut engine) = self.engine.take() {
            let ended = engine.ended();
            self.tell(|| format!("the owner leaves: {}", ended.job.status));
            self.gone(engine);
            // The remaining notifications are sent by a separate process.
            self.ask_post();
            self.left()?;
        }
        Ok(())
    }

    /// An owner is gone, with its files untouched. The kernel has closed its descriptors.
    fn gone(&mut self, engine: Engine) {
        let connection = faults::connection_of(engine);
        // A fault may have left limits in it.
        if self.fault.is_none() && connection.is_autocommit() {
            self.spare = Some(connection);
        } else {
            // So that the connection closed last checkpoints the log, as no other is kept open.
            self.bench.close();
        }
    }

    /// Continues with the store as a gone owner has left it.
    fn left(&mut self) -> Result<(), String> {
        self.simulated.borrow_mut().forget_owner();
        if let Some((fault, image)) = self.fault.take()
            && fault == DiskFault::Deleted
        {
            self.forget_connections();
            image.put(&self.session.home);
        }
        self.open_store()?;
        let n_launchers = self.simulated.borrow().launchers.len();
        for place in 0..n_launchers {
            let did = {
                let simulated = &mut *self.simulated.borrow_mut();
                simulated.launchers[place].close(&mut simulated.n_pids)?
            };
            self.look_at(&did)?;
        }
        let mut simulated = self.simulated.borrow_mut();
        simulated
            .launchers
            .retain(|launcher| launcher.processes().next().is_some());
        drop(simulated);
        self.check_told()
    }
}
