//! The submission of a coordinator job: defaults, substitution, included files, and all mistakes at once before anything starts.

use std::{collections::BTreeMap, sync::Arc};

use hpdlc_core::{
    app_uri::normalized,
    coordinator::{ActionFacts, Coordinator, JobValues},
    el::{parser, text::Text},
    empty_parts::Lost,
    time::ProcessingZone,
};
use hpdlc_engine::job::submission::{self, DeclaredProperties};
use hpdlc_executors::empty_parts;
use hpdlc_files::{AccessSettings, clusters::Clusters};
use hpdlc_host::exit::RunError;
use hpdlc_program::{
    coordinator_texts::{CompiledTexts, CoordinatorTexts, DatasetTexts},
    table::{
        self, Parameter, Program,
        applications::{COORDINATOR_PATH, workflow_of},
    },
};
use hpdlc_store::JobRow;

use crate::coordinator::{includes, limits};

/// A coordinator with all the data of one revision.
#[derive(Clone, Debug)]
pub struct Revision {
    pub coordinator: Arc<Coordinator>,
    pub texts: CoordinatorTexts,
    /// Those of its texts that are not parsed.
    compiled: CompiledTexts,
    /// The names and values of the workflow's configuration, in the order of the texts.
    pub configuration: Vec<(Text, Text)>,
    /// The completed properties of the job.
    pub conf: BTreeMap<String, String>,
    /// The evaluated path of the workflow.
    pub app_path: String,
    /// The hash of the definition with the texts.
    pub hash: String,
}

impl Revision {
    /// Evaluates the texts with completed properties, on a site with the settings `site`. Those in `compiled` are not parsed.
    ///
    /// # Errors
    ///
    /// What Oozie refuses at submission, as a message.
    pub fn new(
        texts: CoordinatorTexts,
        compiled: CompiledTexts,
        conf: BTreeMap<String, String>,
        name: Option<&str>,
        site: &BTreeMap<String, String>,
        hash: String,
    ) -> Result<Revision, String> {
        let source = &texts.source;
        let located = |problem: String| format!("{source}: {problem}");
        let definition = texts.definition(&compiled).map_err(located)?;
        let configuration = texts.configuration(&compiled).map_err(located)?;
        let job = values(&conf, site).map_err(|error| error.to_string())?;
        let app_path = compiled
            .text(&texts.app_path)
            .map_err(|error| located(format!("the app-path: {error}")))?;
        let app_path = job
            .evaluate_at_submission(&app_path)
            .map_err(|error| located(format!("the app-path: {error} (E1004)")))?;
        let mut coordinator = definition.resolve(job).map_err(|error| {
            let code = error.problem.oozie_code();
            located(format!("{error} ({code})"))
        })?;
        if let Some(name) = name {
            name.clone_into(&mut coordinator.name);
        }
        Ok(Revision {
            coordinator: Arc::new(coordinator),
            configuration,
            conf,
            app_path,
            hash,
            texts,
            compiled,
        })
    }

    /// The problem of an output that a rerun would remove: a property in its path is empty, so that more would be removed than the action
    /// has created.
    pub fn lost_output_part(&self, site: &BTreeMap<String, String>) -> Option<String> {
        if empty_parts::are_allowed(&self.conf, site) {
            return None;
        }
        let lost = Lost::of_job(&self.conf);
        let outputs = self.coordinator.outputs.iter();
        let outputs = outputs.filter(|output| !self.texts.keeps(&output.name));
        outputs
            .filter_map(|output| self.texts.datasets.get(&output.dataset.name))
            .find_map(|dataset| {
                let path = &dataset.uri_template;
                let part = self.lost_part(path, &lost)?;
                let value = self.value(&part);
                Some(empty_parts::words(path.trim(), &part, value.as_deref()))
            })
    }

    /// The values with an empty part that may be used as paths in the workflows of actions.
    pub fn lost(&self) -> Lost {
        let mut lost = Lost::of_job(&self.conf);
        let Coordinator {
            inputs, outputs, ..
        } = &*self.coordinator;
        for event in inputs.iter().chain(outputs) {
            let dataset = self.texts.datasets.get(&event.dataset.name);
            if dataset.is_some_and(|dataset| self.lost_part(&dataset.uri_template, &lost).is_some())
            {
                lost.add_event(&event.name);
            }
        }
        lost
    }

