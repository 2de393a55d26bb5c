//! The action of an extension.

use crate::table::{Settings, Template, action::ActionDef};

/// An action of an extension: its texts by path.
#[derive(Debug)]
pub struct Custom {
    pub type_name: &'static str,
    pub settings: Settings,
    pub fields: &'static [(&'static str, Template)],
}

impl ActionDef for Custom {
    fn type_name(&self) -> &'static str {
        self.type_name
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &[]
    }

    fn has_configuration(&self) -> bool {
        false
    }

    fn fields(&self) -> &'static [(&'static str, Template)] {
        self.fields
    }

    fn is_process(&self) -> bool {
        false
    }
}
