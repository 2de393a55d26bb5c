//! The texts that name instances, and their meaning.

use crate::{
    coordinator::{
        JobValues,
        functions::{CoordinatorFunctions, EvaluationPhase},
        instances::{InstanceError, InstanceScope, NamedInstance},
    },
    el::text::{Text, TextValue},
};

#[derive(Clone, Debug)]
pub(super) enum EventInstanceTexts {
    Each(Vec<InstanceText>),
    Range {
        start: InstanceText,
        end: InstanceText,
    },
}

/// A text that names instances.
#[derive(Clone, Debug)]
pub(super) struct InstanceText {
    pub(super) text: Text,
    /// The result, if it is the same for all actions.
    pub(super) known: Option<NamedInstance>,
}

impl NamedInstance {
    /// Evaluates a text. Without a scope, `None` if it depends on the action.
    pub(super) fn evaluate(
        text: &dyn TextValue,
        job: &JobValues,
        scope: Option<InstanceScope<'_>>,
    ) -> Result<Option<NamedInstance>, InstanceError> {
        let functions = CoordinatorFunctions::new(job, EvaluationPhase::Instance(scope));
        let text = match job.evaluate(text, &functions) {
            Ok(text) => text,
            Err(_) if functions.depends_on_action.get() => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        if let Some((asked, echo)) = functions.asked.into_inner()
            && echo.trim() == text
        {
            return Ok(Some(NamedInstance::Asked(asked)));
        }
        if text.is_empty() {
            return Ok(Some(NamedInstance::Nothing));
        }
        match job.processing_zone().read(&text) {
            Ok(read) => Ok(Some(NamedInstance::Date(read.instant))),
            Err(error) => Err(InstanceError::NoInstance { text, error }),
        }
    }
}
