//! The `ssh` action: one command on another host.

use crate::action::{Choice, Empty, Form, Value};

body! {
    "ssh": Ssh {
        /// `user@host`, or `host` alone.
        host: F::Text = text "host",
        command: F::Text = text "command",
        arguments: SshArguments<F> = choice,
        capture_output: bool = flag,
    }
}

/// The arguments of the command.
#[derive(Clone, Debug)]
pub enum SshArguments<F: Form> {
    /// `args`, repeated: joined by blanks, for the remote shell to split.
    Flattened(F::List<F::Text>),
    /// `arg`, repeated: one argument each, including blanks.
    Preserved(F::List<F::Text>),
}

impl<F: Form> Empty for SshArguments<F> {
    const EMPTY: SshArguments<F> = SshArguments::Preserved(<F::List<F::Text> as Empty>::EMPTY);
}

impl<F: Form> SshArguments<F> {
    pub(super) fn choice(&self) -> Choice<'_, F> {
        let (variant, values) = match self {
            SshArguments::Flattened(args) => ("Flattened", vec![Value::List("args", args)]),
            SshArguments::Preserved(args) => ("Preserved", vec![Value::List("arg", args)]),
        };
        Choice {
            name: "SshArguments",
            variant,
            values,
        }
    }

    /// As written, in order.
    pub fn templates(&self) -> &[F::Text] {
        match self {
            SshArguments::Flattened(list) | SshArguments::Preserved(list) => list,
        }
    }
}
