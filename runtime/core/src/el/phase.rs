//! Evaluation phases, which determine the available functions and constants: Oozie's `ELService` contexts.

/// One of Oozie's contexts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// At the submission of a workflow: its name and retries.
    JobSubmit,
    /// At the submission of a workflow: its SLAs.
    WorkflowSla,
    /// When a node starts.
    Workflow,
    /// At the submission of a coordinator: frequencies.
    Frequency,
    /// At the submission of a coordinator: times, zones, controls, includes, and URI templates.
    Plain,
    /// At the submission of a coordinator: the initial instance of a dataset.
    InitialInstance,
    /// At the submission of a coordinator: the time-out.
    Timeout,
    /// At the submission of a coordinator: instances, whose text is kept for a later phase.
    Instances,
    /// At the submission of a coordinator: the configuration of the workflow, whose text is kept for a later phase.
    Data,
    /// At the submission of a coordinator: SLAs, whose text is kept for a later phase.
    CoordinatorSla,
    /// When an action of a coordinator is materialized: an `instance`.
    Create,
    /// When an action of a coordinator is materialized: `start-instance` and `end-instance`.
    CreateRange,
    /// When an action of a coordinator is materialized: SLAs.
    CreateSla,
    /// When the data of a coordinator's action is available.
    Start,
    /// At the submission of a bundle.
    Bundle,
}

impl Phase {
    /// In the order of a job's life cycle.
    pub const ALL: [Phase; 15] = [
        Phase::JobSubmit,
        Phase::WorkflowSla,
        Phase::Workflow,
        Phase::Frequency,
        Phase::Plain,
        Phase::InitialInstance,
        Phase::Timeout,
        Phase::Instances,
        Phase::Data,
        Phase::CoordinatorSla,
        Phase::Create,
        Phase::CreateRange,
        Phase::CreateSla,
        Phase::Start,
        Phase::Bundle,
    ];

    /// Oozie's name of the phase, as in `oozie.service.ELService.groups`.
    pub fn name(self) -> &'static str {
        match self {
            Phase::JobSubmit => "job-submit",
            Phase::WorkflowSla => "wf-sla-submit",
            Phase::Workflow => "workflow",
            Phase::Frequency => "coord-job-submit-freq",
            Phase::Plain => "coord-job-submit-nofuncs",
            Phase::InitialInstance => "coord-job-submit-initial-instance",
            Phase::Timeout => "coord-job-wait-timeout",
            Phase::Instances => "coord-job-submit-instances",
            Phase::Data => "coord-job-submit-data",
            Phase::CoordinatorSla => "coord-sla-submit",
            Phase::Create => "coord-action-create",
            Phase::CreateRange => "coord-action-create-inst",
            Phase::CreateSla => "coord-sla-create",
            Phase::Start => "coord-action-start",
            Phase::Bundle => "bundle-submit",
        }
    }

    /// The phase with this Oozie name.
    pub fn named(name: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.name() == name)
    }
}

/// A set of phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phases(u16);

impl Phases {
    pub const fn of(list: &[Phase]) -> Phases {
        let mut bits = 0;
        let mut at = 0;
        // Iterators are not available in const functions.
        while at < list.len() {
            bits |= 1 << list[at] as u16;
            at += 1;
        }
        Phases(bits)
    }

    pub const fn has(self, phase: Phase) -> bool {
        self.0 & 1 << phase as u16 != 0
    }

    /// Its phases in the order of [`Phase::ALL`].
    pub fn iter(self) -> impl Iterator<Item = Phase> {
        Phase::ALL.into_iter().filter(move |phase| self.has(*phase))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_have_names_of_their_own() {
        for phase in Phase::ALL {
            assert_eq!(Phase::named(phase.name()), Some(phase));
        }
        assert_eq!(Phase::named("Workflow"), None);
    }

    #[test]
    fn sets_have_what_they_are_made_of() {
        let some = Phases::of(&[Phase::Bundle, Phase::JobSubmit]);
        assert_eq!(
            some.iter().collect::<Vec<_>>(),
            [Phase::JobSubmit, Phase::Bundle]
        );
        assert!(!some.has(Phase::Workflow));
        assert!(Phases::of(&Phase::ALL).iter().eq(Phase::ALL));
    }
}
