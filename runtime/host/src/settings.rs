//! Settings: a job's properties override the site's file; and the rules derived from them.

use std::{collections::BTreeMap, path::PathBuf, time::Duration};

use hpdlc_core::{
    step::{FailureClass, RetryPolicy, RetryRule},
    visible,
};
use hpdlc_program::failure::ActionError;

use crate::{
    comma_list,
    exit::RunError,
    home::{Home, site_file},
};

mod known;
mod others;

pub use self::{
    known::{KnownSetting, Scope, all},
    others::without_meaning,
};

/// Error codes that a user retry applies to by default (`oozie.service.LiteWorkflowStoreService.user.retry.error.code`). Exit
/// codes are not among them.
const USER_RETRY_CODES: &str = "JA008,JA009,JA017,JA018,JA019,FS009,FS008,FS014";

const USER_RETRY: &str = "oozie.service.LiteWorkflowStoreService.user.retry";

/// The most local processes that one job runs at once (`hpdl.local.processes.max`).
const MAX_PROCESSES: usize = 64;

/// How long an owner waits for work that would be terminated with it (`hpdl.drain.timeout`, seconds).
const DRAIN_TIMEOUT: u64 = 600;

const HOST_TIMEOUT: &str = "hpdl.host.timeout";
const DEFAULT_HOST_TIMEOUT: Duration = Duration::from_secs(300);

/// The time between SIGTERM and SIGKILL for a process (`hpdl.kill.grace`, seconds).
pub const KILL_GRACE: u64 = 10;

/// The site's file: the one that `HPDL_SITE` names, otherwise `hpdl-site.xml` in the state folder if it exists.
pub fn site_path(home: &Home) -> Option<PathBuf> {
    site_file::path(home)
}

/// How long a host that shares a database with others may not prove that it is alive, before they take over its jobs
/// (`hpdl.host.timeout`, seconds).
///
/// # Errors
///
/// Exit 2 if the setting is no number of seconds from 1 to a day.
pub fn host_timeout(site: &BTreeMap<String, String>) -> Result<Duration, RunError> {
    let Some(text) = site
        .get(HOST_TIMEOUT)
        .map(|text| text.trim())
        .filter(|text| !text.is_empty())
    else {
        return Ok(DEFAULT_HOST_TIMEOUT);
    };
    let seconds = text.parse().ok().filter(|it| (1..=86_400).contains(it));
    seconds.map(Duration::from_secs).ok_or_else(|| {
        RunError::usage(format!(
            "setting {HOST_TIMEOUT} is `{}`; it is a number of seconds from 1 to 86400",
            visible::line(text)
        ))
    })
}

/// Reads the site's settings: the file that `HPDL_SITE` names, otherwise `hpdl-site.xml` in the state folder if it exists.
///
/// # Errors
///
/// If the file cannot be read, is not a Hadoop configuration, or has a setting with a wrong value.
pub fn site(home: &Home) -> Result<BTreeMap<String, String>, RunError> {
    let site = site_file::read(home)?;
    let problem = wrong_words(&site).next();
    match (problem, site_path(home)) {
        (Some(problem), Some(path)) => Err(RunError::usage(format!(
            "settings {}: {problem}",
            path.display()
        ))),
        _ => Ok(site),
    }
}

/// The errors in settings with a fixed set of values, in a job's properties or the site's file.
pub fn wrong_words(values: &BTreeMap<String, String>) -> impl Iterator<Item = String> {
    all().filter_map(|known| {
        let value = values.get(known.name)?.trim();
        let is_good = known.words.is_empty() || value.is_empty() || known.words.contains(&value);
        (!is_good).then(|| {
            format!(
                "property {} is `{}`; it is one of {}: {}",
                known.name,
                visible::line(value),
                known.words.join(", "),
                known.meaning
            )
        })
    })
}

/// The settings of one job: its properties over the site's.
#[derive(Clone, Copy, Debug)]
pub struct Settings<'a> {
    pub conf: &'a BTreeMap<String, String>,
    pub site: &'a BTreeMap<String, String>,
}

