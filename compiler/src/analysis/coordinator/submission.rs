//! Submits a coordinator and makes its first action with the known values, as a server would, and reports what is refused.
//!
//! The other checks name each mistake by itself; this one finds what only the values together show. It looks at documents in which
//! they have found no error.

use std::collections::BTreeMap;

use hpdlc_core::{
    coordinator::{
        ActionFacts, ControlError, Coordinator, DatasetPart, InstanceError, JobValues, SlaError,
        SubmissionPlace, SubmissionProblem,
    },
    el::{
        ast::TextRange,
        error::{ElError, ElErrorKind},
    },
};

use crate::{
    analysis::{
        coordinator::{Included, definition, texts::PhaseText},
        known::KnownJob,
        parameters::PropertyUse,
    },
    diagnostics::Sink,
    model::{CoordinatorApp, Template, coordinator::Dataset},
    source::Span,
};

pub(super) mod refused_coordinator;

use self::refused_coordinator::RefusedCoordinator;

pub(super) fn check(
    app: &CoordinatorApp,
    included: &Included,
    texts: &[PhaseText<'_>],
    properties: &[PropertyUse],
    known: &KnownJob<'_>,
    sink: &mut Sink,
) {
    let is_known = |property: &PropertyUse| match known.property(&property.name) {
        Some(value) => !value.contains("${"),
        None => known.is_complete(),
    };
    let is_invalid = texts.iter().any(|text| text.template.is_invalid);
    if !included.missing.is_empty()
        || is_invalid
        || app.workflow.is_none()
        || !properties.iter().all(is_known)
        || sink.files_with_errors().contains(&app.file)
        || (known.zone().is_none() && may_be_in_another_zone(texts, known))
    {
        return;
    }
    let values: BTreeMap<String, String> = known.properties().clone();
    let user = values.get("user.name").cloned();
    let job = JobValues::new(values, user, known.zone().unwrap_or_default())
        .with_control_settings(known.control_settings());
    let document = Document { app, included };
    match definition(app, included).resolve(job) {
        Ok(coordinator) => {
            if let Some(refused) = document.of_first_action(&coordinator) {
                sink.emit(refused);
            }
        }
        Err(error) => {
            if let Some((problem, range)) = certain(&error.problem) {
                sink.emit(RefusedCoordinator {
                    place: document.place(&error.place, range),
                    what: error.place.to_string(),
                    problem,
                    first_action: None,
                });
            }
        }
    }
}

/// A coordinator with the files that it includes.
#[derive(Clone, Copy)]
struct Document<'a> {
    app: &'a CoordinatorApp,
    included: &'a Included,
}

