//! `simulate`: a coordinator on virtual time, with the scheduler that would run it; no data is checked and nothing runs.

use std::{
    collections::BTreeMap,
    io::{self, BufWriter},
    path::{Path, PathBuf},
    sync::Arc,
};

use chrono::{DateTime, Duration, Utc};
use clap::Args;
use hpdlc_core::{
    coordinator::{
        Coordinator,
        machine::SchedulerSettings,
        simulate::{
            Arrivals, Audit, LineError, Outcomes, SimEvent, Simulation, SimulationEnd, audit,
        },
    },
    time::ProcessingZone,
};
use hpdlc_engine::job::submission::UNPACKED;
use hpdlc_host::{
    exit::{Exit, RunError},
    home::Home,
    settings, shown,
};
use hpdlc_program::table::{Entry, Program};
use hpdlc_scheduler::{
    bundle::NewBundle,
    coordinator::submission::{self, SubmissionContext},
};

use crate::commands::{PropertySources, graph::write_whole, linked::Linked, timeline::form_of};

mod calendar;
mod clocks;
mod json;
mod table;

use self::calendar::Calendar;

/// The command's implementation for a coordinator or a bundle.
pub type SimulateFunction = fn(&Simulate, &'static Program) -> Result<Exit, RunError>;

/// [`Simulate::run`], if it is linked.
pub static SCHEDULED: Linked<SimulateFunction> = Linked::new();

#[derive(Debug, Args)]
pub struct Simulate {
    #[command(flatten)]
    given: PropertySources,
    /// Of a bundle: the coordinator
    #[arg(long, value_name = "NAME")]
    coordinator: Option<String>,
    /// The first nominal time; the coordinator's start unless given
    #[arg(long, value_name = "TIME")]
    from: Option<String>,
    /// Where the simulation stops, exclusive; a day later unless given
    #[arg(long, value_name = "TIME")]
    to: Option<String>,
    /// How workflows end: lines such as `* SUCCEEDED 5m`, `3-7 KILLED`; all succeed at once unless given
    #[arg(long, value_name = "FILE")]
    outcomes: Option<PathBuf>,
    /// When data arrives: lines such as `logs * +10m`, `logs 2026-01-01T00:00Z never`; at its own time unless given
    #[arg(long, value_name = "FILE")]
    arrivals: Option<PathBuf>,
    /// A file that ends in `.svg` or `.txt`: a calendar of the period, with the state of each action
    #[arg(long, value_name = "FILE")]
    calendar: Option<PathBuf>,
    /// A JSON object a line: each event, then the changes of clocks and the end
    #[arg(long)]
    json: bool,
}

/// The output of a simulation.
trait SimulationView {
    fn happened(&mut self, happening: SimEvent<'_>) -> io::Result<()>;

    fn ended(&mut self, ending: &SimulationEnd, audits: &[Audit]) -> io::Result<()>;
}

impl Simulate {
    pub(super) fn execute(&self, program: &'static Program) -> Result<Exit, RunError> {
        match SCHEDULED.of(program) {
            Some(simulate) => simulate(self, program),
            None => Err(RunError::usage(
                "this is a workflow, and `simulate` is for coordinators and bundles",
            )),
        }
    }

    /// Simulates the program's coordinator, or one of its bundle.
    pub fn run(&self, program: &'static Program) -> Result<Exit, RunError> {
        let drawn = match &self.calendar {
            Some(path) => Some((path, form_of(path)?)),
            None => None,
        };
        let coordinator = self.coordinator(program)?;
        let zone = coordinator.job.processing_zone();
        let (from, to) = self.period(&coordinator)?;
        let mut datasets: Vec<&str> = coordinator
            .inputs
            .iter()
            .map(|input| input.dataset.name.as_str())
            .collect();
        datasets.sort_unstable();
        datasets.dedup();
        let outcomes = read(self.outcomes.as_deref(), |text| Outcomes::parse(text, zone))?;
        let arrivals = read(self.arrivals.as_deref(), |text| {
            Arrivals::parse(text, &datasets, zone)
        })?;
        let simulation = Simulation {
            coordinator: Arc::clone(&coordinator),
            from,
            submitted: from,
            to,
            settings: SchedulerSettings::default(),
            outcomes,
            arrivals,
        };
        let out = shown::ShownLines::new(BufWriter::new(io::stdout().lock()), self.json);
        let mut calendar = drawn.map(|_| Calendar::default());
        let written = if self.json {
            let mut lines = json::JsonSimulation::new(&coordinator, out);
            show(&simulation, &mut lines, calendar.as_mut())
        } else {
            let mut table = table::SimulationTable::new(&simulation, out);
            show(&simulation, &mut table, calendar.as_mut())
        };
        if let (Some((path, form)), Some(calendar)) = (drawn, calendar) {
            write_whole(path, calendar.drawn(&simulation, form).as_bytes())?;
        }
        match written {
            Ok(()) => Ok(Exit::Success),
            // A reader that closes the pipe is no error.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(Exit::Success),
            Err(error) => Err(RunError::machine(format!("standard output: {error}"))),
        }
    }

    fn coordinator(&self, program: &'static Program) -> Result<Arc<Coordinator>, RunError> {
        let site = settings::site(&Home::open()?)?;
        let user = hpdlc_host::user::name();
        let around = SubmissionContext {
            program,
            folder: UNPACKED,
            user: &user,
            site: &site,
            name: None,
        };
        let given = self.given.read()?;
        let (table, given) = match (
            &program.entry,
            program.coordinators.first(),
            &self.coordinator,
        ) {
            (Entry::Coordinator, Some(table), None) => (*table, given),
            (Entry::Bundle(bundle), ..) => {
                let mut all = NewBundle::new(bundle, given, around, None)?.coordinators(program);
                let names: Vec<String> = all.iter().map(|(name, ..)| name.clone()).collect();
                let names = names.join(", ");
                let Some(wanted) = &self.coordinator else {
                    return Err(RunError::usage(
                        "a bundle has several coordinators: --coordinator NAME",
                    )
                    .with_help(format!("it has {names}")));
                };
                let place = all.iter().position(|(name, ..)| name == wanted);
                let place = place.ok_or_else(|| {
                    RunError::usage(format!("the bundle has no coordinator `{wanted}`"))
                        .with_help(format!("it has {names}"))
                })?;
                let (_, table, given) = all.swap_remove(place);
                (table, given)
            }
            (Entry::Coordinator | Entry::Workflow, ..) => {
                return Err(RunError::usage("--coordinator is for a bundle"));
            }
        };
        let around = SubmissionContext {
            name: self.coordinator.as_deref(),
            ..around
        };
        Ok(submission::evaluate(table, given, around)?.coordinator)
    }

    fn period(
        &self,
        coordinator: &Coordinator,
    ) -> Result<(DateTime<Utc>, DateTime<Utc>), RunError> {
        let zone = coordinator.job.processing_zone();
        let from = match &self.from {
            Some(text) => date("--from", text, zone)?,
            None => coordinator.schedule.start,
        };
        let to = match &self.to {
            Some(text) => date("--to", text, zone)?,
            None => from + Duration::days(1),
        };
        if to <= from {
            return Err(RunError::usage(format!(
                "--to is {}, which is not after --from, {}",
                zone.write(to),
                zone.write(from)
            )));
        }
        Ok((from, to))
    }
}

fn show(
    simulation: &Simulation,
    report: &mut dyn SimulationView,
    mut calendar: Option<&mut Calendar>,
) -> io::Result<()> {
    let mut result = Ok(());
    let ending = simulation.run(&mut |happening| {
        if let Some(calendar) = &mut calendar {
            calendar.happened(happening);
        }
        if result.is_ok() {
            result = report.happened(happening);
        }
    });
    result?;
    let (from, to) = (simulation.from, simulation.to);
    report.ended(&ending, &audit(&simulation.coordinator, from, to))
}

fn date(option: &str, text: &str, zone: ProcessingZone) -> Result<DateTime<Utc>, RunError> {
    zone.read(text).map(|read| read.instant).map_err(|error| {
        RunError::usage(format!("{option} is `{text}`: {error}"))
            .with_help(format!("the form is yyyy-MM-ddTHH:mm{}", zone.ending()))
    })
}

/// The rules in a file; the default without a file.
fn read<T: Default>(
    path: Option<&Path>,
    parse: impl Fn(&str) -> Result<T, LineError>,
) -> Result<T, RunError> {
    let Some(path) = path else {
        return Ok(T::default());
    };
    let name = path.display();
    let text = hpdlc_host::named_file::read_text(path)
        .map_err(|error| RunError::usage(format!("cannot read {name}: {error}")))?;
    parse(&text).map_err(|error| RunError::usage(format!("{name}: {error}")))
}

/// The counts that are not zero, in the order of their names.
fn counted<'n>(names: impl IntoIterator<Item = (&'n str, u64)>) -> BTreeMap<&'n str, u64> {
    names.into_iter().filter(|(_, n)| *n > 0).collect()
}
