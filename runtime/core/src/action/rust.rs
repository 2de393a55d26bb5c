//! The `rust` action of hpdlc: a call of a Rust function of the program itself. Oozie has none.

use crate::action::Settings;

body! {
    "rust": Rust {
        settings: Settings<F> = settings,
        /// The name by which the program knows it.
        function: F::Text = text "function",
        arguments: F::List<F::Text> = list "argument",
    }
}
