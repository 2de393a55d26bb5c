//! The user who watches the job.

use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet},
    rc::Rc,
};

use super::Situation;
use crate::{
    engine::simulate::simulated_environment::SimulatedEnvironment,
    progress::{Progress, ProgressEvent},
};

/// What was reported as done, by job and node; the last report counts.
pub(super) type ReportedOutcomes = BTreeMap<(String, Option<String>), String>;

/// The user who watches the job, and relies on what is shown.
pub(super) struct Watcher {
    pub told: Rc<RefCell<ReportedOutcomes>>,
    pub simulated: Rc<RefCell<SimulatedEnvironment>>,
    pub seen: Rc<RefCell<BTreeSet<Situation>>>,
}

impl Progress for Watcher {
    fn event(&mut self, event: &ProgressEvent) {
        let mut simulated = self.simulated.borrow_mut();
        simulated.tell(|| {
            let node = event.node.as_deref().unwrap_or_default();
            let number = event.id.split('-').next().unwrap_or_default();
            format!("   said: job {number} {node} {}", event.event)
        });
        let mut told = self.told.borrow_mut();
        let mut seen = self.seen.borrow_mut();
        match event.event.as_str() {
            "RERUN" => {
                seen.insert(Situation::ChildRerun);
                told.retain(|(job, _), _| *job != event.id);
            }
            "ATTACHED" => {
                seen.insert(Situation::Attached);
            }
            "ERROR"
                if event
                    .message
                    .as_deref()
                    .is_some_and(|it| it.contains("HPDL_LOST")) =>
            {
                seen.insert(Situation::Lost);
            }
            _ => {}
        }
        if let Some(status) = &event.status {
            let key = (event.id.clone(), event.node.clone());
            told.insert(key, status.clone());
        }
        // An owner that dies now has reported it.
        simulated.touch("say");
    }
}
