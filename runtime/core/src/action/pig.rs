//! The `pig` action: one script of Pig Latin.

use crate::action::{Choice, Empty, Form, PrepareOperation, Settings, Value};

body! {
    "pig": Pig {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        script: PigScript<F> = choice,
        /// `NAME=VALUE`, for the script.
        params: F::List<F::Text> = list "param",
        /// For the command line of Pig.
        arguments: F::List<F::Text> = list "argument",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
    }
}

/// The script, and where it runs.
#[derive(Clone, Debug)]
pub enum PigScript<F: Form> {
    Here(F::Text),
    /// On a `user@host`, over ssh, host and script: only in the dialect of 2009.
    OnHost(F::Text, F::Text),
}

impl<F: Form<Text: Empty>> Empty for PigScript<F> {
    const EMPTY: PigScript<F> = PigScript::Here(<F::Text as Empty>::EMPTY);
}

impl<F: Form> PigScript<F> {
    pub(super) fn choice(&self) -> Choice<'_, F> {
        let (variant, values) = match self {
            PigScript::Here(script) => ("Here", vec![Value::Text("script", script)]),
            PigScript::OnHost(host, script) => (
                "OnHost",
                vec![
                    Value::Text("pig-host", host),
                    Value::Text("pig-script", script),
                ],
            ),
        };
        Choice {
            name: "PigScript",
            variant,
            values,
        }
    }

    pub fn template(&self) -> &F::Text {
        match self {
            PigScript::Here(script) | PigScript::OnHost(_, script) => script,
        }
    }
}
