//! What a site sets for the controls of its coordinators, and what it does not allow a document.

use std::{collections::BTreeMap, str::FromStr};

use hpdlc_core::coordinator::{ControlSettings, Limits};

use crate::exit::RunError;

const QUEUE_SIZE: &str = "oozie.service.CallableQueueService.queue.size";
const FACTOR: &str = "oozie.service.coord.materialization.throttling.factor";
const MAX_TIMEOUT: &str = "oozie.service.coord.default.max.timeout";

/// The settings of the site's file.
///
/// # Errors
///
/// Exit 2 where one of them is no number.
pub fn control_settings(site: &BTreeMap<String, String>) -> Result<ControlSettings, RunError> {
    let usual = ControlSettings::default();
    let size = number(site, QUEUE_SIZE, 10_000.0_f64)?;
    let factor = number(site, FACTOR, 0.05)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rounded down, and what is beyond the range is at its end"
    )]
    let max_throttle = (size * factor) as u32;
    Ok(ControlSettings {
        timeout: number(
            site,
            "oozie.service.coord.normal.default.timeout",
            usual.timeout,
        )?,
        max_timeout: number(site, MAX_TIMEOUT, usual.max_timeout)?,
        concurrency: number(
            site,
            "oozie.service.coord.default.concurrency",
            usual.concurrency,
        )?,
        throttle: number(site, "oozie.service.coord.default.throttle", usual.throttle)?,
        max_throttle: max_throttle.max(1),
    })
}

fn number<T: FromStr>(
    site: &BTreeMap<String, String>,
    name: &str,
    usual: T,
) -> Result<T, RunError> {
    match site.get(name).map(|text| text.trim()) {
        None | Some("") => Ok(usual),
        Some(text) => text.parse().map_err(|_| {
            RunError::usage(format!(
                "the setting {name} is `{text}`, which is no number in its range"
            ))
        }),
    }
}

/// Says which controls the settings do not allow as they stand.
pub fn capped(limits: &Limits) -> Vec<String> {
    let throttle = limits.capped.throttle.map(|asked| {
        format!(
            "throttle {asked} is taken for {}: more actions do not wait at once by the settings {QUEUE_SIZE} and {FACTOR}, whose \
             product it is",
            limits.throttle
        )
    });
    let timeout = limits.capped.timeout.map(|asked| {
        format!(
            "timeout {asked} is taken for {}: no action waits longer by the setting {MAX_TIMEOUT}, in minutes",
            limits.timeout.unwrap_or_default()
        )
    });
    throttle.into_iter().chain(timeout).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
        let pairs = pairs.iter();
        pairs
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect()
    }

    #[test]
    fn settings_are_oozies() {
        let usual = control_settings(&site(&[])).expect("is sound");
        assert_eq!(usual, ControlSettings::default());
        let set = site(&[
            (QUEUE_SIZE, "400000"),
            (FACTOR, "0.1"),
            (MAX_TIMEOUT, " 60 "),
        ]);
        let set = control_settings(&set).expect("is sound");
        assert_eq!((set.max_throttle, set.max_timeout), (40_000, 60));
        let wrong = control_settings(&site(&[(FACTOR, "five")])).expect_err("is no number");
        assert!(wrong.message.contains(FACTOR), "{}", wrong.message);
    }
}
