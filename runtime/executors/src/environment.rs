//! The environment variables that the process of an action inherits from the user who started the job.
//!
//! In Oozie an action has the environment of its container. Here it has that of the job's owner, so that installed tools are
//! found as in a terminal, except for variables whose names indicate a secret: the operator's secrets are not passed to
//! actions.

use std::{env, ffi::OsString, sync::LazyLock};

use hpdlc_core::secrets::is_secret_name;
use hpdlc_host::{
    comma_list,
    home::store_location::{self, has_password},
};
use hpdlc_launcher::Attempt;

/// The names of such variables that are passed to actions nevertheless.
pub const PASS: &str = "hpdl.action.environment.pass";

/// Endings of names of variables that say where a secret is stored, and contain none.
const PLACES: [&str; 6] = ["_FILE", "_PATH", "_LOCATION", "_DIR", "_URI", "_SOCK"];

/// Where programs are searched; the default of the system's own functions if `PATH` is not set.
pub fn search_path() -> OsString {
    env::var_os("PATH").unwrap_or_else(|| OsString::from("/bin:/usr/bin"))
}

/// What every process gets in addition to the owner's environment.
pub fn of(attempt: &Attempt) -> Vec<(String, Option<String>)> {
    let path = search_path();
    let path = path.to_string_lossy();
    let action_xml = attempt.action_xml().to_string_lossy().into_owned();
    vec![
        ("PATH".to_owned(), Some(format!(".:{path}"))),
        ("OOZIE_ACTION_CONF_XML".to_owned(), Some(action_xml)),
    ]
}

/// The variables of this process that hold secrets. Its environment does not change, and scanning it for each attempt would
/// be a twentieth of the time of a fork of short actions.
static SECRET: LazyLock<Vec<String>> = LazyLock::new(|| {
    let variables = env::vars_os().filter(|(name, value)| {
        let text = |it: &OsString| it.to_string_lossy().into_owned();
        let is_url = name == store_location::VARIABLE && has_password(&text(value));
        is_url || holds_secret(&text(name))
    });
    let names = variables.filter_map(|(name, _)| name.into_string().ok());
    names.collect()
});

/// The variables of this process that an action does not get; `pass` names the exceptions, separated by commas.
pub fn kept_out(pass: &str) -> Vec<String> {
    kept_out_of(&SECRET, pass)
}

fn kept_out_of(secret: &[String], pass: &str) -> Vec<String> {
    let is_passed = |name: &String| comma_list::entries(pass).any(|passed| passed == name);
    secret
        .iter()
        .filter(|name| !is_passed(name))
        .cloned()
        .collect()
}

/// Whether a variable's name indicates that it holds a secret of the operator.
fn holds_secret(name: &str) -> bool {
    // Hadoop's tools find their credentials through these.
    let is_hadoops = name.starts_with("HADOOP_") || name == "GOOGLE_APPLICATION_CREDENTIALS";
    is_secret_name(name) && !is_hadoops && !PLACES.iter().any(|ending| name.ends_with(ending))
}

#[cfg(test)]
mod tests {
    use super::{holds_secret, kept_out_of};

    #[test]
    fn secrets_stay_with_the_operator_and_their_places_do_not() {
        for name in [
            "DB_PASSWORD",
            "AWS_SECRET_ACCESS_KEY",
            "GITHUB_TOKEN",
            "HPDL_TOKEN",
            "HPDL_STORE_KEY",
            "api_key",
        ] {
            assert!(holds_secret(name), "{name}");
        }
        for name in [
            "PATH",
            "HOME",
            "JAVA_HOME",
            "KEYBOARD",
            "SSH_AUTH_SOCK",
            "HADOOP_TOKEN_FILE_LOCATION",
            "HADOOP_CREDSTORE_PASSWORD",
            "AWS_WEB_IDENTITY_TOKEN_FILE",
            "GOOGLE_APPLICATION_CREDENTIALS",
        ] {
            assert!(!holds_secret(name), "{name}");
        }
    }

    #[test]
    fn a_variable_that_is_passed_on_is_not_kept_out() {
        let secret = ["DB_PASSWORD", "GITHUB_TOKEN"].map(str::to_owned);
        for (pass, expected) in [
            ("", &secret[..]),
            ("OTHER, GITHUB_TOKEN", &secret[..1]),
            ("GITHUB_TOKEN,DB_PASSWORD", &[]),
        ] {
            assert_eq!(kept_out_of(&secret, pass), expected, "{pass}");
        }
    }
}
