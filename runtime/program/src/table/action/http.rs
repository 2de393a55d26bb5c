//! The `http` action of the proposal of 2009.

use crate::table::{Settings, action::ActionDef};

/// One request: the elements `url`, and `content-type` and `post` of what is posted; `mode` where an expression says whether
/// it waits for its callback.
#[derive(Debug)]
pub struct Http {
    pub settings: Settings,
    pub waits_for_callback: bool,
    pub capture_output: bool,
}

impl Http {
    /// What stands for the elements that are not written.
    pub const EMPTY: Http = Http {
        settings: Settings::EMPTY,
        waits_for_callback: false,
        capture_output: false,
    };
}

impl ActionDef for Http {
    fn type_name(&self) -> &'static str {
        "http"
    }

    fn settings(&self) -> &Settings {
        &self.settings
    }

    fn elements(&self) -> &'static [&'static str] {
        &["url", "mode", "post", "content-type"]
    }

    fn path(&self, element: &'static str) -> &'static str {
        match element {
            "content-type" => "post@content-type",
            _ => element,
        }
    }

    fn has_configuration(&self) -> bool {
        false
    }
}
