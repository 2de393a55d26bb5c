//! The owners of a job whose store is on a server: each on one of two hosts, which may lose it to the other.

use hpdlc_host::exit::RunError;
use hpdlc_store::{hosts, sql::postgres::model::Who};

use super::surviving;
use crate::{
    engine::{
        Engine,
        simulate::world::{EngineWorld, Situation},
    },
    session::Ownership,
};

/// What is said of a server that does not come back.
const STAYS_AWAY: [&str; 2] = [
    "the server cannot be reached",
    "the server has as many connections as it accepts",
];

impl EngineWorld {
    /// Becomes the owner on one of the hosts. If that fails now, time passes.
    pub(in crate::engine::simulate::world) fn own_on_server(
        &mut self,
    ) -> Result<Option<Ownership>, String> {
        self.tick();
        let Some(server) = &self.server else {
            return Ok(None);
        };
        let taken = server.faults.borrow_mut().taken.take();
        if let Some((host, ownership)) = taken {
            self.move_to(host);
            return Ok(Some(ownership));
        }
        let (here, other) = {
            let faults = server.faults.borrow();
            (faults.here, faults.other())
        };
        let host = if self.random.percent(75) { here } else { other };
        let (id, session, timeout) = {
            let mut faults = server.faults.borrow_mut();
            faults.is_ended = false;
            let of = &faults.hosts[host];
            (of.id.clone(), of.session.clone(), faults.timeout)
        };
        let n_before = server.faults.borrow().n_done;
        let owned = surviving(|| {
            let describe = |error| session.describe(error);
            let connection = server.server.connect(&id, Who::Owner).map_err(describe)?;
            hosts::prove(&connection, &id, timeout).map_err(describe)?;
            session.own_on(&self.root, connection)
        });
        let had_fault = server.faults.borrow().n_done > n_before;
        match owned {
            Some(Ok(Some(ownership))) => {
                self.move_to(host);
                return Ok(Some(ownership));
            }
            Some(Ok(None)) => {
                self.tell(|| format!("host {host} has to wait"));
                self.see(Situation::WaitedForOtherHost);
            }
            Some(Err(error))
                if had_fault || server.server.is_away() || server.server.is_cut_off(&id) =>
            {
                self.tell(|| format!("host {host} does not get the job: {}", error.message));
            }
            Some(Err(error)) => return Err(format!("host {host} cannot take the job: {error}")),
            None => self.tell(|| format!("an owner on host {host} dies before it begins")),
        }
        let passed = self.random.pick(&[100, 2_000, 20_000, 301_000]);
        self.pass(passed);
        Ok(None)
    }

    /// Time passes, and the network and the server are mended.
    pub(in crate::engine::simulate::world) fn pass(&mut self, millis: i64) {
        self.tell(|| format!("{millis} ms pass"));
        self.simulated.borrow_mut().elapsed += millis;
        if let Some(server) = &self.server {
            for host in &server.faults.borrow().hosts {
                server.server.cut_off(&host.id, false);
            }
            server.server.notice_lost();
        }
        self.tick();
    }

    fn move_to(&mut self, host: usize) {
        let Some(server) = &self.server else { return };
        let session = {
            let mut faults = server.faults.borrow_mut();
            faults.here = host;
            faults.hosts[host].session.clone()
        };
        let former = self.simulated.borrow().host;
        if former != host {
            let former = server.faults.borrow().hosts[former].id.clone();
            // Nobody knows what became of what it ran.
            self.lost |= server.server.rest_of(&former).is_ok_and(|rest| rest <= 0);
            self.see(Situation::OtherHost);
            self.session = session;
            self.simulated.borrow_mut().host = host;
            self.forget_sending();
        }
        self.tell(|| format!("on host {host}"));
    }

    /// What names this boot of the owner's host in the rows of attempts.
    pub(in crate::engine::simulate::world) fn boot_mark(&self) -> String {
        match &self.server {
            None => self.simulated.borrow().boot.to_string(),
            Some(server) => {
                let faults = server.faults.borrow();
                let host = &faults.hosts[faults.here];
                hosts::mark_of(&host.boot.to_string(), Some(&host.id))
            }
        }
    }

    /// The owner dies, perhaps with its machine.
    pub(in crate::engine::simulate::world) fn die_on_server(
        &mut self,
        engine: Engine,
        is_power_cut: bool,
    ) {
        let Some(server) = &self.server else { return };
        let id = {
            let mut faults = server.faults.borrow_mut();
            let here = faults.here;
            if is_power_cut {
                faults.hosts[here].boot += 1;
            }
            faults.hosts[here].id.clone()
        };
        // The server does not hear of a machine that is gone.
        if is_power_cut {
            server.server.cut_off(&id, true);
        }
        drop(engine);
        server.server.cut_off(&id, false);
    }

    /// The owner has given up: by what happened, not by itself.
    pub(in crate::engine::simulate::world) fn gave_up_on_server(
        &mut self,
        engine: Engine,
        error: &RunError,
    ) -> Result<(), String> {
        let Some(server) = &self.server else {
            return Ok(());
        };
        let words = &error.message;
        let situation = {
            let mut faults = server.faults.borrow_mut();
            let is_taken = faults.taken.is_some();
            let is_ended = std::mem::take(&mut faults.is_ended);
            let is_full = std::mem::take(&mut faults.is_disk_full);
            if is_taken && words.contains("was taken over by another process") {
                Some(Situation::Replaced)
            } else if is_ended && STAYS_AWAY.iter().any(|it| words.contains(it)) {
                Some(Situation::EndedWhileWaiting)
            } else if is_full && words.contains("the disk of the server is full") {
                Some(Situation::DiskOfServerFull)
            } else if std::mem::take(&mut self.is_handed_over) {
                Some(Situation::HandedOver)
            } else {
                None
            }
        };
        let Some(situation) = situation else {
            return Err(format!("the owner gave up: {error}"));
        };
        self.see(situation);
        drop(engine);
        self.left()
    }

    /// Something happens to the server, or between it and the hosts.
    pub(in crate::engine::simulate::world) fn strike_server(&mut self) -> Result<(), String> {
        let Some(server) = &self.server else {
            return Ok(());
        };
        let here = {
            let faults = server.faults.borrow();
            faults.hosts[faults.here].id.clone()
        };
        match self.random.below(4) {
            0 => {
                let away = self.random.pick(&[0, 300, 20_000, 400_000]);
                self.tell(|| format!("the server is away for {away} ms"));
                server
                    .server
                    .restart(std::time::Duration::from_millis(away));
                self.see(Situation::ServerAway);
            }
            1 => {
                self.tell(|| "the host is cut off".to_owned());
                server.server.cut_off(&here, true);
                self.see(Situation::Partition);
            }
            // The owner stands still, and another host sees only that.
            n => {
                self.tell(|| "the owner stands still, cut off".to_owned());
                server.server.cut_off(&here, true);
                self.see(Situation::Partition);
                let passed = if n == 2 { 400_000 } else { 1_000 };
                self.simulated.borrow_mut().elapsed += passed;
                self.tick();
                if let Some(server) = &self.server {
                    if self.random.percent(70) {
                        server.server.notice_lost();
                    }
                    server.faults.borrow_mut().try_take();
                    if self.random.percent(50) {
                        server.server.cut_off(&here, false);
                    }
                }
            }
        }
        self.check_server()
    }
}
