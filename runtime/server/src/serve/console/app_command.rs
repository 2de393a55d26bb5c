//! What the forms of an application's page do: a dry run, a new job, a change of the application's life cycle.

use std::collections::BTreeMap;

use hpdlc_host::{job_id::JobKind, mask::Mask};
use hpdlc_store::{applications::ApplicationSummary, audit::AuditEnd};
use serde_json::json;

use crate::{
    apps::change,
    serve::{
        access, audit,
        call::Call,
        console::{
            app::{LIFE, found, shown},
            app_form::{self, Form},
            csrf, links, page,
        },
        failure::Failure,
        program,
        properties_file::PropertiesFile,
        query::Parameters,
        reply::Reply,
        submit,
    },
};

/// POST `app/NAME`, with the field `do`.
pub(crate) fn command(call: &Call) -> Reply {
    let app = &found(call, &call.rest)?;
    call.expect_type("application/x-www-form-urlencoded")?;
    let body = String::from_utf8_lossy(&call.body);
    let sent = Parameters::parse(Some(&body));
    csrf::check(call, sent.get(csrf::FIELD))?;
    let what = sent.get("do").unwrap_or_default();
    if let Some((word, _, transition, _)) = LIFE.iter().find(|(word, ..)| *word == what) {
        return changed(call, app, word, *transition);
    }
    if !matches!(what, "dryrun" | "start" | "submit") {
        return Err(Failure::value("do", what));
    }
    let (mut form, read) = Form::read(&sent);
    let mut properties = match read {
        Ok(properties) => properties,
        Err(problem) => return shown(call, app, &form, Some(&problem)),
    };
    form.line = Some(app_form::line(&app.definition.app, &properties));
    if let Some(user) = &call.user {
        properties.insert("user.name".to_owned(), user.clone());
    }
    match what {
        "dryrun" => dry_run(call, app, form, &properties),
        _ => started(call, app, form, &properties, what == "start"),
    }
}

/// What the job would do; nothing is created.
fn dry_run(
    call: &Call,
    app: &ApplicationSummary,
    mut form: Form,
    properties: &BTreeMap<String, String>,
) -> Reply {
    let file = PropertiesFile::new(properties)?;
    let path = file.path().as_os_str();
    let words = program::words(["dryrun".as_ref(), "-c".as_ref(), path]);
    let tried = program::tried_of_definition(&call.server.session, &app.definition, &words)?;
    let mask = Mask::of(properties);
    let errors: Vec<String> = tried.errors.iter().map(|error| mask.text(error)).collect();
    let others = form.place_errors(&errors);
    form.is_ready = form.errors.is_empty() && others.is_empty();
    form.tried = Some(json!({
        "text": mask.text(tried.printed.trim_end()),
        "errors": others,
        "n_missing": form.errors.len(),
        "is_good": tried.is_good,
    }));
    shown(call, app, &form, None)
}

/// A new job, and its page.
fn started(
    call: &Call,
    app: &ApplicationSummary,
    mut form: Form,
    properties: &BTreeMap<String, String>,
    is_started: bool,
) -> Reply {
    let name = &app.definition.app;
    let words = ["submit".to_owned(), name.clone()];
    let entry = audit::entry_of_command(call, None, &words)?;
    let mut created = None;
    let done = submit::created(call, &app.definition, properties).and_then(|new| {
        let id = new.id;
        let kind = JobKind::of(&id);
        created = Some(id.clone());
        submit::start(call, &id, kind, is_started)
    });
    let after = entry.time().to_string();
    match (done, created) {
        (Ok(()), Some(id)) => {
            entry.end(AuditEnd {
                status: 200,
                job_id: Some(id.clone()),
                app: Some(name.clone()),
                ..AuditEnd::default()
            });
            let address = links::job(&call.server.base, &id);
            page::to(&links::with_query(&address, &[("after", &after)]))
        }
        (Ok(()), None) => Err(Failure::server("a job without an id")),
        (Err(failure), created) => {
            entry.end(AuditEnd {
                job_id: created,
                app: Some(name.clone()),
                ..audit::of_failure(&failure)
            });
            let message = Mask::of(properties).text(&failure.message);
            let errors: Vec<String> = message
                .split("; property ")
                .enumerate()
                .map(in_full)
                .collect();
            form.place_errors(&errors);
            shown(call, app, &form, Some(&message))
        }
    }
}

/// Errors that were joined by `; ` begin with the word that they were split at.
fn in_full((number, part): (usize, &str)) -> String {
    match number {
        0 => part
            .split_once("property ")
            .map_or_else(|| part.to_owned(), |(_, rest)| format!("property {rest}")),
        _ => format!("property {part}"),
    }
}

/// Another state of the application.
fn changed(
    call: &Call,
    app: &ApplicationSummary,
    word: &str,
    transition: hpdlc_store::applications::Transition,
) -> Reply {
    let name = &app.definition.app;
    let words = ["apps", word, name].map(str::to_owned);
    let entry = audit::entry_of_command(call, None, &words)?;
    let done = access::expect_admin(call).and_then(|()| {
        change::change(&call.server.session, name, transition).map_err(Failure::from)
    });
    let base = &call.server.base;
    match done {
        Ok(_) => {
            let after = entry.time().to_string();
            entry.end(AuditEnd {
                status: 200,
                app: Some(name.clone()),
                ..AuditEnd::default()
            });
            // One that was undeployed may be gone altogether.
            let address = match found(call, name) {
                Ok(_) => links::with_query(&links::app(base, name), &[("after", &after)]),
                Err(_) => links::apps(base),
            };
            page::to(&address)
        }
        Err(failure) => {
            entry.end(AuditEnd {
                app: Some(name.clone()),
                ..audit::of_failure(&failure)
            });
            shown(call, app, &Form::default(), Some(&failure.message))
        }
    }
}
