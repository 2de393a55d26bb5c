//! The input logic, its texts evaluated.

use crate::{
    coordinator::{
        InputThreshold, JobValues, Logic, LogicKind, LogicText, LogicTextKind, SubmissionProblem,
    },
    el::text::Text,
};

impl LogicText {
    /// Evaluates the texts. `inputs` are the names of the input events, in order.
    ///
    /// # Errors
    ///
    /// A text without a value, a name that no input has, or an attribute that is not a number.
    pub(in crate::coordinator) fn resolve(
        &self,
        job: &JobValues,
        inputs: &[&str],
    ) -> Result<Logic, SubmissionProblem> {
        self.resolve_below(job, inputs, None, None)
    }

    /// `min` is inherited by all elements below, `wait` by the inputs directly in an element.
    fn resolve_below(
        &self,
        job: &JobValues,
        inputs: &[&str],
        outer_min: Option<i64>,
        outer_wait: Option<i64>,
    ) -> Result<Logic, SubmissionProblem> {
        let own_min = number(job, "min", self.min.as_ref())?;
        let own_wait = number(job, "wait", self.wait.as_ref())?;
        let min = own_min.or(outer_min);
        let below = |texts: &[LogicText]| -> Result<Vec<Logic>, SubmissionProblem> {
            texts
                .iter()
                .map(|text| text.resolve_below(job, inputs, min, own_wait))
                .collect()
        };
        let kind = match &self.kind {
            LogicTextKind::And(texts) => LogicKind::And(below(texts)?),
            LogicTextKind::Or(texts) => LogicKind::Or(below(texts)?),
            LogicTextKind::Combine(texts) => {
                let numbers = texts
                    .iter()
                    .filter_map(|text| match &text.kind {
                        LogicTextKind::Input(name) => Some(number_of(job, name, inputs)),
                        LogicTextKind::And(_)
                        | LogicTextKind::Or(_)
                        | LogicTextKind::Combine(_) => None,
                    })
                    .collect::<Result<_, _>>()?;
                let enough = InputThreshold {
                    min,
                    wait: own_wait.unwrap_or(0),
                };
                LogicKind::Combine(numbers, enough)
            }
            LogicTextKind::Input(name) => {
                let enough = InputThreshold {
                    min,
                    wait: own_wait.or(outer_wait).unwrap_or(0),
                };
                LogicKind::Input(number_of(job, name, inputs)?, enough)
            }
        };
        let name = match &self.name {
            Some(name) => Some(
                job.evaluate_at_submission(name)
                    .map_err(SubmissionProblem::El)?,
            ),
            None => None,
        };
        Ok(Logic { kind, name })
    }
}

fn number(
    job: &JobValues,
    attribute: &'static str,
    text: Option<&Text>,
) -> Result<Option<i64>, SubmissionProblem> {
    let Some(text) = text else {
        return Ok(None);
    };
    let text = job
        .evaluate_at_submission(text)
        .map_err(SubmissionProblem::El)?;
    match text.parse::<i32>() {
        Ok(n) => Ok(Some(i64::from(n))),
        Err(_) => Err(SubmissionProblem::LogicNumber { attribute, text }),
    }
}

fn number_of(job: &JobValues, name: &Text, inputs: &[&str]) -> Result<usize, SubmissionProblem> {
    let name = job
        .evaluate_at_submission(name)
        .map_err(SubmissionProblem::El)?;
    inputs
        .iter()
        .position(|input| *input == name)
        .ok_or(SubmissionProblem::UndefinedInput(name))
}