/// The setting with what happens to a lost action: `suspend`, `retry` or `error`.
pub const LOST: &str = "hpdl.action.lost";

/// What happens to a lost action ([`LOST`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WhenLost {
    Suspend,
    Retry,
    Error,
}

/// When an owner that is asked to end waits for running work (`hpdl.drain`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrainWhen {
    /// If the work would be terminated with the owner.
    Auto,
    Always,
    Never,
}

impl<'a> Settings<'a> {
    fn get(self, name: &str) -> Option<&'a str> {
        self.conf
            .get(name)
            .or_else(|| self.site.get(name))
            .map(|value| value.trim())
    }

    /// A setting as text: the job's, otherwise the site's.
    pub fn text(self, name: &str) -> Option<&'a str> {
        self.get(name).filter(|value| !value.is_empty())
    }

    fn number(self, name: &str) -> Option<u64> {
        self.get(name)?.parse().ok()
    }

    pub fn max_processes(self) -> usize {
        self.number("hpdl.local.processes.max")
            .and_then(|n| usize::try_from(n).ok())
            .filter(|&n| n > 0)
            .unwrap_or(MAX_PROCESSES)
    }

    pub fn kill_grace(self) -> Duration {
        Duration::from_secs(self.number("hpdl.kill.grace").unwrap_or(KILL_GRACE))
    }

    pub fn drain(self) -> DrainWhen {
        match self.get("hpdl.drain") {
            Some("always") => DrainWhen::Always,
            Some("never") => DrainWhen::Never,
            Some(_) | None => DrainWhen::Auto,
        }
    }

    pub fn drain_timeout(self) -> Duration {
        Duration::from_secs(self.number("hpdl.drain.timeout").unwrap_or(DRAIN_TIMEOUT))
    }

    /// For an action that says `own`, if anything.
    pub fn when_lost(self, own: Option<&str>) -> WhenLost {
        match own.map(str::trim).or_else(|| self.get(LOST)) {
            Some("retry") => WhenLost::Retry,
            Some("error") => WhenLost::Error,
            Some(_) | None => WhenLost::Suspend,
        }
    }

    /// Retries after transient failures: the job's own numbers, otherwise the site's, otherwise 3 times every 10 seconds.
    pub fn transient(self) -> RetryRule {
        let either = |job: &str, site: &str| self.number(job).or_else(|| self.number(site));
        let max = either("oozie.wf.action.max.retries", "oozie.action.retries.max").unwrap_or(3);
        let seconds = either(
            "oozie.wf.action.retry.interval",
            "oozie.action.retry.interval",
        )
        .unwrap_or(10);
        RetryRule {
            max: u32::try_from(max).unwrap_or(u32::MAX),
            interval: Duration::from_secs(seconds),
            policy: policy(self.get("oozie.action.retry.policy")),
        }
    }

    /// The user retry that applies to `error`, if any; the arguments are the evaluated attributes of the action. With `is_any_code`, the
    /// attribute `max` alone is enough, whatever the code of an error is.
    pub fn user_retry(
        self,
        error: &ActionError,
        max: Option<&str>,
        interval: Option<&str>,
        retry_policy: Option<&str>,
        is_any_code: bool,
    ) -> Option<RetryRule> {
        match error.class {
            FailureClass::Error | FailureClass::Failed => {}
            FailureClass::Transient | FailureClass::NonTransient => return None,
        }
        let codes = self
            .get(&format!("{USER_RETRY}.error.code"))
            .unwrap_or(USER_RETRY_CODES);
        let more = self
            .get(&format!("{USER_RETRY}.error.code.ext"))
            .unwrap_or_default();
        let is_eligible = comma_list::entries(codes)
            .chain(comma_list::entries(more))
            .any(|code| code == "ALL" || code == error.code);
        let is_opted_in = is_any_code && max.is_some() && error.class == FailureClass::Error;
        if !is_eligible && !is_opted_in {
            return None;
        }
        let setting = |name: &str| self.number(&format!("{USER_RETRY}.{name}"));
        let attribute = |text: Option<&str>| text.and_then(|text| text.trim().parse().ok());
        let limit = setting("max").unwrap_or(3);
        let max = attribute(max)
            .or_else(|| setting("default"))
            .unwrap_or(0)
            .min(limit);
        // `inteval` is Oozie's own misspelling of its property.
        let minutes = attribute(interval)
            .or_else(|| setting("interval"))
            .or_else(|| setting("inteval"))
            .unwrap_or(10);
        let default_policy = self.get(&format!("{USER_RETRY}.policy"));
        Some(RetryRule {
            max: u32::try_from(max).unwrap_or(u32::MAX),
            interval: Duration::from_secs(minutes.saturating_mul(60)),
            policy: policy(retry_policy.or(default_policy)),
        })
    }
}

