//! The `sqoop` action: one command of Sqoop.

use crate::action::{Choice, Empty, Form, PrepareOperation, Settings, Value};

body! {
    "sqoop": Sqoop {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        command: SqoopCommand<F> = choice,
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
    }
}

/// The command line of Sqoop.
#[derive(Clone, Debug)]
pub enum SqoopCommand<F: Form> {
    /// `command`: one text, split at blanks.
    Text(F::Text),
    /// `arg`, repeated: one argument each.
    Args(F::List<F::Text>),
}

impl<F: Form> Empty for SqoopCommand<F> {
    const EMPTY: SqoopCommand<F> = SqoopCommand::Args(<F::List<F::Text> as Empty>::EMPTY);
}

impl<F: Form> SqoopCommand<F> {
    pub(super) fn choice(&self) -> Choice<'_, F> {
        let (variant, values) = match self {
            SqoopCommand::Text(text) => ("Text", vec![Value::Text("command", text)]),
            SqoopCommand::Args(args) => ("Args", vec![Value::List("arg", args)]),
        };
        Choice {
            name: "SqoopCommand",
            variant,
            values,
        }
    }
}
