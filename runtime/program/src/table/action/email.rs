//! The `email` action.

use crate::table::{Settings, action::ActionDef};

/// One message: the elements `to`, `cc`, `bcc`, `subject`, `body`, `content_type`, `attachment`.
#[derive(Debug)]
pub struct Email {
    pub settings: Settings,
}

impl Email {
    /// What stands for the elements that are not written.
    pub const EMPTY: Email = Email {
        settings: Settings::EMPTY,
    };
}

impl ActionDef for Email {
    fn type_name(&self) -> &'static str {
        "email"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &[
            "to",
            "cc",
            "bcc",
            "subject",
            "body",
            "content_type",
            "attachment",
        ]
    }

    fn has_configuration(&self) -> bool {
        false
    }
}
