//! Spontaneous events, one at a time: pending operations complete, processes end, reports arrive.

use hpdlc_launcher::ExitRecord;
use hpdlc_store::{commands, query};

use super::{
    super::{checks::app_of, disk::DiskFault},
    EngineWorld, Situation,
};
use crate::engine::{Engine, Incoming};

impl EngineWorld {
    /// Has one of the possible events happen.
    pub(super) fn act(&mut self) -> Result<(), String> {
        enum EventSubject {
            ComesIn,
            Pending(usize),
            Inbox(usize),
            Report,
            Ends,
            Stops(String),
            Bell,
            Look,
            Post,
        }
        let mut things = Vec::new();
        {
            let mut simulated = self.simulated.borrow_mut();
            if !simulated.soon.is_empty() {
                things.push(EventSubject::ComesIn);
            }
            things.extend(simulated.ready().into_iter().map(EventSubject::Pending));
            things.extend(simulated.stopping().into_iter().map(EventSubject::Stops));
            for (place, launcher) in simulated.launchers.iter().enumerate() {
                if !launcher.inbox.is_empty() {
                    things.push(EventSubject::Inbox(place));
                }
                things.extend(launcher.processes().map(|_| EventSubject::Ends));
            }
            let reports = simulated.launcher();
            if reports.is_some_and(|launcher| launcher.has_report()) {
                things.push(EventSubject::Report);
            }
        }
        let is_there = !matches!(self.fault, Some((DiskFault::Deleted, _)));
        if is_there && self.has_commands {
            let open = commands::open(self.store(), &self.root);
            self.has_commands = !open.map_err(|error| error.to_string())?.is_empty();
            if self.has_commands {
                things.push(EventSubject::Bell);
            }
        }
        if things.is_empty() {
            let engine = self.engine.as_ref();
            return Err(format!(
                "the owner waits for nothing: in flight {:?}, canceling {:?}",
                engine.map(|engine| &engine.in_flight),
                engine.map(|engine| {
                    let nodes = engine.jobs.values().flat_map(|job| job.state.nodes.iter());
                    nodes
                        .filter(|(_, node)| node.is_canceling)
                        .map(|(node, _)| *node)
                        .collect::<Vec<_>>()
                })
            ));
        }
        // Nothing of the job depends on these.
        let thing = if self.has_post() && self.random.percent(self.rates.post) {
            EventSubject::Post
        } else if self.random.percent(self.rates.look) {
            EventSubject::Look
        } else {
            things.swap_remove(self.random.below(things.len()))
        };
        match thing {
            EventSubject::ComesIn => self.come_in(),
            EventSubject::Pending(place) => {
                self.simulated.borrow_mut().deliver(place);
                Ok(())
            }
            EventSubject::Inbox(place) => {
                let did = {
                    let simulated = &mut *self.simulated.borrow_mut();
                    simulated.launchers[place].take_request(&mut simulated.n_pids)?
                };
                self.look_at(&did)
            }
            EventSubject::Report => {
                self.report();
                Ok(())
            }
            EventSubject::Ends => self.end_some_process(),
            EventSubject::Stops(attempt) => self.end_process(&attempt, Some(15)),
            EventSubject::Bell => {
                self.call(Engine::take_commands)?;
                if self.engine.is_some() {
                    self.advance()?;
                }
                Ok(())
            }
            EventSubject::Look => self.look(),
            EventSubject::Post => self.send(),
        }
    }

    /// Delivers the next report of the owner's launcher, or its end.
    pub(super) fn report(&mut self) {
        let mut simulated = self.simulated.borrow_mut();
        let Some(launcher) = simulated.launcher() else {
            return;
        };
        let report = launcher.outbox.pop_front();
        if report.is_none() {
            launcher.is_end_told = true;
        }
        simulated.soon.push_back(Incoming::Launcher(report));
    }

    pub(super) fn come_in(&mut self) -> Result<(), String> {
        let n = 1 + self.random.pick(&[0, 0, 0, 2, 5]);
        for _ in 0..n {
            let Some(incoming) = self.simulated.borrow_mut().soon.pop_front() else {
                break;
            };
            self.tell(|| {
                let text = format!("{incoming:?}");
                text.chars().take(200).collect()
            });
            self.call(|engine| {
                engine.take(incoming);
                Ok(())
            })?;
        }
        if self.engine.is_some() {
            self.advance()?;
        }
        Ok(())
    }

    pub(super) fn end_some_process(&mut self) -> Result<(), String> {
        let running: Vec<String> = self
            .simulated
            .borrow()
            .launchers
            .iter()
            .flat_map(|launcher| launcher.processes().map(str::to_owned))
            .collect();
        if running.is_empty() {
            return Ok(());
        }
        let attempt = running[self.random.below(running.len())].clone();
        if self.random.percent(15) {
            for launcher in &mut self.simulated.borrow_mut().launchers {
                launcher.tell_of(&attempt);
            }
            return Ok(());
        }
        self.end_process(&attempt, None)
    }

    pub(super) fn end_process(&mut self, attempt: &str, signal: Option<i32>) -> Result<(), String> {
        let name = self.name(attempt)?;
        let exits = (name.job.clone(), name.run, name.node.clone());
        let code = match signal {
            Some(_) => None,
            None => {
                let n_before = self.exits.get(&exits).map_or(0, Vec::len);
                let row = query::job(self.store(), &name.job).map_err(|error| error.to_string())?;
                let app = app_of(&row.ok_or("a process runs of a job that is not there")?);
                let code = self.plan.exit_code(app, &name.node, n_before);
                self.exits.entry(exits).or_default().push(code);
                Some(code)
            }
        };
        self.tell(|| format!("{name:?} ends: code {code:?}, signal {signal:?}"));
        let record = ExitRecord {
            code,
            signal,
            error: None,
            exceeded: None,
            ended: self.simulated.borrow().now().timestamp_millis(),
        };
        // Its launcher may be killed between notifying and recording.
        let is_recorded = self.n_launchers_left == 0
            || !self
                .random
                .percent(usize::from(self.rates.launcher_dies > 0));
        let mut did = Vec::new();
        {
            let simulated = &mut *self.simulated.borrow_mut();
            for launcher in &mut simulated.launchers {
                if launcher.processes().any(|it| it == attempt) {
                    did = launcher.end(
                        attempt,
                        record.clone(),
                        is_recorded,
                        &mut simulated.n_pids,
                    )?;
                    if !is_recorded {
                        launcher.die();
                    }
                }
            }
        }
        if !is_recorded {
            self.n_launchers_left -= 1;
            self.lost = true;
            self.see(Situation::LauncherDied);
        }
        self.look_at(&did)
    }
}
