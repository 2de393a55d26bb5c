//! The service level of an action: its SLA record, and whether alerts are sent.

use std::{collections::BTreeMap, fmt};

use chrono::{DateTime, Utc};

use crate::{
    coordinator::{
        ActionFacts, Coordinator, JobValues,
        functions::{CoordinatorFunctions, EvaluationPhase},
    },
    el::{
        error::ElError,
        phase,
        scope::{NoJob, Scope},
        text::{Text, TextValue},
    },
    sla::{self, Mistake, SlaRecord, SlaTexts},
    time::ProcessingZone,
};

/// Why an action has no service level although its coordinator has an SLA block. The action cannot be materialized then.
#[derive(Clone, Debug, PartialEq)]
pub enum SlaError {
    /// An expression of an element has no value (E1004).
    El {
        element: &'static str,
        error: ElError,
    },
    /// Invalid times (E0302).
    Mistakes(Vec<Mistake>),
}

impl Coordinator {
    /// The SLA record of an action; `None` if the coordinator has no SLA block. It is evaluated once, when the action is
    /// materialized (`CoordMaterializeTransitionXCommand`, context `coord-sla-create`).
    ///
    /// # Errors
    ///
    /// The first expression without a value, otherwise every invalid time.
    pub fn sla_of(&self, action: &ActionFacts) -> Option<Result<SlaRecord, SlaError>> {
        let block = self.sla.as_ref()?;
        Some(self.job.sla(block, action))
    }
}

impl JobValues {
    fn sla(&self, block: &SlaTexts<Text>, action: &ActionFacts) -> Result<SlaRecord, SlaError> {
        let texts = self.in_scope_of_sla(action, |scope| {
            block.try_map(|element, text| {
                let value = text.value(scope);
                value.map_err(|error| SlaError::El { element, error })
            })
        })?;
        SlaRecord::read(&texts).map_err(SlaError::Mistakes)
    }

    /// Evaluates a text as one of the SLA block of an action (`CoordELEvaluator.createSLAEvaluator`).
    ///
    /// # Errors
    ///
    /// The first expression without a value.
    pub fn evaluate_for_sla(
        &self,
        text: &dyn TextValue,
        action: &ActionFacts,
    ) -> Result<String, ElError> {
        self.in_scope_of_sla(action, |scope| text.value(scope))
    }

    fn in_scope_of_sla<T>(&self, action: &ActionFacts, read: impl FnOnce(&dyn Scope) -> T) -> T {
        let scope = NoJob {
            phase: phase::Phase::CreateSla,
            ..self.scope().clone()
        };
        let functions = CoordinatorFunctions::new(self, EvaluationPhase::Action(action));
        read(&functions.over(&scope))
    }
}

impl SlaError {
    /// Oozie's code.
    pub fn oozie_code(&self) -> &'static str {
        match self {
            SlaError::El { .. } => "E1004",
            SlaError::Mistakes(_) => "E0302",
        }
    }
}

impl fmt::Display for SlaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SlaError::El { element, error } => write!(f, "{element}: {error}"),
            SlaError::Mistakes(mistakes) => {
                let words: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
                f.write_str(&words.join("; "))
            }
        }
    }
}

impl std::error::Error for SlaError {}

/// An action that may cause alerts.
#[derive(Clone, Copy, Debug)]
pub struct Alerted<'a> {
    /// The id of the coordinator job.
    pub coordinator_id: &'a str,
    pub coordinator_name: &'a str,
    pub number: u64,
    pub nominal: DateTime<Utc>,
}

impl Alerted<'_> {
    /// Whether alerts of the action are disabled from the start; its events are recorded nevertheless.
    ///
    /// It is too old (`oozie.sla.disable.alerts.older.than`, hours, `usual_limit` if the job does not set it); or
    /// `oozie.sla.disable.alerts.coord` names its coordinator, by name or id; or `oozie.sla.disable.alerts` matches it: `ALL`,
    /// numbers and dates, and ranges of them, `3-7` and `2009-01-01T00:00Z::2009-01-31T00:00Z`. Oozie reads a range as everything
    /// before its end or after its beginning, which matches all; here it is what is between.
    pub fn is_silent(
        &self,
        properties: &BTreeMap<String, String>,
        usual_limit: i64,
        now: DateTime<Utc>,
    ) -> bool {
        let limit = properties
            .get("oozie.sla.disable.alerts.older.than")
            .and_then(|hours| hours.trim().parse().ok())
            .unwrap_or(usual_limit);
        let list = |name: &str| {
            let text = properties.get(name).map_or("", String::as_str);
            text.split(',').map(str::trim).filter(|one| !one.is_empty())
        };
        let (nominal, now) = (self.nominal.timestamp_millis(), now.timestamp_millis());
        sla::is_too_old(nominal, now, limit)
            || list("oozie.sla.disable.alerts.coord")
                .any(|one| one == self.coordinator_name || one == self.coordinator_id)
            || list("oozie.sla.disable.alerts").any(|one| self.is_in(one))
    }

    fn is_in(&self, one: &str) -> bool {
        let date = |text: &str| {
            let read = ProcessingZone::UTC.read(text);
            read.ok().map(|read| read.instant)
        };
        let number = |text: &str| text.trim().parse::<u64>().ok();
        if one == "ALL" {
            return true;
        }
        if let Some((first, last)) = one.split_once("::") {
            let range = date(first).zip(date(last));
            return range.is_some_and(|(first, last)| (first..=last).contains(&self.nominal));
        }
        if let Some(date) = date(one) {
            return date == self.nominal;
        }
        if let Some((first, last)) = one.split_once('-') {
            let range = number(first).zip(number(last));
            return range.is_some_and(|(first, last)| (first..=last).contains(&self.number));
        }
        number(one) == Some(self.number)
    }
}
