//! The environment of a simulated engine: clocks, timers, threads and launchers that do one thing at a time, in an order that the seed
//! determines.

use std::{
    cell::RefCell, collections::VecDeque, io, panic::resume_unwind, path::Path, rc::Rc, sync::Arc,
    time::Duration,
};

use chrono::{DateTime, Utc};
use hpdlc_executors::Work;
use hpdlc_launcher::{Attempt, AttemptState, LauncherRequest};

use super::launchers::SimulatedLauncher;
use crate::engine::{
    AttemptKey, Incoming,
    attempts::{self, AttemptTask, TaskProgress},
    environment::{AttemptStop, Environment},
};

/// The start time of every simulation, in milliseconds since 1970.
pub const BEGIN: i64 = 1_700_000_000_000;

/// The panic payload for an owner that dies in the middle of a step.
pub struct Crash;

/// An operation that an owner has requested and whose result it has not received.
pub enum PendingRequest {
    /// Work on a thread.
    Thread(Box<dyn FnOnce() -> Incoming + Send>),
    AttemptTask(Box<AttemptTask>),
    /// The end of an attempt that was found running.
    Attached(Box<AttemptTask>),
    /// The end of an attempt that another launcher has claimed.
    Await(AttemptKey, Arc<Work>, Attempt),
    /// Due at this time of the monotonic clock.
    Timer(i64, Box<Incoming>),
    /// The end of an attempt that is being stopped.
    Stop(Attempt, Box<Incoming>),
}

pub struct SimulatedEnvironment {
    /// The monotonic clock: milliseconds since the start.
    pub elapsed: i64,
    /// The error of the wall clock, in milliseconds.
    pub offset: i64,
    pub boot: u32,
    /// The next events, in this order.
    pub soon: VecDeque<Incoming>,
    pub pending: Vec<PendingRequest>,
    /// The last is the present owner's, if it has one.
    pub launchers: Vec<SimulatedLauncher>,
    pub has_launcher: bool,
    /// The host of the present owner.
    pub host: usize,
    /// Another host has taken the job over, and the present owner does not know it yet: it must start nothing.
    pub is_replaced: bool,
    /// What it has started all the same.
    pub violation: Option<String>,
    /// The owner has requested that notifications be sent.
    pub is_post_asked: bool,
    /// How many further effects the present owner performs before it dies.
    pub fuse: Option<u32>,
    pub n_asked: u32,
    pub n_pids: u32,
    pub story: Option<Vec<String>>,
}

impl SimulatedEnvironment {
    pub fn new(is_logged: bool) -> SimulatedEnvironment {
        SimulatedEnvironment {
            elapsed: 0,
            offset: 0,
            boot: 1,
            soon: VecDeque::new(),
            pending: Vec::new(),
            launchers: Vec::new(),
            has_launcher: false,
            host: 0,
            is_replaced: false,
            violation: None,
            is_post_asked: false,
            fuse: None,
            n_asked: 0,
            n_pids: 0,
            story: is_logged.then(Vec::new),
        }
    }

    pub fn tell(&mut self, what: impl FnOnce() -> String) {
        if let Some(story) = &mut self.story {
            story.push(what());
        }
    }

    pub fn now(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_millis(BEGIN + self.elapsed + self.offset)
            .expect("simulations are short")
    }

    /// Called before each external effect of the owner, which may die first.
    pub fn touch(&mut self, what: &str) {
        self.n_asked += 1;
        self.tell(|| format!("      {what}"));
        if let Some(fuse) = &mut self.fuse {
            match fuse.checked_sub(1) {
                Some(left) => *fuse = left,
                None => {
                    self.fuse = None;
                    resume_unwind(Box::new(Crash));
                }
            }
        }
    }

    /// The indexes of the operations that could complete next.
    pub fn ready(&self) -> Vec<usize> {
        let is_ready = |pending: &PendingRequest| match pending {
            PendingRequest::Thread(_)
            | PendingRequest::AttemptTask(_)
            | PendingRequest::Timer(..) => true,
            PendingRequest::Attached(task) => !runs(task.attempt()),
            PendingRequest::Await(_, _, attempt) | PendingRequest::Stop(attempt, _) => {
                !runs(attempt)
            }
        };
        let places = self.pending.iter().enumerate();
        places
            .filter(|(_, pending)| is_ready(pending))
            .map(|(place, _)| place)
            .collect()
    }

    /// Completes one of the pending operations.
    pub fn deliver(&mut self, place: usize) {
        match self.pending.swap_remove(place) {
            PendingRequest::Thread(work) => {
                let incoming = work();
                self.soon.push_back(incoming);
            }
            PendingRequest::AttemptTask(task) => self.begin(task),
            PendingRequest::Attached(task) => self.soon.push_back(task.ended()),
            PendingRequest::Await(key, work, attempt) => {
                let found = attempt.inspect();
                self.soon
                    .push_back(attempts::judge(key, &work, &attempt, found));
            }
            PendingRequest::Timer(due, incoming) => {
                self.elapsed = self.elapsed.max(due);
                self.soon.push_back(*incoming);
            }
            PendingRequest::Stop(_, canceled) => self.soon.push_back(*canceled),
        }
    }

    fn begin(&mut self, mut task: Box<AttemptTask>) {
        match task.begin() {
            TaskProgress::Came(incoming) => self.soon.push_back(incoming),
            TaskProgress::Runs(pid) => {
                self.soon.push_back(task.attached(pid));
                self.pending.push(PendingRequest::Attached(task));
            }
        }
    }