impl Document<'_> {
    /// Why the first action cannot be made.
    fn of_first_action(self, coordinator: &Coordinator) -> Option<RefusedCoordinator> {
        let first = coordinator.schedule.actions().next()?;
        let zone = coordinator.schedule.processing_zone;
        let refused = |place, what, problem| RefusedCoordinator {
            place,
            what,
            problem,
            first_action: Some(zone.write(first.time)),
        };
        let data = match coordinator.data_of(first.time) {
            Ok(data) => data,
            Err((event, error)) => {
                let place = SubmissionPlace::InstanceOf { event };
                let (problem, range) = certain(&SubmissionProblem::Instances(error))?;
                let at = self.place(&place, range);
                return Some(refused(at, place.to_string(), problem));
            }
        };
        let facts = coordinator.facts_of(first, &data);
        self.of_configuration(coordinator, &facts)
            .or_else(|| self.of_sla(coordinator, &facts))
            .map(|(place, what, problem)| refused(place, what, problem))
    }

    /// A property that the workflow of an action cannot be given.
    fn of_configuration(
        self,
        coordinator: &Coordinator,
        facts: &ActionFacts,
    ) -> Option<(Span, String, String)> {
        let properties = &self.app.workflow.as_ref()?.configuration.properties;
        properties.iter().find_map(|property| {
            let value = &property.value;
            let error = coordinator.job.evaluate_for_action(&*value.ast, facts);
            let error = error.err().filter(is_certain)?;
            let name = property.name.literal().unwrap_or_default();
            Some((
                span(value, error.range),
                format!("property `{name}`"),
                error.to_string(),
            ))
        })
    }

    fn of_sla(
        self,
        coordinator: &Coordinator,
        facts: &ActionFacts,
    ) -> Option<(Span, String, String)> {
        let sla = self.app.sla.as_ref()?;
        match coordinator.sla_of(facts)?.err()? {
            SlaError::El { element, error } if is_certain(&error) => {
                let (_, text) = sla.texts.elements().find(|(name, _)| *name == element)?;
                let place = span(text, error.range);
                Some((place, format!("`{element}`"), error.to_string()))
            }
            SlaError::El { .. } => None,
            mistakes @ SlaError::Mistakes(_) => {
                let what = format!("`{}`", sla.name.value);
                Some((sla.name.span, what, mistakes.to_string()))
            }
        }
    }

    /// Where a text is, and `range` in it.
    fn place(self, place: &SubmissionPlace, range: Option<TextRange>) -> Span {
        let app = self.app;
        let found = match place {
            SubmissionPlace::Name => Some(&app.name),
            SubmissionPlace::Frequency => Some(&app.frequency),
            SubmissionPlace::Start => Some(&app.start),
            SubmissionPlace::End => Some(&app.end),
            SubmissionPlace::Zone => Some(&app.timezone),
            SubmissionPlace::Control(element) => {
                let mut elements = app.controls.elements();
                elements.find(|(name, _)| name == element).map(|it| it.1)
            }
            SubmissionPlace::DatasetOf { event } => self.dataset_of(event),
            SubmissionPlace::InstanceOf { event } => match self.instances_of(event).as_slice() {
                [only] => Some(*only),
                // Which of them is not known.
                [first, .., last] => return first.span.to(last.span),
                [] => None,
            },
            SubmissionPlace::Dataset { name, part } => {
                self.dataset(name).and_then(|dataset| match part {
                    DatasetPart::Frequency => Some(&dataset.frequency),
                    DatasetPart::Zone => Some(&dataset.timezone),
                    DatasetPart::InitialInstance => Some(&dataset.initial_instance),
                    DatasetPart::UriTemplate => Some(&dataset.uri_template),
                    DatasetPart::DoneFlag => dataset.done_flag.as_ref(),
                })
            }
            SubmissionPlace::InputLogic => {
                return app
                    .input_logic
                    .as_ref()
                    .map_or(app.root_span, |logic| logic.tag_span);
            }
        };
        found.map_or(app.root_span, |text| span(text, range))
    }

    fn dataset(&self, name: &str) -> Option<&Dataset> {
        let own = self.app.datasets.iter().rev();
        let included = self.included.files.iter().flat_map(|file| &file.datasets);
        own.chain(included).find(|it| it.name.value == name)
    }

    fn dataset_of(&self, event: &str) -> Option<&Template> {
        let inputs = self.app.input_events.iter();
        let outputs = self.app.output_events.iter();
        inputs
            .map(|input| (&input.name, &input.dataset))
            .chain(outputs.map(|output| (&output.name, &output.dataset)))
            .find(|(name, _)| name.value == event)
            .map(|(_, dataset)| dataset)
    }

    fn instances_of(&self, event: &str) -> Vec<&Template> {
        let mut inputs = self.app.input_events.iter();
        let mut outputs = self.app.output_events.iter();
        if let Some(input) = inputs.find(|input| input.name.value == event) {
            return input.instances.texts();
        }
        let output = outputs.find(|output| output.name.value == event);
        output.map_or_else(Vec::new, |output| output.instances.iter().collect())
    }
}

/// The problem in words, and the part of the text that it is about, if no value that is unknown here could remove it.
fn certain(problem: &SubmissionProblem) -> Option<(String, Option<TextRange>)> {
    match problem {
        SubmissionProblem::El(error)
        | SubmissionProblem::Control(ControlError::El(error))
        | SubmissionProblem::Instances(InstanceError::El(error)) => {
            is_certain(error).then(|| (error.to_string(), error.range))
        }
        other => Some((other.to_string(), None)),
    }
}

fn is_certain(error: &ElError) -> bool {
    match error.kind {
        ElErrorKind::Coercion
        | ElErrorKind::Arithmetic
        | ElErrorKind::Function
        | ElErrorKind::TooLong => true,
        // Reported elsewhere, or dependent on the job.
        ElErrorKind::UndefinedVariable { .. }
        | ElErrorKind::UnknownFunction
        | ElErrorKind::Own(_)
        | ElErrorKind::Io
        | ElErrorKind::NeedsJob => false,
    }
}

fn span(text: &Template, range: Option<TextRange>) -> Span {
    range.map_or(text.span, |range| text.text.span_of(range.start..range.end))
}

/// Whether a time has an offset, such as `+0530`: whether it is read depends on the processing time zone.
fn may_be_in_another_zone(texts: &[PhaseText<'_>], known: &KnownJob<'_>) -> bool {
    let has_offset = |text: &str| {
        text.as_bytes()
            .windows(5)
            .any(|part| matches!(part[0], b'+' | b'-') && part[1..].iter().all(u8::is_ascii_digit))
            && text.contains('T')
    };
    let mut texts = texts.iter().map(|text| text.template.text.as_str());
    texts.any(has_offset) || known.properties().values().any(|value| has_offset(value))
}
