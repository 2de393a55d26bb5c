//! How often something happens to a job.

use super::super::random::Random;

/// How eventful the run is, in percent of its actions.
pub struct EventRates {
    pub crash: usize,
    pub power_cut: usize,
    pub fuse: usize,
    pub fault: usize,
    pub command: usize,
    pub kill: usize,
    pub launcher_dies: usize,
    pub clock: usize,
    pub hand_over: usize,
    /// How often it is looked at the clock.
    pub look: usize,
    /// How often whoever sends notifications gets to do so.
    pub post: usize,
}

impl EventRates {
    pub fn random(random: &mut Random) -> EventRates {
        EventRates {
            crash: random.pick(&[0, 0, 1, 4]),
            power_cut: random.pick(&[0, 20, 50]),
            fuse: random.pick(&[0, 2, 10]),
            fault: random.pick(&[0, 0, 1, 3]),
            command: random.pick(&[0, 0, 2, 8]),
            kill: random.pick(&[0, 0, 10, 30]),
            launcher_dies: random.pick(&[0, 0, 1]),
            clock: random.pick(&[0, 0, 5]),
            hand_over: random.pick(&[0, 0, 1]),
            look: random.pick(&[0, 2, 10]),
            post: random.pick(&[5, 30]),
        }
    }
}
