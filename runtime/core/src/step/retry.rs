//! When something that failed is tried again.

use std::time::Duration;

/// How often and when something is tried again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryRule {
    pub max: u32,
    pub interval: Duration,
    pub policy: RetryPolicy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryPolicy {
    Periodic,
    /// 2^n times the interval, n counted from 0.
    Exponential,
}

impl RetryRule {
    /// The wait before retry number `n`, counted from 0.
    pub(super) fn delay(self, n: u32) -> Duration {
        match self.policy {
            RetryPolicy::Periodic => self.interval,
            RetryPolicy::Exponential => self
                .interval
                .saturating_mul(1_u32.checked_shl(n).unwrap_or(u32::MAX)),
        }
    }
}
