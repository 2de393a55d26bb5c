//! Retry rules: how often something that failed is tried again, and after which delay.

use std::time::Duration;

/// How often and after which delay something is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RetryRule {
    pub max: u32,
    pub interval: Duration,
    pub policy: RetryPolicy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryPolicy {
    /// The interval before every retry.
    Periodic,
    /// 2^n times the interval before retry number n, counted from 0 (exponential backoff).
    Exponential,
}

impl RetryRule {
    /// The delay before retry number `n`, counted from 0.
    pub(super) fn delay(self, n: u32) -> Duration {
        match self.policy {
            RetryPolicy::Periodic => self.interval,
            RetryPolicy::Exponential => self
                .interval
                .saturating_mul(1_u32.checked_shl(n).unwrap_or(u32::MAX)),
        }
    }
}
