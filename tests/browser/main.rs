//! The console in a real browser: what a reader sees, hears of and types. Skipped where Chromium and chromedriver are not installed.

#[path = "../e2e/harness.rs"]
#[allow(dead_code, reason = "the tests of e2e use the rest of it")]
mod harness;

mod axe;
mod every;
mod hostile;
mod keys;
mod large;
mod live;
mod pages;
mod real;
mod screenshots;
mod scriptless;
mod served;
mod state;
