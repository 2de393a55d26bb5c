//! `apps list`: all applications of the state folder.

use clap::Args;
use hpdlc_engine::owner::Session;
use hpdlc_host::{
    clock,
    exit::{Exit, RunError},
};
use hpdlc_runtime::fleet::{
    self,
    columns::{self, Columns},
};
use hpdlc_store::{
    applications::{self, ApplicationSummary},
    definitions::{self, DefinitionVersion},
};
use serde_json::{Value, json};

use crate::api::hws::{Application, ApplicationVersion};

#[derive(Debug, Default, Args)]
pub(super) struct List {
    /// A JSON object a line
    #[arg(long)]
    json: bool,
}

impl List {
    pub(super) fn execute(&self, session: &Session) -> Result<Exit, RunError> {
        let connection = session.store()?;
        let describe = |error| session.describe(error);
        let all = applications::summaries(&connection, None).map_err(describe)?;
        if self.json {
            let uris = definitions::registrations(&connection).map_err(describe)?;
            for application in &all {
                fleet::print_json(&to_json(application, &uris))?;
            }
        } else if all.is_empty() {
            fleet::print("no applications yet\n")?;
        } else {
            fleet::print(&table(&all))?;
        }
        Ok(Exit::Success)
    }
}

/// An application as a line of JSON.
pub(super) fn to_json(application: &ApplicationSummary, uris: &[(String, String)]) -> Value {
    json!(of_summary(application, uris))
}

/// An application as JSON has it; `uris` are the registrations of all definitions.
pub(crate) fn of_summary(
    application: &ApplicationSummary,
    uris: &[(String, String)],
) -> Application {
    let definition = &application.definition;
    let deployed = application.deployed.as_ref();
    let uris = uris_of(&definition.hash, uris).into_iter();
    Application {
        name: definition.app.clone(),
        status: deployed.map(|it| it.status.name().to_owned()),
        deployed: deployed.and_then(|it| clock::format_millis(it.deployed)),
        changed: deployed.and_then(|it| clock::format_millis(it.changed)),
        definition: definition.hash.clone(),
        hpdlc_version: definition.hpdlc_version.clone(),
        program: definition.program.clone(),
        uris: uris.map(str::to_owned).collect(),
        definitions: application.n_definitions,
        jobs: application.n_jobs,
        unfinished: application.n_unfinished,
        last_job: application.last_job.and_then(clock::format_millis),
        document: None,
        versions: None,
        parameters: None,
        messages: None,
        refused: None,
    }
}

/// A definition as JSON has it.
pub(crate) fn of_version(version: &DefinitionVersion) -> ApplicationVersion {
    let definition = &version.definition;
    ApplicationVersion {
        definition: definition.hash.clone(),
        created: clock::format_millis(definition.created),
        hpdlc_version: definition.hpdlc_version.clone(),
        program: definition.program.clone(),
        jobs: version.n_jobs,
        last_job: version.last_job.and_then(clock::format_millis),
    }
}

/// The URIs by which a definition is found.
pub(super) fn uris_of<'a>(hash: &str, uris: &'a [(String, String)]) -> Vec<&'a str> {
    let own = uris.iter().filter(|(_, of)| of == hash);
    own.map(|(uri, _)| uri.as_str()).collect()
}

fn table(all: &[ApplicationSummary]) -> String {
    let titles = [
        "APPLICATION",
        "STATUS",
        "JOBS",
        "UNFINISHED",
        "LAST JOB",
        "DEFINITION",
    ];
    let mut columns = Columns::new(&titles);
    for application in all {
        let status = application.deployed.as_ref().map(|it| it.status.name());
        let last_job = fleet::format_local(application.last_job);
        columns.row(vec![
            application.definition.app.clone(),
            status.unwrap_or("-").to_owned(),
            application.n_jobs.to_string(),
            application.n_unfinished.to_string(),
            last_job.get(..16).unwrap_or(&last_job).to_owned(),
            application.definition.hash.clone(),
        ]);
    }
    columns.text_within(columns::width())
}