    /// The first lost part of a path that is evaluated at submission.
    fn lost_part(&self, path: &str, lost: &Lost) -> Option<String> {
        match self.compiled.find(path) {
            Some(path) => {
                let job = &self.coordinator.job;
                job.in_scope_of_submission(|scope| path.lost_part(scope, lost))
            }
            None => {
                let value = |text: &str| self.value(text);
                hpdlc_core::empty_parts::first_of_text(path, value, lost).map(str::to_owned)
            }
        }
    }

    /// The value at submission of a text that is parsed now.
    fn value(&self, text: &str) -> Option<String> {
        let template = parser::parse_template(text).ok()?;
        let job = &self.coordinator.job;
        job.evaluate_at_submission(&template).ok()
    }

    /// Whether a text of the workflow's configuration is a path that loses a part, for an action.
    pub fn is_lost(&self, text: &str, action: &ActionFacts, lost: &Lost) -> bool {
        let job = &self.coordinator.job;
        match self.compiled.find(text) {
            Some(text) => job.in_scope_of_action(action, |scope| text.is_lost(scope, lost)),
            None => lost.is_lost_in(text, |part| {
                let template = parser::parse_template(part).ok()?;
                job.evaluate_for_action(&template, action).ok()
            }),
        }
    }

    /// The index of its workflow, if that is compiled in; `coordinator` is the index of the coordinator.
    pub fn workflow(&self, program: &Program, coordinator: usize) -> Option<usize> {
        workflow_of(program, coordinator, &self.conf, &self.app_path)
    }
}

/// The texts of a job that this executable has code for: those of its own coordinator.
pub fn compiled_texts(program: &Program, job: &JobRow) -> CompiledTexts {
    let index = usize::try_from(job.app_index).ok();
    let table = index.and_then(|index| program.coordinators.get(index));
    table.map_or_else(CompiledTexts::default, |table| CompiledTexts::of(table))
}

/// A text as the language's printer writes it, for messages.
pub fn printed(source: &str) -> String {
    let parsed = parser::parse_template(source);
    parsed.map_or_else(|_| source.to_owned(), |text| text.to_string())
}

/// The values for the evaluation of the texts of a job with the properties `conf`.
fn values(
    conf: &BTreeMap<String, String>,
    site: &BTreeMap<String, String>,
) -> Result<JobValues, RunError> {
    let user = conf.get("user.name").cloned();
    let values = JobValues::new(conf.clone(), user, processing_zone(site)?);
    Ok(values
        .with_control_settings(limits::control_settings(site)?)
        .with_clusters(Arc::new(Clusters::of(site))))
}

/// The time zone in which dates are parsed (`oozie.processing.timezone`).
///
/// # Errors
///
/// Exit 2 if the site sets one that Oozie does not allow.
pub fn processing_zone(site: &BTreeMap<String, String>) -> Result<ProcessingZone, RunError> {
    let Some(name) = site.get("oozie.processing.timezone") else {
        return Ok(ProcessingZone::UTC);
    };
    ProcessingZone::parse(name.trim()).ok_or_else(|| {
        RunError::usage(format!(
            "the setting oozie.processing.timezone is `{name}`; it is UTC, GMT+hhmm or GMT-hhmm"
        ))
    })
}

/// The context of a submission.
#[derive(Clone, Copy)]
pub struct SubmissionContext<'a> {
    pub program: &'static Program,
    /// The folder of the program's unpacked files.
    pub folder: &'a str,
    pub user: &'a str,
    pub site: &'a BTreeMap<String, String>,
    /// The coordinator's name in its bundle.
    pub name: Option<&'a str>,
}

/// Completes the properties of a job of `table`, and evaluates everything that is evaluated at submission (`CoordSubmitXCommand`).
///
/// # Errors
///
/// Exit 2 with every property that is missing or wrong, and what Oozie refuses.
pub fn complete(
    table: &'static table::Coordinator,
    given: BTreeMap<String, String>,
    around: SubmissionContext<'_>,
) -> Result<Revision, RunError> {
    let revision = evaluate(table, given, around)?;
    check_workflow(around.program, table, &revision)?;
    Ok(revision)
}

/// As [`complete`], without checking the parameters of its workflow.
///
/// # Errors
///
/// As [`complete`].
pub fn evaluate(
    table: &'static table::Coordinator,
    given: BTreeMap<String, String>,
    around: SubmissionContext<'_>,
) -> Result<Revision, RunError> {
    let (conf, refusal) = examine(table, given, around);
    if let Some(refusal) = refusal {
        return Err(refusal);
    }
    let texts = with_includes(table, &conf, around)?;
    Revision::new(
        texts,
        CompiledTexts::of(table),
        conf,
        around.name,
        around.site,
        around.program.hash.to_owned(),
    )
    .map_err(RunError::usage)
}

