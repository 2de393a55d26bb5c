//! Service levels and notifications in the simulated world, and the invariants of both.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use hpdlc_core::{
    sla::{SlaEvent, USUAL_ALERT_EVENTS, alert_events},
    status::ActionStatus,
};
use hpdlc_store::{JobRow, query, slas};

use super::{
    super::{
        checks::app_of,
        notifications::{
            self, Channel, ExpectedNotices, NotificationLine, check_delivered, check_made,
            check_silence, check_words,
        },
        service_levels,
        simulated_environment::Crash,
        workflow::{ALERT_EVENTS, RETRY_INTERVAL},
    },
    EngineWorld, Situation,
};
use crate::{job::type_name, notify::sending::Sending};

/// More rounds than the tries of any notification need.
const MAX_ROUNDS: usize = 10_000;

impl EngineWorld {
    /// Time passes, and the owner checks the clock, as it does each second.
    pub(super) fn look(&mut self) -> Result<(), String> {
        let passed = self.random.pick(&[1_000, 60_000, 600_000]);
        self.simulated.borrow_mut().elapsed += passed;
        self.tell(|| format!("{passed} ms later the owner looks at the clock"));
        self.call(|engine| {
            engine.take_commands()?;
            engine.look_at_slas();
            Ok(())
        })?;
        let now = self.simulated.borrow().now().timestamp_millis();
        let overdue = self.engine.as_ref().and_then(|engine| {
            let mut jobs = engine.jobs.values();
            jobs.find(|job| job.slas.next_look().is_some_and(|due| due <= now))
        });
        if let Some(job) = overdue {
            return Err(format!("job {} was not looked at in time", job.id()));
        }
        if self.engine.is_some() {
            self.advance()?;
        }
        Ok(())
    }

    /// Whether the sender has something to do.
    pub(super) fn has_post(&self) -> bool {
        let simulated = self.simulated.borrow();
        let now = simulated.now().timestamp_millis();
        let is_due = self.post_due.is_some_and(|due| due <= now);
        self.fault.is_none() && (simulated.is_post_asked || is_due)
    }

    /// The owner leaves: a separate process sends what it has requested.
    pub(super) fn ask_post(&mut self) {
        let simulated = self.simulated.borrow();
        if simulated.is_post_asked {
            self.post_due = Some(simulated.now().timestamp_millis());
        }
    }

    /// Sends what is due, unless the sender dies.
    pub(super) fn send(&mut self) -> Result<(), String> {
        let is_on_server = self.is_on_server();
        let mut sending = match self.sending.take() {
            Some(sending) => sending,
            None => {
                let connection = match is_on_server {
                    true => self.sender_connection(),
                    false => self.bench.open_connection(),
                };
                if is_on_server && connection.is_none() {
                    return self.send_later();
                }
                let way = Box::new(self.transport.clone());
                let sending = Sending::by(way, self.session.home.clone(), self.root.clone());
                match connection {
                    Some(connection) => sending.on(connection),
                    None => sending,
                }
            }
        };
        self.simulated.borrow_mut().is_post_asked = false;
        self.post_due = None;
        match catch_unwind(AssertUnwindSafe(|| sending.send_due())) {
            Ok(Ok(pause)) => {
                self.sending = Some(sending);
                let pause = pause.map(|pause| i64::try_from(pause.as_millis()).unwrap_or(i64::MAX));
                let interval = self.plan.conf.get(RETRY_INTERVAL);
                let interval = interval.and_then(|it| it.parse::<i64>().ok());
                let longest = interval.unwrap_or_default() * 1_000;
                if let Some(pause) = pause.filter(|pause| *pause > longest) {
                    return Err(format!("a notification waits {pause} ms, not {longest}"));
                }
                let now = self.simulated.borrow().now().timestamp_millis();
                self.post_due = pause.map(|pause| now + pause);
            }
            Ok(Err(error)) if is_on_server && error.message.contains("job store") => {
                self.tell(|| format!("whoever sends waits: {}", error.message));
                self.transport.is_unrecorded();
                return self.send_later();
            }
            Ok(Err(error)) => return Err(format!("whoever sends gives up: {error}")),
            Err(thrown) if thrown.is::<Crash>() => {
                self.tell(|| "whoever sends dies".to_owned());
                self.transport.is_unrecorded();
                self.see(Situation::SenderDied);
                self.sending = Some(sending);
                self.forget_sending();
                // The sender is a thread of the owner.
                if let Some(engine) = self.engine.take() {
                    self.die(engine)?;
                }
            }
            Err(_) => return Err("whoever sends panicked".to_owned()),
        }
        self.transport.problem().map_or(Ok(()), Err)
    }

