//! The `rust` action of hpdlc: a call of a Rust function of the program itself. Oozie has none.

body! {
    "rust": Rust {
        /// The name by which the program knows it.
        function: F::Text = text "function",
        arguments: F::List<F::Text> = list "argument",
    }
}
