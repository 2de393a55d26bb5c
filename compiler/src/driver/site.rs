//! The settings of the site, which executables read when they run on this machine: the file that `HPDL_SITE` names, else
//! `hpdl-site.xml` in the state folder.
//!
//! The compiler uses only the processing time zone and the limits of coordinators' controls, so that it reports what the job
//! would.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
};

use hpdlc_core::{configuration, coordinator::ControlSettings, time::ProcessingZone};

use crate::driver::Failure;

/// The setting for the time zone that dates are written in.
const PROCESSING_ZONE: &str = "oozie.processing.timezone";

/// Reads the settings; `None` if there is no file.
///
/// # Errors
///
/// The file cannot be read, is not a Hadoop configuration, or has a value that Oozie does not accept.
pub fn read() -> Result<Option<BTreeMap<String, String>>, Failure> {
    match file() {
        Some(path) => settings_in(&path).map(Some),
        None => Ok(None),
    }
}

/// The file of the settings.
fn file() -> Option<PathBuf> {
    let variable = |name: &str| {
        env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    if let Some(named) = variable("HPDL_SITE") {
        return Some(named);
    }
    let home = variable("HPDL_HOME")
        .or_else(|| variable("XDG_STATE_HOME").map(|state| state.join("hpdl")))
        .or_else(|| variable("HOME").map(|home| home.join(".local/state/hpdl")))?;
    Some(home.join("hpdl-site.xml")).filter(|path| path.exists())
}

fn settings_in(path: &Path) -> Result<BTreeMap<String, String>, Failure> {
    const HELP: &str = "HPDL_SITE names the file, else it is `hpdl-site.xml` in the state folder";
    let text = fs::read_to_string(path)
        .map_err(|error| Failure::io("read the settings", path, &error).help(HELP))?;
    let wrong = |problem: String| {
        Failure::new(format!("settings `{}`: {problem}", path.display())).help(HELP)
    };
    let settings = configuration::parse(&text)
        .map_err(|error| wrong(error.to_string()))?
        .to_map();
    ControlSettings::of_site(&settings).map_err(|error| wrong(error.to_string()))?;
    match settings.get(PROCESSING_ZONE) {
        Some(name) if ProcessingZone::parse(name.trim()).is_none() => Err(wrong(format!(
            "{PROCESSING_ZONE} is `{name}`; it is UTC, GMT+hhmm or GMT-hhmm"
        ))),
        Some(_) | None => Ok(settings),
    }
}

/// The time zone that dates are written in.
pub fn zone_of(settings: &BTreeMap<String, String>) -> ProcessingZone {
    let name = settings.get(PROCESSING_ZONE);
    let zone = name.and_then(|name| ProcessingZone::parse(name.trim()));
    zone.unwrap_or_default()
}

/// The settings for the controls of coordinators.
pub fn controls_of(settings: &BTreeMap<String, String>) -> ControlSettings {
    ControlSettings::of_site(settings).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_is_no_number_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("site.xml");
        let name = hpdlc_core::coordinator::TIMEOUT_SETTING;
        let limit = |value: &str| {
            let text = format!(
                "<configuration><property><name>{name}</name><value>{value}</value></property></configuration>"
            );
            fs::write(&path, text).expect("writes");
            settings_in(&path).map(|settings| controls_of(&settings).max_timeout)
        };
        assert_eq!(limit("60").ok(), Some(60));
        let refused = limit("an hour").expect_err("is no number");
        assert!(refused.message.contains(name), "{refused}");
    }

    #[test]
    fn settings_name_the_zone_of_dates() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("site.xml");
        let zone = |value: &str| {
            let text = format!(
                "<configuration><property><name>{PROCESSING_ZONE}</name><value>{value}</value></property></configuration>"
            );
            fs::write(&path, text).expect("writes");
            settings_in(&path).map(|settings| zone_of(&settings).name())
        };
        assert_eq!(zone("GMT+0530").ok().as_deref(), Some("GMT+0530"));
        assert_eq!(zone(" UTC ").ok().as_deref(), Some("UTC"));
        let refused = zone("Asia/Shanghai").expect_err("Oozie does not take it");
        assert!(refused.message.contains(PROCESSING_ZONE), "{refused}");
        assert_eq!(zone_of(&BTreeMap::new()), ProcessingZone::UTC);
        assert!(settings_in(&folder.path().join("none")).is_err());
    }
}
