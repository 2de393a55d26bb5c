//! The server itself: whether it answers, and what it is made of (section 14 of the proposal).

use super::{Answer, Problem, action, expect_method};
use crate::{
    api::{
        admin::Texts,
        hws::{HwsPurged, HwsStatus},
    },
    serve::{admin, call::Call, failure::Failure, figures, reply::Reply, server::SystemMode},
};

/// GET and PUT `admin/status`: deactivated, the server answers for neither applications nor jobs.
pub(super) fn status(call: &Call) -> Answer<HwsStatus> {
    expect_method(call, &["GET", "PUT"])?;
    if call.method == "PUT" {
        let mode = match action(call, &["activate", "deactivate"])? {
            "activate" => SystemMode::Normal,
            _ => SystemMode::NoWebService,
        };
        call.server.set_mode(mode);
    }
    let status = match call.server.mode() {
        SystemMode::Normal => "ACTIVE",
        SystemMode::NoWebService | SystemMode::SafeMode => "INACTIVE",
    };
    Ok(HwsStatus {
        status: status.to_owned(),
    })
}

pub(super) fn instrumentation(call: &Call) -> Reply {
    match expect_method(call, &["GET"]) {
        Ok(()) => figures::metrics(call),
        Err(problem) => super::answered::<()>(Err(problem)),
    }
}

pub(super) fn environment(call: &Call) -> Answer<Texts> {
    expect_method(call, &["GET"])?;
    Ok(admin::environment())
}

/// There is no Java: the settings of the site, and where the server is.
pub(super) fn properties(call: &Call) -> Answer<Texts> {
    expect_method(call, &["GET"])?;
    let mut all = admin::system_properties(call);
    all.0.extend(admin::configuration(call).0);
    Ok(all)
}

/// PUT `admin/purge?days=N`: removes jobs that ended longer ago.
pub(super) fn purge(call: &Call) -> Answer<HwsPurged> {
    expect_method(call, &["PUT"])?;
    let days = call.parameters.filled("days").unwrap_or("30");
    let days: u32 = days.parse().map_err(|_| {
        Problem::wrong(format!(
            "the parameter days is `{days}`; it must be a number of days"
        ))
    })?;
    admin::purge_older(call, days).map_err(|failure: Failure| Problem::from(failure))?;
    Ok(HwsPurged {
        purged: format!("jobs that ended more than {days} days ago"),
    })
}
