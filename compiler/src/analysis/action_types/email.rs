//! The `email` action.

use std::iter;

use crate::{
    analysis::{
        action_types::{ActionOutput, ActionType, ExitCodes, Outlet, TextVisitor},
        needed::{Need, Needs},
    },
    model::{Template, action::Email},
};

/// `EmailActionExecutor`
const OF_EMAIL: [&str; 8] = [
    "EM001", "EM002", "EM003", "EM004", "EM005", "EM006", "EM007", "EM008",
];

impl ActionType for Email {
    fn texts<'a>(&'a self, texts: &mut TextVisitor<'_, 'a>) {
        let Email {
            to,
            cc,
            bcc,
            subject,
            body,
            content_type,
            attachment,
        } = self;
        texts.text([to]);
        texts.text(cc.iter().chain(bcc));
        texts.text([subject]);
        texts.text(body.iter().chain(content_type).chain(attachment));
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
        &OF_EMAIL
    }

    fn exit_codes(&self) -> ExitCodes {
        ExitCodes::None
    }

    fn data(&self) -> ActionOutput {
        ActionOutput::Never
    }
}
