//! A simulated world: a job with its owners, store, processes and users, and all that can happen to them.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    fs,
    rc::Rc,
    sync::Arc,
};

use hpdlc_store::{
    JobRow, commands, query,
    sql::{self, Connection},
};

use super::{
    bench::SimulationFolders,
    checks::AttemptName,
    disk::{DiskFault, StoreImage},
    random::Random,
    simulated_environment::SimulatedEnvironment,
    transport::SimulatedTransport,
    workflow::{Workflow, WorkflowPlan},
};
use crate::{
    engine::Engine,
    job_command::Verb,
    notify::sending::Sending,
    registry::{self, kept},
    session::Session,
};

mod event_rates;
mod events;
mod faults;
mod invariants;
mod notifications;
mod owners;
mod runs;
mod server;
mod situation;
mod watcher;

pub use self::situation::Situation;
use self::{event_rates::EventRates, server::WorldServer, watcher::ReportedOutcomes};

/// More actions than any run of these workflows needs.
const MAX_ACTIONS: usize = 50_000;

/// One in this many crashes after which the store's files are recovered also closes the store.
const CRASHES_PER_CLOSE: u64 = 4;

pub struct EngineWorld {
    random: Random,
    rates: EventRates,
    workflow: Workflow,
    plan: WorkflowPlan,
    simulated: Rc<RefCell<SimulatedEnvironment>>,
    session: Session,
    /// If the store is not in a file.
    server: Option<WorldServer>,
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
            server: None,
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
        self.leave_server();
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
        if let Some(observer) = self.observer() {
            return observer;
        }
        let of_owner = || self.engine.as_ref().map(|it| it.writer.connection());
        let open = self.terminal.as_ref().or_else(of_owner);
        open.or(self.spare.as_ref()).expect("the store is open")
    }

    /// Opens the store for reading from outside, if there is no connection left.
    fn open_store(&mut self) -> Result<(), String> {
        if self.is_on_server() {
            return Ok(());
        }
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

    fn command(&mut self, job: &str, verb: Verb) -> sql::Result<()> {
        let now = self.simulated.borrow().now().timestamp_millis();
        self.tell(|| format!("{} {job}", verb.name()));
        if self.is_on_server() {
            return self.command_server(job, verb.name(), now);
        }
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
}
