//! Limits that a site sets for the controls of its coordinators.

use std::collections::BTreeMap;

use hpdlc_core::coordinator::{
    ControlSettings, EffectiveControls, THROTTLE_SETTINGS, TIMEOUT_SETTING,
};
use hpdlc_host::exit::RunError;

/// The settings of the site's file.
///
/// # Errors
///
/// Exit 2 if one of them is not a number.
pub fn control_settings(site: &BTreeMap<String, String>) -> Result<ControlSettings, RunError> {
    ControlSettings::of_site(site).map_err(|error| RunError::usage(error.to_string()))
}

/// The controls that were reduced to the limits of the settings, as messages.
pub fn capped(controls: &EffectiveControls) -> Vec<String> {
    let [size, factor] = THROTTLE_SETTINGS;
    let throttle = controls.capped.throttle.map(|asked| {
        format!(
            "throttle {asked} is taken for {}: more actions do not wait at once by the settings {size} and {factor}, whose \
             product it is",
            controls.throttle
        )
    });
    let timeout = controls.capped.timeout.map(|asked| {
        format!(
            "timeout {asked} is taken for {}: no action waits longer by the setting {TIMEOUT_SETTING}, in minutes",
            controls.timeout.unwrap_or_default()
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
        let [size, factor] = THROTTLE_SETTINGS;
        let set = site(&[(size, "400000"), (factor, "0.1"), (TIMEOUT_SETTING, " 60 ")]);
        let set = control_settings(&set).expect("is sound");
        assert_eq!((set.max_throttle, set.max_timeout), (40_000, 60));
        let wrong = control_settings(&site(&[(factor, "five")])).expect_err("is no number");
        assert!(wrong.message.contains(factor), "{}", wrong.message);
    }
}
