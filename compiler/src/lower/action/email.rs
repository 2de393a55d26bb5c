//! The `email` action.

use crate::{
    lower::template::{self, TextSink},
    model::action::Email,
    syntax::xml::Element,
};

pub(super) fn email(body: &Element<'_>, sink: &mut TextSink) -> Email {
    Email {
        to: template::of_required_child(body, "to", sink),
        cc: template::of_child(body, "cc", sink),
        bcc: template::of_child(body, "bcc", sink),
        subject: template::of_required_child(body, "subject", sink),
        body: match template::of_child(body, "body", sink) {
            Some(text) => Some(text),
            None => template::of_child(body, "message", sink),
        },
        content_type: template::of_child(body, "content_type", sink),
        attachment: template::of_child(body, "attachment", sink),
    }
}
