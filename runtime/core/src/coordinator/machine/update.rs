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
            format!("the coordinator is {status}: it makes no more actions"),
        );
    }
    let zone = old.job.processing_zone();
    let (before, after) = (&old.schedule, &new.schedule);
    let different = [
        ("name", old.name != new.name),
        ("frequency", before.frequency != after.frequency),
        ("start", before.start != after.start),
        ("timezone", before.zone != after.zone),
    ];
    if let Some((what, _)) = different.into_iter().find(|(_, differs)| *differs) {
        return refuse(
            "E1023",
            format!("the {what} differs, which an update cannot change"),
        );
    }
    if job.end != after.end {
        return refuse(
            "E1023",
            format!(
                "the end is {}, and that of the coordinator {}: change that by `change endtime=...`",
                zone.write(after.end),
                zone.write(job.end)
            ),
        );
    }
    Ok(())
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
