//! PUT `job`: commands for jobs that exist, carried out by their owners as those of the command line are.

use hpdlc_core::{
    coordinator::{CoordinatorStatus, machine::Scope},
    secrets,
    status::JobStatus,
    time::ProcessingZone,
};
use hpdlc_engine::control::{
    self, JobOrder, Verb,
    bundle_request::{BundleRequest, BundleRerun},
    coordinator_request::{CoordinatorRequest, CoordinatorRerun, Selection},
};
use hpdlc_host::{exit::Exit, job_id::JobKind};
use hpdlc_store::{JobRow, coordinators};

use crate::{
    api::job::{CoordinatorActions, UpdateOfCoordinator, Updated},
    serve::{
        call::Call,
        failure::Failure,
        found::{self, Named, named},
        given, program,
        properties_file::PropertiesFile,
        query::Version,
        reply::{self, Reply},
        selection,
        sla::alerts,
        words,
    },
};

/// A command that jobs of all kinds have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plain {
    Start,
    Suspend,
    Resume,
    Kill,
}

/// `BaseJobServlet.doPut`.
pub(crate) fn put(call: &Call) -> Reply {
    match call.action()? {
        "start" => start(call),
        "suspend" => by_kind(call, Plain::Suspend),
        "resume" => by_kind(call, Plain::Resume),
        "kill" => kill(call),
        "change" => change(call),
        "ignore" => ignore(call),
        "rerun" => rerun(call),
        "coord-rerun" => coordinator_rerun(call),
        "bundle-rerun" => bundle_rerun(call),
        "update" => update(call),
        word @ ("sla-enable" | "sla-disable" | "sla-change") => alerts::put(call, word),
        other => Err(Failure::value("action", other)),
    }
}

/// The failure that Oozie answers when there is no such job: it differs from command to command.
fn unknown(id: &str, word: &str) -> Failure {
    let kind = named(id);
    match (kind, word) {
        (Named::Bundle(_), "suspend" | "resume" | "change")
        | (
            Named::Coordinator(_)
            | Named::CoordinatorAction(..)
            | Named::NoAction(_)
            | Named::Other,
            "resume" | "change",
        ) => Failure::no_job(id),
        (_, "suspend") => Failure::coded(
            "E0603",
            format!("SQL error in operation, E0605: Action does not exist [{id}]"),
        ),
        _ => Failure::no_action(id),
    }
}

/// The job of a command, which must be whole: no action.
fn subject(call: &Call, word: &str) -> Result<JobRow, Failure> {
    let connection = call.server.store()?;
    let is_known = match call.version {
        Version::V0 => matches!(named(&call.rest), Named::Workflow(_)),
        Version::V1 | Version::V2 => true,
    };
    found::job(call, &connection, &call.rest)?
        .filter(|_| is_known)
        .ok_or_else(|| unknown(&call.rest, word))
}

fn start(call: &Call) -> Reply {
    if call.version > Version::V0
        && !matches!(named(&call.rest), Named::Workflow(_) | Named::Bundle(_))
    {
        return Err(Failure::value("action", "start"));
    }
    by_kind(call, Plain::Start)
}

fn by_kind(call: &Call, verb: Plain) -> Reply {
    let word = match verb {
        Plain::Start => "start",
        Plain::Suspend => "suspend",
        Plain::Resume => "resume",
        Plain::Kill => "kill",
    };
    plain(call, &subject(call, word)?, verb)?;
    reply::empty()
}

