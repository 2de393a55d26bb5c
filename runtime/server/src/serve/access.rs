//! Who may do what: roles of tokens, and the owners, access lists and administrators of Oozie's `AuthorizationService`.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    io::ErrorKind,
    path::Path,
};

use axum::http::{Method, StatusCode};
use hpdlc_host::{exit::RunError, job_id::JobKind, user};
use hpdlc_store::{JobRow, tokens::Role};

use crate::serve::{
    call::Call,
    failure::Failure,
    proof::{Mode, Proof},
    wire,
};

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
    owners_only: bool,
    group_as_acl: bool,
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
            // A token proves who somebody is, which `user.name` does not.
            owners_only: enabled.unwrap_or(mode == Mode::Token),
            group_as_acl: flag(GROUP_AS_ACL).unwrap_or(false),
            admin_groups: list(ADMIN_GROUPS),
            admins,
        })
    }

    /// Whether the site makes a user an administrator.
    fn names_admin(&self, user: &str) -> Result<bool, Failure> {
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

fn not_performed(why: &str) -> Failure {
    Failure::coded(
        "E0501",
        format!("Could not perform authorization operation, {why}"),
    )
    .with_status(StatusCode::UNAUTHORIZED)
}

/// Refuses a request that would change something with a token that is for reading (E0500).
pub(crate) fn check(call: &Call) -> Result<(), Failure> {
    let reads = matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS);
    match &call.caller.proof {
        Proof::Token {
            id,
            role: Role::Read,
        } if !reads => Err(Failure::coded(
            "E0500",
            format!("Not authorized, token {id} has the role read, and this needs operate"),
        )
        .with_status(StatusCode::FORBIDDEN)),
        Proof::Token { .. } | Proof::Simple => Ok(()),
    }
}

fn is_admin(call: &Call) -> Result<bool, Failure> {
    let access = &call.server.access;
    let is_named = || access.names_admin(call.user.as_deref().unwrap_or("?"));
    match &call.caller.proof {
        // In the name of another it is that one's right.
        Proof::Token {
            role: Role::Admin, ..
        } => Ok(call.proxy.is_none() || is_named()?),
        Proof::Token { .. } => Ok(false),
        Proof::Simple => Ok(!access.owners_only || is_named()?),
    }
}

/// Refuses who is no administrator (E0503), as `AuthorizationService.authorizeForAdmin` does.
pub(crate) fn expect_admin(call: &Call) -> Result<(), Failure> {
    if is_admin(call)? {
        return Ok(());
    }
    let user = call.user.as_deref().unwrap_or("?");
    let words = match &call.caller.proof {
        Proof::Token { id, role } if *role != Role::Admin => {
            format!("User [{user}] does not have admin privileges by token {id} of role {role}")
        }
        Proof::Token { .. } | Proof::Simple => {
            format!("User [{user}] does not have admin privileges")
        }
    };
    Err(Failure::coded("E0503", words).with_status(StatusCode::UNAUTHORIZED))
}

/// Refuses who neither owns a job, nor is in its access list, nor is an administrator, as `AuthorizationService.authorizeForJob` does.
///
/// # Errors
///
/// E0508 for workflows, E0509 for coordinators and bundles; E0501 if the groups that the list needs are not known.
pub(crate) fn expect_owner(call: &Call, job: &JobRow) -> Result<(), Failure> {
    if !call.server.access.owners_only || is_admin(call)? {
        return Ok(());
    }
    let user = call.user.as_deref().unwrap_or("?");
    if user == wire::workflow::owner(job) || is_in_list(call, job, user)? {
        return Ok(());
    }
    let (code, kind) = match JobKind::of(&job.id) {
        JobKind::Workflow => ("E0508", "WF"),
        JobKind::Coordinator | JobKind::Bundle => ("E0509", "Coord"),
    };
    let words = format!("User [{user}] not authorized for {kind} job [{}]", job.id);
    Err(Failure::coded(code, words).with_status(StatusCode::UNAUTHORIZED))
}

fn is_in_list(call: &Call, job: &JobRow, user: &str) -> Result<bool, Failure> {
    let property = |name: &str| {
        let text = wire::workflow::property(job, name);
        text.filter(|text| !text.trim().is_empty())
    };
    let list = property("oozie.job.acl").or_else(|| {
        let groups = property("group.name");
        groups.filter(|_| call.server.access.group_as_acl)
    });
    let Some(list) = list else {
        return Ok(false);
    };
    let listed: Vec<&str> = list.split(',').map(str::trim).collect();
    if listed.contains(&user) {
        return Ok(true);
    }
    let groups = groups_of(user)?;
    if groups.is_empty() {
        return Err(not_performed(&format!("No groups found for user {user}")));
    }
    Ok(groups.iter().any(|group| listed.contains(&group.as_str())))
}
