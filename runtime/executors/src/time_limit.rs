//! How long an action may run.

use hpdlc_host::settings::KILL_GRACE;
use hpdlc_launcher::TimeLimit;
use hpdlc_program::failure::ActionError;

/// Seconds that a process may run.
pub const TIMEOUT: &str = "hpdl.action.timeout";

/// How long a process may run, by `hpdl.action.timeout` of its action, its job or the site; `None` is for ever.
pub fn time_limit(
    setting: &dyn Fn(&str) -> Option<String>,
) -> Result<Option<TimeLimit>, ActionError> {
    let Some(text) = setting(TIMEOUT) else {
        return Ok(None);
    };
    let text = text.trim();
    let seconds = if text.is_empty() {
        Ok(0)
    } else {
        text.parse::<u64>()
    };
    let Ok(seconds) = seconds else {
        let problem = format!(
            "{TIMEOUT} is `{text}`; it is a whole number of seconds, 0 for as long as it takes"
        );
        return Err(ActionError::failed("JA010", problem));
    };
    let grace = setting("hpdl.kill.grace").and_then(|grace| grace.trim().parse().ok());
    Ok((seconds > 0).then_some(TimeLimit {
        seconds,
        grace: grace.unwrap_or(KILL_GRACE),
    }))
}

/// Why something was ended that has run for as long as it may.
pub fn time_over(who: &str, seconds: u64) -> ActionError {
    let problem = format!("{who} was ended after {seconds} s: its time was over ({TIMEOUT})");
    ActionError::error("HPDL_TIMEOUT", problem)
}
