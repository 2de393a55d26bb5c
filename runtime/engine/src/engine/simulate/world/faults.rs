//! Fault injection: commands, crashes, full disks and dead launchers, at any time.

use std::fs;

use hpdlc_host::{exit::RunError, home::durable};
use hpdlc_launcher::Attempt;
use hpdlc_store::{query, sql::Connection};

use super::{
    super::{
        disk::{DiskFault, StoreImage},
        random::Random,
    },
    CRASHES_PER_CLOSE, EngineWorld, Situation,
};
use crate::{
    engine::{Engine, signals::SignalRequest},
    job_command::Verb,
    notify::sending::Sending,
    registry::kept,
};

impl EngineWorld {
    pub(super) fn light_fuse(&mut self) {
        self.n_trouble_left -= 1;
        let fuse = u32::try_from(self.random.below(12)).expect("it is small");
        self.simulated.borrow_mut().fuse = Some(fuse);
    }

    /// The owner dies at once, perhaps with the machine.
    pub(super) fn die(&mut self, engine: Engine) -> Result<(), String> {
        self.see(Situation::Crash);
        let is_power_cut = self.random.percent(self.rates.power_cut);
        if self.is_on_server() {
            self.die_on_server(engine, is_power_cut);
        } else if is_power_cut || self.fault.is_some() || self.random.percent(20) {
            // No other connection is open: the next reader has to recover the store.
            self.n_recoveries += 1;
            let connection = engine.writer.connection();
            let is_closed = self.n_recoveries.is_multiple_of(CRASHES_PER_CLOSE);
            if is_closed || self.fault.is_some() || !connection.is_autocommit() {
                let image = StoreImage::take(&self.session.home);
                self.forget_connections();
                drop(engine);
                image.put(&self.session.home);
            } else {
                self.keep_connections();
                self.bench.keep(connection_of(engine));
                self.bench.recover();
            }
        } else {
            // Between two transactions it leaves the files as they are, open in the terminal.
            self.gone(engine);
        }
        // A sender thread dies with its owner; a sender process does not.
        if self.random.percent(50) {
            self.forget_sending();
        }
        if is_power_cut {
            self.cut_power();
        } else {
            self.tell(|| "CRASH".to_owned());
        }
        self.left()
    }

    /// Keeps the connections for further use.
    pub(super) fn keep_connections(&mut self) {
        let connections = [self.terminal.take(), self.spare.take()];
        for connection in connections.into_iter().flatten() {
            self.bench.keep(connection);
        }
        self.forget_sending();
    }

    /// Closes all connections to the store.
    pub(super) fn forget_connections(&mut self) {
        self.terminal = None;
        self.spare = None;
        self.forget_sending();
        self.bench.close();
    }

    pub(super) fn forget_sending(&mut self) {
        let connection = self.sending.take().and_then(Sending::into_connection);
        if !self.is_on_server()
            && let Some(connection) = connection.filter(Connection::is_autocommit)
        {
            self.bench.keep(connection);
        }
        self.post_due = None;
    }

    /// Removes what a file system may lose that was not synced.
    pub(super) fn cut_power(&mut self) {
        self.tell(|| "POWER CUT".to_owned());
        self.see(Situation::PowerCut);
        self.lost = true;
        let mut simulated = self.simulated.borrow_mut();
        // All of them, with a store in a file.
        let here = simulated.host;
        simulated.launchers.retain(|launcher| launcher.host != here);
        simulated.boot += 1;
        drop(simulated);
        let home = self.session.home.clone();
        // A separate generator, so that the course of existing seeds stays the same.
        let mut random = Random::new(self.n_recoveries);
        for folder in [home.bin(), home.apps(), home.sums()] {
            durable::testing::cut_power(&folder, &mut || random.percent(30));
        }
        // The job that needs them is on disk, so they must be too.
        let hash = self.session.program.hash;
        let copy = kept::look(&home, hash).expect("it can be read");
        assert_eq!(copy, kept::KeptCopy::Whole, "the executable of the job");
        let app = home.apps().join(hash);
        for file in self.session.program.files {
            let there = fs::read(app.join(file.path)).unwrap_or_default();
            assert_eq!(there, file.bytes, "{}", file.path);
        }
        for name in self.started.clone() {
            let home = &self.session.home;
            let folder = home.attempt(&name.job, name.run, &name.node, name.attempt);
            let attempt = Attempt::new(folder);
            for file in [attempt.claim_file(), attempt.exit_file()] {
                if self.random.percent(30) {
                    let _ = fs::remove_file(file);
                }
            }
        }
    }

