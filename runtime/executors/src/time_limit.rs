//! Time limits of actions.

use hpdlc_host::settings::KILL_GRACE;
use hpdlc_launcher::TimeLimit;
use hpdlc_program::failure::ActionError;

/// The time limit of an action, in seconds.
pub const TIMEOUT: &str = "hpdl.action.timeout";

/// The time limit from `hpdl.action.timeout` of the action, its job or the site; `None` means no limit.
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

/// The error of an action that was ended because it exceeded its time limit.
pub fn time_over(who: &str, seconds: u64) -> ActionError {
    let problem = format!("{who} was ended after {seconds} s: its time was over ({TIMEOUT})");
    ActionError::error("HPDL_TIMEOUT", problem)
}
