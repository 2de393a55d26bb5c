//! `token new`: makes a token.

use std::time::Duration;

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    exit::{Exit, RunError},
    shown::say,
    user,
};
use hpdlc_runtime::fleet;
use hpdlc_store::tokens::{self, Role};

use crate::token;

/// Longer names are of no use in a list.
const MOST_CHARS: usize = 100;

#[derive(Debug, Args)]
pub(super) struct New {
    /// What it is for, such as ci or grafana
    #[arg(value_name = "NAME", value_parser = parse_name)]
    name: String,
    /// What it allows: read, operate (new jobs, commands for jobs of its user), admin (for all jobs and the server)
    #[arg(long, value_name = "ROLE", default_value = "operate", value_parser = parse_role)]
    role: Role,
    /// The user as whom its bearer acts [default: you]
    #[arg(long, value_name = "USER", value_parser = parse_user)]
    user: Option<String>,
    /// How long it is valid: 12h, 30d; without it, until it is revoked
    #[arg(long, value_name = "AGE", value_parser = fleet::parse_age)]
    expires: Option<Duration>,
}

fn parse_name(text: &str) -> Result<String, String> {
    let is_shown = !text.trim().is_empty() && !text.chars().any(char::is_control);
    match is_shown && text.chars().count() <= MOST_CHARS {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "expected 1 to {MOST_CHARS} characters, none of them a control character"
        )),
    }
}

fn parse_role(text: &str) -> Result<Role, String> {
    Role::from_name(text).ok_or_else(|| "expected read, operate or admin".to_owned())
}

fn parse_user(text: &str) -> Result<String, String> {
    match token::is_user_name(text) {
        true => Ok(text.to_owned()),
        false => Err("expected the name of a user".to_owned()),
    }
}

impl New {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let user = self.user.clone().unwrap_or_else(user::name);
        let (row, token) = token::make(&self.name, &user, self.role, self.expires)?;
        let connection = session.store()?;
        tokens::insert(&connection, &row).map_err(|error| session.describe(error))?;
        say(&format!(
            "token {} for {}, role {}; it is shown this once, and `hpdl token revoke {}` ends it",
            row.id, row.user, row.role, row.id
        ));
        fleet::print(&format!("{token}\n"))?;
        Ok(Exit::Success)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_users_and_roles_are_checked() {
        assert!(parse_name("ci of load").is_ok());
        for bad in ["", " ", "a\nb", &"x".repeat(101)] {
            assert!(parse_name(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_role("read"), Ok(Role::Read));
        assert!(parse_role("Admin").is_err());
        assert!(parse_user("ada").is_ok() && parse_user("a;b").is_err());
    }
}
