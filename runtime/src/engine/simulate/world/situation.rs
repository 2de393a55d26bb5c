//! What can happen to a job in the simulated world. A run of many seeds that comes across one of these never has tested nothing of it.

/// What the seeds are to come across.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Situation {
    Attached,
    BegunAhead,
    ChildRerun,
    CommandRefused,
    Crash,
    CrashBetweenEffects,
    Deleted,
    DiskFull,
    GivenUp,
    HandedOver,
    LauncherDied,
    Lost,
    Mailed,
    PowerCut,
    ReadOnly,
    Rerun,
    SenderDied,
    SlaMet,
    SlaMissed,
    SyncFailed,
    TakenOver,
    Suspect,
    Told,
    ToldTwice,
}

impl Situation {
    pub const ALL: [Situation; 24] = [
        Situation::Attached,
        Situation::BegunAhead,
        Situation::ChildRerun,
        Situation::CommandRefused,
        Situation::Crash,
        Situation::CrashBetweenEffects,
        Situation::Deleted,
        Situation::DiskFull,
        Situation::GivenUp,
        Situation::HandedOver,
        Situation::LauncherDied,
        Situation::Lost,
        Situation::Mailed,
        Situation::PowerCut,
        Situation::ReadOnly,
        Situation::Rerun,
        Situation::SenderDied,
        Situation::SlaMet,
        Situation::SlaMissed,
        Situation::SyncFailed,
        Situation::TakenOver,
        Situation::Suspect,
        Situation::Told,
        Situation::ToldTwice,
    ];
}
