//! The commands that servers of the state folder were given, by whom, and what became of them. For administrators, as `hpdl audit`.

use axum::http::Method;
use hpdlc_host::job_id::JobKind;
use hpdlc_runtime::fleet::{self, ListMasks};
use hpdlc_store::{
    audit::{self as rows, AuditFilter, AuditRow},
    query,
    sql::Connection,
};
use serde_json::{Value, json};

use crate::serve::{
    access,
    call::Call,
    console::{
        admin, links,
        marks::Mark,
        page,
        paging::{self, Page},
    },
    failure::Failure,
    reply::Reply,
};

/// Rows on a page.
const AT_ONCE: u32 = 100;
/// The choices of the filter for results.
const RESULTS: [(&str, &str); 3] = [
    ("", "all results"),
    ("done", "carried out"),
    ("refused", "not carried out"),
];

/// `audit?user=&operation=&job=&result=&first=&last=&from=`
pub(crate) fn audit(call: &Call) -> Reply {
    call.expect_method(&[Method::GET, Method::HEAD])?;
    access::expect_admin(call)?;
    let text = |name: &str| call.parameters.filled(name).unwrap_or_default().trim();
    let (user, operation, job) = (text("user"), text("operation"), text("job"));
    let (result, first, last) = (text("result"), text("first"), text("last"));
    let from: u32 = text("from").parse().unwrap_or_default();
    let (since, until) = paging::days(first, last)?;
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let filter = AuditFilter {
        user: some(user),
        operation: some(operation),
        job: some(&id_of(call, job)),
        done: match result {
            "done" => Some(true),
            "refused" => Some(false),
            _ => None,
        },
        since,
        until,
    };
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let (found, n_found) = rows::found(&connection, &filter, from, AT_ONCE).map_err(failed)?;
    let known = rows::operations(&connection).map_err(failed)?;
    let action = admin::address(call, "audit");
    let address = |from: usize| {
        let from = paging::offset(from);
        let all = [
            ("user", user),
            ("operation", operation),
            ("job", job),
            ("result", result),
            ("first", first),
            ("last", last),
            ("from", from.as_str()),
        ];
        links::with_query(&action, &all)
    };
    let mut masks = ListMasks::of(call.server.session.program, &connection);
    let mut shown = Vec::new();
    for row in &found {
        shown.push(row_json(call, &connection, &mut masks, row)?);
    }
    let choice = |value: &str, name: &str, chosen: &str| json!({ "value": value, "name": name, "chosen": value == chosen });
    let mut operations = vec![choice("", "all commands", operation)];
    operations.extend(known.iter().map(|it| choice(it, it, operation)));
    let is_filtered = [user, operation, job, result, first, last]
        .iter()
        .any(|it| !it.is_empty());
    let mut values = json!({
        "tabs": admin::tabs(call, "audit"),
        "action": action,
        "user": user,
        "job": job,
        "operations": operations,
        "results": RESULTS.map(|(value, name)| choice(value, name, result)),
        "first_day": first,
        "last_day": last,
        "rows": shown,
        "is_filtered": is_filtered,
    });
    let number = |n: u32| usize::try_from(n).unwrap_or(usize::MAX);
    let page = Page {
        from: number(from),
        most: number(AT_ONCE),
        n_found: usize::try_from(n_found).unwrap_or(usize::MAX),
    };
    page.put(&mut values, address);
    page::html(call, admin::frame(call, "Audit"), "audit", &values)
}

/// The id of the job that the reader names, by its number perhaps.
fn id_of(call: &Call, job: &str) -> String {
    if job.is_empty() {
        return String::new();
    }
    match fleet::find_job(&call.server.session, job) {
        Ok(found) => found.id,
        Err(_) => job.to_owned(),
    }
}

fn row_json(
    call: &Call,
    connection: &Connection,
    masks: &mut ListMasks<'_>,
    row: &AuditRow,
) -> Result<Value, Failure> {
    let job = row.job_id.as_deref();
    // An action of a job is that of the job.
    let id = job.map(|id| id.split(['@', ',', '/']).next().unwrap_or(id));
    let found = match id {
        Some(id) => query::job(connection, id).map_err(|error| call.server.failed(error))?,
        None => None,
    };
    let mut shown = |text: Option<&String>| -> Option<String> {
        let text = text?;
        Some(match &found {
            Some(job) => masks.mask(job).text(text),
            None => text.clone(),
        })
    };
    let (parameter, message) = (shown(row.parameter.as_ref()), shown(row.message.as_ref()));
    let mark = match row.status {
        Some(status) if status < 400 => ("good", "DONE"),
        Some(_) => ("bad", "REFUSED"),
        None => ("stuck", "NOT KNOWN"),
    };
    Ok(json!({
        "time": row.time,
        "user": row.user,
        "proxy": row.proxy,
        "token": row.token,
        "address": row.address,
        "operation": row.operation,
        "parameter": parameter,
        "job": job.map(fleet::short_id),
        "job_title": job,
        "href": found.as_ref().map(|job| links::job(&call.server.base, &job.id)),
        "kind": found.as_ref().map(|job| JobKind::of(&job.id).word()),
        "app": row.app,
        "mark": Mark { look: mark.0, word: mark.1.to_owned() },
        "status": row.status,
        "code": row.code,
        "message": message,
        "took": row.ended.map(|ended| hpdlc_host::clock::format_duration(ended - row.time)),
    }))
}
