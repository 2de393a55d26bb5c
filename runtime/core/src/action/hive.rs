//! The `hive` action: one script or query, run by the Hive client.

use crate::action::{Choice, Empty, Form, PrepareOperation, Settings, Value};

body! {
    "hive": Hive {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        source: HiveSource<F> = choice,
        /// `NAME=VALUE`, for the script.
        params: F::List<F::Text> = list "param",
        /// For the command line of the client.
        arguments: F::List<F::Text> = list "argument",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
    }
}

/// What `hive` and `hive2` run.
#[derive(Clone, Debug)]
pub enum HiveSource<F: Form> {
    /// The path of a file.
    Script(F::Text),
    /// The statements themselves.
    Query(F::Text),
}

impl<F: Form<Text: Empty>> Empty for HiveSource<F> {
    const EMPTY: HiveSource<F> = HiveSource::Script(<F::Text as Empty>::EMPTY);
}

impl<F: Form> HiveSource<F> {
    pub(super) fn choice(&self) -> Choice<'_, F> {
        let (variant, values) = match self {
            HiveSource::Script(script) => ("Script", vec![Value::Text("script", script)]),
            HiveSource::Query(query) => ("Query", vec![Value::Text("query", query)]),
        };
        Choice {
            name: "HiveSource",
            variant,
            values,
        }
    }

    pub fn template(&self) -> &F::Text {
        match self {
            HiveSource::Script(template) | HiveSource::Query(template) => template,
        }
    }

    /// The script's file, if it is one.
    pub fn script(&self) -> Option<&F::Text> {
        match self {
            HiveSource::Script(script) => Some(script),
            HiveSource::Query(_) => None,
        }
    }
}
