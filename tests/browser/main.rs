//! The console in a real browser: what a reader sees, hears of and types. Skipped where Chromium and chromedriver are not installed.

mod axe;
mod chrome;
mod every;
mod keys;
mod live;
mod pages;
mod scriptless;
mod served;
mod state;
