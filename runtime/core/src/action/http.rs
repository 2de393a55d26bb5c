//! The `http` action of the workflow schema 0.1 and of 2009: one request. Oozie has the schema, but no executor (E0723).

body! {
    "http": Http {
        url: F::Text = text "url",
        /// An expression that selects this at run time: `WAIT` or `CONTINUE`. Only in the dialect of 2009.
        mode: Option<F::Text> = optional "mode",
        /// A GET if absent.
        post: Option<HttpPost<F>> = optional_struct,
        /// `wait`: the action ends when its callback is called, not with the response.
        waits_for_callback: bool = flag,
        capture_output: bool = flag,
    }
}

body! {
    HttpPost {
        body: F::Text = text "post",
        content_type: F::Text = text "post@content-type",
    }
}
