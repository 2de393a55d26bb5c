//! Invariants that are checked after every event, and at the end.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use hpdlc_core::{
    definition::{Definition, Outcome},
    status::{ActionStatus, JobStatus},
};
use hpdlc_store::{ActionRow, query};

use super::{
    super::{
        checks::{AttemptName, States, app_of, check_change, check_memory, check_walk},
        launchers::Did,
    },
    EngineWorld, Situation,
};
use crate::{doctor, engine::Engine};

impl EngineWorld {
    pub(super) fn name(&self, attempt: &str) -> Result<AttemptName, String> {
        let name = self.attempt_name(attempt);
        name.ok_or_else(|| format!("{attempt} is no attempt"))
    }

    /// A process may start only if its intent is on disk, and only once.
    pub(super) fn look_at(&mut self, did: &[Did]) -> Result<(), String> {
        for did in did {
            let attempt = match did {
                Did::Started(attempt) => attempt,
                Did::FoundClaimed(attempt) => {
                    self.tell(|| format!("found claimed: {attempt}"));
                    continue;
                }
            };
            let name = self.name(attempt)?;
            self.tell(|| format!("{name:?} starts"));
            if !self.started.insert(name.clone()) {
                return Err(format!("{name:?} is started again"));
            }
            let fault = |error: hpdlc_store::sql::Error| error.to_string();
            let job = query::job(self.store(), &name.job).map_err(fault)?;
            let row = query::action(self.store(), &name.job, &name.node).map_err(fault)?;
            let is_recorded = job.is_some_and(|job| job.run == name.run)
                && row.is_some_and(|row| {
                    let is_meant = row.status == ActionStatus::Running || row.is_canceling;
                    is_meant && row.attempt == name.attempt
                });
            if is_recorded {
                continue;
            }
            if self.is_foreseen(&name).map_err(fault)? {
                self.see(Situation::BegunAhead);
            } else {
                return Err(format!("{name:?} starts, and nothing in the store says so"));
            }
        }
        Ok(())
    }

    /// Whether the store says that the launcher may start the attempt by itself.
    fn is_foreseen(&self, name: &AttemptName) -> hpdlc_store::sql::Result<bool> {
        let Some(job) = query::job(self.store(), &name.job)? else {
            return Ok(false);
        };
        let app = self.workflow.program.apps[app_of(&job)];
        let rows = query::actions(self.store(), &name.job)?;
        let is_led = |row: &ActionRow| {
            let leader = app.nodes().find(|(_, def)| def.name == row.name);
            let ahead = usize::try_from(row.ahead.unwrap_or_default()).unwrap_or_default();
            std::iter::successors(leader.map(|(node, _)| node), |&node| {
                app.next(node, Outcome::Ok)
            })
            .skip(1)
            .take(ahead)
            .any(|node| app.node(node).name == name.node)
        };
        let mut running = rows
            .iter()
            .filter(|row| row.status == ActionStatus::Running);
        Ok(job.run == name.run && name.attempt == 1 && running.any(is_led))
    }

    /// A process may run only if its owner knows it to be running or is about to stop it.
    pub(super) fn check_processes(&self) -> Result<(), String> {
        let Some(engine) = &self.engine else {
            return Ok(());
        };
        for launcher in &self.simulated.borrow().launchers {
            for attempt in launcher.processes() {
                let name = self.name(attempt)?;
                let job = engine.jobs.get(&name.job);
                let node = job.and_then(|job| {
                    let mut nodes = job.app.nodes();
                    nodes.find(|(_, def)| def.name == name.node)
                });
                let state = job
                    .zip(node)
                    .and_then(|(job, (node, _))| job.state.nodes.get(&node));
                if node.is_some_and(|(node, _)| engine.is_foreseen(&name.job, node)) {
                    continue;
                }
                let is_known = state.is_some_and(|state| {
                    let is_running = state.status == ActionStatus::Running || state.is_canceling;
                    is_running && i64::from(state.attempt) == name.attempt
                });
                if !is_known {
                    return Err(format!("{name:?} runs unknown to its owner: {state:?}"));
                }
            }
        }
        Ok(())
    }