    /// Sends or gives up all notifications, as the process does that an owner leaves behind, or `recover`.
    pub(super) fn tell_all(&mut self) -> Result<(), String> {
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
        let all = notifications::all(self.store()).map_err(fault)?;
        if all.iter().any(|notice| !notice.is_ended) {
            for _ in 0..MAX_ROUNDS {
                self.send()?;
                match self.post_due {
                    Some(due) => {
                        let mut simulated = self.simulated.borrow_mut();
                        let now = simulated.now().timestamp_millis();
                        simulated.elapsed += (due - now).max(0);
                    }
                    None if self.sending.is_some() => break,
                    None => {}
                }
            }
        }
        let all = notifications::all(self.store()).map_err(fault)?;
        let lines = notifications::lines(self.store()).map_err(fault)?;
        for notice in &all {
            let warning =
                |line: &&NotificationLine| line.job == notice.job && line.event == "WARNING";
            let n_warnings = lines.iter().filter(warning).count();
            let delivery = self.transport.delivery(notice.id);
            check_delivered(notice, &delivery, n_warnings)?;
            self.see(Situation::Told);
            if delivery.n_taken > 1 {
                self.see(Situation::ToldTwice);
            }
            if notice.problem.is_some() {
                self.see(Situation::GivenUp);
            }
            if notice.url.starts_with("mailto:") {
                self.see(Situation::Mailed);
            }
        }
        Ok(())
    }

    /// Checks the notifications of jobs that have ended, whether delivered or not.
    pub(super) fn check_notices(&self, jobs: &[JobRow]) -> Result<(), String> {
        let fault = |error: hpdlc_store::sql::Error| error.to_string();
        let lines = notifications::lines(self.store()).map_err(fault)?;
        let made = notifications::all(self.store()).map_err(fault)?;
        check_silence(&lines)?;
        made.iter().try_for_each(check_words)?;
        let mut types = BTreeMap::new();
        let mut contacts = Vec::new();
        for job in jobs {
            let app = self.workflow.program.apps[app_of(job)];
            for (_, def) in app.nodes() {
                types.insert((job.id.clone(), def.name.to_owned()), type_name(def));
            }
            for row in slas::of_job(self.store(), &job.id).map_err(fault)? {
                if row.record.alert_contact.is_some() {
                    contacts.push((job.id.clone(), row.node.clone()));
                }
                self.check_sla(&row, job, &lines)?;
            }
        }
        let children = jobs.iter().filter(|job| job.parent_node.is_some());
        let children: Vec<String> = children.map(|job| job.id.clone()).collect();
        let told = self.plan.conf.get(ALERT_EVENTS);
        let told = told.map_or(USUAL_ALERT_EVENTS, String::as_str);
        let wanted = ExpectedNotices {
            types: &types,
            children: &children,
            sla_events: &alert_events(told),
            contacts: &contacts,
        };
        for door in Channel::ALL {
            let is_wanted = door
                .property()
                .is_none_or(|(property, _)| self.plan.conf.contains_key(property));
            if is_wanted {
                check_made(door, &wanted, &lines, &made)?;
            }
        }
        Ok(())
    }

    fn check_sla(
        &self,
        row: &hpdlc_store::SlaRow,
        job: &JobRow,
        lines: &[NotificationLine],
    ) -> Result<(), String> {
        let of_job: Vec<&NotificationLine> =
            lines.iter().filter(|line| line.job == job.id).collect();
        let begin = of_job.iter().rposition(|line| line.is_rerun());
        let of_run = &of_job[begin.map_or(0, |begin| begin + 1)..];
        if let Some(node) = &row.node {
            let action = query::action(self.store(), &job.id, node);
            let action = action.map_err(|error| error.to_string())?;
            // The result of a skipped action, or of one killed before it could be skipped, is that of an earlier run.
            let is_former = action.is_some_and(|action| {
                let was_killed = begin.is_some() && action.status == ActionStatus::Killed;
                action.skip.is_some() || (was_killed && !service_levels::has_events(row, of_run))
            });
            if is_former {
                return Ok(());
            }
        }
        match row.state.end.map(|end| end.event) {
            Some(SlaEvent::EndMet) => self.see(Situation::SlaMet),
            Some(SlaEvent::EndMiss) => self.see(Situation::SlaMissed),
            Some(_) | None => {}
        }
        service_levels::check(row, of_run, job.status)
            .map_err(|problem| format!("job {}: {problem}", job.id))
    }
}
