//! `dryrun` of coordinators and bundles: their properties, their first actions, and the values of the first action's workflow.

use std::{collections::BTreeMap, sync::Arc};

use hpdlc_core::{
    coordinator::machine::{
        self, ActionRecord, CoordinatorEvent, CoordinatorState, Revisions, SchedulerSettings,
    },
    el::text::Text,
    visible,
};
use hpdlc_engine::job::submission::{APP_PATH_PROPERTY, UNPACKED, examine};
use hpdlc_host::{
    exit::RunError,
    mask::{self, Mask},
};
use hpdlc_program::table::{self, Program};
use hpdlc_scheduler::{
    bundle::NewBundle,
    coordinator::{
        submission::{self, Revision, SubmissionContext, printed},
        unknown_workflow,
    },
};
use serde_json::json;

use crate::commands::dryrun::{self, DryrunInput, DryrunReport, MASKED, children::is_registered};

/// The maximum number of actions shown.
const MAX_ACTIONS: usize = 3;

/// The id of an action that does not exist.
const ID: &str = "0000000-000000000000000-hpdl-C";

/// The dry run of the program's coordinator or bundle.
pub fn see(
    given: &DryrunInput<'_>,
    around: SubmissionContext<'_>,
) -> Result<DryrunReport, RunError> {
    match around.program.entry {
        table::Entry::Bundle(table) => bundle(table, given, around),
        table::Entry::Coordinator | table::Entry::Workflow => {
            coordinator(around.program.coordinators[0], given, around)
        }
    }
}

/// A coordinator.
fn coordinator(
    table: &'static table::Coordinator,
    given: &DryrunInput<'_>,
    around: SubmissionContext<'_>,
) -> Result<DryrunReport, RunError> {
    let revision = submission::complete(table, given.values.clone(), around)?;
    let mask = Mask::of(&revision.conf);
    let coordinator = &revision.coordinator;
    let mut seen = DryrunReport::default();
    let zone = coordinator.job.processing_zone();
    let texts = &revision.texts;
    let source = table.source;
    let controls = &coordinator.controls;
    let count = |n: Option<u32>| n.map_or_else(|| "any number".to_owned(), |n| n.to_string());
    let timeout = controls.timeout.map_or_else(
        || "for ever".to_owned(),
        |minutes| format!("{minutes} minutes"),
    );
    let mut values = vec![
        ("name", texts.name.clone(), coordinator.name.clone()),
        (
            "frequency",
            texts.frequency.clone(),
            texts.frequency.clone(),
        ),
        (
            "start",
            texts.start.clone(),
            zone.write(coordinator.schedule.start),
        ),
        (
            "end",
            texts.end.clone(),
            zone.write(coordinator.schedule.end),
        ),
        ("timezone", texts.timezone.clone(), texts.timezone.clone()),
        ("controls/timeout", control(&revision, "timeout"), timeout),
        (
            "controls/concurrency",
            control(&revision, "concurrency"),
            count(controls.concurrency),
        ),
        (
            "controls/execution",
            control(&revision, "execution"),
            format!("{:?}", controls.execution).to_uppercase(),
        ),
        (
            "controls/throttle",
            control(&revision, "throttle"),
            controls.throttle.to_string(),
        ),
        (
            "workflow/app-path",
            texts.app_path.clone(),
            revision.app_path.clone(),
        ),
    ];
    values.retain(|(path, template, _)| !path.starts_with("controls/") || !template.is_empty());
    let app_path = &revision.app_path;
    let own = submission::place_of(around.program, table);
    let is_found = revision.workflow(around.program, own).is_some() || is_registered(app_path);
    let lines = values.into_iter().map(|(path, template, value)| {
        let value = match path {
            "workflow/app-path" if !is_found => Err(unknown_workflow(app_path)),
            _ => Ok(value),
        };
        ScheduledText::new(path, &template, value)
    });
    seen.add(
        &coordinator.name,
        "coordinator",
        source,
        table.name.place(origin(source)).line,
        lines,
        &mask,
    );
    let actions = first_actions(&revision);
    for record in &actions {
        let lines = of_action(&revision, record, table.outputs);
        let name = format!("@{} {}", record.number, zone.write(record.nominal));
        let line = table.app_path.place(origin(source)).line;
        seen.add(&name, "action", source, line, lines.into_iter(), &mask);
    }
    if let Some(first) = actions.first() {
        workflow(table, &revision, first, given, around, &mut seen)?;
    }
    Ok(seen)
}

/// Every coordinator of a bundle.
fn bundle(
    bundle: &'static table::Bundle,
    given: &DryrunInput<'_>,
    around: SubmissionContext<'_>,
) -> Result<DryrunReport, RunError> {
    let new = NewBundle::new(bundle, given.values.clone(), around, None)?;
    let mut seen = DryrunReport::default();
    for (name, table, values) in new.coordinators(around.program) {
        let around = SubmissionContext {
            name: Some(&name),
            ..around
        };
        let given = DryrunInput {
            values,
            places: given.places,
        };
        seen.append(coordinator(table, &given, around)?);
    }
    Ok(seen)
}

fn origin(file: &'static str) -> hpdlc_core::el::scope::Origin {
    hpdlc_core::el::scope::Origin { file, line: 0 }
}

fn control(revision: &Revision, name: &str) -> String {
    revision
        .texts
        .controls
        .get(name)
        .cloned()
        .unwrap_or_default()
}

/// One text of a coordinator.
pub(super) struct ScheduledText {
    path: String,
    template: String,
    value: Result<String, String>,
    is_secret: bool,
}

