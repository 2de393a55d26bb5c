//! What systemd is told: that the server is ready, alive, and ends (`sd_notify`). Without systemd nobody listens.

use std::time::Duration;

use sd_notify::NotifyState;
use tokio::time;

pub(super) fn ready(url: &str) {
    // An error would mean that systemd is gone.
    let _ = sd_notify::notify(&[
        NotifyState::Ready,
        NotifyState::Status(&format!("serving {url}")),
    ]);
}

pub(super) fn stopping() {
    let _ = sd_notify::notify(&[NotifyState::Stopping]);
}

/// Says that the server is alive, twice in the time that systemd waits (`WatchdogSec`); never ends.
pub(super) async fn alive() {
    let Some(patience) = sd_notify::watchdog_enabled() else {
        return std::future::pending().await;
    };
    let mut ticks = time::interval((patience / 2).max(Duration::from_millis(1)));
    loop {
        ticks.tick().await;
        let _ = sd_notify::notify(&[NotifyState::Watchdog]);
    }
}
