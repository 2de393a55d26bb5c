//! The `email` action.

use std::iter;

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ExitCodes, Outlet},
        needed::{Need, Needs},
    },
    model::{Template, action::Email},
};

/// The error codes of `EmailActionExecutor`.
const EMAIL_ERROR_CODES: [&str; 8] = [
    "EM001", "EM002", "EM003", "EM004", "EM005", "EM006", "EM007", "EM008",
];

impl ActionType for Email {
    fn has_counters(&self) -> bool {
        false
    }

    fn paths(&self) -> Vec<&Template> {
        self.attachment.iter().collect()
    }

    fn only_reads_paths(&self) -> bool {
        // They are attached to the mail.
        true
    }

    fn needed_texts(&self) -> Vec<(&'static str, &Template)> {
        vec![("to", &self.to)]
    }

    fn outlets(&self) -> Vec<Outlet<'_>> {
        const DANGER: &str = "every mail server on the way reads it";
        let subject = Outlet::new(&self.subject, "the subject of a mail", DANGER);
        let body = self.body.iter();
        let body = body.map(|body| Outlet::new(body, "the body of a mail", DANGER));
        iter::once(subject).chain(body).collect()
    }

    fn needs(&self, _has_cluster: bool, needs: &mut Needs) {
        needs.certain.insert(Need::Mail);
    }

    fn error_codes(&self) -> &'static [&'static str] {
        &EMAIL_ERROR_CODES
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::None
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Never
    }
}
