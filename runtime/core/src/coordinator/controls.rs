//! The `controls` of a coordinator, evaluated.

use std::fmt;

use crate::{
    coordinator::{
        Controls,
        control_settings::ControlSettings,
        functions::{CoordinatorFunctions, EvaluationPhase, JobValues},
    },
    el::{error::ElError, text::Text},
};

/// Values of the document that exceed a site's limits; the limit is used instead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CappedControls {
    /// Minutes, above [`ControlSettings::max_timeout`].
    pub timeout: Option<i64>,
    /// Above [`ControlSettings::max_throttle`], or less than 1, which means the maximum.
    pub throttle: Option<i64>,
}

/// How many actions there may be at once, and how long each waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EffectiveControls {
    /// Minutes that an action waits for its data; `None` means forever. Oozie's documentation says the same of -1, although its
    /// server then uses 60 days.
    pub timeout: Option<i64>,
    /// How many actions run at once; `None` means no limit.
    pub concurrency: Option<u32>,
    pub execution: Execution,
    /// How many actions wait at once.
    pub throttle: u32,
    pub capped: CappedControls,
}

/// Which of the ready actions is started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Execution {
    /// The oldest first.
    #[default]
    Fifo,
    /// The newest first.
    Lifo,
    /// Only the newest; the others are skipped.
    LastOnly,
    /// Each on time or not at all.
    None,
}

/// Why a control has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum ControlError {
    El(ElError),
    NoNumber(String),
    NoExecution(String),
}

impl fmt::Display for ControlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ControlError::El(error) => error.fmt(f),
            ControlError::NoNumber(text) => write!(f, "`{text}` is no whole number"),
            ControlError::NoExecution(text) => {
                write!(f, "`{text}` is none of FIFO, LIFO, LAST_ONLY and NONE")
            }
        }
    }
}

impl std::error::Error for ControlError {}

impl Default for EffectiveControls {
    fn default() -> EffectiveControls {
        let settings = ControlSettings::default();
        EffectiveControls {
            timeout: Some(settings.timeout),
            concurrency: Some(1),
            execution: Execution::Fifo,
            throttle: settings.throttle,
            capped: CappedControls::default(),
        }
    }
}

impl Execution {
    fn parse(text: &str) -> Option<Execution> {
        Some(match text {
            "FIFO" => Execution::Fifo,
            "LIFO" => Execution::Lifo,
            "LAST_ONLY" => Execution::LastOnly,
            "NONE" => Execution::None,
            _ => return None,
        })
    }
}

impl Controls {
    /// Evaluates the controls.
    ///
    /// # Errors
    ///
    /// The element and the reason.
    pub fn resolve(
        &self,
        job: &JobValues,
    ) -> Result<EffectiveControls, (&'static str, ControlError)> {
        let settings = job.control_settings();
        let value = |element, text: &Option<Text>, phase| match text {
            Some(text) => job
                .evaluate(text, &CoordinatorFunctions::new(job, phase))
                .map(Some)
                .map_err(|error| (element, ControlError::El(error))),
            None => Ok(None),
        };
        // For `concurrency` and `throttle`, which may be empty.
        let count =
            |element, text: &Option<Text>| match value(element, text, EvaluationPhase::Submission)?
            {
                Some(text) if !text.is_empty() => number(element, &text).map(Some),
                Some(_) | None => Ok(None),
            };
        let timeout = match value("timeout", &self.timeout, EvaluationPhase::Timeout)? {
            Some(text) => number("timeout", &text)?,
            None => settings.timeout,
        };
        let concurrency = count("concurrency", &self.concurrency)?;
        let throttle = count("throttle", &self.throttle)?;
        let execution = match value("execution", &self.execution, EvaluationPhase::Submission)? {
            Some(text) => {
                Execution::parse(&text).ok_or(("execution", ControlError::NoExecution(text)))?
            }
            None => Execution::Fifo,
        };
        let max_throttle = i64::from(settings.max_throttle);
        let capped = CappedControls {
            timeout: Some(timeout).filter(|minutes| *minutes > settings.max_timeout),
            throttle: throttle.filter(|n| !(1..=max_throttle).contains(n)),
        };
        let concurrency = concurrency.unwrap_or(settings.concurrency);
        Ok(EffectiveControls {
            timeout: (timeout >= 0).then_some(timeout.min(settings.max_timeout)),
            concurrency: u32::try_from(concurrency).ok(),
            execution,
            throttle: match throttle.map(u32::try_from) {
                Some(Ok(n)) if (1..=settings.max_throttle).contains(&n) => n,
                Some(Ok(_) | Err(_)) => settings.max_throttle,
                None => settings.throttle,
            },
            capped,
        })
    }
}

/// The whole number that an element contains, within 32 bits.
fn number(element: &'static str, text: &str) -> Result<i64, (&'static str, ControlError)> {
    match text.parse::<i32>() {
        Ok(n) => Ok(i64::from(n)),
        Err(_) => Err((element, ControlError::NoNumber(text.to_owned()))),
    }
}
