//! The settings of a site for the `controls` of all coordinators.

use std::{collections::BTreeMap, fmt, str::FromStr};

/// The settings of a site for the `controls` of all coordinators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ControlSettings {
    /// Minutes that an action waits for its data if the document does not specify it
    /// (`oozie.service.coord.normal.default.timeout`); a negative value means forever.
    pub timeout: i64,
    /// The longest time that an action waits, in minutes (`oozie.service.coord.default.max.timeout`).
    pub max_timeout: i64,
    /// How many actions run at once if the document does not specify it (`oozie.service.coord.default.concurrency`).
    pub concurrency: i64,
    /// How many actions wait at once if the document does not specify it (`oozie.service.coord.default.throttle`).
    pub throttle: u32,
    /// The most actions that wait at once: a twentieth of the queue of Oozie's server
    /// (`oozie.service.coord.materialization.throttling.factor` of `oozie.service.CallableQueueService.queue.size`).
    pub max_throttle: u32,
}

impl Default for ControlSettings {
    fn default() -> ControlSettings {
        ControlSettings {
            timeout: 120,
            max_timeout: 86400,
            concurrency: 1,
            throttle: 12,
            max_throttle: 500,
        }
    }
}

/// The settings whose product limits how many actions wait at once.
pub const THROTTLE_SETTINGS: [&str; 2] = [
    "oozie.service.CallableQueueService.queue.size",
    "oozie.service.coord.materialization.throttling.factor",
];

/// The setting that limits how long an action waits, in minutes.
pub const TIMEOUT_SETTING: &str = "oozie.service.coord.default.max.timeout";

/// A setting of a site that must be a number and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedSetting {
    pub name: &'static str,
    pub text: String,
}

impl fmt::Display for MalformedSetting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MalformedSetting { name, text } = self;
        write!(
            f,
            "the setting {name} is `{text}`, which is no number in its range"
        )
    }
}

impl std::error::Error for MalformedSetting {}

impl ControlSettings {
    /// Reads the settings from the site's file.
    ///
    /// # Errors
    ///
    /// The first setting that is not a number in its range.
    pub fn of_site(site: &BTreeMap<String, String>) -> Result<ControlSettings, MalformedSetting> {
        let usual = ControlSettings::default();
        let [size, factor] = THROTTLE_SETTINGS;
        let size = setting(site, size, 10_000.0_f64)?;
        let factor = setting(site, factor, 0.05)?;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "rounded down, and what is beyond the range is at its end"
        )]
        let max_throttle = (size * factor) as u32;
        Ok(ControlSettings {
            timeout: setting(
                site,
                "oozie.service.coord.normal.default.timeout",
                usual.timeout,
            )?,
            max_timeout: setting(site, TIMEOUT_SETTING, usual.max_timeout)?,
            concurrency: setting(
                site,
                "oozie.service.coord.default.concurrency",
                usual.concurrency,
            )?,
            throttle: setting(site, "oozie.service.coord.default.throttle", usual.throttle)?,
            max_throttle: max_throttle.max(1),
        })
    }
}

fn setting<T: FromStr>(
    site: &BTreeMap<String, String>,
    name: &'static str,
    usual: T,
) -> Result<T, MalformedSetting> {
    match site.get(name).map(|text| text.trim()) {
        None | Some("") => Ok(usual),
        Some(text) => text.parse().map_err(|_| MalformedSetting {
            name,
            text: text.to_owned(),
        }),
    }
}