    /// The states of a job's nodes.
    fn statuses(&self, job: &str) -> hpdlc_store::sql::Result<BTreeMap<String, String>> {
        self.store()
            .prepare_cached("SELECT name, status FROM actions WHERE job_id = ?1")?
            .query_map([job], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect()
    }

    /// What was reported as done must still be done.
    pub(super) fn check_told(&self) -> Result<(), String> {
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
        let mut nodes: BTreeMap<&str, BTreeMap<String, String>> = BTreeMap::new();
        for ((job, node), said) in &*self.told.borrow() {
            let is_final = match node {
                None => JobStatus::from_name(said).is_some_and(JobStatus::is_terminal),
                Some(_) => ActionStatus::from_name(said).is_some_and(ActionStatus::is_terminal),
            };
            if !is_final {
                continue;
            }
            let found = match node {
                None => {
                    let row = query::job(self.store(), job).map_err(fault)?;
                    row.map(|row| row.status.name().to_owned())
                }
                Some(node) => {
                    let nodes = match nodes.entry(job) {
                        Entry::Occupied(known) => known.into_mut(),
                        Entry::Vacant(new) => new.insert(self.statuses(job).map_err(fault)?),
                    };
                    nodes.remove(node)
                }
            };
            if found.as_deref() != Some(said.as_str()) {
                return Err(format!(
                    "job {job}, node {node:?} was said to be {said} and is {found:?}"
                ));
            }
        }
        Ok(())
    }

    /// Invariants of jobs that have ended, whatever happened.
    pub(super) fn check_end(&mut self) -> Result<(), String> {
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
        let running = self.simulated.borrow();
        if let Some(attempt) = running
            .launchers
            .iter()
            .find_map(|it| it.processes().next())
        {
            return Err(format!("{attempt} runs at the end"));
        }
        drop(running);
        self.check_told()?;
        self.check_acknowledged()?;
        let mut children = BTreeSet::new();
        let jobs = self.jobs()?;
        self.check_notices(&jobs)?;
        for job in jobs {
            if !job.status.is_terminal() {
                return Err(format!("job {} is {} at the end", job.id, job.status));
            }
            if let (Some(parent), Some(node)) = (&job.parent_id, &job.parent_node) {
                let attempt = (
                    parent.clone(),
                    job.parent_run,
                    node.clone(),
                    job.parent_attempt,
                );
                if !children.insert(attempt.clone()) {
                    return Err(format!("{attempt:?} has two jobs"));
                }
            }
            let rows = query::actions(self.store(), &job.id).map_err(fault)?;
            check_walk(&self.workflow, &job, &rows)
                .map_err(|problem| format!("job {}: {problem}", job.id))?;
            let ran = rows.iter().filter(|row| {
                row.type_name == "shell" && row.status == ActionStatus::Ok && row.skip.is_none()
            });
            for row in ran {
                let exits = (job.id.clone(), job.run, row.name.clone());
                let exits = self.exits.get(&exits);
                let n_good = exits.map_or(0, |it| it.iter().filter(|&&code| code == 0).count());
                if n_good == 0 || (n_good > 1 && !self.lost) {
                    return Err(format!(
                        "{} is OK and did its work {n_good} times",
                        row.name
                    ));
                }
            }
            let refused: i64 = self
                .store()
                .query_row(
                    "SELECT count(*) FROM commands WHERE answer IS NOT NULL",
                    [],
                    |row| row.get(0),
                )
                .map_err(fault)?;
            if refused > 0 {
                self.see(Situation::CommandRefused);
            }
        }
        if !self.is_on_server() && self.random.percent(10) {
            let report = doctor::examine(&self.session, &[], &|_, _, _| {})
                .map_err(|error| error.to_string())?;
            if !report.is_sound() {
                return Err(format!("the doctor finds {:?}", report.findings));
            }
        }
        Ok(())
    }

    pub(super) fn check(&mut self, before: &States, engine: &Engine) -> Result<(), String> {
        check_change(before, engine.jobs.values())?;
        let is_on_disk = engine.is_clean() && engine.internal.is_empty();
        if is_on_disk && self.random.percent(5) {
            let store = self.observer().or(self.terminal.as_ref());
            let store = store.unwrap_or_else(|| engine.writer.connection());
            check_memory(&self.session, store, engine.jobs.values())?;
        }
        Ok(())
    }
}
