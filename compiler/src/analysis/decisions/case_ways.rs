//! When a decision takes each of its transitions, in words.

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
    /// For example with these values; the earlier cases do not hold then.
    Values(Vec<(String, String)>),
    Never,
    /// It depends on something that only a job knows.
    Unknown,
}

impl When {
    pub(super) fn of(example: CaseExample) -> When {
        match example {
            CaseExample::Never => When::Never,
            CaseExample::Unknown => When::Unknown,
            CaseExample::Values(values) => When::Values(
                values
                    .into_iter()
                    .map(|it| {
                        let shown = match it.value {
                            None => "another text".to_owned(),
                            Some(Value::Null) => "null".to_owned(),
                            Some(Value::Text(text)) if text.is_empty() => "empty".to_owned(),
                            Some(Value::Text(text)) => format!("`{text}`"),
                            Some(value) => value.into_text(),
                        };
                        (it.text, shown)
                    })
                    .collect(),
            ),
        }
    }
}
