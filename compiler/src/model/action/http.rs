//! The `http` action of the workflow schema 0.1 and of 2009: one request. Oozie has the schema, but no executor (E0723).

use crate::model::{Template, action::ActionBody};

#[derive(Clone, Debug)]
pub struct Http {
    pub url: Template,
    /// A GET if absent.
    pub post: Option<HttpPost>,
    /// `wait`: the action ends when its callback is called, not with the response.
    pub waits_for_callback: bool,
    /// An expression that selects this at run time: `WAIT` or `CONTINUE`. Only in the dialect of 2009.
    pub mode: Option<Template>,
    pub capture_output: bool,
}

impl ActionBody for Http {
    fn name(&self) -> &'static str {
        "http"
    }
}

#[derive(Clone, Debug)]
pub struct HttpPost {
    pub content_type: Template,
    pub body: Template,
}
