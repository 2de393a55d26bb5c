//! The service levels of a coordinator's actions: one each, by number.

use hpdlc_core::{
    coordinator::CoordinatorActionStatus,
    sla::{Happened, SlaRecord, SlaState},
};
use hpdlc_store::SlaRow;

use super::watched::{DueEvent, WatchedSlas};

pub type ActionSlas = WatchedSlas<u64>;

impl ActionSlas {
    /// The stored ones that are not over. Their due times may be by another clock.
    pub fn of_store(rows: Vec<SlaRow>) -> ActionSlas {
        let rows = rows.into_iter().filter_map(|mut row| {
            let number: u64 = row.node.as_ref()?.parse().ok()?;
            row.set_due(true);
            Some((Some(number), row))
        });
        ActionSlas::with(rows, true)
    }

    /// Monitors an action from now on: one that was created, or runs again.
    pub fn register(&mut self, job: &str, number: u64, record: SlaRecord, is_silent: bool) {
        let mut row = SlaRow {
            job_id: job.to_owned(),
            node: Some(number.to_string()),
            record,
            is_silent,
            state: SlaState::NEW,
            due: None,
        };
        row.set_due(true);
        self.put(number, row);
    }

    /// Forgets an action whose creation was undone by a changed end.
    pub fn forget(&mut self, number: u64) {
        self.remove(number);
    }

    /// Handles a new state of an action. A skipped or ignored action is not missed; Oozie treats it as met.
    pub fn action_changed(
        &mut self,
        number: u64,
        status: CoordinatorActionStatus,
        at: i64,
    ) -> Vec<DueEvent<u64>> {
        use CoordinatorActionStatus as A;
        let ended = |has_succeeded| Happened::Ended { at, has_succeeded };
        let happened = match status {
            A::Running => Happened::Started { at },
            A::Succeeded => ended(true),
            A::TimedOut | A::Killed | A::Failed => ended(false),
            A::Skipped | A::Ignored => Happened::PassedBy,
            A::Waiting | A::Ready | A::Submitted | A::Suspended => return Vec::new(),
        };
        self.take(Some(number), Some(happened))
    }

    /// The changed rows. Those that are over are not monitored any longer.
    pub fn take_written(&mut self) -> Vec<SlaRow> {
        let rows = self.take_dirty();
        let over = rows.iter().filter(|row| row.state.is_over);
        let over = over.filter_map(|row| row.node.as_ref()?.parse().ok());
        for number in over.collect::<Vec<u64>>() {
            self.remove(number);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use CoordinatorActionStatus as A;
    use hpdlc_core::sla::SlaEvent;

    use super::*;
    use crate::sla::testing::record;

    const RECORD: SlaRecord = record(10, 30, 15);

    /// The events of an action that takes these states at these times, and its next due time.
    fn story(states: &[(A, i64)]) -> (Vec<SlaEvent>, Option<i64>) {
        let mut slas = ActionSlas::of_store(Vec::new());
        slas.register("0000001-C", 7, RECORD, false);
        let mut told = Vec::new();
        for &(status, at) in states {
            told.extend(slas.looked(at));
            told.extend(slas.action_changed(7, status, at));
        }
        assert!(told.iter().all(|told| told.part == Some(7)), "{told:?}");
        let events = told.into_iter().map(|told| told.event);
        (events.collect(), slas.next_look())
    }

    #[test]
    fn events_follow_from_the_states_of_an_action() {
        use SlaEvent as E;
        for (states, expected, next) in [
            (
                vec![(A::Ready, 1), (A::Running, 5), (A::Succeeded, 20)],
                vec![E::StartMet, E::DurationMet, E::EndMet],
                None,
            ),
            (
                vec![(A::Running, 11), (A::Suspended, 12), (A::Running, 28)],
                vec![E::StartMiss, E::DurationMiss],
                Some(31),
            ),
            (
                vec![(A::TimedOut, 20)],
                vec![E::StartMiss, E::EndMiss],
                None,
            ),
            (
                vec![(A::Running, 5), (A::Killed, 6)],
                vec![E::StartMet, E::DurationMet, E::EndMiss],
                None,
            ),
            (vec![(A::Failed, 5)], vec![E::EndMiss], None),
            (vec![(A::Skipped, 5)], vec![], None),
            (vec![(A::Waiting, 5)], vec![], Some(11)),
        ] {
            assert_eq!(story(&states), (expected, next), "{states:?}");
        }
    }

    #[test]
    fn what_is_over_is_written_once_and_watched_anew_when_it_runs_again() {
        let mut slas = ActionSlas::of_store(Vec::new());
        slas.register("0000001-C", 7, RECORD, true);
        assert_eq!(slas.take_written().len(), 1);
        assert!(slas.take_written().is_empty());
        slas.action_changed(7, A::Succeeded, 5);
        let written = slas.take_written();
        assert!(written[0].state.is_over && written[0].is_silent);
        assert!(slas.is_empty());
        slas.register("0000001-C", 7, RECORD, true);
        assert_eq!(slas.take_written()[0].state, SlaState::NEW);
    }

    #[test]
    fn what_was_stored_is_looked_at_by_the_clock_of_the_job() {
        let mut slas = ActionSlas::of_store(Vec::new());
        slas.register("0000001-C", 7, RECORD, false);
        let mut rows = slas.take_written();
        // As written by an owner whose clock runs faster.
        rows[0].due = Some(5_000_000);
        let mut slas = ActionSlas::of_store(rows);
        assert_eq!(slas.next_look(), Some(11));
        assert_eq!(slas.looked(31).len(), 2);
    }
}
