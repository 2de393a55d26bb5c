//! What is evaluated once, when a coordinator is submitted.

use std::{fmt, sync::Arc};

use chrono::{DateTime, Utc};

use crate::{
    coordinator::{
        ControlError, CoordinatorDefinition, Dataset, DoneFlag, EffectiveControls, EventText,
        InstanceTexts, JobValues, Logic, Schedule, UriTemplate, UriTemplateError,
        definition::DatasetText,
        functions::{CoordinatorFunctions, EvaluationPhase},
        instance_text::{EventInstanceTexts, InstanceText},
        instances::{InstanceError, NamedInstance},
    },
    el::{error::ElError, text::Text},
    frequency::{self, Frequency, FrequencyError, Interval},
    sla::SlaTexts,
    time::{DateTimeError, Zone, ZoneError},
};

mod logic;

/// A coordinator whose texts have been evaluated.
#[derive(Clone, Debug)]
pub struct Coordinator {
    pub name: String,
    pub schedule: Schedule,
    pub controls: EffectiveControls,
    pub inputs: Vec<DataEvent>,
    /// Which of the inputs an action needs; `None` means all.
    pub input_logic: Option<Logic>,
    pub outputs: Vec<DataEvent>,
    /// The SLA texts of each action; see [`Coordinator::sla_of`].
    pub(super) sla: Option<SlaTexts<Text>>,
    pub job: JobValues,
}

/// A `data-in` or a `data-out`.
#[derive(Clone, Debug)]
pub struct DataEvent {
    pub name: String,
    pub dataset: Arc<Dataset>,
    pub(super) instances: EventInstanceTexts,
}

/// Why a coordinator cannot be submitted.
#[derive(Clone, Debug, PartialEq)]
pub struct SubmissionError {
    /// Which text is wrong.
    pub place: SubmissionPlace,
    pub problem: Box<SubmissionProblem>,
}

/// A text of a coordinator that is evaluated at submission.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmissionPlace {
    Name,
    Frequency,
    Start,
    End,
    Zone,
    /// An element of `controls`.
    Control(&'static str),
    /// The dataset that an event names.
    DatasetOf {
        event: String,
    },
    InstanceOf {
        event: String,
    },
    Dataset {
        name: String,
        part: DatasetPart,
    },
    InputLogic,
}

/// A text of a dataset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DatasetPart {
    Frequency,
    Zone,
    InitialInstance,
    UriTemplate,
    DoneFlag,
}

#[derive(Clone, Debug, PartialEq)]
pub enum SubmissionProblem {
    El(ElError),
    Frequency(FrequencyError),
    /// The frequency of a dataset is a cron expression.
    CronOfDataset,
    /// The text, what is wrong with it, and how a date ends in the processing time zone.
    Date {
        text: String,
        error: DateTimeError,
        ending: String,
    },
    Zone(ZoneError),
    NotBeforeEnd,
    /// The cron expression has no time between start and end.
    NeverFires,
    UndefinedDataset(String),
    InitialInstanceBeforeEpoch,
    BeyondCalendar,
    UriTemplate(UriTemplateError),
    Control(ControlError),
    /// An attribute of the input logic is not an integer.
    LogicNumber {
        attribute: &'static str,
        text: String,
    },
    /// The input logic names an input event that does not exist.
    UndefinedInput(String),
    Instances(InstanceError),
}

impl SubmissionProblem {
    /// Oozie's error code.
    pub fn oozie_code(&self) -> &'static str {
        match self {
            SubmissionProblem::El(_) | SubmissionProblem::UriTemplate(_) => "E1004",
            SubmissionProblem::Frequency(_)
            | SubmissionProblem::CronOfDataset
            | SubmissionProblem::Date { .. }
            | SubmissionProblem::Zone(_)
            | SubmissionProblem::Control(_)
            | SubmissionProblem::NotBeforeEnd
            | SubmissionProblem::NeverFires
            | SubmissionProblem::BeyondCalendar => "E1003",
            SubmissionProblem::UndefinedDataset(_) => "E0803",
            SubmissionProblem::InitialInstanceBeforeEpoch => "E1021",
            SubmissionProblem::LogicNumber { .. } | SubmissionProblem::UndefinedInput(_) => "E1028",
            SubmissionProblem::Instances(error) => error.oozie_code(),
        }
    }
}

