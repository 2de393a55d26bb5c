//! Who may do what: roles of tokens, and owners, access lists and administrators as in Oozie's `AuthorizationService`.

use axum::http::{Method, StatusCode};
use hpdlc_host::job_id::JobKind;
use hpdlc_store::{JobRow, query, tokens::Role};

use crate::serve::{
    call::Call,
    failure::Failure,
    policy::{groups_of, not_performed},
    proof::Proof,
    wire,
};

/// Refuses what the caller may not change: with a token for reading anything (E0500), the server without being an administrator, a job in
/// the path without being its owner or in its access list. It is asked before every resource, so that none can forget it; one that
/// changes jobs that its path does not name asks [`expect_owner`].
pub(crate) fn check(call: &Call) -> Result<(), Failure> {
    if matches!(call.method, Method::GET | Method::HEAD | Method::OPTIONS) {
        return Ok(());
    }
    if let Proof::Token {
        id,
        role: Role::Read,
    } = &call.caller.proof
    {
        let words = format!("Not authorized, token {id} has the role read, and this needs operate");
        return Err(Failure::coded("E0500", words).with_status(StatusCode::FORBIDDEN));
    }
    match call.resource() {
        "admin" | "applications" => expect_admin(call),
        "job" | "jobs" if call.server.access.owners_only && !call.rest.is_empty() => {
            let connection = call.server.store()?;
            // Several jobs, an action of one, or what belongs to it.
            for part in call.rest.split([',', '/']) {
                let id = part.split('@').next().unwrap_or_default();
                let job = query::job(&connection, id).map_err(|error| call.server.failed(error))?;
                job.map_or(Ok(()), |job| expect_owner(call, &job))?;
            }
            Ok(())
        }
        _ => Ok(()),
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
        Proof::Simple | Proof::Kerberos => Ok(!access.owners_only || is_named()?),
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
        Proof::Token { .. } | Proof::Simple | Proof::Kerberos => {
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