    /// The owner has ended with an error: this must be due to a fault of the machine, and nothing that was reported may be lost.
    pub(super) fn gave_up(&mut self, engine: Engine, error: &RunError) -> Result<(), String> {
        self.tell(|| format!("the owner gives up: {}", error.message));
        if self.is_on_server() {
            return self.gave_up_on_server(engine, error);
        }
        let Some((fault, before)) = self.fault.take() else {
            if self.is_handed_over {
                self.is_handed_over = false;
                self.gone(engine);
                return self.left();
            }
            return Err(format!("the owner gave up: {error}"));
        };
        let (situation, words) = match fault {
            DiskFault::Full(_) => (Situation::DiskFull, "the disk is full"),
            DiskFault::ReadOnly => (Situation::ReadOnly, "it has become read-only"),
            DiskFault::Sync => (Situation::SyncFailed, "it cannot be written to the disk"),
            DiskFault::Deleted => (Situation::Deleted, "it was deleted or replaced"),
            DiskFault::TakenOver => (Situation::TakenOver, "was taken over by another process"),
        };
        self.see(situation);
        if !error.message.contains(words) {
            return Err(format!("{fault:?} is told as: {error}"));
        }
        let after = StoreImage::take(&self.session.home);
        self.forget_connections();
        drop(engine);
        match fault {
            DiskFault::Deleted => before.put(&self.session.home),
            // The state after a power cut at this moment.
            DiskFault::Sync if self.random.percent(50) => {
                let torn = before.torn(&after, &mut self.random);
                torn.put(&self.session.home);
                self.cut_power();
            }
            DiskFault::Sync | DiskFault::Full(_) | DiskFault::ReadOnly | DiskFault::TakenOver => {}
        }
        self.left()
    }

    /// Actions of users and faults of machines, at any time.
    pub(super) fn disturb(&mut self) -> Result<(), String> {
        let is_calm = self.fault.is_none();
        if is_calm && self.n_commands_left > 0 && self.random.percent(self.rates.command) {
            self.n_commands_left -= 1;
            self.ask()?;
        }
        if self.random.percent(self.rates.clock) {
            let offset = self.random.pick(&[-3_600_000, 0, 3_600_000]);
            self.tell(|| format!("the clock is set wrong by {offset} ms"));
            self.simulated.borrow_mut().offset = offset;
        }
        if self.n_launchers_left > 0 && self.random.percent(self.rates.launcher_dies) {
            let mut simulated = self.simulated.borrow_mut();
            if let Some(launcher) = simulated.launcher()
                && !launcher.is_dead
            {
                launcher.die();
                simulated.tell(|| "the launcher dies".to_owned());
                drop(simulated);
                self.n_launchers_left -= 1;
                self.lost = true;
                self.see(Situation::LauncherDied);
            }
        }
        if self.n_trouble_left == 0 || !is_calm {
            return Ok(());
        }
        if self.random.percent(self.rates.fuse) {
            self.light_fuse();
        } else if self.random.percent(self.rates.fault) {
            self.n_trouble_left -= 1;
            if self.is_on_server() {
                self.strike_server()?;
            } else {
                self.strike();
            }
        } else if self.random.percent(self.rates.crash) {
            self.n_trouble_left -= 1;
            if let Some(engine) = self.engine.take() {
                self.die(engine)?;
            }
        } else if self.random.percent(self.rates.hand_over) {
            self.n_trouble_left -= 1;
            if self.n_trouble_left.is_multiple_of(2) {
                self.see(Situation::Interrupted);
                self.tell(|| "Ctrl-C".to_owned());
                self.call(|engine| engine.take_signal(SignalRequest::Kill))?;
                if self.engine.is_some() {
                    self.advance()?;
                }
            } else {
                self.see(Situation::HandedOver);
                self.is_handed_over = true;
                self.call(|engine| engine.take_signal(SignalRequest::HandOver("SIGTERM")))?;
            }
        }
        Ok(())
    }

    pub(super) fn strike(&mut self) {
        let room = u32::try_from(self.random.below(2)).expect("it is small");
        let fault = self.random.pick(&[
            DiskFault::Full(room),
            DiskFault::Full(room),
            DiskFault::ReadOnly,
            DiskFault::Sync,
            DiskFault::Sync,
            DiskFault::Deleted,
            DiskFault::TakenOver,
        ]);
        self.tell(|| format!("{fault:?}"));
        self.simulated.borrow_mut().fuse = None;
        // It would keep the removed files open.
        self.forget_sending();
        let before = StoreImage::take(&self.session.home);
        if fault == DiskFault::TakenOver {
            let taken = query::take_ownership(self.store(), &self.root, 1, None);
            taken
                .expect("the store can be written")
                .expect("the job is there");
        }
        if let Some(engine) = &mut self.engine {
            fault.strike(&self.session.home, &mut engine.writer);
            self.fault = Some((fault, before));
        }
    }

    pub(super) fn ask(&mut self) -> Result<(), String> {
        let jobs = self.jobs()?;
        let job = if self.random.percent(80) {
            0
        } else {
            self.random.below(jobs.len())
        };
        let verb = if self.random.percent(self.rates.kill) {
            Verb::Kill
        } else {
            self.random
                .pick(&[Verb::Suspend, Verb::Suspend, Verb::Resume, Verb::Start])
        };
        self.command(&jobs[job].id, verb)
            .map_err(|error| error.to_string())
    }
}

/// Drops an owner that is gone, except its connection.
pub(super) fn connection_of(engine: Engine) -> Connection {
    engine.writer.into_connection()
}
