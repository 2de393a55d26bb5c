//! `hpdlc schedule`: when a coordinator runs and on which data, without building it.
//!
//! For a bundle, every coordinator that it starts. Errors in the documents are reported first, and end the command.

use std::{
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use chrono::{DateTime, Utc};
use hpdlc_core::coordinator::{ActionData, NominalAction, NominalActions, SubmissionProblem};

use crate::{
    cli::{
        EXIT_ERRORS, EXIT_FINE, ScheduleArguments, ScheduleFormat,
        output::{self, CommandOutput},
    },
    diagnostics::Diagnostic,
    driver::{
        Failure,
        application::{Scheduled, Session, Unscheduled},
        locate,
    },
    lower::UNSUPPORTED_CODES,
};

mod human;
mod json;

/// The default number of actions to list.
const USUAL_COUNT: u64 = 10;

const PROPERTIES: &str = "properties are given with `-c FILE` or `-D NAME=VALUE`";

/// Which actions are listed.
#[derive(Clone, Copy, Debug)]
struct ListingWindow {
    from: DateTime<Utc>,
    /// Exclusive.
    to: DateTime<Utc>,
    n: u64,
}

/// Why the listing ended early.
enum ListingStop {
    Write(io::Error),
    /// Why the instances of an event cannot be determined.
    Data(Failure),
}

impl From<io::Error> for ListingStop {
    fn from(error: io::Error) -> ListingStop {
        ListingStop::Write(error)
    }
}

impl ListingWindow {
    fn actions<'a>(
        &self,
        scheduled: &'a Scheduled,
    ) -> impl Iterator<Item = NominalAction> + use<'a> {
        let to = self.to;
        let actions: NominalActions<'a> = scheduled.coordinator.schedule.actions_from(self.from);
        let n = usize::try_from(self.n).unwrap_or(usize::MAX);
        actions.take_while(move |action| action.time < to).take(n)
    }
}

/// The instances of the events of an action.
fn data_of(scheduled: &Scheduled, action: NominalAction) -> Result<ActionData, ListingStop> {
    let coordinator = &scheduled.coordinator;
    coordinator.data_of(action.time).map_err(|(event, error)| {
        let message = format!(
            "{}: the instances of `{event}` cannot be determined for action {}",
            coordinator.name, action.number
        );
        ListingStop::Data(Failure::new(message).note(error.to_string()))
    })
}

pub(super) fn run(arguments: ScheduleArguments, output: &mut CommandOutput) -> u8 {
    let window = ListingWindow {
        from: arguments.from.unwrap_or(DateTime::<Utc>::MIN_UTC),
        to: arguments.to.unwrap_or(DateTime::<Utc>::MAX_UTC),
        n: match (arguments.n, arguments.to) {
            (Some(n), _) => n,
            (None, Some(_)) => u64::MAX,
            (None, None) => USUAL_COUNT,
        },
    };
    let input = match arguments.input.into_arguments() {
        Ok(input) => input,
        Err(failure) => return output.failure(&failure),
    };
    let mut session = Session::new(&input);
    let path = started_document(&arguments.path);
    let location = locate::application(&path, &mut session.sink);
    let found = location.map_or_else(Vec::new, |location| session.schedules(&location));
    let (mut diagnostics, sources) = session.finish();
    diagnostics.retain(prevents_schedule);
    // A bundle may start one document more than once.
    diagnostics.dedup();
    let prevented = Some("nothing was listed");
    let code = output.human(&diagnostics, &sources, &arguments.path, prevented);
    if output::has_errors(&diagnostics) {
        return code;
    }
    let mut listed = Vec::new();
    let mut code = EXIT_FINE;
    for found in found {
        match found {
            Ok(scheduled) => listed.push(scheduled),
            Err(problem) => {
                // The exit code of a failure is for the environment; this is an error in the input.
                output.failure(&explained(&problem));
                code = EXIT_ERRORS;
            }
        }
    }
    if let Some(warning) = warning(&listed) {
        output.message(&warning);
    }
    let mut stdout = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let written = match arguments.format {
        ScheduleFormat::Human => human::write(&listed, window, &mut stdout),
        ScheduleFormat::Json => json::write(&listed, window, &mut stdout),
    };
    let written = written.and_then(|()| Ok(stdout.flush()?));
    drop(stdout);
    match written {
        Ok(()) => code,
        Err(ListingStop::Write(error)) => output.stdout_failed(&error),
        Err(ListingStop::Data(failure)) => {
            output.failure(&failure);
            EXIT_ERRORS
        }
    }
}

/// The bundle or coordinator of a folder, even if it has a workflow as well: of several documents the one that starts the
/// others.
fn started_document(path: &Path) -> PathBuf {
    let documents = ["bundle.xml", "coordinator.xml"].map(|name| path.join(name));
    let found = documents.into_iter().find(|document| document.is_file());
    found.unwrap_or_else(|| path.to_owned())
}

/// Whether an error prevents the schedule. That the compiler does not support coordinators does not.
fn prevents_schedule(diagnostic: &Diagnostic) -> bool {
    let is_unsupported = UNSUPPORTED_CODES
        .iter()
        .any(|code| code.id == diagnostic.rule.id());
    output::has_errors(std::slice::from_ref(diagnostic)) && !is_unsupported
}

/// The warning if the data of coordinators is unknown, once for a whole bundle.
fn warning(listed: &[Scheduled]) -> Option<String> {
    let unknown =
        |scheduled: &Scheduled| scheduled.unknown_inputs.len() + scheduled.unknown_outputs.len();
    let n_events: usize = listed.iter().map(unknown).sum();
    if n_events == 0 {
        return None;
    }
    let mut missing: Vec<&str> = Vec::new();
    for path in listed.iter().flat_map(|scheduled| &scheduled.missing) {
        if !missing.contains(&path.as_str()) {
            missing.push(path);
        }
    }
    let notes: Vec<String> = missing
        .iter()
        .map(|path| format!("\n  = note: `{path}` is not here"))
        .collect();
    let what = match n_events {
        1 => "an event".to_owned(),
        n => format!("{n} events"),
    };
    Some(format!(
        "warning: the data of {what} is not known: the datasets are in included files{}\n  = help: `--map URI=DIR` maps a URI to a folder of this machine\n",
        notes.concat(),
    ))
}

fn explained(problem: &Unscheduled) -> Failure {
    let failure = Failure::new(problem.to_string());
    match problem {
        Unscheduled::Workflow => failure
            .help("name a coordinator or a bundle; `hpdlc check` tells what a workflow needs"),
        Unscheduled::Submission { error, .. }
            if matches!(*error.problem, SubmissionProblem::El(_)) =>
        {
            failure.help(PROPERTIES)
        }
        Unscheduled::Submission { .. } => failure,
        Unscheduled::Bundle { .. } => failure.help(PROPERTIES),
        Unscheduled::NotFound { path, .. } => failure.help(format!(
            "`--map {path}=DIR` tells where it is on this machine"
        )),
    }
}