/// Carries out a command. What the state of the job does not allow is no error: Oozie's commands swallow a failed precondition. Only
/// `start` of a job that runs is one (E0801).
pub(crate) fn plain(call: &Call, job: &JobRow, verb: Plain) -> Result<(), Failure> {
    let (is_meant, order) = match JobKind::of(&job.id) {
        JobKind::Workflow => {
            if verb == Plain::Start && job.status == JobStatus::Running {
                let words = format!("Workflow already running, workflow [{}]", job.id);
                return Err(Failure::coded("E0801", words));
            }
            let verb = match verb {
                Plain::Start => Verb::Start,
                Plain::Suspend => Verb::Suspend,
                Plain::Resume => Verb::Resume,
                Plain::Kill => Verb::Kill,
            };
            (
                verb.refusal(&job.id, job.status).is_none(),
                JobOrder::Workflow(verb),
            )
        }
        JobKind::Coordinator => {
            let request = match verb {
                Plain::Start => &CoordinatorRequest::Start,
                Plain::Suspend => &CoordinatorRequest::Suspend,
                Plain::Resume => &CoordinatorRequest::Resume,
                Plain::Kill => &CoordinatorRequest::Kill,
            };
            (is_meant(call, job, verb)?, JobOrder::Coordinator(request))
        }
        JobKind::Bundle => {
            let request = match verb {
                Plain::Start => &BundleRequest::StartNow,
                Plain::Suspend => &BundleRequest::Suspend,
                Plain::Resume => &BundleRequest::Resume,
                Plain::Kill => &BundleRequest::Kill,
            };
            (is_meant(call, job, verb)?, JobOrder::Bundle(request))
        }
    };
    if !is_meant {
        return Ok(());
    }
    match control::ask(&call.server.session, job, order) {
        Ok(()) => Ok(()),
        // Its state has changed meanwhile.
        Err(refused) if refused.exit == Exit::Usage && verb != Plain::Start => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Whether a coordinator or a bundle in its state has use for a command.
fn is_meant(call: &Call, job: &JobRow, verb: Plain) -> Result<bool, Failure> {
    let connection = call.server.store()?;
    let status = found::status(call, &connection, job)?;
    let Some(status) = CoordinatorStatus::from_name(&status) else {
        return Ok(true);
    };
    Ok(match verb {
        Plain::Start if JobKind::of(&job.id) == JobKind::Bundle => {
            status == CoordinatorStatus::Prep
        }
        Plain::Start => job.status == JobStatus::Prep,
        Plain::Suspend => status.suspended().is_some(),
        Plain::Resume => status.resumed().is_some(),
        Plain::Kill => !status.is_terminal() || status == CoordinatorStatus::Failed,
    })
}

fn ask_coordinator(call: &Call, job: &JobRow, request: &CoordinatorRequest) -> Result<(), Failure> {
    control::ask(&call.server.session, job, JobOrder::Coordinator(request)).map_err(Failure::from)
}

/// A coordinator, by a version of the API that has them.
fn coordinator(call: &Call, word: &str) -> Result<JobRow, Failure> {
    let job = subject(call, word)?;
    match JobKind::of(&job.id) {
        JobKind::Coordinator => Ok(job),
        JobKind::Workflow | JobKind::Bundle => Err(unknown(&call.rest, word)),
    }
}

/// The rows of selected actions as they are now: `{"actions": [...]}`.
fn selected(call: &Call, job: &JobRow, selection: &Selection) -> Reply {
    let connection = call.server.store()?;
    let rows = selection::rows(call, &connection, job, selection)?;
    let mask = call.server.mask(&connection, job)?;
    let mut actions = found::actions(call, job, &rows, &mask)?;
    let failed = |error| call.server.failed(error);
    let revisions = coordinators::revisions(&connection, &job.id).map_err(failed)?;
    for (action, row) in actions.iter_mut().zip(&rows) {
        let of_revision = revisions
            .iter()
            .find(|revision| revision.revision == row.record.revision);
        let created = of_revision.map_or("{}", |revision| revision.conf.as_str());
        let workflow = match &row.workflow_id {
            Some(id) => found::job(call, &connection, id)?,
            None => None,
        };
        let run = workflow
            .as_ref()
            .map_or(created, |workflow| workflow.conf.as_str());
        action.add_configurations(created, run, &mask);
    }
    reply::json(&CoordinatorActions { actions })
}

fn kill(call: &Call) -> Reply {
    let (kind, scope) = (call.parameters.get("type"), call.parameters.get("scope"));
    let (Named::Coordinator(_), Some(kind), Some(scope)) = (named(&call.rest), kind, scope) else {
        return by_kind(call, Plain::Kill);
    };
    let job = coordinator(call, "kill")?;
    let Some(selection) = selection::of(kind, scope) else {
        return Err(Failure::coded(
            "E0607",
            format!(
                "Other error in operation [coord_action_kill], the type [{kind}] is neither action nor date"
            ),
        ));
    };
    let connection = call.server.store()?;
    let rows = selection::rows(call, &connection, &job, &selection)?;
    // As `CoordUtils.getCoordActions` has it: those of a time that are over are not meant, those of a number are.
    let by_number = matches!(selection, Selection::Actions(_));
    let meant = rows
        .iter()
        .filter(|row| by_number || !row.record.status.is_terminal())
        .map(|row| row.record.number.to_string());
    let meant: Vec<String> = meant.collect();
    if meant.is_empty() {
        return reply::json(&CoordinatorActions::default());
    }
    let meant = Selection::Actions(meant.join(","));
    match ask_coordinator(call, &job, &CoordinatorRequest::KillActions(meant.clone())) {
        Ok(()) => {}
        // All of them are over, or the coordinator is: Oozie swallows that.
        Err(refused) if refused.code.as_deref() == Some("E1020") => {}
        Err(failure) => return Err(failure),
    }
    selected(call, &job, &meant)
}

fn change(call: &Call) -> Reply {
    if call.version == Version::V0 {
        return Err(Failure::coded(
            "E1014",
            "Coord job change command not supported",
        ));
    }
    let Some(value) = call.parameters.get("value") else {
        return Err(Failure::argument("value cannot be null"));
    };
    let job = subject(call, "change")?;
    let wrong = words::wrong_part(value, processing_zone(call));
    match JobKind::of(&job.id) {
        JobKind::Workflow => return Err(Failure::no_job(&job.id)),
        JobKind::Coordinator => {
            let status = shown_status(call, &job)?;
            ask_coordinator(call, &job, &CoordinatorRequest::Change(value.to_owned())).map_err(
                |failure| words::coordinator_change(failure, &job.id, wrong, value, &status),
            )?;
        }
        JobKind::Bundle => {
            let connection = call.server.store()?;
            let status = found::status(call, &connection, &job)?;
            // Oozie does nothing then, and says nothing.
            if status != CoordinatorStatus::Killed.name() {
                let request = BundleRequest::Change(value.to_owned());
                control::ask(&call.server.session, &job, JobOrder::Bundle(&request))
                    .map_err(|error| words::bundle_change(error.into(), wrong, value))?;
            }
        }
    }
    reply::empty()
}

/// The zone of dates in commands.
fn processing_zone(call: &Call) -> ProcessingZone {
    let name = call.server.session.site.get("oozie.processing.timezone");
    let zone = name.and_then(|name| ProcessingZone::parse(name.trim()));
    zone.unwrap_or(ProcessingZone::UTC)
}

fn shown_status(call: &Call, job: &JobRow) -> Result<String, Failure> {
    found::status(call, &*call.server.store()?, job)
}

fn ignore(call: &Call) -> Reply {
    call.version.expect(Version::V2)?;
    match named(&call.rest) {
        Named::Workflow(_) => return Err(Failure::parameter("Workflow Ignore Not supported")),
        Named::Bundle(_) => return Err(Failure::parameter("Bundle Ignore Not supported")),
        _ => {}
    }
    let job = coordinator(call, "ignore")?;
    let kind = call.parameters.get("type").unwrap_or("action");
    if kind != "action" {
        return Err(Failure::value("type", kind));
    }
    match call.parameters.filled("scope") {
        None => {
            let status = shown_status(call, &job)?;
            ask_coordinator(call, &job, &CoordinatorRequest::Ignore)
                .map_err(|failure| words::ignore(failure, &status))?;
            reply::empty()
        }
        Some(scope) => {
            let selection = Selection::Actions(scope.to_owned());
            selection::numbers(scope)?;
            let rows = selection::rows(call, &*call.server.store()?, &job, &selection)?;
            let meant: Vec<u64> = rows.iter().map(|row| row.record.number).collect();
            ask_coordinator(
                call,
                &job,
                &CoordinatorRequest::IgnoreActions(selection.clone()),
            )
            .map_err(|failure| words::ignore_actions(failure, &meant))?;
            selected(call, &job, &selection)
        }
    }
}

fn coordinator_rerun(call: &Call) -> Reply {
    call.expect_xml()?;
    call.version.expect(Version::V1)?;
    let Some(scope) = call.parameters.get("scope") else {
        return Err(Failure::argument("scope cannot be null"));
    };
    let kind = call.parameters.get("type").unwrap_or_default();
    let selection = selection::of(kind, scope).ok_or_else(|| {
        Failure::coded("E1018", "Coord Job Rerun Error: date or action expected.")
    })?;
    let job = coordinator(call, "coord-rerun")?;
    let connection = call.server.store()?;
    if selection::rows(call, &connection, &job, &selection)?.is_empty() {
        return Err(Failure::coded(
            "E1018",
            "Coord Job Rerun Error: part or all actions are not eligible to rerun!",
        ));
    }
    let request = CoordinatorRequest::Rerun(CoordinatorRerun {
        selection: selection.clone(),
        refresh: call.parameters.is_true("refresh"),
        nocleanup: call.parameters.is_true("nocleanup"),
        failed: call.parameters.is_true("failed"),
    });
    ask_coordinator(call, &job, &request)?;
    selected(call, &job, &selection)
}

fn bundle_rerun(call: &Call) -> Reply {
    call.expect_xml()?;
    call.version.expect(Version::V1)?;
    let job = subject(call, "bundle-rerun")?;
    if JobKind::of(&job.id) != JobKind::Bundle {
        return Err(unknown(&call.rest, "bundle-rerun"));
    }
    let names = call
        .parameters
        .get("coord-scope")
        .unwrap_or_default()
        .split(',');
    let names = names.map(str::trim).filter(|name| !name.is_empty());
    let names: Vec<String> = names.map(str::to_owned).collect();
    let connection = call.server.store()?;
    let failed = |error| call.server.failed(error);
    let mut known = Vec::new();
    for id in coordinators::coordinators_of(&connection, &job.id).map_err(failed)? {
        known.extend(found::job(call, &connection, &id)?.and_then(|it| it.parent_node));
    }
    drop(connection);
    // Names that the bundle does not have are passed over.
    let meant: Vec<String> = names
        .iter()
        .filter(|name| known.contains(name))
        .cloned()
        .collect();
    if meant.is_empty() && !names.is_empty() {
        return reply::empty();
    }
    // Without a scope all are meant.
    let dates = call.parameters.filled("date-scope");
    let meant = if names.is_empty() && dates.is_none() {
        known
    } else {
        meant
    };
    // Oozie answers before it reads the dates; its coordinators then refuse them, which is only in its log.
    let is_malformed = |dates| Scope::times(dates, processing_zone(call)).is_err();
    if dates.is_some_and(is_malformed) {
        return reply::empty();
    }
    let request = BundleRequest::Rerun(BundleRerun {
        coordinators: meant,
        dates: dates.map(str::to_owned),
        refresh: call.parameters.is_true("refresh"),
        nocleanup: call.parameters.is_true("nocleanup"),
    });
    control::ask(&call.server.session, &job, JobOrder::Bundle(&request))?;
    reply::empty()
}

/// A workflow runs again, by its own executable, with what is given over its stored properties.
fn rerun(call: &Call) -> Reply {
    call.expect_xml()?;
    let properties = given::properties(call)?;
    if !matches!(named(&call.rest), Named::Workflow(_)) {
        return Err(Failure::server(
            "the action rerun is for workflows: coord-rerun and bundle-rerun are for the others",
        ));
    }
    let job = subject(call, "rerun")?;
    run_again(call, &job, properties)?;
    reply::empty()
}

/// Has a workflow run again, with properties over its stored ones.
pub(crate) fn run_again(
    call: &Call,
    job: &JobRow,
    properties: given::Properties,
) -> Result<(), Failure> {
    let skipped = properties.get("oozie.wf.rerun.skip.nodes").cloned();
    let file = PropertiesFile::new(&known(properties))?;
    let path = file.path().as_os_str();
    let arguments = ["rerun".as_ref(), job.id.as_ref(), "-c".as_ref(), path];
    let done = program::of_job(&call.server.session, job, &program::words(arguments));
    done.map(drop)
        .map_err(|failure| words::rerun(failure, job.status.name(), &skipped.unwrap_or_default()))
}

/// Without values that were masked when a client read them: it gives them back as it got them.
fn known(mut properties: given::Properties) -> given::Properties {
    properties.retain(|_, value| !value.contains(secrets::MASK));
    properties
}

/// A coordinator continues with the newest definition of its name, and other properties; answers what differs.
fn update(call: &Call) -> Reply {
    call.version.expect(Version::V2)?;
    call.expect_xml()?;
    let properties = given::properties(call)?;
    let job = coordinator(call, "update")?;
    let properties = known(properties);
    let compiler = &call.server.compiler;
    let definition = compiler.newest(&call.server.session, &job, &properties)?;
    let file = PropertiesFile::new(&properties)?;
    let path = file.path().as_os_str();
    let mut arguments = program::words(["update".as_ref(), job.id.as_ref(), "-c".as_ref(), path]);
    if call.parameters.is_true("dryrun") {
        arguments.push("--dry-run".into());
    }
    let printed = program::of_definition(&call.server.session, &definition, &arguments)
        .map_err(|failure| words::update(&failure, &job.id))?;
    let diff = String::from_utf8_lossy(&printed).into_owned();
    let shows = call.parameters.get("diff") != Some("false");
    let diff = if shows { diff } else { String::new() };
    reply::json(&Updated {
        update: UpdateOfCoordinator { diff },
    })
}
