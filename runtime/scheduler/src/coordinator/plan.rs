//! Plans a rerun of a coordinator's actions: which workflows run, which nodes of them, and what is removed first.

use std::fmt::Write;

use hpdlc_core::coordinator::machine;
use hpdlc_engine::{
    control::coordinator_request::{CoordinatorRequest, CoordinatorRerun, Selection},
    job::rerun_plan::{self, PreparedRerun},
    owner::Session,
};
use hpdlc_files::AccessSettings;
use hpdlc_host::{exit::RunError, mask::Mask, property_names};
use hpdlc_store::{JobRow, coordinators::CoordinatorActionRow};

use crate::coordinator::{KnownCoordinator, StoredCoordinator, command_check::Refused, data};

/// The settings for access to the data of a coordinator.
pub fn access(known: &KnownCoordinator<'_>) -> Option<AccessSettings> {
    let revision = known.revisions.get(&known.state.job().revision)?;
    Some(AccessSettings::of(&revision.conf, &known.session.site))
}

/// The output of the actions that a rerun removes, each with the number of its action.
pub fn outputs(
    known: &KnownCoordinator<'_>,
    request: &CoordinatorRerun,
) -> Result<Vec<(u64, String)>, Refused> {
    let mut found = Vec::new();
    if request.nocleanup || request.failed {
        return Ok(found);
    }
    let Some(revision) = known.revisions.get(&known.state.job().revision) else {
        return Ok(found);
    };
    for row in known.select(&request.selection)? {
        let outputs = machine::outputs_to_clean(&revision.coordinator, &row.record);
        let removed = outputs
            .into_iter()
            .filter(|(event, _)| !revision.texts.keeps(event));
        found.extend(removed.map(|(_, uri)| (row.record.number, uri)));
    }
    if let Some((number, _)) = found.first()
        && let Some(problem) = revision.lost_output_part(&known.session.site)
    {
        return Err(format!(
            "the output of action {number} cannot be removed: {problem}; nothing was run again (E0907)"
        ));
    }
    Ok(found)
}

/// A further run of the failed nodes of an action's workflow.
///
/// # Errors
///
/// Exit 2 if the workflow does not allow it; exit 5 if the store cannot be read.
pub fn again(known: &KnownCoordinator<'_>, workflow: &JobRow) -> Result<PreparedRerun, RunError> {
    let index = usize::try_from(workflow.app_index).unwrap_or(usize::MAX);
    let mut conf = rerun_plan::stored(&workflow.conf);
    conf.insert(property_names::FAIL_NODES.to_owned(), "true".to_owned());
    let folder = &workflow.app_path;
    rerun_plan::prepare(
        known.session,
        known.connection,
        workflow,
        index,
        conf,
        folder,
    )
}

/// Describes what a rerun would do, without doing it.
///
/// # Errors
///
/// Exit 2 with the refusal; exit 5 if the store cannot be read.
pub fn describe(
    session: &Session,
    job: &JobRow,
    request: &CoordinatorRerun,
) -> Result<String, RunError> {
    let connection = session.store()?;
    let stored = StoredCoordinator::load(session, &connection, &job.id)?;
    let after = stored
        .foresee(
            session,
            &connection,
            &CoordinatorRequest::Rerun(request.clone()),
        )
        .map_err(RunError::usage)?;
    let known = stored.known(session, &connection);
    let selected = known.select(&request.selection).map_err(RunError::usage)?;
    let mut text = format!(
        "rerun of coordinator {} ({}), which is {} then: {} {}\n",
        job.id,
        job.app,
        after.job().status,
        selected.len(),
        if selected.len() == 1 {
            "action"
        } else {
            "actions"
        },
    );
    for row in &selected {
        describe_action(&known, request, row, &mut text)?;
    }
    let mask = Mask::of_all(stored.revisions.values().map(|revision| &revision.conf));
    Ok(mask.text(&text))
}

fn describe_action(
    known: &KnownCoordinator<'_>,
    request: &CoordinatorRerun,
    row: &CoordinatorActionRow,
    text: &mut String,
) -> Result<(), RunError> {
    let zone = known.definitions.current().job.processing_zone();
    let record = &row.record;
    let workflow = known.workflow_of(row).map_err(RunError::usage)?;
    let _ = write!(
        text,
        "  action {}  {}  {}: ",
        record.number,
        zone.write(record.nominal),
        record.status
    );
    match workflow.filter(|_| request.failed) {
        Some(workflow) => {
            let prepared = again(known, &workflow)?;
            let _ = writeln!(
                text,
                "workflow {} runs again as run {}",
                workflow.id, prepared.row.run
            );
            for line in prepared.plan.describe().lines() {
                let _ = writeln!(text, "  {line}");
            }
        }
        None if request.refresh => {
            text.push_str("is created again from the current definition, with a new workflow\n");
        }
        None => text.push_str("gets a new workflow\n"),
    }
    let only = CoordinatorRerun {
        selection: Selection::Actions(record.number.to_string()),
        ..request.clone()
    };
    let Some(settings) = access(known) else {
        return Ok(());
    };
    for (_, uri) in outputs(known, &only).map_err(RunError::usage)? {
        let _ = match data::is_there(&uri, &settings) {
            Ok(true) => writeln!(text, "    delete   {uri}"),
            Ok(false) => writeln!(text, "    absent   {uri}"),
            Err(problem) => writeln!(
                text,
                "    delete?  {uri}: it is not known whether it is there: {problem}"
            ),
        };
    }
    Ok(())
}
