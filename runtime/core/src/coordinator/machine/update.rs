//! Replacing a coordinator's definition or configuration (`CoordUpdateXCommand`).

use crate::coordinator::{
    Coordinator, CoordinatorActionStatus, CoordinatorStatus,
    machine::{
        CommandRefusal, JobRecord,
        advance::Machine,
        commands::{Result, refuse},
    },
};

/// Why `new` cannot replace `old`, the current definition of `job`.
pub fn refuses_update(
    job: &JobRecord,
    old: &Coordinator,
    new: &Coordinator,
) -> Option<CommandRefusal> {
    check_update(job, old, new).err()
}

fn check_update(job: &JobRecord, old: &Coordinator, new: &Coordinator) -> Result<()> {
    let status = job.status;
    if matches!(
        status,
        CoordinatorStatus::Succeeded | CoordinatorStatus::DoneWithError
    ) {
        return refuse(
            "E1023",
            format!("Can't update coord job. Job has finished processing: it is {status}"),
        );
    }
    let zone = old.job.processing_zone();
    let time = |time| zone.write(time);
    let (before, after) = (&old.schedule, &new.schedule);
    let ((old_number, old_unit), (new_number, new_unit)) =
        (before.frequency.in_units(), after.frequency.in_units());
    // In the words and the order of `CoordUpdateXCommand.check`.
    let pairs = [
        ("Frequency", "frequency", old_number, new_number),
        ("End time", "end time", time(job.end), time(after.end)),
        (
            "Start time",
            "start time",
            time(before.start),
            time(after.start),
        ),
        ("Coord name", "name", old.name.clone(), new.name.clone()),
        (
            "Timeunit",
            "Timeunit",
            old_unit.to_owned(),
            new_unit.to_owned(),
        ),
        (
            "TimeZone",
            "timeZone",
            before.zone.to_string(),
            after.zone.to_string(),
        ),
    ];
    match pairs.iter().find(|(_, _, old, new)| old != new) {
        None => Ok(()),
        Some((what, name, old, new)) => {
            let help = match *name {
                "end time" => ": `change endtime=...` does that",
                _ => "",
            };
            refuse(
                "E1023",
                format!("{what} can't be changed. Old {name} = {old} new {name} = {new}{help}"),
            )
        }
    }
}

impl Machine<'_> {
    /// Applies the new definition, which is already the current one.
    pub(super) fn update(&mut self) {
        self.state.job.revision += 1;
        self.state.job.concurrency = self.revisions.current().controls.concurrency;
        self.set_skip_timers();
    }

    /// Resets the skip timers, which depend on the execution and on the end.
    pub(super) fn set_skip_timers(&mut self) {
        let may_be_skipped = |status| {
            matches!(
                status,
                CoordinatorActionStatus::Waiting | CoordinatorActionStatus::Ready
            )
        };
        for number in self.numbers(may_be_skipped) {
            self.state.set_skip_timer(self.revisions, number);
        }
    }
}
