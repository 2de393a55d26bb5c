//! What `hpdl doctor` finds in the state folder, and what to do about it.

use std::time::Instant;

use axum::http::Method;
use hpdlc_engine::doctor::{Finding, FindingLevel};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{admin, links, marks::Mark, page},
    reply::Reply,
};

/// More findings are counted.
const MOST: usize = 500;

pub(crate) fn doctor(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let asked = call.parameters.filled("again").map(|_| Instant::now());
    let checkup = call.server.checkups.get(&call.server.session, asked)?;
    let report = &checkup.report;
    let (problems, notes): (Vec<&Finding>, Vec<&Finding>) = report
        .findings
        .iter()
        .partition(|finding| finding.level == FindingLevel::Problem);
    let base = &call.server.base;
    let rows: Vec<Value> = problems
        .iter()
        .chain(&notes)
        .take(MOST)
        .map(|finding| row(base, finding))
        .collect();
    let took = i64::try_from(checkup.took.as_millis()).unwrap_or(i64::MAX);
    let values = json!({
        "tabs": admin::tabs(call, "doctor"),
        "is_sound": report.is_sound(),
        "n_problems": problems.len(),
        "n_notes": notes.len(),
        "rows": rows,
        "n_more": report.findings.len().saturating_sub(MOST),
        "format": report.format.map(|(major, minor)| format!("{major}.{minor}")),
        "store": call.server.session.home.store_location().to_string(),
        "n_jobs": report.n_jobs,
        "n_nodes": report.n_actions,
        "took": hpdlc_host::clock::format_duration(took),
        "time": checkup.time,
        "action": links::with_query(&admin::address(call, "doctor"), &[("again", "1")]),
    });
    page::html(call, admin::frame(call, "Doctor"), "doctor", &values)
}

fn row(base: &str, finding: &Finding) -> Value {
    let job = finding.about.strip_prefix("job ");
    let mark = match finding.level {
        FindingLevel::Problem => Mark {
            look: "bad",
            word: "PROBLEM".to_owned(),
        },
        FindingLevel::Note => Mark {
            look: "untouched",
            word: "NOTE".to_owned(),
        },
    };
    json!({
        "mark": mark,
        "about": finding.about,
        // What follows the id names a part of the job.
        "href": job
            .and_then(|rest| rest.split([' ', ',', ':']).next())
            .filter(|id| id.ends_with("-W") || id.ends_with("-C") || id.ends_with("-B"))
            .map(|id| links::job(base, id)),
        "problem": finding.problem,
        "remedy": finding.remedy,
        "line": finding.remedy.strip_prefix("type: ").map(|rest| match rest.starts_with("hpdl ") {
            true => rest.to_owned(),
            false => format!("hpdl {rest}"),
        }),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_leads_to_its_job_and_says_what_to_type() {
        let found = |about: &str, remedy: &str| {
            row(
                "",
                &Finding {
                    level: FindingLevel::Note,
                    about: about.to_owned(),
                    problem: "it has no owner".to_owned(),
                    remedy: remedy.to_owned(),
                },
            )
        };
        let job = found("job 0000010-1-hpdl-W", "type: recover 10");
        assert_eq!(
            (job["href"].as_str(), job["line"].as_str()),
            (
                Some("/console/job/0000010-1-hpdl-W"),
                Some("hpdl recover 10")
            )
        );
        let file = found("/state/jobs.db", "restore a backup");
        assert!(file["href"].is_null() && file["line"].is_null());
    }
}
