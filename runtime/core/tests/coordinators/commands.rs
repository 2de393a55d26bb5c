//! Random user commands.

use chrono::Duration;
use hpdlc_core::coordinator::machine::{
    ActionRecord, CoordinatorChange, CoordinatorEvent, NewStatus, Rerun,
};

use super::{random::Random, world::CoordinatorWorld};

/// One of the commands, whether or not it is valid.
pub fn random(random: &mut Random, world: &CoordinatorWorld) -> CoordinatorEvent {
    let mut some = |percent| -> Vec<ActionRecord> {
        let rows = world.rows().values();
        rows.filter(|_| random.percent(percent)).cloned().collect()
    };
    let (few, many) = (some(15), some(60));
    match random.below(12) {
        0 | 1 => CoordinatorEvent::Suspend,
        2..=4 => CoordinatorEvent::Resume,
        5 if random.percent(30) => CoordinatorEvent::Kill,
        5 | 6 => CoordinatorEvent::KillActions(few.iter().map(|record| record.number).collect()),
        7 => CoordinatorEvent::IgnoreActions(few),
        8 | 9 => CoordinatorEvent::Rerun {
            actions: if random.percent(50) { few } else { many },
            how: Rerun {
                refresh: random.percent(30),
                failed: random.percent(30),
            },
        },
        10 => {
            let minutes = i64::try_from(random.below(200)).unwrap_or(0);
            let time = world.start() + Duration::minutes(minutes - 20);
            CoordinatorEvent::Change(match random.below(3) {
                0 => CoordinatorChange {
                    end: Some(time),
                    ..CoordinatorChange::default()
                },
                1 => CoordinatorChange {
                    pause_time: Some(random.percent(50).then_some(time)),
                    ..CoordinatorChange::default()
                },
                _ => CoordinatorChange {
                    concurrency: Some(random.percent(80).then_some(1 + (minutes % 4) as u32)),
                    ..CoordinatorChange::default()
                },
            })
        }
        _ => CoordinatorEvent::Change(CoordinatorChange {
            status: Some(if random.percent(70) {
                NewStatus::Running
            } else {
                NewStatus::Ignored
            }),
            ..CoordinatorChange::default()
        }),
    }
}