impl fmt::Display for SubmissionProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubmissionProblem::El(error) => error.fmt(f),
            SubmissionProblem::Frequency(error) => error.fmt(f),
            SubmissionProblem::CronOfDataset => {
                f.write_str("a dataset cannot have a cron expression")
            }
            SubmissionProblem::Date {
                text,
                error,
                ending,
            } => write!(
                f,
                "`{text}` is no date: {error}; the form is `yyyy-MM-ddTHH:mm{ending}`"
            ),
            SubmissionProblem::Zone(error) => error.fmt(f),
            SubmissionProblem::NotBeforeEnd => f.write_str("the start is not before the end"),
            SubmissionProblem::NeverFires => {
                f.write_str("no time of the expression lies between start and end")
            }
            SubmissionProblem::UndefinedDataset(name) => write!(f, "there is no dataset `{name}`"),
            SubmissionProblem::InitialInstanceBeforeEpoch => {
                f.write_str("the first instance is before 1970-01-01T00:00Z")
            }
            SubmissionProblem::BeyondCalendar => f.write_str("it is beyond the calendar"),
            SubmissionProblem::UriTemplate(error) => error.fmt(f),
            SubmissionProblem::Control(error) => error.fmt(f),
            SubmissionProblem::LogicNumber { attribute, text } => {
                write!(f, "`{attribute}` is `{text}`, which is no whole number")
            }
            SubmissionProblem::UndefinedInput(name) => {
                write!(f, "there is no input event `{name}`")
            }
            SubmissionProblem::Instances(error) => error.fmt(f),
        }
    }
}

impl fmt::Display for SubmissionPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubmissionPlace::Name => f.write_str("the name"),
            SubmissionPlace::Frequency => f.write_str("the frequency"),
            SubmissionPlace::Start => f.write_str("the start"),
            SubmissionPlace::End => f.write_str("the end"),
            SubmissionPlace::Zone => f.write_str("the time zone"),
            SubmissionPlace::Control(element) => write!(f, "`{element}`"),
            SubmissionPlace::DatasetOf { event } => write!(f, "the dataset of `{event}`"),
            SubmissionPlace::InstanceOf { event } => write!(f, "an instance of `{event}`"),
            SubmissionPlace::Dataset { name, part } => write!(f, "the {part} of dataset `{name}`"),
            SubmissionPlace::InputLogic => f.write_str("the input logic"),
        }
    }
}

impl fmt::Display for DatasetPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DatasetPart::Frequency => "frequency",
            DatasetPart::Zone => "time zone",
            DatasetPart::InitialInstance => "initial instance",
            DatasetPart::UriTemplate => "URI template",
            DatasetPart::DoneFlag => "done flag",
        })
    }
}

impl fmt::Display for SubmissionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.problem)
    }
}

impl std::error::Error for SubmissionError {}

type Result<T> = std::result::Result<T, SubmissionError>;

fn fail<T>(place: &SubmissionPlace, problem: SubmissionProblem) -> Result<T> {
    Err(SubmissionError {
        place: place.clone(),
        problem: Box::new(problem),
    })
}

impl CoordinatorDefinition {
    /// Evaluates the coordinator for a job.
    ///
    /// # Errors
    ///
    /// The first text that Oozie refuses at submission, or certainly refuses with the first action.
    pub fn resolve(&self, job: JobValues) -> Result<Coordinator> {
        let texts = TextEvaluator { job: &job };
        let name = texts.text(&SubmissionPlace::Name, &self.name)?;
        let frequency = texts.frequency(&SubmissionPlace::Frequency, &self.frequency)?;
        let start = texts.date(
            &SubmissionPlace::Start,
            &self.start,
            EvaluationPhase::Submission,
        )?;
        let end = texts.date(
            &SubmissionPlace::End,
            &self.end,
            EvaluationPhase::Submission,
        )?;
        let zone = texts.zone(&SubmissionPlace::Zone, &self.timezone)?;
        if end <= start {
            return fail(&SubmissionPlace::End, SubmissionProblem::NotBeforeEnd);
        }
        let schedule = Schedule {
            frequency,
            start,
            end,
            zone,
            processing_zone: job.processing_zone(),
        };
        // Oozie accepts intervals without any action.
        if matches!(schedule.frequency, Frequency::Cron(_)) && schedule.actions().next().is_none() {
            return fail(&SubmissionPlace::Frequency, SubmissionProblem::NeverFires);
        }
        let controls = self.controls.resolve(&job).or_else(|(element, error)| {
            fail(
                &SubmissionPlace::Control(element),
                SubmissionProblem::Control(error),
            )
        })?;
        let events = |events: &[EventText]| -> Result<Vec<DataEvent>> {
            events
                .iter()
                .map(|event| texts.event(self, event))
                .collect()
        };
        let (inputs, outputs) = (events(&self.inputs)?, events(&self.outputs)?);
        let names: Vec<&str> = self
            .inputs
            .iter()
            .map(|event| event.name.as_str())
            .collect();
        let input_logic = match &self.input_logic {
            Some(logic) => Some(
                logic
                    .resolve(&job, &names)
                    .or_else(|problem| fail(&SubmissionPlace::InputLogic, problem))?,
            ),
            None => None,
        };
        Ok(Coordinator {
            name,
            schedule,
            controls,
            inputs,
            input_logic,
            outputs,
            sla: self.sla.clone(),
            job,
        })
    }
}

