//! How often the events of a simulated world occur.

use super::super::random::Random;

/// The probabilities of events, in percent of the steps.
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
    /// How often the clock is checked.
    pub look: usize,
    /// How often the sender of notifications runs.
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
