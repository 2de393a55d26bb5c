//! Changing a coordinator's end, pause time, concurrency and state (`CoordChangeXCommand`).

use chrono::{DateTime, Utc};

use crate::{
    coordinator::{
        CoordinatorActionStatus, CoordinatorStatus, Schedule,
        machine::{
            CommandRefusal, RefusalKind,
            advance::Machine,
            commands::{Result, refuse},
        },
    },
    time::ProcessingZone,
};

/// What to change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CoordinatorChange {
    pub end: Option<DateTime<Utc>>,
    /// The new concurrency; `Some(None)` means no limit.
    pub concurrency: Option<Option<u32>>,
    /// The new pause time; `Some(None)` removes it.
    pub pause_time: Option<Option<DateTime<Utc>>>,
    pub status: Option<NewStatus>,
}

/// The states that the user may set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewStatus {
    Running,
    Ignored,
}

impl CoordinatorChange {
    /// Parses `endtime=...;concurrency=...;pausetime=...;status=...`, each optional.
    ///
    /// # Errors
    ///
    /// E1015: an unknown key, a duplicate key, an invalid value.
    pub fn parse(
        text: &str,
        zone: ProcessingZone,
    ) -> std::result::Result<CoordinatorChange, CommandRefusal> {
        let mut change = CoordinatorChange::default();
        for part in text.split(';').filter(|part| !part.trim().is_empty()) {
            let Some((key, value)) = part.split_once('=') else {
                return wrong(
                    RefusalKind::NoPair,
                    format!("`{part}` is not of the form `key=value`"),
                );
            };
            let (key, value) = (key.trim(), value.trim());
            let is_new = match key {
                "endtime" => change.end.replace(date(key, value, zone)?).is_none(),
                "concurrency" => change.concurrency.replace(count(value)?).is_none(),
                "pausetime" => {
                    let time = match value {
                        "" => None,
                        value => Some(date(key, value, zone)?),
                    };
                    change.pause_time.replace(time).is_none()
                }
                "status" => change.status.replace(status(value)?).is_none(),
                _ => {
                    return wrong(
                        RefusalKind::UnknownKey,
                        format!(
                            "`{key}` cannot be changed; what can is endtime, concurrency, pausetime and status"
                        ),
                    );
                }
            };
            if !is_new {
                return wrong(RefusalKind::Count, format!("`{key}` is given twice"));
            }
        }
        if change == CoordinatorChange::default() {
            return wrong(RefusalKind::Count, "nothing is to be changed");
        }
        Ok(change)
    }
}

fn wrong<T>(kind: RefusalKind, message: impl Into<String>) -> Result<T> {
    Err(CommandRefusal {
        kind,
        code: "E1015",
        message: message.into(),
    })
}

fn date(key: &str, value: &str, zone: ProcessingZone) -> Result<DateTime<Utc>> {
    match zone.read(value) {
        Ok(read) => Ok(read.instant),
        Err(error) => wrong(
            RefusalKind::NoDate,
            format!(
                "`{key}` is `{value}`: {error}; the form is `yyyy-MM-ddTHH:mm{}`",
                zone.ending()
            ),
        ),
    }
}

fn count(value: &str) -> Result<Option<u32>> {
    match value.parse::<i32>() {
        Ok(n) => Ok(u32::try_from(n).ok()),
        Err(_) => wrong(
            RefusalKind::NoNumber,
            format!("`concurrency` is `{value}`, which is no number"),
        ),
    }
}

fn status(value: &str) -> Result<NewStatus> {
    match value {
        "RUNNING" => Ok(NewStatus::Running),
        "IGNORED" => Ok(NewStatus::Ignored),
        _ => wrong(
            RefusalKind::NoStatus,
            format!("`status` is `{value}`; what can be set is RUNNING and IGNORED"),
        ),
    }
}

