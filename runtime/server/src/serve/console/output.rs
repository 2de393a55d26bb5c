//! What an action printed: the ends of its files on the page of its node, and pages of their parts and of what a search finds in them.
//! A search lists lines (`q`), each of which leads to its part, where what was looked for is marked (`find`).

use std::io;

use hpdlc_runtime::fleet::Masks;
use hpdlc_store::{ActionRow, JobRow, hosts::HostPlace};
use serde_json::{Value, json};

use crate::serve::{
    call::Call,
    console::{
        links, page,
        printed::{PIECE, PREVIEW, Part, Stream, begin, bytes, file, read},
        search::{highlighted, next, previous, search},
        subject,
    },
    failure::Failure,
    reply::Reply,
};

/// The ends of both files of the last attempt, with where the rest is; `other_host` is where it ran, if not here.
pub(crate) fn preview(
    call: &Call,
    job: &JobRow,
    row: &ActionRow,
    masks: &Masks,
    other_host: Option<&HostPlace>,
) -> Value {
    let base = &call.server.base;
    let address = links::of_job(base, &job.id, &format!("output/{}", links::part(&row.name)));
    let attempt = row.attempt.to_string();
    let streams = [Stream::Out, Stream::Err].map(|stream| {
        let path = file(call, job, row, row.attempt, stream);
        let (part, problem) = match read(&path, None, PREVIEW) {
            Ok(part) if part.size == 0 && !path.exists() => {
                let there = other_host
                    .map(|HostPlace { machine, folder }| format!("it is on host {machine}, in {folder}"));
                (part, there)
            }
            // What runs may go on with its last line, which is told then.
            Ok(part) if row.ended.is_none() => (part.of_whole_lines(), None),
            Ok(part) => (part, None),
            Err(error) => (Part::default(), Some(format!("{}: {error}", path.display()))),
        };
        let here = [("stream", stream.name()), ("attempt", attempt.as_str())];
        let tail = format!("{base}/console/tail/{}/{}", links::part(&job.id), links::part(&row.name));
        let to = part.to.to_string();
        let follow = [here[0], here[1], ("from", &to)];
        json!({
            "name": match stream { Stream::Out => "standard output", Stream::Err => "standard error" },
            "id": stream.name(),
            "text": part.shown(masks),
            "is_cut": part.from > 0,
            "size": bytes(part.size),
            "is_empty": part.size == 0,
            "href": links::with_query(&address, &here),
            "tail": row.ended.is_none().then(|| links::with_query(&tail, &follow)),
            "problem": problem,
        })
    });
    json!(streams)
}

/// `job/ID/output/NODE?stream=&attempt=&at=&find=&q=`: a part of a file, or the lines with a text.
pub(crate) fn output(call: &Call, id: &str, name: &str) -> Reply {
    let connection = call.server.store()?;
    let subject = subject::of(call, &connection, id)?;
    let row = subject.rows.iter().find(|row| row.name == name);
    let row = row.ok_or_else(|| Failure::no_action(&format!("{id}@{name}")))?;
    let stream = Stream::of(call.parameters.get("stream"));
    let attempt = call.parameters.filled("attempt");
    let attempt = attempt
        .and_then(|it| it.parse().ok())
        .unwrap_or(row.attempt);
    let attempt: i64 = attempt;
    let path = file(call, &subject.job, row, attempt, stream);
    let failed = |error: io::Error| Failure::server(format!("{}: {error}", path.display()));
    let base = &call.server.base;
    let address = links::of_job(base, id, &format!("output/{}", links::part(name)));
    let number = attempt.to_string();
    let own = [("stream", stream.name()), ("attempt", number.as_str())];
    let q = call.parameters.filled("q").unwrap_or_default();
    let find = call.parameters.filled("find").unwrap_or(q);
    let [stream_of, attempt_of] = own;
    let at = |offset: u64| {
        let offset = offset.to_string();
        links::with_query(
            &address,
            &[stream_of, attempt_of, ("at", &offset), ("find", find)],
        )
    };
    let mut values = json!({
        "name": name, "q": q, "attempt": attempt, "stream": stream.name(), "is_err": stream == Stream::Err, "action": address,
        "node": links::node(base, id, name), "found": null, "has_more": false, "text": null, "find": find,
        "pieces": [], "n_here": 0, "next": null, "previous": null, "all": links::with_query(&address, &[stream_of, attempt_of, ("q", find)]),
        "before": null, "after": null, "first": null, "last": null, "from": 0, "to": 0, "size": "0 B",
    });
    if q.is_empty() {
        let asked = call.parameters.filled("at").and_then(|at| at.parse().ok());
        let masks = &subject.masks;
        let asked = match (asked, find) {
            (Some(at), _) => Some(begin(&path, at).map_err(failed)?),
            (None, "") => None,
            (None, find) => next(&path, 0, find, masks).map_err(failed)?,
        };
        let part = read(&path, asked, PIECE).map_err(failed)?;
        let earlier = part.from.saturating_sub(PIECE);
        let text = part.shown(masks);
        if !find.is_empty() {
            let pieces = highlighted(&text, find);
            let n_here = pieces.iter().filter(|(_, is_found)| *is_found).count();
            values["n_here"] = json!(n_here);
            values["pieces"] = pieces
                .iter()
                .map(|(text, is_found)| json!({ "text": text, "is_found": is_found }))
                .collect();
            let before = previous(&path, part.from, find, masks).map_err(failed)?;
            let after = next(&path, part.to, find, masks).map_err(failed)?;
            values["previous"] = json!(before.map(at));
            values["next"] = json!(after.map(at));
        }
        values["text"] = json!(text);
        values["before"] = json!((part.from > 0).then(|| at(earlier)));
        values["after"] = json!((part.to < part.size).then(|| at(part.to)));
        values["first"] = json!((part.from > 0).then(|| at(0)));
        values["last"] = json!((part.to < part.size).then(|| at(part.size.saturating_sub(PIECE))));
        values["from"] = json!(bytes(part.from));
        values["to"] = json!(bytes(part.to));
        values["size"] = json!(bytes(part.size));
    } else {
        let (found, has_more) = search(&path, q, &subject.masks).map_err(failed)?;
        values["has_more"] = json!(has_more);
        values["found"] = found
            .into_iter()
            .map(|found| json!({ "number": found.number, "text": found.text, "href": at(found.context) }))
            .collect();
    }
    let title = format!("{name}, {}", stream.name());
    page::html(
        call,
        subject::frame_below(call, &subject, &title),
        "output",
        &values,
    )
}