/// The properties, completed as far as possible, and why such a job would be refused.
pub fn examine(
    table: &'static table::Coordinator,
    given: BTreeMap<String, String>,
    around: SubmissionContext<'_>,
) -> (BTreeMap<String, String>, Option<RunError>) {
    let zone = match processing_zone(around.site) {
        Ok(zone) => zone,
        Err(refusal) => return (given, Some(refusal)),
    };
    let declared = DeclaredProperties {
        parameters: table.parameters,
        config_default: table.config_default,
        path_property: COORDINATOR_PATH,
        language: "coordinator",
        zone: Some(zone),
    };
    submission::examine_properties(&declared, given, around.folder, around.user)
}

/// The texts with the datasets of included files: those that were read at compile time, if the URI is still the same.
fn with_includes(
    table: &'static table::Coordinator,
    conf: &BTreeMap<String, String>,
    around: SubmissionContext<'_>,
) -> Result<CoordinatorTexts, RunError> {
    let mut texts = CoordinatorTexts::of(table);
    if table.includes.is_empty() {
        return Ok(texts);
    }
    let values = values(conf, around.site)?;
    let access = AccessSettings::of(conf, around.site);
    let mut included = BTreeMap::new();
    for include in table.includes {
        let source = include.path.source();
        let uri = values.evaluate_at_submission(&include.path);
        let uri = uri.map_err(|problem| {
            RunError::usage(format!("{}: include `{source}`: {problem}", table.source))
        })?;
        let found = if include.uri.is_some_and(|known| known == normalized(&uri)) {
            include.datasets.iter().map(DatasetTexts::named).collect()
        } else {
            includes::read(&uri, &values, &access)?
        };
        for (name, dataset) in found {
            if included.insert(name.clone(), dataset).is_some() {
                return Err(RunError::usage(format!(
                    "{}: two included files have a dataset `{name}` (E0803)",
                    table.source
                )));
            }
        }
    }
    for (name, dataset) in included {
        texts.datasets.entry(name).or_insert(dataset);
    }
    Ok(texts)
}

/// The message for a workflow at `app_path` that is not available.
pub fn unknown_workflow(app_path: &str) -> String {
    format!(
        "workflow `{app_path}` is not compiled into this executable, and no executable is registered for it; \
         name its folder when you build, with --map {app_path}=FOLDER, or type `register --as {app_path}` with \
         the executable that has it"
    )
}

/// The index of a coordinator in the table.
pub fn place_of(program: &'static Program, table: &'static table::Coordinator) -> usize {
    let mut places = program.coordinators.iter();
    places
        .position(|other| std::ptr::eq(*other, table))
        .unwrap_or_default()
}

/// Checks the parameters of the workflow: they would be missing in each action.
fn check_workflow(
    program: &'static Program,
    table: &'static table::Coordinator,
    revision: &Revision,
) -> Result<(), RunError> {
    let Some(app) = revision.workflow(program, place_of(program, table)) else {
        return Ok(());
    };
    let app = program.apps[app];
    let passed: Vec<&str> = revision
        .texts
        .configuration
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    // A name with an expression in it could be any.
    if passed.iter().any(|name| name.contains("${")) {
        return Ok(());
    }
    let has_default = |name: &str| {
        let mut defaults = app.config_default.iter();
        defaults.any(|property| property.name() == name)
    };
    let is_there = |parameter: &Parameter| {
        let name = parameter.name;
        !parameter.is_required()
            || revision.conf.contains_key(name)
            || passed.contains(&name)
            || has_default(name)
            || name.starts_with("oozie.")
            || name == "user.name"
    };
    let missing: Vec<&Parameter> = app
        .parameters
        .iter()
        .filter(|parameter| !is_there(parameter))
        .collect();
    let is_read = |name: &str| app.parameters.iter().any(|it| it.name == name);
    let unread = passed.iter().copied().filter(|name| !is_read(name));
    let misspelt = submission::misspelt(&missing, unread);
    let others = (Vec::new(), Vec::new());
    submission::refuse_missing(&missing, "workflow", misspelt, others).map_or(Ok(()), Err)
}