fn policy(name: Option<&str>) -> RetryPolicy {
    match name {
        Some(name) if name.trim().eq_ignore_ascii_case("exponential") => RetryPolicy::Exponential,
        Some(_) | None => RetryPolicy::Periodic,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_timeout_of_hosts_is_a_number_of_seconds() {
        let of = |text: &str| {
            let site = BTreeMap::from([(HOST_TIMEOUT.to_owned(), text.to_owned())]);
            host_timeout(&site).ok().map(|it| it.as_secs())
        };
        assert_eq!(
            [of(""), of(" 30 "), of("86400")],
            [Some(300), Some(30), Some(86_400)]
        );
        assert_eq!([of("0"), of("1m"), of("-1"), of("86401")], [None; 4]);
    }

    fn retries(conf: &[(&str, &str)], code: &str, max: Option<&str>) -> Option<u32> {
        let conf = conf
            .iter()
            .map(|&(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let settings = Settings {
            conf: &conf,
            site: &BTreeMap::new(),
        };
        settings
            .user_retry(&ActionError::error(code, ""), max, None, None, false)
            .map(|rule| rule.max)
    }

    #[test]
    fn exit_codes_are_retried_only_where_somebody_opted_in() {
        let all = [(
            "oozie.service.LiteWorkflowStoreService.user.retry.error.code.ext",
            "ALL",
        )];
        assert_eq!(retries(&[], "1", Some("2")), None);
        assert_eq!(retries(&[], "JA018", Some("2")), Some(2));
        assert_eq!(retries(&all, "1", Some("2")), Some(2));
        // For example a sub-workflow whose child failed.
        assert_eq!(retries(&[], "", Some("2")), None, "it has no code");
        assert_eq!(retries(&all, "", Some("2")), Some(2));
    }

    #[test]
    fn a_written_retry_may_apply_to_every_error() {
        let conf = BTreeMap::new();
        let settings = Settings {
            conf: &conf,
            site: &conf,
        };
        for (error, max, expected) in [
            (ActionError::error("NO_FILE", ""), Some("2"), Some(2)),
            (ActionError::error("NO_FILE", ""), None, None),
            (ActionError::failed("NO_FILE", ""), Some("2"), None),
        ] {
            let rule = settings.user_retry(&error, max, None, None, true);
            assert_eq!(rule.map(|rule| rule.max), expected, "{error:?}, {max:?}");
        }
    }

    #[test]
    fn more_retries_than_the_limit_are_the_limit() {
        let limit = [("oozie.service.LiteWorkflowStoreService.user.retry.max", "7")];
        assert_eq!(retries(&[], "JA018", Some("99")), Some(3));
        assert_eq!(retries(&limit, "JA018", Some("99")), Some(7));
        assert_eq!(retries(&[], "JA018", None), Some(0));
    }

    #[test]
    fn transient_failures_are_not_the_users_to_retry() {
        let conf = BTreeMap::new();
        let settings = Settings {
            conf: &conf,
            site: &conf,
        };
        let error = ActionError::transient("JA009", "");
        assert_eq!(
            settings.user_retry(&error, Some("3"), None, None, true),
            None
        );
    }
}
