//! The `email` action: one message.

use crate::model::{
    Template,
    action::{ActionBody, NamedFile},
};

#[derive(Clone, Debug)]
pub struct Email {
    /// Addresses, separated by commas; so are `cc` and `bcc`.
    pub to: Template,
    pub cc: Option<Template>,
    pub bcc: Option<Template>,
    pub subject: Template,
    /// `body`; in the workflow schema 0.1 `message`, which is optional there.
    pub body: Option<Template>,
    /// `text/plain` if absent.
    pub content_type: Option<Template>,
    /// URIs of files, separated by commas.
    pub attachment: Option<Template>,
}

impl ActionBody for Email {
    fn name(&self) -> &'static str {
        "email"
    }

    fn files(&self) -> Vec<NamedFile<'_>> {
        self.attachment
            .iter()
            .map(|text| ("attachment", text))
            .collect()
    }
}
