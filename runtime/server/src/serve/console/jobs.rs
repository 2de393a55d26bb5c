//! The list of jobs: search and filters in the address, a page at a time.

use axum::http::Method;
use hpdlc_host::{
    clock::{self, format_duration},
    job_id::JobKind,
    mask::Mask,
};
use hpdlc_runtime::fleet::{self, ListMasks};
use hpdlc_store::{
    JobRow,
    jobs::{self as rows, JobFilter},
};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        links,
        marks::Mark,
        page::{self, Frame},
        paging::{self, Page},
    },
    reply::Reply,
};

/// Jobs on a page.
const AT_ONCE: usize = 100;
/// Jobs of a search: further ones are found by other words.
const MOST: u64 = 10_000;
/// The choices of the filter for states.
const STATES: [(&str, &str); 6] = [
    ("", "all states"),
    ("FAILED,KILLED,SUSPENDED", "failed, killed, suspended"),
    ("RUNNING", "running"),
    ("PREP", "not started"),
    ("SUCCEEDED", "succeeded"),
    ("RUNNING,SUSPENDED,PREP", "not ended"),
];

/// `jobs?q=&status=&app=&days=&from=`
pub(crate) fn jobs(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    let text = |name: &str| call.parameters.filled(name).unwrap_or_default().trim();
    let (q, status, app, days) = (text("q"), text("status"), text("app"), text("days"));
    // Whoever knows the job wants to see it.
    if !q.is_empty()
        && let Ok(job) = fleet::find_job(&call.server.session, q)
        && (job.id == q || fleet::short_id(&job.id) == q)
    {
        return page::to(&links::job(&call.server.base, &job.id));
    }
    let from: usize = text("from").parse().unwrap_or_default();
    let now = clock::now_millis();
    let connection = call.server.store()?;
    let since = days.parse::<i64>().ok();
    let since = since.map(|days| now.saturating_sub(days.saturating_mul(86_400_000)));
    let filter = JobFilter {
        statuses: status
            .split(',')
            .filter(|name| !name.is_empty())
            .map(str::to_owned)
            .collect(),
        // An application by its whole name; its characters are no patterns.
        app: (!app.is_empty()).then(|| quoted(app)),
        since,
        limit: Some(MOST),
    };
    let found = rows::list(&connection, &filter).map_err(|error| call.server.failed(error))?;
    // Older ones were not looked at.
    let is_cut = u64::try_from(found.len()).is_ok_and(|n| n == MOST);
    let words: Vec<String> = q.split_whitespace().map(str::to_lowercase).collect();
    let mut masks = ListMasks::of(call.server.session.program, &connection);
    let matching: Vec<_> = found
        .into_iter()
        .filter(|(job, status)| {
            let error = job.error_message.as_deref().unwrap_or_default();
            let all = format!("{} {} {} {status} {error}", job.id, job.app, job.user);
            let all = all.to_lowercase();
            words.iter().all(|word| all.contains(word))
        })
        .collect();
    let n_found = matching.len();
    let base = &call.server.base;
    let shown: Vec<Value> = matching
        .iter()
        .skip(from)
        .take(AT_ONCE)
        .map(|(job, status)| row(base, job, status, &masks.mask(job), now))
        .collect();
    let step = |from: usize| {
        let from = paging::offset(from);
        let all = [
            ("q", q),
            ("status", status),
            ("app", app),
            ("days", days),
            ("from", &from),
        ];
        links::jobs(base, &all)
    };
    let mut states: Vec<Value> = STATES
        .iter()
        .map(|(value, name)| json!({ "value": value, "name": name, "chosen": *value == status }))
        .collect();
    if !STATES.iter().any(|(value, _)| *value == status) {
        states.push(json!({ "value": status, "name": status, "chosen": true }));
    }
    let mut values = json!({
        "action": links::jobs(base, &[]),
        "q": q,
        "app": app,
        "days": days,
        "states": states,
        "rows": shown,
        "is_cut": is_cut,
        "most": MOST,
        "is_filtered": !(q.is_empty() && status.is_empty() && app.is_empty() && days.is_empty()),
    });
    let page = Page {
        from,
        most: AT_ONCE,
        n_found,
    };
    page.put(&mut values, step);
    let title = match app {
        "" => "Jobs".to_owned(),
        app => format!("Jobs of {app}"),
    };
    page::html(call, Frame::new(&title, "console/jobs"), "jobs", &values)
}

/// A job in a list.
pub(crate) fn row(base: &str, job: &JobRow, status: &str, mask: &Mask, now: i64) -> Value {
    json!({
        "id": job.id,
        "short": fleet::short_id(&job.id),
        "href": links::job(base, &job.id),
        "app": mask.text(&job.app),
        "kind": JobKind::of(&job.id).word(),
        "mark": Mark::of(status),
        "user": job.user,
        "created": job.created,
        "took": job.started.map(|it| format_duration(job.ended.unwrap_or(now) - it)),
        "error": job.error_message.as_deref().map(|it| mask.text(it)),
    })
}

/// A pattern of GLOB that only this text matches.
pub(crate) fn quoted(text: &str) -> String {
    text.chars().fold(String::new(), |mut all, c| {
        match c {
            '*' | '?' | '[' => all.extend(['[', c, ']']),
            _ => all.push(c),
        }
        all
    })
}
