//! The action type used by tests: what it takes to add one.

body! {
    "probe": Probe {
        text: F::Text = text "text",
    }
}
