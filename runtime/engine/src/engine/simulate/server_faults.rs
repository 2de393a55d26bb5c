//! What happens between the processes of a simulated world and the server with its store, and between its two hosts.

use std::{cell::RefCell, collections::BTreeSet, panic::resume_unwind, rc::Rc, time::Duration};

use hpdlc_store::{
    hosts, query,
    sql::{
        Connection,
        postgres::model::{Fault, Faults, Message, ModelledServer, Who},
    },
};

use super::{
    random::Random,
    simulated_environment::{BEGIN, Crash, SimulatedEnvironment},
    world::Situation,
};
use crate::session::{Ownership, Session};

/// A state folder, and the machine where it is.
pub struct SimulatedHost {
    pub id: String,
    pub session: Session,
    /// Counts its boots.
    pub boot: u32,
}

/// How often what happens, in percent.
struct FaultRates {
    /// Of the messages.
    message: usize,
    /// Of the attempts to connect.
    connect: usize,
    /// While an owner waits for the server, at each attempt.
    taken: usize,
    dies: usize,
    ended: usize,
}

pub struct ServerFaults {
    pub server: ModelledServer,
    pub hosts: Vec<SimulatedHost>,
    /// The host of the owner.
    pub here: usize,
    /// The host has an owner.
    pub is_driven: bool,
    pub root: String,
    /// `hpdl.host.timeout`.
    pub timeout: Duration,
    /// The job in the hands of another host, whose former owner has not noticed it yet.
    pub taken: Option<(usize, Ownership)>,
    /// The owner was told to end while it waited for the server.
    pub is_ended: bool,
    pub is_disk_full: bool,
    pub n_left: usize,
    /// Faults so far.
    pub n_done: u64,
    /// Processes were ended since their host counted as gone.
    pub has_lost: bool,
    /// A broken invariant.
    pub problem: Option<String>,
    observer: Rc<Connection>,
    random: Random,
    rates: FaultRates,
    simulated: Rc<RefCell<SimulatedEnvironment>>,
    seen: Rc<RefCell<BTreeSet<Situation>>>,
}

/// What the faults of a world need.
pub struct FaultParts {
    pub server: ModelledServer,
    pub observer: Rc<Connection>,
    pub hosts: Vec<SimulatedHost>,
    pub simulated: Rc<RefCell<SimulatedEnvironment>>,
    pub seen: Rc<RefCell<BTreeSet<Situation>>>,
}

impl ServerFaults {
    pub fn new(parts: FaultParts, mut random: Random) -> ServerFaults {
        ServerFaults {
            server: parts.server,
            hosts: parts.hosts,
            here: 0,
            is_driven: false,
            root: String::new(),
            timeout: Duration::from_secs(random.pick(&[60, 300])),
            taken: None,
            is_ended: false,
            is_disk_full: false,
            n_left: random.below(12),
            n_done: 0,
            has_lost: false,
            problem: None,
            observer: parts.observer,
            rates: FaultRates {
                message: random.pick(&[0, 1, 3, 10, 25]),
                connect: random.pick(&[0, 10, 50]),
                taken: random.pick(&[0, 10, 40]),
                dies: random.pick(&[0, 0, 5]),
                ended: random.pick(&[0, 0, 0, 2]),
            },
            simulated: parts.simulated,
            seen: parts.seen,
            random,
        }
    }

    pub fn see(&self, situation: Situation) {
        self.seen.borrow_mut().insert(situation);
    }

    fn tell(&self, what: impl FnOnce() -> String) {
        if let Ok(mut simulated) = self.simulated.try_borrow_mut() {
            simulated.tell(what);
        }
    }

    pub fn other(&self) -> usize {
        1 - self.here
    }

    fn is_reachable(&self, host: usize) -> bool {
        !self.server.is_away() && !self.server.is_cut_off(&self.hosts[host].id)
    }

    /// Sets the server's clock. Hosts that can prove that they are alive; what runs on the others ends in time.
    pub fn tick(&mut self) {
        let Ok(elapsed) = self.simulated.try_borrow().map(|it| it.elapsed) else {
            return;
        };
        self.server.set_clock(BEGIN + elapsed);
        for host in 0..self.hosts.len() {
            let runs = |it: &super::launchers::SimulatedLauncher| {
                it.host == host && it.processes().next().is_some()
            };
            let has_processes = self.simulated.borrow().launchers.iter().any(runs);
            let is_driven = self.is_driven && host == self.here;
            if (has_processes || is_driven) && self.is_reachable(host) {
                self.prove(host);
            }
            self.fence(host);
        }
    }

    fn timeout_millis(&self) -> i64 {
        i64::try_from(self.timeout.as_millis()).unwrap_or(i64::MAX)
    }

    fn rest(&self, host: usize) -> i64 {
        let rest = self.server.rest_of(&self.hosts[host].id);
        rest.expect("the host is known")
    }

    fn prove(&mut self, host: usize) {
        if self.rest(host) > self.timeout_millis() / 2 {
            return;
        }
        let proved = hosts::prove(&self.observer, &self.hosts[host].id, self.timeout);
        proved.expect("the server answers the simulator");
    }

    /// The launchers of a host end what runs there before others take its jobs over.
    fn fence(&mut self, host: usize) {
        if self.rest(host) > self.timeout_millis() / 10 {
            return;
        }
        let mut simulated = self.simulated.borrow_mut();
        if simulated.end_host(host) {
            simulated.tell(|| format!("host {host} ends its processes: it counts as gone"));
            drop(simulated);
            self.has_lost = true;
            self.see(Situation::HostGone);
        }
    }