/// Evaluates texts for a job.
struct TextEvaluator<'a> {
    job: &'a JobValues,
}

impl TextEvaluator<'_> {
    fn value(
        &self,
        place: &SubmissionPlace,
        text: &Text,
        phase: EvaluationPhase<'_>,
    ) -> Result<String> {
        let functions = CoordinatorFunctions::new(self.job, phase);
        self.job
            .evaluate(text, &functions)
            .or_else(|error| fail(place, SubmissionProblem::El(error)))
    }

    fn text(&self, place: &SubmissionPlace, text: &Text) -> Result<String> {
        self.value(place, text, EvaluationPhase::Submission)
    }

    fn frequency(&self, place: &SubmissionPlace, text: &Text) -> Result<Frequency> {
        let functions = CoordinatorFunctions::new(self.job, EvaluationPhase::Submission);
        let text = frequency::evaluate(text, &functions.over(self.job.scope()))
            .or_else(|error| fail(place, SubmissionProblem::El(error)))?;
        text.read()
            .or_else(|error| fail(place, SubmissionProblem::Frequency(error)))
    }

    fn date(
        &self,
        place: &SubmissionPlace,
        text: &Text,
        phase: EvaluationPhase<'_>,
    ) -> Result<DateTime<Utc>> {
        let text = self.value(place, text, phase)?;
        let zone = self.job.processing_zone();
        zone.read(&text).map(|read| read.instant).or_else(|error| {
            let ending = zone.ending();
            let problem = SubmissionProblem::Date {
                text,
                error,
                ending,
            };
            fail(place, problem)
        })
    }

    fn zone(&self, place: &SubmissionPlace, text: &Text) -> Result<Zone> {
        let name = self.text(place, text)?;
        Zone::parse(&name).or_else(|error| fail(place, SubmissionProblem::Zone(error)))
    }

    fn event(&self, definition: &CoordinatorDefinition, event: &EventText) -> Result<DataEvent> {
        let place = SubmissionPlace::DatasetOf {
            event: event.name.clone(),
        };
        let name = self.text(&place, &event.dataset)?;
        let Some(dataset) = definition.datasets.get(&name) else {
            return fail(&place, SubmissionProblem::UndefinedDataset(name));
        };
        Ok(DataEvent {
            name: event.name.clone(),
            dataset: Arc::new(self.dataset(name, dataset)?),
            instances: match &event.instances {
                InstanceTexts::Each(texts) => EventInstanceTexts::Each(
                    texts
                        .iter()
                        .map(|text| self.instance(event, text))
                        .collect::<Result<_>>()?,
                ),
                InstanceTexts::Range { start, end } => EventInstanceTexts::Range {
                    start: self.instance(event, start)?,
                    end: self.instance(event, end)?,
                },
            },
        })
    }

    fn instance(&self, event: &EventText, text: &Text) -> Result<InstanceText> {
        let known = NamedInstance::evaluate(text, self.job, None).or_else(|error| {
            let place = SubmissionPlace::InstanceOf {
                event: event.name.clone(),
            };
            fail(&place, SubmissionProblem::Instances(error))
        })?;
        Ok(InstanceText {
            text: text.clone(),
            known,
        })
    }

    fn dataset(&self, name: String, text: &DatasetText) -> Result<Dataset> {
        let place = |part| SubmissionPlace::Dataset {
            name: name.clone(),
            part,
        };
        let interval = self.interval(&place(DatasetPart::Frequency), &text.frequency)?;
        let zone = self.zone(&place(DatasetPart::Zone), &text.timezone)?;
        let at = place(DatasetPart::InitialInstance);
        let initial = self.date(
            &at,
            &text.initial_instance,
            EvaluationPhase::InitialInstance,
        )?;
        if initial < DateTime::UNIX_EPOCH {
            return fail(&at, SubmissionProblem::InitialInstanceBeforeEpoch);
        }
        let Some(first) = interval.origin(initial, zone) else {
            return fail(&at, SubmissionProblem::BeyondCalendar);
        };
        let at = place(DatasetPart::UriTemplate);
        let uri_template = UriTemplate::parse(&self.text(&at, &text.uri_template)?)
            .or_else(|error| fail(&at, SubmissionProblem::UriTemplate(error)))?;
        let done_flag = match &text.done_flag {
            Some(flag) => Some(self.text(&place(DatasetPart::DoneFlag), flag)?),
            None => None,
        };
        Ok(Dataset {
            interval,
            first,
            zone,
            processing_zone: self.job.processing_zone(),
            uri_template,
            done_flag: DoneFlag::new(done_flag.as_deref()),
            name,
        })
    }

    fn interval(&self, place: &SubmissionPlace, text: &Text) -> Result<Interval> {
        match self.frequency(place, text)? {
            Frequency::Every(interval) => Ok(interval),
            Frequency::Cron(_) => fail(place, SubmissionProblem::CronOfDataset),
        }
    }
}