    /// The running attempts that are to be stopped.
    pub fn stopping(&self) -> Vec<String> {
        let stops = self.pending.iter().filter_map(|pending| match pending {
            PendingRequest::Stop(attempt, _) if runs(attempt) => {
                Some(attempt.folder().display().to_string())
            }
            _ => None,
        });
        stops.collect()
    }

    /// The owner is gone, and with it everything it waited for.
    pub fn forget_owner(&mut self) {
        self.soon.clear();
        self.pending.clear();
        self.has_launcher = false;
        self.is_replaced = false;
        self.is_post_asked = false;
        self.fuse = None;
    }

    /// The processes of a host, whose launchers die.
    pub fn end_host(&mut self, host: usize) -> bool {
        let mut had_any = false;
        for launcher in self.launchers.iter_mut().filter(|it| it.host == host) {
            had_any |= launcher.processes().next().is_some();
            launcher.die();
        }
        had_any
    }

    /// Called before the owner has something started.
    fn start(&mut self, what: &str) {
        if self.is_replaced {
            let violation = format!("an owner that was replaced goes on: {what}");
            self.violation.get_or_insert(violation);
        }
    }

    /// The launcher of the present owner.
    pub fn launcher(&mut self) -> Option<&mut SimulatedLauncher> {
        self.launchers.last_mut().filter(|_| self.has_launcher)
    }
}

fn runs(attempt: &Attempt) -> bool {
    matches!(attempt.inspect(), Ok(AttemptState::Running))
}

/// The engine's handle to it.
pub struct Hands(pub Rc<RefCell<SimulatedEnvironment>>, pub String);

impl Environment for Hands {
    fn now(&self) -> DateTime<Utc> {
        self.0.borrow().now()
    }

    fn boot_id(&self) -> &str {
        &self.1
    }

    fn soon(&mut self, incoming: Incoming) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("soon");
        simulated.soon.push_back(incoming);
    }

    fn later(&mut self, delay: Duration, incoming: Incoming) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("wait");
        let due = simulated.elapsed + i64::try_from(delay.as_millis()).expect("waits are short");
        simulated
            .pending
            .push(PendingRequest::Timer(due, Box::new(incoming)));
    }

    fn on_thread(&mut self, work: Box<dyn FnOnce() -> Incoming + Send>) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("on a thread");
        simulated.pending.push(PendingRequest::Thread(work));
    }

    fn run(&mut self, task: AttemptTask) {
        let mut simulated = self.0.borrow_mut();
        simulated.start("start or find");
        simulated.touch("start or find");
        let task = Box::new(task);
        if task.may_take_long() {
            simulated.pending.push(PendingRequest::AttemptTask(task));
        } else {
            simulated.begin(task);
        }
    }

    fn await_end(&mut self, key: AttemptKey, work: Arc<Work>, attempt: Attempt) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("await");
        simulated
            .pending
            .push(PendingRequest::Await(key, work, attempt));
    }

    fn stop(&mut self, stop: AttemptStop) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("stop");
        let canceled = Box::new(Incoming::Canceled(stop.job, stop.node));
        simulated
            .pending
            .push(PendingRequest::Stop(stop.attempt, canceled));
    }

    fn has_launcher(&self) -> bool {
        self.0.borrow().has_launcher
    }

    fn start_launcher(&mut self, _name: &str, _log: &Path, _pending: &Path) -> io::Result<()> {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("start a launcher");
        let host = simulated.host;
        simulated.launchers.push(SimulatedLauncher::on(host));
        simulated.has_launcher = true;
        Ok(())
    }

    fn forget_launcher(&mut self) {
        self.0.borrow_mut().has_launcher = false;
    }

    fn request(&mut self, request: &LauncherRequest) {
        let mut simulated = self.0.borrow_mut();
        let what = match request {
            LauncherRequest::Start(_) => "request a start",
            LauncherRequest::Hold(_) => "have it held",
            LauncherRequest::Go { .. } => "go",
            LauncherRequest::Follow { .. } => "tell what follows",
            LauncherRequest::Withdraw => "withdraw",
            LauncherRequest::Forget { .. } => "forget",
            LauncherRequest::Recorded { .. } => "tell what is recorded",
            LauncherRequest::AtMost { .. } => "tell the room",
        };
        let starts = matches!(
            request,
            LauncherRequest::Start(_) | LauncherRequest::Go { .. }
        );
        // One whose host was gone has ended, and nobody reads what its owner asks for.
        if starts && simulated.launcher().is_some_and(|it| !it.is_dead) {
            simulated.start(what);
        }
        simulated.touch(what);
        if let Some(launcher) = simulated.launcher() {
            launcher.unsent.push(request.clone());
        }
    }

    fn flush(&mut self) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("flush");
        if let Some(launcher) = simulated.launcher() {
            let unsent = std::mem::take(&mut launcher.unsent);
            if !launcher.is_dead {
                launcher.inbox.extend(unsent);
            }
        }
    }

    fn send_notices(&mut self) {
        let mut simulated = self.0.borrow_mut();
        simulated.touch("send notices");
        simulated.is_post_asked = true;
    }

    /// No job of the simulator has a coordinator.
    fn rouse(&mut self, _: &str) {}

    fn finish(&mut self) {}
}