impl ScheduledText {
    fn new(
        path: impl Into<String>,
        template: &str,
        value: Result<String, String>,
    ) -> ScheduledText {
        ScheduledText {
            path: path.into(),
            template: template.to_owned(),
            value,
            is_secret: false,
        }
    }
}

impl DryrunReport {
    fn add(
        &mut self,
        name: &str,
        kind: &str,
        file: &str,
        line: u32,
        shown: impl Iterator<Item = ScheduledText>,
        mask: &Mask,
    ) {
        self.text
            .push_str(&format!("{name} ({kind}, {file}:{line})\n"));
        let mut values = Vec::new();
        for shown in shown {
            let mut value = json!({
                "path": shown.path,
                "template": mask.text(&shown.template),
                "origin": { "file": file, "line": line },
                "secret": shown.is_secret,
            });
            let text = match shown.value {
                Ok(_) if shown.is_secret => MASKED.to_owned(),
                Ok(text) => mask.text(&text),
                Err(error) => {
                    self.n_errors += 1;
                    let error = mask.text(&error);
                    value["error"] = error.as_str().into();
                    self.text.push_str(&format!(
                        "  {:<28} ERROR {}\n",
                        shown.path,
                        visible::line(&error)
                    ));
                    values.push(value);
                    continue;
                }
            };
            value["value"] = text.as_str().into();
            self.text
                .push_str(&format!("  {:<28} {}\n", shown.path, visible::line(&text)));
            values.push(value);
        }
        self.nodes
            .push(json!({ "name": name, "type": kind, "values": values }));
    }

    fn append(&mut self, mut other: DryrunReport) {
        self.text.push_str(&other.text);
        self.nodes.append(&mut other.nodes);
        self.n_errors += other.n_errors;
    }
}

/// The first actions as the state machine creates them, without checking their data.
fn first_actions(revision: &Revision) -> Vec<ActionRecord> {
    let coordinator = &revision.coordinator;
    let definitions = Revisions::new(Arc::clone(coordinator), BTreeMap::new());
    let mut records = Vec::new();
    for action in coordinator.schedule.actions().take(MAX_ACTIONS) {
        let mut state = CoordinatorState::new(coordinator, SchedulerSettings::default());
        machine::step(
            &definitions,
            &mut state,
            action.time,
            CoordinatorEvent::Tick,
        );
        let found = state.actions().find(|record| record.nominal == action.time);
        match found {
            Some(record) => records.push(record.clone()),
            // The throttle delays it; its nominal time follows from the previous one.
            None => {
                if let Some(last) = records.last() {
                    let last: &ActionRecord = last;
                    records.push(ActionRecord {
                        number: action.number,
                        nominal: action.time,
                        created: action.time,
                        since: action.time,
                        ..last.clone()
                    });
                }
            }
        }
    }
    records
}

fn of_action(
    revision: &Revision,
    record: &ActionRecord,
    outputs: &[table::Event],
) -> Vec<ScheduledText> {
    let mut lines = Vec::new();
    for missing in machine::missing(&revision.coordinator, record) {
        let instance = revision
            .coordinator
            .job
            .processing_zone()
            .write(missing.instance);
        lines.push(ScheduledText::new(
            format!("data-in[{}]", missing.event),
            &format!("{instance} of {}", missing.dataset),
            Ok(missing.uri),
        ));
    }
    if !outputs.is_empty() {
        for (event, uri) in machine::outputs_to_clean(&revision.coordinator, record) {
            lines.push(ScheduledText::new(
                format!("data-out[{event}]"),
                "",
                Ok(uri),
            ));
        }
    }
    let facts = machine::facts(
        &revision.coordinator,
        record,
        format!("{ID}@{}", record.number),
    );
    let sources = revision.texts.configuration.iter();
    for ((name, source), (_, value)) in sources.zip(&revision.configuration) {
        let name = printed(name);
        let path = format!("configuration/property[{name}]/value");
        let evaluated = match &facts {
            Ok(facts) => evaluated(revision, value, facts),
            Err((event, error)) => Err(format!("the instances of `{event}`: {error}")),
        };
        lines.push(ScheduledText {
            is_secret: mask::is_secret_name(&name),
            ..ScheduledText::new(path, &printed(source), evaluated)
        });
    }
    lines
}

fn evaluated(
    revision: &Revision,
    text: &Text,
    facts: &hpdlc_core::coordinator::ActionFacts,
) -> Result<String, String> {
    let job = &revision.coordinator.job;
    let value = job.evaluate_for_action(text, facts);
    value.map_err(|error| error.to_string())
}

/// The workflow with the properties of the first action, as far as they do not depend on data.
fn workflow(
    table: &'static table::Coordinator,
    revision: &Revision,
    record: &ActionRecord,
    given: &DryrunInput<'_>,
    around: SubmissionContext<'_>,
    seen: &mut DryrunReport,
) -> Result<(), RunError> {
    let program: &'static Program = around.program;
    let own = submission::place_of(program, table);
    let Some(index) = revision.workflow(program, own) else {
        return Ok(());
    };
    let Some(&app) = program.apps.get(index) else {
        return Ok(());
    };
    let mut conf = revision.conf.clone();
    if let Ok(facts) = machine::facts(&revision.coordinator, record, format!("{ID}@1")) {
        let sources = revision.texts.configuration.iter();
        for ((name, _), (_, value)) in sources.zip(&revision.configuration) {
            if let Ok(value) = evaluated(revision, value, &facts) {
                conf.insert(printed(name), value);
            }
        }
    }
    conf.insert(APP_PATH_PROPERTY.to_owned(), revision.app_path.clone());
    let (submission, _) = examine(app, conf, UNPACKED, around.user);
    seen.append(dryrun::see(
        program,
        app,
        submission,
        given.places,
        around.user,
    ));
    Ok(())
}
