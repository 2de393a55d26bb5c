//! When a decision takes each of its transitions.

use hpdlc_core::el::value::Value;

use super::worlds::CaseExample;

/// When a decision takes one of its transitions.
#[derive(Clone, Debug)]
pub struct CaseWay {
    pub to: String,
    /// As it is written; `None` for the default.
    pub condition: Option<String>,
    pub when: When,
}

#[derive(Clone, Debug)]
pub enum When {
    /// For example where these expressions have these values; the earlier cases do not hold then. `None` is any text that no case compares
    /// with.
    Values(Vec<(String, Option<Value>)>),
    Never,
    /// It depends on something that only a job knows.
    Unknown,
}

impl When {
    pub(super) fn of(example: CaseExample) -> When {
        match example {
            CaseExample::Never => When::Never,
            CaseExample::Unknown => When::Unknown,
            CaseExample::Values(values) => {
                let values = values.into_iter().map(|it| (it.text, it.value));
                When::Values(values.collect())
            }
        }
    }
}