impl Machine<'_> {
    pub(super) fn change(&mut self, change: &CoordinatorChange) -> Result<()> {
        use CoordinatorStatus as C;
        let status = self.state.job.status;
        let is_status_alone =
            change.end.is_none() && change.concurrency.is_none() && change.pause_time.is_none();
        if matches!(status, C::Killed | C::Ignored) && !is_status_alone {
            return refuse(
                "E1016",
                format!("the coordinator is {status}: only its status can be changed"),
            );
        }
        let new_status = match change.status {
            Some(new) => Some(self.check_status(new)?),
            None => None,
        };
        // Everything is checked before anything is changed.
        let end = change.end.filter(|end| self.may_change_end(*end));
        let pause_time = change.pause_time.flatten();
        let limit = [end, pause_time].into_iter().flatten().min();
        let kept = match limit {
            Some(limit) => Some(self.check_removal(limit)?),
            None => None,
        };

        if let Some(end) = end {
            self.change_end(end);
        }
        if let Some(pause_time) = change.pause_time {
            self.state.job.pause_time = pause_time;
        }
        if let Some(kept) = kept {
            self.remove_made_ahead(kept);
        }
        if let Some(concurrency) = change.concurrency {
            self.state.job.concurrency = concurrency;
        }
        if let Some(status) = new_status {
            self.state.job.status = status;
            if status == C::Running {
                self.set_done();
            }
        }
        self.set_skip_timers();
        Ok(())
    }

    fn check_status(&self, new: NewStatus) -> Result<CoordinatorStatus> {
        use CoordinatorStatus as C;
        let status = self.state.job.status;
        let is_pending = self.state.n_commands > 0;
        match new {
            NewStatus::Running if matches!(status, C::Failed | C::Killed | C::Ignored) => {
                Ok(C::Running)
            }
            NewStatus::Running => refuse(
                "E1015",
                format!(
                    "the coordinator is {status}: only a FAILED, KILLED or IGNORED one can be set to RUNNING"
                ),
            ),
            NewStatus::Ignored if matches!(status, C::Failed | C::Killed) && !is_pending => {
                Ok(C::Ignored)
            }
            NewStatus::Ignored if is_pending => refuse(
                "E1015",
                "the workflows of the coordinator are still being killed: try again when they are gone",
            ),
            NewStatus::Ignored => refuse(
                "E1015",
                format!("the coordinator is {status}: only a FAILED or KILLED one can be ignored"),
            ),
        }
    }

    /// A later end that is still before the next materialization changes nothing.
    fn may_change_end(&self, end: DateTime<Utc>) -> bool {
        let job = &self.state.job;
        !(job.end < end && job.next_time.is_none_or(|next| next > end))
    }

    fn change_end(&mut self, end: DateTime<Utc>) {
        use CoordinatorStatus as C;
        let start = self.revisions.current().schedule.start;
        let job = &mut self.state.job;
        job.end = end;
        if end <= start {
            job.is_done = true;
            if matches!(job.status, C::Prep | C::Running) {
                job.status = C::Succeeded;
            }
            return;
        }
        job.status = match job.status {
            C::Succeeded => C::Running,
            C::DoneWithError | C::Failed => C::RunningWithError,
            same => same,
        };
        self.set_done();
    }

    fn set_done(&mut self) {
        let job = &mut self.state.job;
        job.is_done = job.next_time.is_none_or(|next| next >= job.end);
    }

    /// How many actions there are before `limit`. Those from `limit` on must not have started (E1022).
    fn check_removal(&self, limit: DateTime<Utc>) -> Result<u64> {
        let endless = Schedule {
            end: DateTime::<Utc>::MAX_UTC,
            ..self.revisions.current().schedule.clone()
        };
        let kept = endless.count_before(limit).min(self.state.job.last_number);
        for number in (kept + 1..=self.state.job.last_number).rev() {
            let status = self.status_of(number);
            let can_go = matches!(
                status,
                Some(CoordinatorActionStatus::Waiting | CoordinatorActionStatus::Ready)
            );
            if !can_go {
                let zone = self.revisions.current().job.processing_zone();
                let status = status.map_or("over", CoordinatorActionStatus::name);
                return refuse(
                    "E1022",
                    format!(
                        "action {number} is not before {} and is {status}: only WAITING and READY ones can be deleted",
                        zone.write(limit)
                    ),
                );
            }
        }
        Ok(kept)
    }

    /// Removes the actions after the first `kept` ones. Their numbers are reused.
    fn remove_made_ahead(&mut self, kept: u64) {
        let last = self.state.job.last_number;
        if kept == last {
            return;
        }
        for number in kept + 1..=last {
            self.stop_looking(number);
            self.state.clear_timers(number);
            self.state.ready.remove(&number);
            self.changed.remove(&number);
            if let Some(live) = self.state.actions.remove(&number) {
                self.state.counts.remove(live.record.status);
                if number == kept + 1 {
                    self.state.job.next_time = Some(live.record.nominal);
                }
            }
            self.step.deleted.insert(number);
        }
        self.state.job.last_number = kept;
        self.set_done();
    }
}
