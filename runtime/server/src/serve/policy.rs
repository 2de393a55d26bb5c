//! What the site allows to whom: how a caller is known, whether jobs have owners, and who administers (`AuthorizationService` of Oozie).

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::ErrorKind,
    path::Path,
};

use axum::http::StatusCode;
use hpdlc_host::{exit::RunError, user};

use crate::serve::failure::Failure;

/// `hpdl.server.auth`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// `user.name`, or the cookie that repeats it, says who calls.
    Simple,
    /// Every request has a token.
    Token,
    /// A ticket of Kerberos, a token, or the cookie that repeats the ticket's user.
    Kerberos,
}

impl Mode {
    /// As `hpdl.server.auth` has it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Mode::Simple => "simple",
            Mode::Token => "token",
            Mode::Kerberos => "kerberos",
        }
    }
}

/// Whether jobs may be commanded by their owners alone; the second name is the older one.
const ENABLED: &str = "oozie.service.AuthorizationService.authorization.enabled";
const ENABLED_BEFORE: &str = "oozie.service.AuthorizationService.security.enabled";
/// Who may command all jobs and change the server: users of these groups, if there are any, else these users.
const ADMIN_GROUPS: &str = "oozie.service.AuthorizationService.admin.groups";
const ADMIN_USERS: &str = "oozie.serviceAuthorizationService.admin.users";
/// The file with further administrators, one a line, beside that of the site's settings.
const ADMIN_FILE: &str = "adminusers.txt";
/// Whether `group.name` of a job without `oozie.job.acl` is its access list.
const GROUP_AS_ACL: &str = "oozie.service.AuthorizationService.default.group.as.acl";
/// Whether requests without a user are answered, with simple authentication.
const ANONYMOUS: &str = "oozie.authentication.simple.anonymous.allowed";

/// What the site allows to whom.
#[derive(Debug)]
pub(crate) struct Access {
    pub(crate) mode: Mode,
    /// Whether a request needs no user.
    pub(crate) anonymous: bool,
    /// Whether commands are for owners, their access lists and administrators.
    pub(crate) owners_only: bool,
    pub(crate) group_as_acl: bool,
    admin_groups: Vec<String>,
    admins: BTreeSet<String>,
}

impl Access {
    /// The settings of a site; `file` is where they come from.
    ///
    /// # Errors
    ///
    /// Exit 2 if the list of administrators cannot be read.
    pub(crate) fn of(
        site: &BTreeMap<String, String>,
        file: &Path,
        mode: Mode,
    ) -> Result<Access, RunError> {
        let flag = |name: &str| {
            let text = site.get(name).map(|text| text.trim());
            let text = text.filter(|text| !text.is_empty());
            text.map(|text| text.eq_ignore_ascii_case("true"))
        };
        let list = |name: &str| {
            let items = site.get(name).map_or("", String::as_str).split(',');
            let items = items.map(str::trim).filter(|item| !item.is_empty());
            items.map(str::to_owned).collect::<Vec<String>>()
        };
        let mut admins: BTreeSet<String> = list(ADMIN_USERS).into_iter().collect();
        let path = file.with_file_name(ADMIN_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let lines = text.lines().map(str::trim);
                let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
                admins.extend(lines.map(str::to_owned));
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(RunError::usage(format!("{}: {error}", path.display()))),
        }
        // Who has the state folder may do everything with it anyway.
        admins.insert(user::name());
        let enabled = flag(ENABLED).or_else(|| flag(ENABLED_BEFORE));
        Ok(Access {
            mode,
            anonymous: flag(ANONYMOUS).unwrap_or(true),
            // The others prove who somebody is, which `user.name` does not.
            owners_only: enabled.unwrap_or(mode != Mode::Simple),
            group_as_acl: flag(GROUP_AS_ACL).unwrap_or(false),
            admin_groups: list(ADMIN_GROUPS),
            admins,
        })
    }

    /// Whether the site makes a user an administrator.
    ///
    /// # Errors
    ///
    /// E0501 if the groups of the user are not known.
    pub(crate) fn names_admin(&self, user: &str) -> Result<bool, Failure> {
        if self.admin_groups.is_empty() || user == user::name() {
            return Ok(self.admins.contains(user));
        }
        let groups = groups_of(user)?;
        Ok(groups.iter().any(|group| self.admin_groups.contains(group)))
    }
}

/// # Errors
///
/// E0501 if the system does not say.
pub(crate) fn groups_of(user: &str) -> Result<Vec<String>, Failure> {
    user::groups_of(user).map_err(|error| not_performed(&error.to_string()))
}

/// E0501.
pub(crate) fn not_performed(why: &str) -> Failure {
    Failure::coded(
        "E0501",
        format!("Could not perform authorization operation, {why}"),
    )
    .with_status(StatusCode::UNAUTHORIZED)
}
