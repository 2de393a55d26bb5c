//! The `java` action: a main class with the application's `lib/*.jar`.

use crate::action::{Choice, Empty, Form, PrepareOperation, Settings, Value};

body! {
    "java": Java {
        settings: Settings<F> = settings,
        prepare: F::List<PrepareOperation<F>> = prepare,
        main_class: F::Text = text "main-class",
        java_opts: JavaOpts<F> = choice,
        args: F::List<F::Text> = list "arg",
        /// Possibly several paths in one text, separated by commas; `#name` gives the link's name.
        files: F::List<F::Text> = list "file",
        archives: F::List<F::Text> = list "archive",
        capture_output: bool = flag,
    }
}

/// Options of the JVM.
#[derive(Clone, Debug)]
pub enum JavaOpts<F: Form> {
    None,
    /// `java-opts`: one text, split at blanks.
    Text(F::Text),
    /// `java-opt`, repeated: one option each.
    List(F::List<F::Text>),
}

impl<F: Form> Empty for JavaOpts<F> {
    const EMPTY: JavaOpts<F> = JavaOpts::None;
}

impl<F: Form> JavaOpts<F> {
    pub(super) fn choice(&self) -> Choice<'_, F> {
        let (variant, values) = match self {
            JavaOpts::None => ("None", vec![]),
            JavaOpts::Text(text) => ("Text", vec![Value::Text("java-opts", text)]),
            JavaOpts::List(options) => ("List", vec![Value::List("java-opt", options)]),
        };
        Choice {
            name: "JavaOpts",
            variant,
            values,
        }
    }
}
