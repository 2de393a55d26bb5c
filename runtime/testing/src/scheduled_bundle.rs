//! What became of a bundle in the period, and how it is run over it.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hpdlc_core::{
    bundle::{self, BundleEffect, BundleEvent, BundleState},
    coordinator::{CoordinatorStatus, simulate::Simulation},
};

use crate::{
    names,
    scheduled::{Scheduled, Submitted},
};

/// What became of a bundle in the period.
#[derive(Clone, Debug)]
pub struct ScheduledBundle {
    /// At the end of the period.
    pub status: CoordinatorStatus,
    /// When it started its coordinators; `None` if its kick-off is not in the period.
    pub started: Option<DateTime<Utc>>,
    /// When the last of its coordinators was over.
    pub ended: Option<DateTime<Utc>>,
    /// Those that are enabled, by the names that the bundle has for them.
    pub coordinators: BTreeMap<String, Scheduled>,
}

impl ScheduledBundle {
    /// What became of the coordinator with this name.
    ///
    /// # Panics
    ///
    /// If the bundle starts none.
    #[track_caller]
    pub fn coordinator(&self, name: &str) -> &Scheduled {
        match self.coordinators.get(name) {
            Some(scheduled) => scheduled,
            None => panic!("{}", unknown(name, self.coordinators.keys())),
        }
    }
}

/// That a bundle starts no coordinator of this name, and which it starts.
pub(crate) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n String>) -> String {
    let known: Vec<&str> = known.map(String::as_str).collect();
    let hint = names::hint(name, &known);
    format!(
        "the bundle starts no coordinator `{name}`{hint} It starts {}",
        known.join(", ")
    )
}

/// When a bundle runs.
pub(crate) struct Period {
    /// As its document says.
    pub(crate) kick_off: Option<DateTime<Utc>>,
    /// When its coordinators are submitted.
    pub(crate) submitted: DateTime<Utc>,
    /// Exclusive.
    pub(crate) to: DateTime<Utc>,
}

/// Runs the coordinators of a bundle, and the bundle by what becomes of them. A bundle asks nothing of a coordinator that runs, so each
/// runs by itself, and the bundle hears of their states in the order of time.
pub(crate) fn run(
    period: &Period,
    coordinators: Vec<(String, &Submitted<'_>, Simulation)>,
) -> ScheduledBundle {
    let names = coordinators.iter().map(|(name, ..)| name.clone());
    let mut state = BundleState::new(period.kick_off, names);
    let mut events = Vec::new();
    if period.submitted < period.to {
        let step = bundle::step(&mut state, period.submitted, BundleEvent::Tick);
        for effect in step.effects {
            if let BundleEffect::Submit { name } = effect {
                let status = CoordinatorStatus::Prep;
                events.push((period.submitted, BundleEvent::Coordinator { name, status }));
            }
        }
    }
    let started = (!events.is_empty()).then_some(period.submitted);
    let mut ran = BTreeMap::new();
    for (name, submitted, simulation) in coordinators {
        let scheduled = match started {
            Some(_) => submitted.run(&simulation, &mut |time, status| {
                let name = name.clone();
                events.push((time, BundleEvent::Coordinator { name, status }));
            }),
            None => Scheduled {
                status: CoordinatorStatus::Prep,
                actions: Vec::new(),
            },
        };
        ran.insert(name, scheduled);
    }
    // A stable sort: the states of a coordinator at one time stay in their order.
    events.sort_by_key(|(time, _)| *time);
    let mut ended = None;
    for (time, event) in events {
        let step = bundle::step(&mut state, time, event);
        let mut effects = step.effects.iter();
        if effects.any(|effect| matches!(effect, BundleEffect::Finished(_))) {
            ended = Some(time);
        }
    }
    ScheduledBundle {
        status: state.record.status,
        started,
        ended,
        coordinators: ran,
    }
}