    /// Another host tries to take the job over, as `recover --watch` does there.
    pub fn try_take(&mut self) {
        let other = self.other();
        if !self.is_driven || self.taken.is_some() || !self.is_reachable(other) {
            return;
        }
        let now = BEGIN + self.simulated.try_borrow().map_or(0, |it| it.elapsed);
        let unfinished = query::unfinished_roots(&self.observer, now);
        let unfinished = unfinished.expect("the server answers the simulator");
        if !unfinished.iter().any(|row| row.id == self.root) {
            return;
        }
        let is_gone = self.rest(self.here) <= 0;
        match self.take(other) {
            Ok(Some(ownership)) => {
                // Nobody there knows what became of what ran on the former host.
                self.has_lost |= is_gone;
                self.tell(|| format!("host {other} takes the job over"));
                self.see(Situation::OtherHost);
                self.taken = Some((other, ownership));
                if let Ok(mut simulated) = self.simulated.try_borrow_mut() {
                    simulated.is_replaced = true;
                }
            }
            Ok(None) => {
                self.tell(|| format!("host {other} leaves the job alone"));
                self.see(Situation::WaitedForOtherHost);
            }
            Err(problem) => self.problem = Some(problem),
        }
    }

    fn take(&self, host: usize) -> Result<Option<Ownership>, String> {
        let SimulatedHost { id, session, .. } = &self.hosts[host];
        let failed = |error: hpdlc_store::sql::Error| error.to_string();
        let connection = self.server.connect(id, Who::Owner).map_err(failed)?;
        hosts::prove(&connection, id, self.timeout).map_err(failed)?;
        let owned = session.own_on(&self.root, connection);
        owned.map_err(|error| error.to_string())
    }

    fn away(&mut self) -> Duration {
        let millis = self
            .random
            .pick(&[0, 0, 40, 700, 5_000, 5_000, 40_000, 200_000, 400_000]);
        Duration::from_millis(millis)
    }

    fn choose(&mut self, message: Message<'_>) -> Fault {
        let is_noticed = self.random.percent(60);
        let is_done = self.random.percent(50);
        match self.random.below(if message.commits { 12 } else { 8 }) {
            0 | 1 => Fault::CutBefore { is_noticed },
            2 => Fault::CutAfter { is_noticed },
            3 => Fault::Ended,
            4 => Fault::Dies { is_done },
            5 if message.is_of_owner && message.writes && self.random.percent(70) => {
                self.see(Situation::Conflict);
                Fault::Refused(self.random.pick(&["40001", "40P01"]))
            }
            5 if message.is_of_owner && message.writes => {
                self.is_disk_full = true;
                Fault::Refused("53100")
            }
            // The server that answers is a replica now.
            6 if message.writes => Fault::Refused("25006"),
            5..=7 => {
                let away = self.away();
                Fault::Restart { is_done, away }
            }
            8 | 9 => Fault::CutAfter { is_noticed },
            _ => Fault::CutWithin { applies: is_done },
        }
    }
}

impl Faults for ServerFaults {
    fn at(&mut self, message: Message<'_>) -> Fault {
        if self.n_left == 0 || !self.random.percent(self.rates.message) {
            return Fault::None;
        }
        self.n_left -= 1;
        self.n_done += 1;
        let fault = self.choose(message);
        self.tell(|| format!("      {:?}, {message:?}: {fault:?}", message.who));
        match fault {
            Fault::Restart { .. } => self.see(Situation::ServerAway),
            Fault::CutWithin { .. } => self.see(Situation::CommitUnknown),
            Fault::CutAfter { .. } if message.commits => self.see(Situation::CommitUnknown),
            Fault::CutBefore { .. } | Fault::CutAfter { .. } | Fault::Ended => {
                self.see(Situation::SessionLost);
            }
            Fault::None | Fault::Refused(_) | Fault::Dies { .. } => {}
        }
        fault
    }

    fn at_connect(&mut self, _: Who, _: &str) -> Option<&'static str> {
        if self.n_left == 0 || !self.random.percent(self.rates.connect) {
            return None;
        }
        self.n_left -= 1;
        self.n_done += 1;
        Some(self.random.pick(&["53300", "57P03"]))
    }

    fn wait(&mut self, who: Who, host: &str, pause: Duration) {
        if let Ok(mut simulated) = self.simulated.try_borrow_mut() {
            simulated.elapsed += i64::try_from(pause.as_millis()).expect("it is short");
        }
        if self.random.percent(30) {
            self.server.notice_lost();
        }
        if self.server.is_cut_off(host) && self.random.percent(15) {
            self.tell(|| "the host is connected again".to_owned());
            self.server.cut_off(host, false);
        }
        if self.simulated.try_borrow_mut().is_err() {
            return;
        }
        // After a while the others may be first, or who proves that this host is alive.
        if self.random.percent(70) {
            self.tick();
        }
        if who != Who::Owner {
            return;
        }
        if self.random.percent(self.rates.taken) {
            self.try_take();
        }
        if self.n_left > 0 && self.random.percent(self.rates.dies) {
            self.n_left -= 1;
            self.dies(who);
        }
    }

    fn is_asked_to_end(&mut self, who: Who) -> bool {
        if who == Who::Owner && self.random.percent(self.rates.ended) {
            self.is_ended = true;
            self.see(Situation::EndedWhileWaiting);
        }
        self.is_ended
    }

    fn dies(&mut self, who: Who) {
        self.tell(|| format!("{who:?} dies"));
        resume_unwind(Box::new(Crash));
    }
}
