//! The owners of the job, one after the other: each takes it up, advances it, and leaves it.

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    rc::Rc,
};

use hpdlc_core::status::JobStatus;
use hpdlc_host::exit::RunError;
use hpdlc_store::query;

use super::{EngineWorld, Situation, faults, watcher::Watcher};
use crate::{
    engine::{
        Engine,
        simulate::{
            checks::states,
            disk::DiskFault,
            simulated_environment::{Crash, Hands},
        },
    },
    job_command::Verb,
    session::Ownership,
};

impl EngineWorld {
    /// Finds an owner for the remaining work; `false` if there is none.
    pub(super) fn find_owner(&mut self) -> Result<bool, String> {
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
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
        self.check_server()?;
        Ok(true)
    }

    pub(super) fn own(&mut self) -> Result<(), String> {
        if self.is_on_server() {
            return match self.own_on_server()? {
                Some(ownership) => self.begin(ownership),
                None => Ok(()),
            };
        }
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
        self.begin(ownership)
    }

    /// A new owner takes the job up.
    fn begin(&mut self, ownership: Ownership) -> Result<(), String> {
        let watcher = Watcher {
            told: Rc::clone(&self.told),
            simulated: Rc::clone(&self.simulated),
            seen: Rc::clone(&self.seen),
        };
        let take_up = || self.session.take_up(ownership, Box::new(watcher));
        let drive = match catch_unwind(AssertUnwindSafe(take_up)) {
            Ok(Ok(drive)) => drive,
            // A command waits for a server for a while only.
            Ok(Err(error))
                if self.is_on_server() && error.message.contains("cannot be reached") =>
            {
                self.tell(|| format!("the owner does not begin: {}", error.message));
                return self.left();
            }
            Ok(Err(error)) => return Err(error.to_string()),
            Err(thrown) if thrown.is::<Crash>() => return self.left(),
            Err(thrown) => resume_unwind(thrown),
        };
        let hands = Hands(Rc::clone(&self.simulated), self.boot_mark());
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

    /// Runs a step of the owner, and checks the result.
    pub(super) fn call(
        &mut self,
        work: impl FnOnce(&mut Engine) -> Result<(), RunError>,
    ) -> Result<(), String> {
        self.tick();
        let Some(mut engine) = self.engine.take() else {
            return Ok(());
        };
        let before = states(engine.jobs.values());
        let n_asked = self.simulated.borrow().n_asked;
        let done = catch_unwind(AssertUnwindSafe(|| work(&mut engine)));
        self.check_server()?;
        match done {
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
    pub(super) fn advance(&mut self) -> Result<(), String> {
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
    pub(super) fn gone(&mut self, engine: Engine) {
        if self.is_on_server() {
            return drop(engine);
        }
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
    pub(super) fn left(&mut self) -> Result<(), String> {
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
